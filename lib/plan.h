/* plan.h - the inside of a plan
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_PLAN_H
#define FPFMT_PLAN_H

#include "carrier.h"
#include "encode.h"
#include "kernels/kernel.h"

/* What fpfmt_plan.prepared holds. */
typedef struct {
    uint64_t mark; /* FPFMT_PREPARED */
    fpfmt_encoder encoder[CARRIERS];
    fpfmt_decoder decoder[CARRIERS];
    uint8_t table[2][256]; /* of the decoder of binary32: see kernel.h */
} fpfmt_prepared;

#define FPFMT_PREPARED UINT64_C(0x666D7470726570)

/* The inside of a plan, NULL if it is not prepared. */
const fpfmt_prepared *fpfmt_prepared_in(const fpfmt_plan *plan);

/* For one call: the constants alone, without a table. */
void fpfmt_make_encoder(fpfmt_encoder *encoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier, bool carried);
void fpfmt_make_decoder(fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier);

/* NATIVE_HALF or NATIVE_BFLOAT, if codes mean what those of binary16 or bfloat16 do, whatever the
 * format is called; else NATIVE_NONE. */
int fpfmt_native_of(const fpfmt_format *format);

/* The element functions reach formats whose codes count from zero through subnormals, whose steps
 * are no finer than the carrier's, and whose smallest normal is one of its. */
bool fpfmt_is_reached(const fpfmt_format *format, int carrier);

/* A code carried; rules: of NaN. */
uint64_t fpfmt_value_of(const fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *rules, uint64_t code, int carrier);

/* Is every value of the format one of binary32 or binary64? */
bool fpfmt_carries(const fpfmt_format *format, int carrier);

/* The best set that runs here. */
const fpfmt_kernels *fpfmt_best_kernels(void);

#endif
