/* stats.c - what rounding does to an array: counts, largest errors, sums of squares
 * SPDX-License-Identifier: MIT
 *
 * Everything is an integer, so that the order of the elements does not matter: counts, exact sums
 * of squares (errors.h), and largest errors, of which the first of equal ones counts. Pieces that
 * are added up give what the whole would. */

#include "bits.h"
#include "blocks.h"
#include "bulk.h"
#include "encode.h"
#include "errors.h"
#include "refuse.h"
#include "shape.h"

enum {
    /* Elements that are rounded at a time, into arrays on the stack. Measured on Zen 3 with avx2,
     * 64 and 256 take within 0.5 % of the same time: the sums take nearly all of it. ./dev bench
     * --only 'stats' */
    ROUNDED = 128,
    /* From as many elements on a tally takes less than elements one by one: its bins are to be
     * cleared and read for each call. */
    TALLIED = 64
};

/* One call: what it rounds with, and how it reads the carrier's bits. */
typedef struct {
    fpfmt_job job;
    const fpfmt_encoder *encoder;
    uint64_t sign, infinity;    /* the bit, and the magnitude */
    uint64_t smallest, largest; /* magnitudes between which nothing is tiny, flushed or over */
    uint64_t flushed;           /* below which an input is flushed */
    uint64_t tiny, stays;       /* below which an input is tiny, if the result is below stays */
    uint64_t beyond;            /* from here on no rounding leads back to the largest */
    uint64_t step;              /* of fixed point */
    int fraction_bits, bias;
    bool signed_format;
} reading;

/* The number that finite carrier bits are; of zero the significand is 0. */
static inline number number_of(const reading *it, uint64_t bits)
{
    uint64_t magnitude = bits & ~it->sign, hidden = UINT64_C(1) << it->fraction_bits;
    bool normal = magnitude >= hidden;
    return (number){ .significand = (magnitude & (hidden - 1)) | (normal ? hidden : 0),
                     .exponent = (int)(magnitude >> it->fraction_bits) + !normal - it->bias -
                                 it->fraction_bits,
                     .negative = bits != magnitude };
}

/* The count of an element that its magnitudes before and after, a and b, tell; NULL if it takes the
 * flags. This is what keeps fpfmt_encode from running again for each element: near the ends of the
 * range alone it must. */
static inline uint64_t *status_by_range(fpfmt_stats *stats, const reading *it, uint64_t a,
                                        uint64_t b)
{
    /* Zero of a number in range: it was zero, or flushed as an input, or it underflowed. */
    if (b == 0 && a <= it->largest)
        return a == 0 || a < it->flushed ? &stats->exact : &stats->underflow;
    if (a >= it->smallest && a <= it->largest)
        return &stats->inexact;
    if (a < it->tiny && b < it->stays)
        return &stats->subnormal;
    /* Far past the largest value no mode leads back: overflow, whatever it became. */
    if (a >= it->beyond && a < it->infinity)
        return b < it->infinity ? &stats->saturated : &stats->overflow;
    return NULL;
}

