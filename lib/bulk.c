/* bulk.c - arrays: encode, decode, round and convert
 * SPDX-License-Identifier: MIT */

#include "bulk.h"
#include "refuse.h"

/* The code of element i as the scalar functions make it. */
static uint64_t encode_one(const fpfmt_job *it, fpfmt_value value, uint64_t i)
{
    uint64_t random = fpfmt_random_bits(it->index + i, it->policy);
    return fpfmt_encode_random(it->format, value, random, it->policy, it->flags);
}

void fpfmt_encode_all(const fpfmt_job *it, const fpfmt_encoder *encoder, void *out,
                      const void *values, size_t n, bool carried)
{
    size_t in_bytes = carrier_bytes(it->carrier), out_bytes = carried ? in_bytes : encoder->bytes;
    fpfmt_draw draw = { it->policy, it->index };
    if (encoder->decision != DECIDE_REFERENCE) {
        (carried ? it->set->round : it->set->encode)[it->carrier](encoder, out, values, n, &draw,
                                                                  it->flags);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = fpfmt_load((const unsigned char *)values + i * in_bytes, in_bytes);
        uint64_t code = encode_one(it, fpfmt_from_carrier(bits, it->carrier), i);
        if (carried)
            code = fpfmt_to_carrier(it->format, code, &(fpfmt_policy){ .nan = it->policy->nan },
                                    it->carrier, NULL);
        fpfmt_store((unsigned char *)out + i * out_bytes, code, out_bytes);
    }
}

void fpfmt_decode_all(const fpfmt_job *it, const fpfmt_decoder *decoder,
                      const uint8_t (*table)[256], void *values, const void *codes, size_t n)
{
    size_t out_bytes = carrier_bytes(it->carrier), in_bytes = decoder->bytes;
    if (!decoder->reference) {
        it->set->decode[it->carrier](decoder, table, values, codes, n, it->flags);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t code = fpfmt_load((const unsigned char *)codes + i * in_bytes, in_bytes);
        uint64_t bits = fpfmt_to_carrier(it->format, code, it->policy, it->carrier, it->flags);
        fpfmt_store((unsigned char *)values + i * out_bytes, bits, out_bytes);
    }
}

/* Refuses, or encodes; the job and its constants fit together. */
static bool encode_checked(const fpfmt_job *it, const fpfmt_encoder *encoder, void *out,
                           const void *values, size_t n, bool carried)
{
    size_t in_bytes = carrier_bytes(it->carrier);
    if (carried && !encoder->carries)
        return refuse("the carrier does not hold every value of the format");
    if (!may_lie(out, carried ? in_bytes : encoder->bytes, values, in_bytes, n))
        return false;
    if (n > 0)
        fpfmt_encode_all(it, encoder, out, values, n, carried);
    return true;
}

/* Refuses, or decodes. */
static bool decode_checked(const fpfmt_job *it, const fpfmt_decoder *decoder,
                           const uint8_t (*table)[256], void *values, const void *codes, size_t n)
{
    if (!decoder->carries)
        return refuse("the carrier does not hold every value of the format");
    if (!may_lie(values, carrier_bytes(it->carrier), codes, decoder->bytes, n))
        return false;
    if (n > 0)
        fpfmt_decode_all(it, decoder, table, values, codes, n);
    return true;
}

/* The public calls of a plan, for either carrier; first is the index of element 0 beyond the
 * policy's. */
static bool plan_encode(const fpfmt_plan *plan, int carrier, void *out, const void *values,
                        size_t n, uint64_t first, unsigned *flags, bool carried)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    fpfmt_job it = { &plan->format, &plan->policy, plan->set, carrier, plan->policy.first + first,
                     flags };
    return inside == NULL ? refuse("a plan is not prepared")
                          : encode_checked(&it, &inside->encoder[carrier], out, values, n, carried);
}

