/* stats.c - what rounding does to an array: counts, largest errors, sums of squares
 * SPDX-License-Identifier: MIT
 *
 * Everything is an integer, so that the order of the elements does not matter. Finite numbers of a
 * carrier are multiples of 2^-1074 below 2^1024: their differences and squares have a place in the
 * sums of fpfmt_stats, bit for bit. */

#include "bits.h"
#include "bulk.h"
#include "refuse.h"

/* Elements that are rounded at a time. */
enum { ROUNDED = 256 };

/* log2 of the unit that every finite number of a carrier is a multiple of. */
enum { UNIT = -1074 };

/* One call: what it rounds with, and how it reads the carrier's bits. */
typedef struct {
    fpfmt_job job;
    const fpfmt_encoder *encoder;
    int bits, fraction_bits, bias;
    uint64_t infinity;          /* magnitudes: infinite */
    uint64_t smallest, largest; /* these and what lies between rounds to a normal, if not to zero */
    bool has_sign;
} reading;

static inline uint64_t magnitude_of(const reading *it, uint64_t bits)
{
    return bits & low_bits(it->bits - 1);
}

/* Finite carrier bits, as fpfmt_from_f32 and fpfmt_from_f64 have them. */
static inline fpfmt_value value_of(const reading *it, uint64_t bits)
{
    uint64_t magnitude = magnitude_of(it, bits), fraction = magnitude & low_bits(it->fraction_bits);
    int field = (int)(magnitude >> it->fraction_bits), lost = 64 - bit_length(fraction);
    fpfmt_value value = { .kind = FPFMT_KIND_NORMAL, .negative = bits != magnitude };
    if (magnitude == 0) {
        value.kind = FPFMT_KIND_ZERO;
    } else if (field == 0) {
        value.exponent = 1 - it->bias + 63 - it->fraction_bits - lost;
        value.significand = fraction << lost;
    } else {
        value.exponent = field - it->bias;
        value.significand = (fraction | UINT64_C(1) << it->fraction_bits)
                            << (63 - it->fraction_bits);
    }
    return value;
}

/* -1, 0 or 1 as a is smaller than, as large as or larger than b; zero has significand 0. */
static inline int compare_magnitudes(const fpfmt_value *a, const fpfmt_value *b)
{
    if (a->significand == 0 || b->significand == 0)
        return (a->significand != 0) - (b->significand != 0);
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    return (a->significand > b->significand) - (a->significand < b->significand);
}

/* 128 bits, of which the upper 64 are wanted: the lowest bit of high has the given exponent, and
 * what was lost below low is not zero. */
static inline fpfmt_value top_bits(uint64_t high, uint64_t low, bool lost, int exponent)
{
    if (high == 0) {
        high = low;
        low = 0;
        exponent -= 64;
    }
    if (high == 0)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO };
    int up = 64 - bit_length(high);
    return (fpfmt_value){
        .kind = FPFMT_KIND_NORMAL,
        .inexact = low << up != 0 || lost,
        .exponent = exponent + 63 - up,
        .significand = high << up | shift_right(low, 64 - up),
    };
}

/* |x - y|. The smaller magnitude is shifted to where the larger one is, into 128 bits; what falls
 * off below takes one from their last bit if the magnitudes are subtracted. */
static inline fpfmt_value distance(const fpfmt_value *x, const fpfmt_value *y)
{
    const fpfmt_value *large = compare_magnitudes(x, y) < 0 ? y : x, *small = large == x ? y : x;
    int shift = large->exponent - small->exponent, exponent = large->exponent - 63;
    uint64_t high = large->significand, low = 0, part = small->significand, part_low = 0;
    bool lost = false;
    if (part == 0)
        return top_bits(high, low, false, exponent);
    if (shift >= 64) {
        lost = (part & low_bits(shift - 64)) != 0;
        part_low = shift_right(part, shift - 64);
        part = 0;
    } else if (shift > 0) {
        part_low = part << (64 - shift);
        part >>= shift;
    }
    if (x->negative == y->negative) {
        part_low += lost;
        low -= part_low;
        high -= part + (part_low != 0);
        return top_bits(high, low, lost, exponent);
    }
    high += part;
    if (high >= part)
        return top_bits(high, part_low, lost, exponent);
    lost |= part_low & 1;
    return top_bits(high >> 1 | UINT64_C(1) << 63, high << 63 | part_low >> 1, lost, exponent + 1);
}

