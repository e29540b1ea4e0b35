/* elements.h - the elements of a tensor, read from its file one after the other
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_ELEMENTS_H
#define FPFMT_KIT_ELEMENTS_H

#include "kit/tensorfile/tensorfile.h"

/* Elements that are read at a time; a multiple of every size of stored blocks, and of what packed
 * codes fill whole bytes with. */
enum { PIECE_ELEMENTS = 65536 };

/* Values of some elements: floats where these hold every value of the tensor, else doubles. */
typedef struct {
    uint64_t first;
    size_t count;
    bool wide;
    float *floats;   /* room for as many as asked for */
    double *doubles; /* the same room */
    void *codes;     /* of the same elements, where they are codes of one format */
} element_piece;

typedef struct element_stream element_stream;

/* The elements of a tensor that is read, in the order of its file; NULL after a complaint. */
element_stream *open_elements(tensor_file *file, const file_tensor *of);

/* Pieces end from now on where rows do, whose elements have the last index alone different: so many
 * rows stay together, counted from the first one of a matrix; or whole rows at least; or, of rows
 * that are longer than a piece, parts. Returns how many elements a piece may have. */
uint64_t keep_rows(element_stream *from, uint64_t rows, bool whole);

/* Are rows read of a tensor in Fortran's order? Of a matrix they are, once keep_rows was called;
 * other tensors come in the order of the file. */
bool can_turn(const file_tensor *of);

/* Makes room in the stream for pieces of so many elements, if they are more than PIECE_ELEMENTS. */
void widen_stream(element_stream *from, size_t elements);

/* Room for a piece of PIECE_ELEMENTS or so many elements, and its end. */
element_piece *new_piece(void);
element_piece *new_piece_of(size_t elements);
void release_piece(element_piece *piece);

/* The next elements; a piece of none at the end. False after a complaint. Where values is false,
 * only their codes are read. */
bool next_piece(element_stream *from, element_piece *piece, bool values);

/* False after a complaint: the checksum of what was read is another one. */
bool close_elements(element_stream *from);

/* Are the values of a tensor doubles? */
bool is_wide(const file_tensor *of);

#endif