static bool plan_decode(const fpfmt_plan *plan, int carrier, void *values, const void *codes,
                        size_t n, unsigned *flags)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    fpfmt_job it = { &plan->format, &plan->policy, plan->set, carrier, 0, flags };
    return inside == NULL
               ? refuse("a plan is not prepared")
               : decode_checked(&it, &inside->decoder[carrier], inside->table, values, codes, n);
}

bool fpfmt_is_sound(const fpfmt_format *format, const fpfmt_policy *policy)
{
    if (fpfmt_defect(format) != NULL || fpfmt_policy_defect(policy) != NULL)
        return refuse("the format or the policy has a defect");
    return true;
}

/* The public calls without a plan. An encoder takes about as long to make as ten calls of
 * fpfmt_encode. */
static bool encode_once(const fpfmt_format *format, int carrier, void *out, const void *values,
                        size_t n, const fpfmt_policy *policy, unsigned *flags, bool carried)
{
    fpfmt_encoder encoder;
    policy = fpfmt_or_default(policy);
    fpfmt_job it = { format, policy, fpfmt_best_kernels(), carrier, policy->first, flags };
    if (!fpfmt_is_sound(format, policy))
        return false;
    fpfmt_make_encoder(&encoder, format, policy, carrier, carried);
    return encode_checked(&it, &encoder, out, values, n, carried);
}

/* Without a table, which takes longer to make than most arrays to decode. */
static bool decode_once(const fpfmt_format *format, int carrier, void *values, const void *codes,
                        size_t n, const fpfmt_policy *policy, unsigned *flags)
{
    fpfmt_decoder decoder;
    policy = fpfmt_or_default(policy);
    fpfmt_job it = { format, policy, fpfmt_best_kernels(), carrier, 0, flags };
    if (!fpfmt_is_sound(format, policy))
        return false;
    fpfmt_make_decoder(&decoder, format, policy, carrier);
    return decode_checked(&it, &decoder, NULL, values, codes, n);
}

/* The six public calls of a carrier. They differ by types alone, which no function can take. */
#define DEFINE(type, name, carrier)                                                                \
    bool fpfmt_plan_encode_##name(const fpfmt_plan *plan, void *codes, const type *values,         \
                                  size_t n, uint64_t first, unsigned *flags)                       \
    {                                                                                              \
        return plan_encode(plan, carrier, codes, values, n, first, flags, false);                  \
    }                                                                                              \
    bool fpfmt_plan_round_##name(const fpfmt_plan *plan, type *rounded, const type *values,        \
                                 size_t n, uint64_t first, unsigned *flags)                        \
    {                                                                                              \
        return plan_encode(plan, carrier, rounded, values, n, first, flags, true);                 \
    }                                                                                              \
    bool fpfmt_plan_decode_##name(const fpfmt_plan *plan, type *values, const void *codes,         \
                                  size_t n, unsigned *flags)                                       \
    {                                                                                              \
        return plan_decode(plan, carrier, values, codes, n, flags);                                \
    }                                                                                              \
    bool fpfmt_encode_##name(const fpfmt_format *format, void *codes, const type *values,          \
                             size_t n, const fpfmt_policy *policy, unsigned *flags)                \
    {                                                                                              \
        return encode_once(format, carrier, codes, values, n, policy, flags, false);               \
    }                                                                                              \
    bool fpfmt_round_##name(const fpfmt_format *format, type *rounded, const type *values,         \
                            size_t n, const fpfmt_policy *policy, unsigned *flags)                 \
    {                                                                                              \
        return encode_once(format, carrier, rounded, values, n, policy, flags, true);              \
    }                                                                                              \
    bool fpfmt_decode_##name(const fpfmt_format *format, type *values, const void *codes,          \
                             size_t n, const fpfmt_policy *policy, unsigned *flags)                \
    {                                                                                              \
        return decode_once(format, carrier, values, codes, n, policy, flags);                      \
    }

DEFINE(float, f32, CARRIER_32)
DEFINE(double, f64, CARRIER_64)
