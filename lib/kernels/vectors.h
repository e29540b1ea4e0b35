/* vectors.h - element.h in the vectors of GNU C, of VECTOR_BYTES bytes
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_VECTORS_H
#define FPFMT_VECTORS_H

#include "kernel.h"

typedef uint32_t vec_32 __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t vec_64 __attribute__((vector_size(VECTOR_BYTES)));
typedef float real_32 __attribute__((vector_size(VECTOR_BYTES)));
typedef double real_64 __attribute__((vector_size(VECTOR_BYTES)));

#define JOIN(a, b, c) JOIN_EXPANDED(a, b, c)
#define JOIN_EXPANDED(a, b, c) a##b##c
#define LETTER_32 s
#define LETTER_64 d

#define SPLAT(word) ((VEC){ 0 } + (WORD)(word))
#define LESS(a, b) ((VEC)((a) < (b)))
#define EQUAL(a, b) ((VEC)((a) == (b)))
#define OF_SIGN(pair) PICK(sign, OF(pair[1]), OF(pair[0]))

#define R(x) ((NAME(real))(x))

/* The difference of numbers given by their bits, where it is exact. */
#define SUBTRACT(a, b) ((VEC)((NAME(real))(a) - (NAME(real))(b)))

#endif
