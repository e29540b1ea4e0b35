/* stats.c - what rounding does to an array: counts, largest errors, sums of squares
 * SPDX-License-Identifier: MIT
 *
 * Everything is an integer, so that the order of the elements does not matter: counts, exact sums
 * of squares (errors.h), and largest errors, of which the first of equal ones counts. Pieces that
 * are added up give what the whole would. */

#include "bits.h"
#include "blocks.h"
#include "encode.h"
#include "errors.h"
#include "ranges.h"
#include "refuse.h"
#include "shape.h"
#include "tallies.h"

enum {
    /* Elements that are rounded at a time to be taken one by one, into arrays on the stack. */
    ROUNDED = 128,
    /* From as many elements on floats go by tallies, whose bins are to be cleared and read for each
     * call. Measured on Zen 3, that takes as long as some 30 elements one by one with avx2, and
     * 100 with the scalar set. */
    TALLIED = 64
};

/* The count that the flags of rounding x tell, and what became of it. */
static uint64_t *status_by_flags(fpfmt_stats *stats, const fpfmt_reading *it, uint64_t x,
                                 uint64_t b, uint64_t index)
{
    uint64_t random = fpfmt_random_bits(it->job.policy->first + index, it->job.policy);
    unsigned flags = 0;
    fpfmt_encode_random(it->job.format, fpfmt_from_carrier(x, it->job.carrier), random,
                        it->job.policy, &flags);
    if (flags & FPFMT_FLAG_INVALID)
        return &stats->invalid;
    if (flags & FPFMT_FLAG_OVERFLOW)
        return b < it->infinity ? &stats->saturated : &stats->overflow;
    if (!(flags & FPFMT_FLAG_INEXACT))
        return &stats->exact;
    if (flags & FPFMT_FLAG_UNDERFLOW)
        return b == 0 ? &stats->underflow : &stats->subnormal;
    /* Other zeros were told by range: this was a negative number, in a format without sign. In
     * fixed point, where nothing is tiny, one below a step became 0 as a positive one does. */
    if (b == 0 && is_fixed_point(it->job.format) && (x & ~it->sign) < it->step)
        return &stats->underflow;
    return b == 0 ? &stats->saturated : &stats->inexact;
}

/* The count that an element belongs to. */
static inline uint64_t *status_in(fpfmt_stats *stats, const fpfmt_reading *it, uint64_t x,
                                  uint64_t y, uint64_t index)
{
    /* What did not change is exact, unless it was flushed. */
    uint64_t a = x & ~it->sign, b = y & ~it->sign, *found = NULL;
    if (x == y && (a == 0 || a >= it->flushed))
        return &stats->exact;
    if (x == a || it->signed_format)
        found = status_by_range(stats, it, a, b);
    return found != NULL ? found : status_by_flags(stats, it, x, b, index);
}

/* An element x that became y, carrier bits both. Infinite and NaN elements, and those that became
 * so, have no errors. */
static inline void add_element(fpfmt_stats *stats, const fpfmt_reading *it, uint64_t x, uint64_t y,
                               uint64_t index)
{
    uint64_t a = x & ~it->sign, b = y & ~it->sign;
    ++*status_in(stats, it, x, y, index);
    if (a >= it->infinity || b >= it->infinity) {
        stats->nan += a > it->infinity;
        stats->infinite += a == it->infinity;
        return;
    }
    number before = number_of(it, x);
    stats->finite++;
    stats->nonzero += a != 0;
    put_product(add_words, stats->signal, before, before, 0);
    if (x != y)
        add_error(stats, before, number_of(it, y), index);
}

/* n carriers of so many bytes as words of 64 bits. */
static void widen(uint64_t words[ROUNDED], const unsigned char *from, size_t bytes, size_t n)
{
    uint32_t narrow;
    if (bytes == sizeof *words)
        memcpy(words, from, n * bytes);
    for (size_t i = 0; i < n && bytes == sizeof narrow; i++) {
        memcpy(&narrow, from + i * bytes, sizeof narrow);
        words[i] = narrow;
    }
}

