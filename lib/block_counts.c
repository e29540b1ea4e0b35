/* block_counts.c - statistics of floats in blocks whose scales are any numbers
 * SPDX-License-Identifier: MIT
 *
 * What an element becomes, its number times the scale's, need not be a float, so that tallies
 * cannot count it; but it has no more bits than a double, and its errors are those of doubles. The scaled
 * value, which kernels make, and the element tell its count, as they do in plain formats; where
 * they do not, near the ends of the range, the reference rounds it once more. */

#include "block_counts.h"

#include "errors.h"
#include "shape.h"

enum { ROUNDED = 256, SCALE_BITS = 29, PRECISION = 53 };

/* A block: what it is scaled with, and the scale as a number. */
typedef struct {
    const block_counting *by;
    fpfmt_block_scale scale;
    number stored;
    float factor;
} counted_block;

static number number_in(fpfmt_value value)
{
    int down = 0;
    while ((value.significand >> down & 1) == 0)
        down++;
    return (number){ .significand = value.significand >> down,
                     .exponent = value.exponent - 63 + down,
                     .negative = value.negative };
}

static bool is_regular(fpfmt_value value)
{
    return fpfmt_value_is_finite(value) && !fpfmt_value_is_zero(value);
}

/* The scale of a block of values, as the reference makes it; false if its elements are for the
 * reference, too. */
static bool find_scale(counted_block *made, const float *values, size_t n)
{
    const fpfmt_block_plan *plan = made->by->plan;
    const uint32_t infinite = (uint32_t)made->by->reading.infinity;
    uint32_t amax;
    made->by->reading.job.set->amax(&amax, values, 1, n);
    fpfmt_seen seen = { .any = false };
    for (size_t i = 0; i < n && amax >= infinite; i++)
        fpfmt_see(&seen, &plan->recipe, fpfmt_from_carrier(fpfmt_load(values + i, 4), CARRIER_32));
    if (amax < infinite)
        seen = (fpfmt_seen){ .extreme = fpfmt_from_carrier(amax, CARRIER_32), .any = true };
    made->scale = fpfmt_make_scale(&plan->block, &plan->recipe, &seen, made->by->tensor, false);
    if (amax >= infinite || made->scale.is_nan || made->scale.is_zero ||
        made->scale.step != FPFMT_STEP_PRODUCT || !is_regular(made->scale.stored) ||
        !is_regular(made->scale.factor))
        return false;
    made->stored = number_in(made->scale.stored);
    made->factor = fpfmt_to_f32(made->scale.factor, NULL, NULL);
    return bit_length(made->stored.significand) <= SCALE_BITS;
}

static bool is_same(number a, number b)
{
    if (a.significand == 0 || b.significand == 0)
        return a.significand == b.significand;
    a = normal(a);
    b = normal(b);
    return a.significand == b.significand && a.exponent == b.exponent && a.negative == b.negative;
}

/* The count of a value that its element does not hold, given both the scaled value and the element
 * as carrier bits; NULL if the reference has to tell. What is scaled exactly to an element, and was
 * not before, is inexact and no more. */
static uint64_t *status_of(fpfmt_stats *stats, const fpfmt_reading *it, uint32_t scaled,
                           uint32_t element)
{
    uint64_t a = scaled & ~it->sign, b = element & ~it->sign;
    bool plain = it->signed_format && !is_fixed_point(it->job.format);
    if (!plain || b >= it->infinity)
        return NULL;
    if (a == 0) /* what is scaled to 0 was not 0 */
        return &stats->underflow;
    return scaled == element ? &stats->inexact : status_by_range(stats, it, a, b);
}

/* With as many bits as a double has, so that errors see at once which numbers are near. */
static number widened(number a)
{
    int up = PRECISION - bit_length(a.significand);
    if (a.significand != 0) {
        a.significand <<= up;
        a.exponent -= up;
    }
    return a;
}

static void count_element(const counted_block *of, uint32_t value, uint32_t scaled,
                          uint32_t element, uint64_t index)
{
    const fpfmt_reading *reading = &of->by->reading;
    fpfmt_stats *stats = of->by->stats;
    number before = number_of(reading, value), after = number_of(reading, element);
    after.significand *= of->stored.significand;
    after.exponent += of->stored.exponent;
    bool same = is_same(before, after);
    uint64_t *status = same ? &stats->exact : status_of(stats, reading, scaled, element);
    if (status == NULL) {
        fpfmt_quantize_element(of->by->plan, &of->scale, fpfmt_from_carrier(value, CARRIER_32),
                               index, stats, NULL);
        return;
    }
    ++*status;
    stats->count++;
    stats->finite++;
    stats->nonzero += before.significand != 0;
    put_product(add_words, stats->signal, before, before, 0);
    if (!same)
        add_error(stats, widened(before), widened(after), index);
}

void fpfmt_count_block(const block_counting *by, const unsigned char *codes, const float *values,
                       size_t n, uint64_t first)
{
    const fpfmt_block_plan *plan = by->plan;
    size_t bytes = shape_bytes(&plan->block.element), count;
    counted_block of = { .by = by };
    uint32_t value[ROUNDED], scaled[ROUNDED], element[ROUNDED];
    float scaled_floats[ROUNDED], elements[ROUNDED];
    if (!find_scale(&of, values, n)) {
        for (size_t i = 0; i < n; i++)
            fpfmt_quantize_element(plan, &of.scale,
                                   fpfmt_from_carrier(fpfmt_load(values + i, 4), CARRIER_32),
                                   first + i, by->stats, NULL);
        return;
    }
    for (size_t done = 0; done < n; done += count, codes += count * bytes) {
        count = n - done < ROUNDED ? n - done : ROUNDED;
        by->reading.job.set->scale(scaled_floats, values + done, &of.factor, false, 1, count);
        fpfmt_plan_decode_f32(&plan->elements, elements, codes, count, NULL);
        memcpy(value, values + done, count * sizeof *value);
        memcpy(scaled, scaled_floats, count * sizeof *scaled);
        memcpy(element, elements, count * sizeof *element);
        for (size_t i = 0; i < count; i++)
            count_element(&of, value[i], scaled[i], element[i], first + done + i);
    }
}
