/* bulk.h - array conversions, whatever their constants come from
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_BULK_H
#define FPFMT_BULK_H

#include "bits.h"
#include "overlap.h"
#include "plan.h"

typedef struct {
    const fpfmt_format *format;
    const fpfmt_policy *policy;
    const fpfmt_kernels *set;
    int carrier;
    uint64_t index; /* of element 0, for random bits */
    unsigned *flags;
} fpfmt_job;

/* Refused: a format or policy with a defect. */
bool fpfmt_is_sound(const fpfmt_format *format, const fpfmt_policy *policy);

/* n > 0, and nothing left to refuse. table: NULL, or that of the plan with this decoder. */
void fpfmt_encode_all(const fpfmt_job *it, const fpfmt_encoder *encoder, void *out,
                      const void *values, size_t n, bool carried);
void fpfmt_decode_all(const fpfmt_job *it, const fpfmt_decoder *decoder,
                      const uint8_t (*table)[256], void *values, const void *codes, size_t n);

#endif
