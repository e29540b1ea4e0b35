/* output.h - the new files: begun, written into, and given their names
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_OUTPUT_H
#define FPCAST_OUTPUT_H

#include "plan/plan.h"

/* New files with their headers; in a dry run there are none, and what is written goes nowhere.
 * False after a complaint. */
bool begin_files(cast_plan *plan);

/* n bytes of a tensor, from this one on. False after a complaint, and where a signal waits that
 * ends the program. */
bool write_bytes(cast_plan *plan, const cast *of, int part, uint64_t at, const void *bytes,
                 size_t n);

/* All files, and the index of shards, get their names. False after a complaint. */
bool commit_files(cast_plan *plan);

/* None of them does. */
void abandon_files(cast_plan *plan);

/* ---- headers ---- */

/* In memory of the run, with its length: all that stands before the data. NULL after a
 * complaint. */
char *safetensors_header(const cast_plan *plan, const new_file *file, size_t *length);
char *npy_header(const cast_plan *plan, const new_file *file, size_t *length);

/* The index of the shards. */
char *index_text(cast_plan *plan, size_t *length);

#endif
