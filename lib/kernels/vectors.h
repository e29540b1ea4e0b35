/* vectors.h - element.h in the vectors of GNU C, of VECTOR_BYTES bytes
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_VECTORS_H
#define FPFMT_VECTORS_H

#include "kernel.h"

/* Included once by a vector set, which defines VECTOR_BYTES and TARGET before. What is defined here
 * serves both carriers and stays to the end of the set:
 *
 *   gives                    meaning
 *   vec_32, vec_64           words of 32 and of 64 bits, as many as VECTOR_BYTES hold
 *   real_32, real_64         the same bytes as floats and doubles
 *   SPLAT LESS EQUAL         the first half of the table in element.h; comparisons of GNU vectors
 *   OF_SIGN SUBTRACT         give lanes of 0 and -1, which are the masks that element.h wants
 *   R(x)                     the bits of a VEC as floats or doubles, for intrinsics
 *   JOIN(a, b, c)            one name out of three parts, each expanded first: how a set makes the
 *                            name of an intrinsic from WORD_BITS, so that one macro serves both
 *                            carriers
 *   LETTER_32, LETTER_64     what the names of such intrinsics end in: ps for floats, pd for
 *                            doubles; used as NAME(LETTER) */

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
#define SUBTRACT(a, b) ((VEC)(R(a) - R(b)))

#endif
