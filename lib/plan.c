/* plan.c - prepared conversions
 * SPDX-License-Identifier: MIT */

#include "plan.h"

#include "encode.h"

/* The table of a format of up to 8 bits, carried by binary32, all of whose values have zeros in the
 * lower half of a binary32, as up to 7 fraction bits have unless the value is subnormal there. The
 * table is the two upper bytes of 256 values. avx512_native.h decodes by it, and dequantize_f32.c
 * reads scales, of formats too that the element functions do not reach. */
static void fill_table(const fpfmt_plan *plan, fpfmt_prepared *inside)
{
    fpfmt_decoder *decoder = &inside->decoder[CARRIER_32];
    uint32_t low = 0, value;
    if (decoder->bytes != 1 || !decoder->carries)
        return;
    for (uint32_t code = 0; code < 256; code++) {
        value = (uint32_t)fpfmt_value_of(decoder, &plan->format, &plan->policy, code, CARRIER_32);
        low |= value;
        inside->table[0][code] = (uint8_t)(value >> 16);
        inside->table[1][code] = (uint8_t)(value >> 24);
    }
    decoder->has_table = (low & 0xFFFF) == 0;
}

const fpfmt_prepared *fpfmt_prepared_in(const fpfmt_plan *plan)
{
    const fpfmt_prepared *inside = (const void *)plan->prepared;
    return inside->mark == FPFMT_PREPARED ? inside : NULL;
}

bool fpfmt_prepare(fpfmt_plan *plan, const fpfmt_format *format, const fpfmt_policy *policy,
                   const fpfmt_kernels *set)
{
    fpfmt_prepared *inside = (void *)plan->prepared;
    _Static_assert(sizeof *inside <= sizeof plan->prepared, "a plan is too small");
    /* Format and policy may be those of this plan, which is cleared. */
    const fpfmt_format of = format != NULL ? *format : (fpfmt_format){ .bias = 0 };
    const fpfmt_policy how = *fpfmt_or_default(policy);
    *plan = (fpfmt_plan){ .set = set == NULL ? fpfmt_best_kernels() : set };
    if (format == NULL || fpfmt_defect(&of) != NULL || fpfmt_policy_defect(&how) != NULL ||
        (plan->set != fpfmt_best_kernels() && !plan->set->runs_here()))
        return false;
    plan->format = of;
    plan->policy = how;
    for (int carrier = 0; carrier < CARRIERS; carrier++) {
        fpfmt_make_encoder(&inside->encoder[carrier], &of, &how, carrier, true);
        fpfmt_make_decoder(&inside->decoder[carrier], &of, &how, carrier);
    }
    fill_table(plan, inside);
    inside->mark = FPFMT_PREPARED;
    return true;
}
