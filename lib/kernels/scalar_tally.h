/* scalar_tally.h - statistics of floats and what they became, in integers
 * SPDX-License-Identifier: MIT */

/* Included by scalar.c. */

/* What a pair counts as. */
enum {
    TALLY_NOT_PLAIN,
    TALLY_EXACT,
    TALLY_UNDERFLOW,
    TALLY_INEXACT,
    TALLY_SUBNORMAL,
    TALLY_SATURATED,
    TALLY_KINDS
};

/* A float that is no number. */
#define NO_FLOAT UINT32_MAX

static inline uint32_t significand_of(uint32_t magnitude)
{
    return (magnitude & 0x007FFFFF) | 0x00800000;
}

/* larger - smaller, magnitudes of which the larger is normal, if that is a float: of the bits of
 * the difference, in units of the smaller one's last place, those below 24 must be 0. Numbers that
 * lie further apart than 64 bits hold have no such difference. */
static inline uint32_t difference_of(uint32_t larger, uint32_t smaller)
{
    int shift = (int)(larger >> 23) - (int)(smaller >> 23);
    if (smaller == 0 || larger == smaller)
        return larger - smaller;
    if (smaller < 0x00800000 || shift > 39)
        return NO_FLOAT;
    uint64_t apart = ((uint64_t)significand_of(larger) << shift) - significand_of(smaller);
    int more = bit_length(apart) - 24;
    if (more > 0 && (apart & low_bits(more)) != 0)
        return NO_FLOAT;
    uint32_t significand = (uint32_t)(more > 0 ? apart >> more : apart << -more);
    return (uint32_t)((int)(smaller >> 23) + more - 1) * 0x00800000 + significand;
}

/* error / a to nearest, both normal. There is no tie: an odd quotient of 25 bits times a would have
 * more than the 24 bits that error has. A significand that is rounded up to 2^24 carries into the
 * exponent, as it should. */
static inline uint32_t quotient_of(uint32_t error, uint32_t a)
{
    uint64_t divisor = significand_of(a), rest = significand_of(error);
    int less = rest < divisor, field = (int)(error >> 23) - (int)(a >> 23) + 127 - less;
    rest <<= 23 + less;
    uint32_t quotient = (uint32_t)(rest / divisor);
    quotient += 2 * (rest % divisor) > divisor;
    return (uint32_t)(field - 1) * 0x00800000 + quotient;
}

/* Given magnitudes a and b, as fpfmt_ranges has it. */
static inline int kind_of(const fpfmt_ranges *it, uint32_t x, uint32_t y, uint32_t a, uint32_t b)
{
    uint32_t sign = it->has_sign ? (b == 0 ? 0 : x ^ y) : x;
    if (a == 0 || a < it->least || a > it->most || b > it->most || sign >> 31 != 0)
        return a == 0 && x == y ? TALLY_EXACT : TALLY_NOT_PLAIN;
    if (x == y)
        return TALLY_EXACT;
    if (b == 0)
        return a <= it->largest ? TALLY_UNDERFLOW : TALLY_NOT_PLAIN;
    if (a >= it->smallest && a <= it->largest)
        return TALLY_INEXACT;
    if (a < it->tiny && b < it->stays)
        return TALLY_SUBNORMAL;
    return a >= it->beyond ? TALLY_SATURATED : TALLY_NOT_PLAIN;
}

static inline void add_square(fpfmt_bins bins, uint32_t magnitude, size_t turn)
{
    uint64_t significand = significand_of(magnitude);
    bins[(magnitude >> 23) * TALLY_TURNS + turn % TALLY_TURNS] += significand * significand;
}

static void tally_pairs(const fpfmt_ranges *it, fpfmt_bins bins[TALLY_SUMS], fpfmt_tally *tally,
                        const uint32_t *x, const uint32_t *y, size_t n)
{
    uint32_t kinds[TALLY_KINDS] = { 0 };
    memset(tally, 0, offsetof(fpfmt_tally, error));
    for (size_t i = 0; i < n; i++) {
        uint32_t a = x[i] & 0x7FFFFFFF, b = y[i] & 0x7FFFFFFF;
        int kind = kind_of(it, x[i], y[i], a, b);
        uint32_t error = kind == TALLY_NOT_PLAIN ? 0
                         : a > b                 ? difference_of(a, b)
                                                 : difference_of(b, a);
        kind = error == NO_FLOAT ? TALLY_NOT_PLAIN : kind;
        kinds[kind]++;
        tally->is_plain[i / 8] |= (uint8_t)((kind != TALLY_NOT_PLAIN) << i % 8);
        tally->error[i] = tally->relative[i] = 0;
        if (kind == TALLY_NOT_PLAIN)
            continue;
        if (a == 0) {
            tally->zero++;
            continue;
        }
        add_square(bins[TALLY_SIGNAL], a, i);
        if (error == 0)
            continue;
        tally->error[i] = error;
        tally->relative[i] = quotient_of(error, a);
        add_square(bins[TALLY_NOISE], error, i);
        add_square(bins[TALLY_RELATIVE], tally->relative[i], i);
        if (error > tally->largest_error)
            tally->largest_error = error;
        if (tally->relative[i] > tally->largest_relative)
            tally->largest_relative = tally->relative[i];
    }
    tally->plain = (uint32_t)n - kinds[TALLY_NOT_PLAIN];
    tally->exact = kinds[TALLY_EXACT];
    tally->underflow = kinds[TALLY_UNDERFLOW];
    tally->subnormal = kinds[TALLY_SUBNORMAL];
    tally->saturated = kinds[TALLY_SATURATED];
}