/* n elements, of which the first has index first in the array that is told about. */
static void add_tiles(fpfmt_stats *stats, const fpfmt_reading *it, const void *values, size_t n,
                      uint64_t first)
{
    size_t bytes = carrier_bytes(it->job.carrier), count;
    const unsigned char *from = values;
    unsigned char rounded[ROUNDED * sizeof(double)];
    uint64_t x[ROUNDED], y[ROUNDED];
    fpfmt_job job = it->job;
    for (size_t done = 0; done < n; done += count, from += count * bytes) {
        count = n - done < ROUNDED ? n - done : ROUNDED;
        job.index = it->job.index + done;
        fpfmt_encode_all(&job, it->encoder, rounded, from, count, true);
        widen(x, from, bytes, count);
        widen(y, rounded, bytes, count);
        for (size_t i = 0; i < count; i++)
            add_element(stats, it, x[i], y[i], first + done + i);
    }
    stats->count += n;
}

/* add_tiles for floats, by the set's tally. The ends of what is plain leave room for the
 * differences and quotients of floats, down to 2^-25 and up to 2^25 of them, to be normal numbers.
 */
static void add_tallies(fpfmt_stats *stats, const fpfmt_reading *it, const void *values, size_t n,
                        uint64_t first)
{
    const fpfmt_ranges ranges = fpfmt_ranges_of(it, 0);
    const unsigned char *from = values;
    uint32_t x[TALLY_TILE], y[TALLY_TILE];
    fpfmt_bins bins[TALLY_SUMS] = { { 0 } };
    fpfmt_tally tally;
    fpfmt_job job = it->job;
    size_t count, terms = 0;
    for (size_t done = 0; done < n; done += count, from += count * sizeof *x) {
        count = n - done < TALLY_TILE ? n - done : TALLY_TILE;
        size_t whole = (count + 7) / 8 * 8;
        memset(x + whole - 8, 0, 8 * sizeof *x);
        memset(y + whole - 8, 0, 8 * sizeof *y);
        memcpy(x, from, count * sizeof *x);
        job.index = it->job.index + done;
        fpfmt_encode_all(&job, it->encoder, y, x, count, true);
        job.set->tally(&ranges, bins, &tally, x, y, whole);
        fpfmt_take_tally(stats, &tally, x, count, first + done);
        for (size_t i = 0; (i = fpfmt_next_left(&tally, i, count)) < count; i++)
            add_element(stats, it, x[i], y[i], first + done + i);
        terms += whole;
        if (terms > TALLY_TERMS - TALLY_TILE) {
            fpfmt_empty_bins(stats, bins);
            terms = 0;
        }
    }
    fpfmt_empty_bins(stats, bins);
    stats->count += n;
}

static bool plan_stats(const fpfmt_plan *plan, int carrier, fpfmt_stats *stats, const void *values,
                       size_t n, uint64_t first)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    size_t bytes = carrier_bytes(carrier);
    if (inside == NULL)
        return refuse("a plan is not prepared");
    if (!inside->encoder[carrier].carries)
        return refuse("the carrier does not hold every value of the format");
    if (!may_lie(values, bytes, values, bytes, n))
        return false;
    fpfmt_job job = { .format = &plan->format,
                      .policy = &plan->policy,
                      .set = plan->set,
                      .carrier = carrier,
                      .index = plan->policy.first + first };
    fpfmt_reading it = fpfmt_read(&job, &inside->encoder[carrier]);
    if (carrier == CARRIER_32 && n >= TALLIED)
        add_tallies(stats, &it, values, n, first);
    else
        add_tiles(stats, &it, values, n, first);
    return true;
}

bool fpfmt_plan_stats_f32(const fpfmt_plan *plan, fpfmt_stats *stats, const float *values, size_t n,
                          uint64_t first)
{
    return plan_stats(plan, CARRIER_32, stats, values, n, first);
}

bool fpfmt_plan_stats_f64(const fpfmt_plan *plan, fpfmt_stats *stats, const double *values,
                          size_t n, uint64_t first)
{
    return plan_stats(plan, CARRIER_64, stats, values, n, first);
}

