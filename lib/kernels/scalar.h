/* scalar.h - vectors of one word: element.h in plain C
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_SCALAR_H
#define FPFMT_SCALAR_H

#include "kernel.h"

/* A lane is the word itself, and the loops of loops.h run over elements one by one. These macros
 * are the first half of the table in element.h; OF_SIGN reads one constant of a pair, where a
 * vector set has to choose between two spread ones. */

#define TARGET

typedef uint32_t vec_32;
typedef uint64_t vec_64;

#define SPLAT(word) ((WORD)(word))
#define LESS(a, b) ((WORD)0 - ((a) < (b)))
#define EQUAL(a, b) ((WORD)0 - ((a) == (b)))
#define OF_SIGN(pair) ((WORD)k->pair[sign & 1])
#define SUBTRACT(a, b) NAME(subtract)(a, b)

/* The bits of x - y, given those of x and y. decode, the only user, subtracts where the result is
 * exact, so that neither the rounding mode nor excess precision of the host can show. */
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
