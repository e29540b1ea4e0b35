/* ranges.h - where magnitudes alone tell what a rounding raises
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_RANGES_H
#define FPFMT_LIB_RANGES_H

#include "bulk.h"

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

#endif