static inline void multiply(uint64_t product[2], uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low, left = a_high * b_low, right = a_low * b_high;
    uint64_t middle = (low >> 32) + (uint32_t)left + (uint32_t)right;
    product[0] = middle << 32 | (uint32_t)low;
    product[1] = a_high * b_high + (left >> 32) + (right >> 32) + (middle >> 32);
}

/* A carry runs on through the room there is. */
static inline void add_words(uint64_t *sum, size_t room, const uint64_t *words, size_t n)
{
    uint64_t carry = 0;
    size_t i = 0;
    for (; i < n; i++) {
        uint64_t limb = sum[i] + carry;
        carry = limb < carry;
        sum[i] = limb + words[i];
        carry += sum[i] < limb;
    }
    for (; carry && i < room; i++)
        carry = ++sum[i] == 0;
}

static void subtract_words(uint64_t *sum, size_t room, const uint64_t *words, size_t n)
{
    uint64_t borrow = 0;
    size_t i = 0;
    for (; i < n; i++) {
        uint64_t limb = sum[i] - borrow;
        borrow = limb > sum[i];
        borrow += limb < words[i];
        sum[i] = limb - words[i];
    }
    for (; borrow && i < room; i++)
        borrow = sum[i]-- == 0;
}

/* The significand in units of 2^exponent, which is at least UNIT. */
static inline int whole_units(const fpfmt_value *value, uint64_t *significand)
{
    int exponent = value->exponent - 63, below = exponent < UNIT ? UNIT - exponent : 0;
    *significand = value->significand >> below;
    return exponent + below;
}

typedef void combine(uint64_t *sum, size_t room, const uint64_t *words, size_t n);

/* |a * b| * 2^scale, which has no more than three words, into the sum. */
static inline void into_sum(combine *put, uint64_t sum[FPFMT_SUM_LIMBS], const fpfmt_value *a,
                            const fpfmt_value *b, int scale)
{
    uint64_t product[2], left, right;
    int place = whole_units(a, &left) + whole_units(b, &right) - 2 * UNIT + scale;
    int up = place % 64;
    multiply(product, left, right);
    uint64_t words[3] = { product[0] << up, product[1] << up | shift_right(product[0], 64 - up),
                          shift_right(product[1], 64 - up) };
    put(sum + place / 64, (size_t)(FPFMT_SUM_LIMBS - place / 64), words, 3);
}

/* (x - y)^2: from the difference if that has 64 bits, else as x^2 + y^2 -+ 2 x y. */
static inline void add_noise(uint64_t noise[FPFMT_SUM_LIMBS], const fpfmt_value *x, const fpfmt_value *y,
                      const fpfmt_value *error)
{
    if (!error->inexact) {
        into_sum(add_words, noise, error, error, 0);
        return;
    }
    into_sum(add_words, noise, x, x, 0);
    into_sum(add_words, noise, y, y, 0);
    into_sum(x->negative == y->negative ? subtract_words : add_words, noise, x, y, 1);
}

