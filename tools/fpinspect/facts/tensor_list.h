/* tensor_list.h - what files say of their tensors
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_TENSOR_LIST_H
#define FPINSPECT_TENSOR_LIST_H

#include "kit/records.h"
#include "kit/tensorfile/tensorfile.h"
#include "values/request.h"

typedef struct {
    const char *file, *tensor, *type;
    const char *format; /* of elements; NULL where they are not read */
    char shape[200];    /* sizes, separated by blanks */
    uint64_t count, bytes, offset;
    const char *scheme, *scales; /* the rule by which its scales were found, and their tensor */
    bool is_scale;
} listed_tensor;
extern const field listed_tensor_fields[];

/* The tensors of the operands that --tensor wants. False, after a complaint, where there are none.
 */
bool gather_tensors(fact_list *facts, const request *chosen);

/* What the options say of files. */
void read_files_as(file_reading *made, const request *chosen);

/* Does the name fit one of the patterns of --tensor? */
bool is_wanted_tensor(const request *chosen, const char *name);

/* The sizes of a shape, separated by blanks. */
void spell_sizes(char text[200], const uint64_t *shape, int rank);

#endif
