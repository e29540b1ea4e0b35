/* plan.h - the inside of a plan
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_PLAN_H
#define FPFMT_PLAN_H

#include "carrier.h"
#include "encode.h"
#include "kernels/kernel.h"

/* What fpfmt_plan.prepared holds: the constants of all four conversions. A plan is the caller's
 * memory, of a size that fpfmt.h fixes, and is constant once it is prepared. */
typedef struct {
    uint64_t mark; /* FPFMT_PREPARED */
    fpfmt_encoder encoder[CARRIERS];
    fpfmt_decoder decoder[CARRIERS];
    uint8_t table[2][256]; /* of the decoder of binary32: see kernel.h */
} fpfmt_prepared;

/* The letters fmtprep: memory that was never prepared hardly holds them. */
#define FPFMT_PREPARED UINT64_C(0x666D7470726570)

/* The inside of a plan, NULL if it is not prepared. */
const fpfmt_prepared *fpfmt_prepared_in(const fpfmt_plan *plan);

/* Fill in the constants of a sound format under a sound policy, which is not NULL. carried: the
 * encoder is to round in the carrier too, which takes a decoder to make. No table is made. */
void fpfmt_make_encoder(fpfmt_encoder *encoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier, bool carried);
void fpfmt_make_decoder(fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier);

/* NATIVE_HALF or NATIVE_BFLOAT, if codes mean what those of binary16 or bfloat16 do, whatever the
 * format is called; else NATIVE_NONE. */
int fpfmt_native_of(const fpfmt_format *format);

/* Whether the element functions reach a format: its codes have up to 32 bits and count from zero
 * through subnormals, its significands are no longer than the carrier's, and its smallest normal is
 * one of the carrier's. Its largest value may exceed the carrier's, to encode. */
bool fpfmt_is_reached(const fpfmt_format *format, int carrier);

/* The carrier bits of a code, by the decoder that was made for the format; rules has that policy's
 * rule for NaN. */
uint64_t fpfmt_value_of(const fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *rules, uint64_t code, int carrier);

/* Whether every value of the format, its infinities and NaN included, is one of the carrier. */
bool fpfmt_carries(const fpfmt_format *format, int carrier);

/* The best set that runs here; asked for at any time by any thread. */
const fpfmt_kernels *fpfmt_best_kernels(void);

#endif
