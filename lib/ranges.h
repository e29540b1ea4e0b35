/* ranges.h - where magnitudes alone tell what a rounding raises
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_RANGES_H
#define FPFMT_LIB_RANGES_H

#include "bulk.h"
#include "sums.h"

/* One call of statistics: what it rounds with, and how it reads the carrier's bits. */
typedef struct {
    fpfmt_job job;
    const fpfmt_encoder *encoder;
    uint64_t sign, infinity;    /* the bit, and the magnitude */
    uint64_t smallest, largest; /* magnitudes between which nothing is tiny, flushed or over */
    uint64_t flushed;           /* below which an input is flushed */
    uint64_t tiny, stays;       /* below which an input is tiny, if the result is below stays */
    uint64_t beyond;            /* from here on no rounding leads back to the largest */
    uint64_t step;              /* of fixed point */
    int fraction_bits, bias;
    bool signed_format;
} fpfmt_reading;

/* How an array is read that the job rounds with this encoder, which carries every value. */
fpfmt_reading fpfmt_read(const fpfmt_job *job, const fpfmt_encoder *encoder);

/* The number that finite carrier bits are; of zero the significand is 0. */
static inline number number_of(const fpfmt_reading *it, uint64_t bits)
{
    uint64_t magnitude = bits & ~it->sign, hidden = UINT64_C(1) << it->fraction_bits;
    bool normal = magnitude >= hidden;
    return (number){ .significand = (magnitude & (hidden - 1)) | (normal ? hidden : 0),
                     .exponent = (int)(magnitude >> it->fraction_bits) + !normal - it->bias -
                                 it->fraction_bits,
                     .negative = bits != magnitude };
}

/* The count of an element that its magnitudes before and after, a and b, tell; NULL if it takes the
 * flags. This is what keeps fpfmt_encode from running again for each element: near the ends of the
 * range alone it must. */
static inline uint64_t *status_by_range(fpfmt_stats *stats, const fpfmt_reading *it, uint64_t a,
                                        uint64_t b)
{
    /* Zero of a number in range: it was zero, or flushed as an input, or it underflowed. */
    if (b == 0 && a <= it->largest)
        return a == 0 || a < it->flushed ? &stats->exact : &stats->underflow;
    if (a >= it->smallest && a <= it->largest)
        return &stats->inexact;
    if (a < it->tiny && b < it->stays)
        return &stats->subnormal;
    /* Far past the largest value no mode leads back: overflow, whatever it became. */
    if (a >= it->beyond && a < it->infinity)
        return b < it->infinity ? &stats->saturated : &stats->overflow;
    return NULL;
}

#endif
