/* bulk.h - array conversions, whatever their constants come from
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_BULK_H
#define FPFMT_BULK_H

#include "bits.h"
#include "overlap.h"
#include "plan.h"

/* One conversion of an array: what fpfmt_encode_all and fpfmt_decode_all need besides the constants
 * that were made for it. */
typedef struct {
    const fpfmt_format *format;
    const fpfmt_policy *policy;
    const fpfmt_kernels *set;
    int carrier;
    uint64_t index; /* of element 0, for random bits */
    unsigned *flags;
} fpfmt_job;

/* Whether both are sound; a NULL policy is. Refused, with false: a defect of either. */
bool fpfmt_is_sound(const fpfmt_format *format, const fpfmt_policy *policy);

/* n elements by the kernels of job->set or, where these do not reach the format, one by one. n > 0,
 * and nothing is left to refuse: fpfmt_may_lie holds, and with carried, or to decode, the carrier
 * holds every value of the format. carried: out is carried values, not codes. table: NULL, or that
 * of the plan with this decoder. */
void fpfmt_encode_all(const fpfmt_job *it, const fpfmt_encoder *encoder, void *out,
                      const void *values, size_t n, bool carried);
void fpfmt_decode_all(const fpfmt_job *it, const fpfmt_decoder *decoder,
                      const uint8_t (*table)[256], void *values, const void *codes, size_t n);

/* Where a view of elements of so many bytes lies, from its lowest byte to its highest one, and how
 * many elements it has; the range is left alone if there are none. Refused: what reaches out of
 * memory, and, of a view that is written, strides that do not nest. */
bool fpfmt_reach_of(const fpfmt_view *view, size_t bytes, bool is_written, byte_range *range,
                    size_t *count);

#endif
