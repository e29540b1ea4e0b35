/* ranges.c - where magnitudes alone tell what a rounding raises
 * SPDX-License-Identifier: MIT */

#include "ranges.h"

#include "encode.h"
#include "shape.h"

/* What a code of the format is as a magnitude of the carrier. */
static uint64_t magnitude_of(const fpfmt_reading *it, uint64_t code)
{
    const fpfmt_policy rules = { .rounding = 0 };
    return fpfmt_to_carrier(it->job.format, code, &rules, it->job.carrier, NULL) & ~it->sign;
}

/* The ends that hold in every mode. However its tininess is judged, what stays below the smallest
 * normal is tiny: had it reached that in finer steps, it had done so in those of the format. In
 * fixed point nothing is tiny. */
static void set_wide_ranges(fpfmt_reading *it)
{
    const fpfmt_format *format = it->job.format;
    fpfmt_limits limits = fpfmt_measure(format);
    uint64_t lowest = magnitude_of(it, limits.lowest);
    it->smallest = magnitude_of(it, limits.min_normal);
    it->largest = magnitude_of(it, limits.max);
    it->tiny = it->stays = it->smallest;
    if (is_fixed_point(format)) {
        it->step = it->smallest;
        it->smallest = it->tiny = it->stays = 0;
    }
    /* A step past the largest of either sign, as if the format went on there. */
    it->beyond = lowest > it->largest ? lowest : it->largest;
    int exponent = (int)(it->beyond >> it->fraction_bits) - it->bias, step = it->fraction_bits;
    if (is_fixed_point(format))
        step -= exponent + format->bias;
    else if (it->beyond >= it->smallest)
        step -= format->fraction_bits;
    it->beyond += UINT64_C(1) << step;
}

/* In a mode without chance the input alone may tell where it is tiny and where it overflows, as the
 * kernels know; a format without sign asks so of positive numbers only. */
static void set_narrow_ranges(fpfmt_reading *it)
{
    const fpfmt_encoder *k = it->encoder;
    if (k->cut_method == CUT_BY_ELEMENT ||
        (k->decision != DECIDE_EVEN && k->decision != DECIDE_THRESHOLD))
        return;
    const uint64_t *tiny = k->tiny_below, *over = k->overflow_from;
    bool tiny_last = it->signed_format && tiny[1] > tiny[0];
    bool over_last = it->signed_format && over[1] > over[0];
    it->smallest = tiny[tiny_last];
    it->tiny = tiny[it->signed_format && !tiny_last];
    it->stays = it->infinity;
    it->beyond = over[over_last];
    it->largest = over[it->signed_format && !over_last] - 1;
}

/* The ends of the ranges that status_by_range asks about. Where inputs are flushed the least of
 * them is the carrier's smallest normal. */
static void set_ranges(fpfmt_reading *it)
{
    const fpfmt_format *format = it->job.format;
    uint64_t hidden = UINT64_C(1) << it->fraction_bits;
    it->infinity = it->sign - hidden;
    set_wide_ranges(it);
    if (it->encoder->decision != DECIDE_REFERENCE)
        set_narrow_ranges(it);
    /* Where the policy has it so, an integer out of range is invalid: its flags tell. */
    unsigned raised = 0;
    fpfmt_encode_beyond(format, false, it->job.policy, &raised);
    if (raised & FPFMT_FLAG_INVALID)
        it->beyond = it->infinity;
    if (it->job.policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS)
        it->flushed = hidden;
    if (it->smallest < it->flushed)
        it->smallest = it->flushed;
}

fpfmt_reading fpfmt_read(const fpfmt_job *job, const fpfmt_encoder *encoder)
{
    const fpfmt_format *carrier = fpfmt_carriers[job->carrier];
    fpfmt_reading it = {
        .job = *job,
        .encoder = encoder,
        .sign = UINT64_C(1) << (8 * carrier_bytes(job->carrier) - 1),
        .fraction_bits = carrier->fraction_bits,
        .bias = carrier->bias,
        .signed_format = job->format->sign_bits != 0,
    };
    set_ranges(&it);
    return it;
}