/* The count that the flags of rounding x tell, and what became of it. */
static uint64_t *status_by_flags(fpfmt_stats *stats, const reading *it, uint64_t x, uint64_t b,
                                 uint64_t index)
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
static inline uint64_t *status_in(fpfmt_stats *stats, const reading *it, uint64_t x, uint64_t y,
                                  uint64_t index)
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
static inline void add_element(fpfmt_stats *stats, const reading *it, uint64_t x, uint64_t y,
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
static void add_tiles(fpfmt_stats *stats, const reading *it, const void *values, size_t n,
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

/* The bins of floats' exponents into the sums, and away. A sum's bins hold integers of squares, in
 * units of 2^(2 * (exponent field - 150)), of which the terms of all turns fit into one word. */
static void empty_bins(fpfmt_stats *stats, fpfmt_bins bins[TALLY_SUMS])
{
    uint64_t *const sums[] = { stats->signal, stats->noise, stats->relative_squares };
    const size_t limbs[] = { FPFMT_SUM_LIMBS, FPFMT_SUM_LIMBS, RELATIVE_LIMBS };
    const int units[] = { SUM_UNIT, SUM_UNIT, RELATIVE_UNIT };
    for (int k = 0; k < TALLY_SUMS; k++)
        for (int field = 0; field < 256; field++) {
            const uint64_t *turn = bins[k] + field * TALLY_TURNS;
            uint64_t sum = turn[0] + turn[1] + turn[2] + turn[3];
            if (sum != 0)
                put_at(add_words, sums[k], limbs[k], (unsigned)(2 * (field - 150 - units[k])), sum,
                       0);
        }
    memset(bins, 0, TALLY_SUMS * sizeof *bins);
}

/* The largest errors of a tile's plain pairs. Quotients were rounded to 24 bits, which keeps their
 * order: only those pairs can have the largest one whose rounded one is largest, and only if that
 * is not below the best one so far, cut to 24 bits. None is above a best one of 1 where it rounds
 * to that: two floats have no quotient that near above 1. */
static void take_largest(fpfmt_stats *stats, const reading *it, const fpfmt_tally *tally,
                         const uint32_t *x, size_t n, uint64_t first)
{
    const fpfmt_value *best = &stats->relative;
    uint32_t largest = tally->largest_error, bound = 0, one = 127 << 23;
    size_t i = 0;
    if (largest == 0)
        return;
    fpfmt_value error = value_of(number_of(it, largest));
    if (is_worse(&stats->absolute, stats->absolute_index, error, first)) {
        while (tally->error[i] != largest)
            i++;
        keep_larger(&stats->absolute, &stats->absolute_index, error, first + i);
    }
    largest = tally->largest_relative;
    if (best->significand != 0 && best->exponent > -127)
        bound = best->exponent > 127 ? UINT32_MAX
                                     : (uint32_t)(best->exponent + 126) * (one / 127) +
                                           (uint32_t)(best->significand >> 40);
    bool is_one = best->significand == UINT64_C(1) << 63 && best->exponent == 0;
    if (largest < bound || (is_one && largest == one && first > stats->relative_index))
        return;
    for (i = 0; i < n; i++)
        if (tally->relative[i] == largest)
            keep_relative(stats, normal(number_of(it, tally->error[i])),
                          normal(number_of(it, x[i] & ~it->sign)), first + i);
}

/* A tile of n pairs, and zeros behind them up to the next multiple of 8. */
static void take_tally(fpfmt_stats *stats, const reading *it, const fpfmt_tally *tally,
                       const uint32_t *x, const uint32_t *y, size_t n, uint64_t first)
{
    uint32_t more = (uint32_t)((0 - n) % 8);
    stats->exact += tally->exact - more;
    stats->underflow += tally->underflow;
    stats->subnormal += tally->subnormal;
    stats->saturated += tally->saturated;
    stats->inexact +=
        tally->plain - tally->exact - tally->underflow - tally->subnormal - tally->saturated;
    stats->finite += tally->plain - more;
    stats->nonzero += tally->plain - tally->zero;
    take_largest(stats, it, tally, x, n, first);
    for (size_t i = 0; i < n; i += 8)
        for (unsigned left = tally->is_plain[i / 8] ^ 0xFFu; left != 0; left &= left - 1) {
            size_t k = i + (size_t)bit_length(left & (0 - left)) - 1;
            add_element(stats, it, x[k], y[k], first + k);
        }
}

/* add_tiles for floats, by the set's tally. The ends of what is plain leave room for the
 * differences and quotients of floats, down to 2^-25 and up to 2^25 of them, to be normal numbers.
 */
static void add_tallies(fpfmt_stats *stats, const reading *it, const void *values, size_t n,
                        uint64_t first)
{
    const fpfmt_ranges ranges = {
        .least = UINT32_C(32) << 23,
        .most = UINT32_C(224) << 23,
        .smallest = (uint32_t)it->smallest,
        .largest = (uint32_t)it->largest,
        .tiny = (uint32_t)it->tiny,
        .stays = (uint32_t)it->stays,
        .beyond = (uint32_t)it->beyond,
        .has_sign = it->signed_format,
    };
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
        take_tally(stats, it, &tally, x, y, count, first + done);
        terms += whole;
        if (terms > TALLY_TERMS - TALLY_TILE) {
            empty_bins(stats, bins);
            terms = 0;
        }
    }
    empty_bins(stats, bins);
    stats->count += n;
}

/* What a code of the format is as a magnitude of the carrier. */
static uint64_t magnitude_of(const reading *it, uint64_t code)
{
    const fpfmt_policy rules = { .rounding = 0 };
    return fpfmt_to_carrier(it->job.format, code, &rules, it->job.carrier, NULL) & ~it->sign;
}

/* The ends that hold in every mode. However its tininess is judged, what stays below the smallest
 * normal is tiny: had it reached that in finer steps, it had done so in those of the format. In
 * fixed point nothing is tiny. */
static void set_wide_ranges(reading *it)
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
static void set_narrow_ranges(reading *it)
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
static void set_ranges(reading *it)
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
    reading it = {
        .job = { &plan->format, &plan->policy, plan->set, carrier, plan->policy.first + first,
                 NULL },
        .encoder = &inside->encoder[carrier],
        .sign = UINT64_C(1) << (8 * bytes - 1),
        .fraction_bits = fpfmt_carriers[carrier]->fraction_bits,
        .bias = fpfmt_carriers[carrier]->bias,
        .signed_format = plan->format.sign_bits != 0,
    };
    set_ranges(&it);
    if (carrier == CARRIER_32 && plan->set->tally != NULL && n >= TALLIED)
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
