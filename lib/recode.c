/* recode.c - arrays of codes from one format to another
 * SPDX-License-Identifier: MIT */

#include "bulk.h"
#include "refuse.h"

/* Elements that go through a carrier at a time: 4 KiB of doubles, in the first cache. Measured on
 * Zen 3 with avx2: 256 takes 10 to 19 % longer, 1024 from 5 to 9 % less, for 8 KiB of stack.
 * ./dev bench --only 'convert .* avx2 L2' */
enum { THROUGH = 512 };

/* The half of a conversion that reads: the format of the codes, and how they become carriers. */
typedef struct {
    const fpfmt_format *format;
    const fpfmt_decoder *decoder;
    const uint8_t (*table)[256];
    bool quiets; /* signaling NaN keep their payload, and their flag is raised */
} source;

/* The definition: decode, and one rounding with the random bits of the element. */
static void one_by_one(const fpfmt_job *it, const fpfmt_encoder *encoder, void *codes,
                       const source *from, const void *in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t random = fpfmt_random_bits(it->index + i, it->policy);
        uint64_t code =
            fpfmt_load((const char *)in + i * from->decoder->bytes, from->decoder->bytes);
        code = fpfmt_encode_random(it->format, fpfmt_decode(from->format, code), random, it->policy,
                                   it->flags);
        fpfmt_store((char *)codes + i * encoder->bytes, code, encoder->bytes);
    }
}

/* Through a carrier that holds every value of the source, so that nothing is rounded on the way.
 * The carrier does not tell which values were subnormal in the source, nor, once they are quiet,
 * which NaN signalled: where either matters elements go one by one. Reading raises invalid for a
 * signaling NaN, as writing one would. */
static void recode(const fpfmt_job *to, const fpfmt_encoder *encoder, void *codes,
                   const source *from, const void *in, size_t n)
{
    double values[THROUGH];
    fpfmt_job piece = *to, reading = *to;
    size_t count;
    if (!from->quiets || to->policy->nan == FPFMT_NAN_PRESERVE ||
        (to->policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS)) {
        one_by_one(to, encoder, codes, from, in, n);
        return;
    }
    reading.format = from->format;
    reading.policy = &(fpfmt_policy){ .rounding = 0 };
    for (size_t done = 0; done < n; done += count) {
        count = n - done < THROUGH ? n - done : THROUGH;
        piece.index = to->index + done;
        fpfmt_decode_all(&reading, from->decoder, from->table, values,
                         (const char *)in + done * from->decoder->bytes, count);
        fpfmt_encode_all(&piece, encoder, (char *)codes + done * encoder->bytes, values, count,
                         false);
    }
}

/* Refuses, or converts. */
static bool recode_checked(const fpfmt_job *to, const fpfmt_encoder *encoder, void *codes,
                           const source *from, const void *in, size_t n)
{
    if (!may_lie(codes, encoder->bytes, in, from->decoder->bytes, n))
        return false;
    if (n > 0)
        recode(to, encoder, codes, from, in, n);
    return true;
}

bool fpfmt_plan_convert(const fpfmt_plan *to, void *codes, const fpfmt_plan *from, const void *in,
                        size_t n, uint64_t first, unsigned *flags)
{
    const fpfmt_prepared *writes = fpfmt_prepared_in(to), *reads = fpfmt_prepared_in(from);
    if (writes == NULL || reads == NULL)
        return refuse("a plan is not prepared");
    int carrier = reads->decoder[CARRIER_32].carries ? CARRIER_32 : CARRIER_64;
    fpfmt_job it = { &to->format, &to->policy, to->set, carrier, to->policy.first + first, flags };
    source its = { &from->format, &reads->decoder[carrier], reads->table,
                   from->policy.nan == FPFMT_NAN_QUIET &&
                       (from->policy.subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS) == 0 };
    return recode_checked(&it, &writes->encoder[carrier], codes, &its, in, n);
}

bool fpfmt_convert_codes(const fpfmt_format *to, void *codes, const fpfmt_format *from,
                         const void *in, size_t n, const fpfmt_policy *policy, unsigned *flags)
{
    fpfmt_encoder encoder;
    fpfmt_decoder decoder;
    policy = fpfmt_or_default(policy);
    if (!fpfmt_is_sound(to, policy) || !fpfmt_is_sound(from, NULL))
        return false;
    int carrier = fpfmt_carries(from, CARRIER_32) ? CARRIER_32 : CARRIER_64;
    fpfmt_job it = { to, policy, fpfmt_best_kernels(), carrier, policy->first, flags };
    source its = { from, &decoder, NULL, true };
    fpfmt_make_encoder(&encoder, to, policy, carrier, false);
    fpfmt_make_decoder(&decoder, from, &(fpfmt_policy){ .rounding = 0 }, carrier);
    return recode_checked(&it, &encoder, codes, &its, in, n);
}