/* Is error / |x|, cut to 64 bits, larger than best, or as large if a tie is enough? */
static inline bool beats(const fpfmt_value *error, const fpfmt_value *x, const fpfmt_value *best, bool tie)
{
    /* error >= best * |x|, with one in the last place of best more where a tie is not enough. */
    int shift = 63 + error->exponent - x->exponent - best->exponent;
    uint64_t product[2];
    if (best->significand == 0 || shift > 64)
        return true;
    if (shift < 62)
        return false;
    multiply(product, best->significand, x->significand);
    product[0] += tie ? 0 : x->significand;
    product[1] += !tie && product[0] < x->significand;
    uint64_t high = shift_right(error->significand, 64 - shift);
    uint64_t low = shift == 64 ? 0 : error->significand << shift;
    return high > product[1] || (high == product[1] && low >= product[0]);
}

static fpfmt_value quotient(const fpfmt_value *error, const fpfmt_value *x)
{
    uint64_t rest = error->significand, divisor = x->significand, bits = rest >= divisor;
    int exponent = error->exponent - x->exponent - (bits == 0);
    rest -= bits ? divisor : 0;
    while (bits >> 63 == 0) {
        bool carry = rest >> 63;
        rest <<= 1;
        bool goes = carry || rest >= divisor;
        rest -= goes ? divisor : 0;
        bits = bits << 1 | goes;
    }
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .inexact = rest != 0 || error->inexact,
                          .exponent = exponent,
                          .significand = bits };
}

/* The larger error, and of two alike the first one. */
static inline void keep_larger(fpfmt_value *best, uint64_t *best_index, const fpfmt_value *error,
                        uint64_t index)
{
    int relation = compare_magnitudes(error, best);
    if (relation < 0 || (relation == 0 && index >= *best_index))
        return;
    *best = *error;
    *best_index = index;
}

/* A finite number that became another one. */
static inline void add_error(fpfmt_stats *stats, const fpfmt_value *x, const fpfmt_value *y,
                      uint64_t index)
{
    fpfmt_value error = distance(x, y);
    if (error.significand == 0)
        return;
    add_noise(stats->noise, x, y, &error);
    keep_larger(&stats->absolute, &stats->absolute_index, &error, index);
    if (x->significand == 0 || !beats(&error, x, &stats->relative, index < stats->relative_index))
        return;
    error = quotient(&error, x);
    keep_larger(&stats->relative, &stats->relative_index, &error, index);
}

/* The count that an element belongs to. */
static uint64_t *status_in(fpfmt_stats *stats, const reading *it, uint64_t x, uint64_t y,
                           uint64_t index)
{
    uint64_t a = magnitude_of(it, x), b = magnitude_of(it, y);
    unsigned flags = 0;
    if (x == y)
        return &stats->exact;
    if (a >= it->smallest && a <= it->largest && b != 0 && (x == a || it->has_sign))
        return &stats->inexact;

    uint64_t random = fpfmt_random_bits(it->job.policy, it->job.policy->first + index);
    fpfmt_encode_random(it->job.format, fpfmt_from_carrier(x, it->job.carrier), random,
                        it->job.policy, &flags);
    if (flags & FPFMT_FLAG_INVALID)
        return &stats->invalid;
    if (flags & FPFMT_FLAG_OVERFLOW)
        return b < it->infinity ? &stats->saturated : &stats->overflow;
    if (!(flags & FPFMT_FLAG_INEXACT))
        return &stats->exact;
    if (b == 0) /* a negative number without its sign has met an end of the format's range */
        return (flags & FPFMT_FLAG_UNDERFLOW) || x == a || it->has_sign ? &stats->underflow
                                                                        : &stats->saturated;
    return flags & FPFMT_FLAG_UNDERFLOW ? &stats->subnormal : &stats->inexact;
}

static void add_element(fpfmt_stats *stats, const reading *it, uint64_t x, uint64_t y,
                        uint64_t index)
{
    uint64_t a = magnitude_of(it, x), b = magnitude_of(it, y);
    ++*status_in(stats, it, x, y, index);
    stats->count++;
    stats->nan += a > it->infinity;
    stats->infinite += a == it->infinity;
    if (a >= it->infinity || b >= it->infinity)
        return;
    stats->finite++;
    fpfmt_value before = value_of(it, x), after;
    if (a != 0)
        into_sum(add_words, stats->signal, &before, &before, 0);
    if (x == y)
        return;
    after = value_of(it, y);
    add_error(stats, &before, &after, index);
}

