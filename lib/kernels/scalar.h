/* scalar.h - vectors of one word: element.h in plain C
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_SCALAR_H
#define FPFMT_SCALAR_H

#include "kernel.h"

#define TARGET

typedef uint32_t vec_32;
typedef uint64_t vec_64;

#define SPLAT(word) ((WORD)(word))
#define LESS(a, b) ((WORD)0 - ((a) < (b)))
#define EQUAL(a, b) ((WORD)0 - ((a) == (b)))
#define OF_SIGN(pair) ((WORD)k->pair[sign & 1])

/* The difference of two numbers given by their bits, where it is exact. */
#define SUBTRACT(a, b) NAME(subtract)(a, b)

static inline uint32_t subtract_32(uint32_t a, uint32_t b)
{
    float x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x -= y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static inline uint64_t subtract_64(uint64_t a, uint64_t b)
{
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x -= y;
    memcpy(&a, &x, sizeof a);
    return a;
}

#endif