void fpfmt_stats_add(fpfmt_stats *total, const fpfmt_stats *piece)
{
    total->count += piece->count;
    total->exact += piece->exact;
    total->inexact += piece->inexact;
    total->subnormal += piece->subnormal;
    total->underflow += piece->underflow;
    total->overflow += piece->overflow;
    total->saturated += piece->saturated;
    total->invalid += piece->invalid;
    total->nan += piece->nan;
    total->infinite += piece->infinite;
    total->finite += piece->finite;
    total->nonzero += piece->nonzero;
    keep_larger(&total->absolute, &total->absolute_index, piece->absolute, piece->absolute_index);
    keep_larger(&total->relative, &total->relative_index, piece->relative, piece->relative_index);
    add_words(total->signal, FPFMT_SUM_LIMBS, piece->signal, FPFMT_SUM_LIMBS);
    add_words(total->noise, FPFMT_SUM_LIMBS, piece->noise, FPFMT_SUM_LIMBS);
    add_words(total->relative_squares, RELATIVE_LIMBS, piece->relative_squares, RELATIVE_LIMBS);
}

/* A finite value that is a binary64 as the number that its carrier bits are: of 53 bits, or of
 * fewer below the smallest normal. What add_noise does depends on that. */
static number carried_number(fpfmt_value value)
{
    int exponent = value.exponent - 63, cut = 64 - 53;
    if (fpfmt_value_is_zero(value))
        return (number){ .negative = value.negative };
    if (exponent + cut < SUM_UNIT)
        cut = SUM_UNIT - exponent;
    return (number){ .significand = value.significand >> cut,
                     .exponent = exponent + cut,
                     .negative = value.negative };
}

void fpfmt_stats_count(fpfmt_stats *stats, fpfmt_value x, fpfmt_value y, fpfmt_outcome outcome,
                       uint64_t index)
{
    uint64_t *const counts[FPFMT_OUTCOME_COUNT] = {
        [FPFMT_OUTCOME_EXACT] = &stats->exact,
        [FPFMT_OUTCOME_INEXACT] = &stats->inexact,
        [FPFMT_OUTCOME_SUBNORMAL] = &stats->subnormal,
        [FPFMT_OUTCOME_UNDERFLOW] = &stats->underflow,
        [FPFMT_OUTCOME_OVERFLOW] = &stats->overflow,
        [FPFMT_OUTCOME_SATURATED] = &stats->saturated,
        [FPFMT_OUTCOME_INVALID] = &stats->invalid,
        [FPFMT_OUTCOME_DIVIDE_BY_ZERO] = &stats->overflow,
    };
    ++*counts[outcome];
    stats->count++;
    stats->nan += fpfmt_value_is_nan(x);
    stats->infinite += fpfmt_value_is_infinite(x);
    if (!fpfmt_value_is_finite(x) || !fpfmt_value_is_finite(y))
        return;
    number before = carried_number(x), after = carried_number(y);
    stats->finite++;
    stats->nonzero += before.significand != 0;
    put_product(add_words, stats->signal, before, before, 0);
    if (fpfmt_compare_quiet(x, y, NULL) != FPFMT_EQUAL)
        add_error(stats, before, after, index);
}

fpfmt_value fpfmt_stats_signal(const fpfmt_stats *stats)
{
    return read_sum(stats->signal);
}

fpfmt_value fpfmt_stats_noise(const fpfmt_stats *stats)
{
    return read_sum(stats->noise);
}

fpfmt_value fpfmt_stats_relative(const fpfmt_stats *stats)
{
    return read_limbs(stats->relative_squares, RELATIVE_LIMBS, 2 * RELATIVE_UNIT);
}

bool fpfmt_stats_less_noise(const fpfmt_stats *a, const fpfmt_stats *b)
{
    size_t i = FPFMT_SUM_LIMBS - 1;
    while (i > 0 && a->noise[i] == b->noise[i])
        i--;
    return a->noise[i] < b->noise[i];
}
