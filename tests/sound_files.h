/* sound_files.h - a small file of each kind that the reader of tensors knows
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_SOUND_FILES_H
#define FPFMT_TESTS_SOUND_FILES_H

#include "bytes.h"

/* A file with nothing wrong in it. */
typedef struct {
    const char *name; /* with the suffix of its kind */
    void (*make)(bytes *to);
    bool needs_from; /* --from bf16 */
} sound_file;

extern const sound_file sound_files[];
extern const size_t sound_file_count;

#endif