static void add_tiles(fpfmt_stats *stats, const reading *it, const void *values, size_t n,
                      uint64_t first)
{
    size_t bytes = fpfmt_carrier_bytes[it->job.carrier], count;
    const unsigned char *from = values;
    unsigned char rounded[ROUNDED * sizeof(double)];
    fpfmt_job job = it->job;
    for (size_t done = 0; done < n; done += count, from += count * bytes) {
        count = n - done < ROUNDED ? n - done : ROUNDED;
        job.index = it->job.index + done;
        fpfmt_encode_all(&job, it->encoder, rounded, from, count, true);
        for (size_t i = 0; i < count; i++)
            add_element(stats, it, fpfmt_load(from + i * bytes, bytes),
                        fpfmt_load(rounded + i * bytes, bytes), first + done + i);
    }
}

static bool plan_stats(const fpfmt_plan *plan, int carrier, fpfmt_stats *stats, const void *values,
                       size_t n, uint64_t first)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    size_t bytes = fpfmt_carrier_bytes[carrier];
    if (inside == NULL)
        return refuse("a plan is not prepared");
    if (!inside->encoder[carrier].carries)
        return refuse("the carrier does not hold every value of the format");
    if (!fpfmt_may_lie(values, bytes, values, bytes, n))
        return false;
    if (n == 0)
        return true;

    fpfmt_limits limits = fpfmt_measure(&plan->format);
    const fpfmt_policy rules = { .rounding = 0 };
    reading it = {
        .job = { &plan->format, &plan->policy, plan->set, carrier, plan->policy.first + first,
                 NULL },
        .encoder = &inside->encoder[carrier],
        .bits = carrier == CARRIER_32 ? 32 : 64,
        .fraction_bits = carrier == CARRIER_32 ? 23 : 52,
        .bias = carrier == CARRIER_32 ? 127 : 1023,
        .smallest = fpfmt_to_carrier(&plan->format, limits.min_normal, &rules, carrier, NULL),
        .largest = fpfmt_to_carrier(&plan->format, limits.max, &rules, carrier, NULL),
        .has_sign = plan->format.sign_bits != 0,
    };
    it.infinity = (2 * (uint64_t)it.bias + 1) << it.fraction_bits;
    /* Below, the policy may flush it as an input. */
    if (it.smallest < UINT64_C(1) << it.fraction_bits)
        it.smallest = UINT64_C(1) << it.fraction_bits;
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
    keep_larger(&total->absolute, &total->absolute_index, &piece->absolute, piece->absolute_index);
    keep_larger(&total->relative, &total->relative_index, &piece->relative, piece->relative_index);
    add_words(total->signal, FPFMT_SUM_LIMBS, piece->signal, FPFMT_SUM_LIMBS);
    add_words(total->noise, FPFMT_SUM_LIMBS, piece->noise, FPFMT_SUM_LIMBS);
}

static fpfmt_value read_sum(const uint64_t sum[FPFMT_SUM_LIMBS])
{
    int top = FPFMT_SUM_LIMBS - 1;
    bool lost = false;
    while (top > 0 && sum[top] == 0)
        top--;
    for (int i = 0; i < top - 1; i++)
        lost |= sum[i] != 0;
    return top_bits(sum[top], top > 0 ? sum[top - 1] : 0, lost, 64 * top + 2 * UNIT);
}

fpfmt_value fpfmt_stats_signal(const fpfmt_stats *stats)
{
    return read_sum(stats->signal);
}

fpfmt_value fpfmt_stats_noise(const fpfmt_stats *stats)
{
    return read_sum(stats->noise);
}
