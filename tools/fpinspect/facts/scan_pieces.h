/* scan_pieces.h - how a piece of a tensor is rounded, to scan it and to find what loses most
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_SCAN_PIECES_H
#define FPINSPECT_SCAN_PIECES_H

#include "facts/scan.h"

/* The values of a piece as doubles, in room->widened if they are none. */
const double *doubles_of(const element_piece *piece, const scan_room *room);

/* A piece as a matrix, or as one row where it is a part of one, or has a scale of its own. */
typedef struct {
    fpfmt_view values, codes, scales;
    size_t shape[2], scale_shape[2];
    int axis;
} block_views;

void make_views(block_views *made, const fpfmt_block *block, const element_piece *piece,
                uint64_t width, const scan_room *room);

/* Codes and scales of a piece into the room, and what became of its values into the statistics, if
 * these are not NULL. */
void scan_blocks(fpfmt_stats *stats, const scan_target *target, const element_piece *piece,
                 uint64_t width, const fpfmt_tensor_scale *scale, const scan_room *room);

#endif
