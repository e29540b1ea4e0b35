/* plan.h - what becomes of every tensor, and in which file it will be
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_PLAN_H
#define FPCAST_PLAN_H

#include "kit/progress.h"
#include "kit/replace.h"
#include "plan/stored.h"
#include "plan/targets.h"

/* In the order in which people are told. */
typedef enum { DEED_CONVERT, DEED_QUANTIZE, DEED_LEAVE_OUT, DEED_COPY, DEEDS } deed;

/* A tensor of a new file. */
typedef struct {
    const char *name;
    stored how;
    int rank;
    uint64_t shape[TENSOR_RANK];
    uint64_t bytes, offset; /* behind the header of its file */
} new_tensor;

/* What a tensor becomes: itself, and of quantised ones their scales and that of the whole. */
enum { PART_ELEMENTS, PART_SCALES, PART_WHOLE, CAST_PARTS };

typedef struct {
    const file_tensor *from;
    deed does;
    const char *why; /* it is kept, where a target was asked for; NULL: no reason is needed */
    const target *to;
    size_t file;     /* the new file it goes to */
    unsigned turned; /* of copies: bytes of a number */
    new_tensor parts[CAST_PARTS];
    int part_count;
    unsigned flags;     /* what it raised */
    fpfmt_stats *stats; /* NULL where nothing is counted */
} cast;

typedef struct {
    const char *path;
    size_t part;          /* whose notes it has; SIZE_MAX: those of all */
    new_tensor **tensors; /* in the order of their bytes */
    size_t count;
    uint64_t bytes, data; /* of its tensors, and where they begin */
    replacement *to;      /* NULL where nothing is written */
} new_file;

typedef struct {
    const request *asked;
    tensor_file *in;
    out_kind kind;
    bool in_folder;   /* a model in shards, and its index */
    bool made_folder; /* it was not there */
    bool big_input;   /* the input's numbers have their highest byte first */
    cast *casts;
    size_t count;
    new_file *files;
    size_t file_count;
    progress bar; /* bytes of new files */
} cast_plan;

/* False after a complaint: it cannot be done, or the input has something wrong. */
bool make_plan(cast_plan *made, const request *asked, tensor_file *in);

/* ---- the steps of make_plan ---- */

/* What becomes of each tensor. */
bool choose_targets(cast_plan *made);

/* The tensors that casts make, and their names, types and shapes. */
bool shape_parts(cast_plan *made);

/* The files, and the order in them. */
bool lay_out_files(cast_plan *made);

#endif
