/* typed.h - values of a format: raw bits, as bf16:0x3f80, and landmarks, as fp16:max
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_TYPED_H
#define FPINSPECT_TYPED_H

#include <fpfmt.h>

typedef struct {
    fpfmt_format format;
    fpfmt_value value;
    bool typed; /* the value has a code in the format, which eps and -max need not have */
    uint64_t code;
} typed_value;

/* Is the text one format:something, with a sign before it or not, and nothing else? *colon is then
 * where the colon stands. */
bool is_typed(const char *text, size_t *colon);

/* Reads such a text; where says which line it is, "" for an operand. False after a complaint. */
bool read_typed(typed_value *in, const char *text, size_t colon, const char *where);

#endif
