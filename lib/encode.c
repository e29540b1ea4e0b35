/* encode.c - value to code: the only place in the library that rounds
 * SPDX-License-Identifier: MIT */

#include "encode.h"

#include "bits.h"
#include "random.h"
#include "shape.h"

/* A cut that keeps kept, and after its point has the 64 bits of fraction, and perhaps more beyond
 * them. */
static inline fpfmt_cut cut_with(uint64_t kept, uint64_t fraction, uint64_t beyond)
{
    fpfmt_cut cut = {
        .kept = kept,
        .guard = (uint8_t)(fraction >> 63),
        .round = (uint8_t)(fraction >> 62 & 1),
        .sticky = (fraction << 2 | beyond) != 0,
        .fraction = fraction,
        .beyond = beyond != 0,
    };
    /* FPFMT_REMAINDER_NONE, BELOW_HALF, HALF and ABOVE_HALF are these two bits. */
    cut.remainder = (uint8_t)(cut.guard << 1 | cut.round | cut.sticky);
    return cut;
}

/* fpfmt_cut_at, inlined where the one rounding of a value needs little of it. By its contract
 * distance is not negative. */
FORCE_INLINE fpfmt_cut cut_at(fpfmt_value value, int quantum)
{
    int64_t distance = (int64_t)quantum - value.exponent + 63;
    int shift = distance > 128 ? 128 : (int)distance; /* from 128 on nothing reaches the fraction */
    if (shift == 0)
        return cut_with(value.significand, 0, value.inexact);
    if (shift <= 64)
        return cut_with(shift_right(value.significand, shift), value.significand << (64 - shift),
                        value.inexact);
    uint64_t lost = value.significand & low_bits(shift - 64);
    return cut_with(0, shift_right(value.significand, shift - 64), lost | value.inexact);
}

fpfmt_cut fpfmt_cut_at(fpfmt_value value, int quantum)
{
    /* The tail is all that is cut off: its two bits are those of the fraction, and of beyond. In a
     * format this cannot be, as none keeps 64 bits, so that cut_at need not look. */
    if (quantum + 63 == value.exponent)
        return cut_with(value.significand, (uint64_t)(value.inexact >> 1) << 63, value.inexact & 1);
    return cut_at(value, quantum);
}

/* IEEE P3109 v4.0's StochasticA, B and C cut the distance to N bits, round it with ties up, or with
 * ties to even. In C the 64 bits of fraction and beyond tell a tie; rest is what N bits leave,
 * moved to the top. */
uint64_t fpfmt_chance(const fpfmt_rule *rule, const fpfmt_cut *cut)
{
    uint64_t half = UINT64_C(1) << 63, rest, kept;
    switch (rule->mode->chance) {
    case CHANCE_DISTANCE: return cut->fraction >> (64 - rule->bits);
    case CHANCE_EQUAL: return cut->remainder != FPFMT_REMAINDER_NONE;
    case CHANCE_TIES_UP: return ((cut->fraction >> (63 - rule->bits)) + 1) >> 1;
    case CHANCE_TIES_EVEN:
        kept = cut->fraction >> (64 - rule->bits);
        rest = cut->fraction << rule->bits;
        return kept + (rest > half || (rest == half && (cut->beyond || (kept & 1))));
    default: return 0;
    }
}

/* chance + random >= 2^bits, written so that 64 bits do not wrap. */
static bool goes_by_chance(const fpfmt_rule *rule, fpfmt_cut cut)
{
    return fpfmt_chance(rule, &cut) > low_bits(rule->bits) - rule->random;
}

/* The table of modes, IEEE 754-2019 4.3: whether the magnitude goes up by one step. odd says that
 * the lower neighbour's code is: a tie to even then leaves it, and rounding to odd stays. */
FORCE_INLINE bool rounds_away(const fpfmt_rule *rule, bool negative, bool odd, const fpfmt_cut *cut)
{
    if (rule->bits != 0)
        return goes_by_chance(rule, *cut);
    return fpfmt_mode_goes(rule->mode, negative, odd, cut->remainder);
}

bool fpfmt_rounds_away(const fpfmt_rule *rule, bool negative, bool odd, const fpfmt_cut *cut)
{
    return rounds_away(rule, negative, odd, cut);
}

/* The random bits of a policy's mode: 0 in modes without chance. */
static int bits_of(const fpfmt_policy *policy, const fpfmt_mode *mode)
{
    if (!fpfmt_mode_asks_for_bits(mode))
        return mode->random_bits;
    return policy->random_bits < 1 ? 1 : policy->random_bits > 32 ? 32 : policy->random_bits;
}

uint64_t fpfmt_random_bits(uint64_t index, const fpfmt_policy *policy)
{
    policy = fpfmt_or_default(policy);
    const fpfmt_mode *mode = fpfmt_mode_of(policy->rounding);
    int bits = bits_of(policy, mode);
    if (bits == 0)
        return 0;
    return fpfmt_mode_asks_for_bits(mode) ? random_32(policy->seed, index) >> (32 - bits)
                                          : random_64(policy->seed, index) >> (64 - bits);
}

/* fpfmt_rule_with; random bits above the mode's are dropped. */
static inline fpfmt_rule rule_with(const fpfmt_policy *policy, uint64_t random)
{
    const fpfmt_mode *mode = fpfmt_mode_of(policy->rounding);
    int bits = bits_of(policy, mode);
    return (fpfmt_rule){ .mode = mode, .bits = bits, .random = random & low_bits(bits) };
}

fpfmt_rule fpfmt_rule_with(const fpfmt_policy *policy, uint64_t random)
{
    return rule_with(policy, random);
}

fpfmt_rule fpfmt_rule_of(const fpfmt_policy *policy)
{
    policy = fpfmt_or_default(policy);
    return rule_with(policy, fpfmt_random_bits(policy->first, policy));
}

int fpfmt_quantum(const fpfmt_format *format, fpfmt_value value)
{
    int emin = shape_emin(format);
    if (is_fixed_point(format))
        return -format->bias; /* one step from end to end, and beyond */
    return (value.exponent > emin ? value.exponent : emin) - format->fraction_bits;
}

/* The magnitude code of a value in steps of 2^quantum, the last bit decided by the rule. */
FORCE_INLINE uint64_t round_at(const fpfmt_format *format, fpfmt_value value, int quantum,
                               const fpfmt_rule *rule, fpfmt_cut *cut)
{
    int binade = quantum + format->fraction_bits - shape_emin(format);
    *cut = cut_at(value, quantum);
    /* Below emin the exponent stays, and the significand loses bits instead. The hidden bit and
     * any carry then add themselves into the exponent. */
    uint64_t code =
        ((uint64_t)(int64_t)binade << format->fraction_bits) + cut->kept - shape_offset(format);
    /* Without fraction bits both neighbours of a tie have an even significand: 4.3.1 takes the
     * larger one then, but not in place of zero. Rounding to odd keeps to the code. */
    bool odd = code & 1;
    if (format->tie == FPFMT_TIE_LARGER && fpfmt_mode_ties_to_even(rule->mode))
        odd = cut->kept != 0;
    cut->away = rounds_away(rule, value.negative, odd, cut);
    return code + cut->away;
}

/* round_at for the seldom: values in gaps, and the second rounding that tells tininess. */
static uint64_t round_apart(const fpfmt_format *format, fpfmt_value value, int quantum,
                            const fpfmt_rule *rule, fpfmt_cut *cut)
{
    return round_at(format, value, quantum, rule, cut);
}

/* A magnitude below the smallest positive value of a format without subnormals, in units of it, so
 * that it goes to 0 or 1. That value is 2^emin for E8M0, which has no zero and so no choice, and
 * 2^emin and one step for DLFloat16, whose code 0 is zero: no power of two, so that the 64 bits of
 * fraction are found by division, bit by bit, from the significand's top bit on. */
static uint64_t round_in_gap(const fpfmt_format *format, fpfmt_value value, const fpfmt_rule *rule,
                             fpfmt_cut *cut)
{
    /* The significand of code 1 in steps of 2^(emin - fraction_bits); with no fraction bit it is 2,
     * as code 1 lies one binade higher. */
    uint64_t smallest = (UINT64_C(1) << format->fraction_bits) + 1, rest = 0, fraction = 0;
    /* In units of the steps at emin the value is significand / 2^distance. Its quotient by smallest
     * is below 1, and 64 bits of that take the dividend's bits down to 2^-64; where they end
     * before, zeros follow. */
    int64_t distance = (int64_t)shape_emin(format) - format->fraction_bits - value.exponent + 63;
    int last =
        distance > 128 ? 64 : (int)distance - 64; /* the last bit of the dividend to bring down */
    for (int bit = 63; bit >= last; bit--) {
        rest = rest << 1 | (bit >= 0 ? value.significand >> bit & 1 : 0);
        fraction = fraction << 1 | (rest >= smallest);
        rest -= rest >= smallest ? smallest : 0;
    }
    uint64_t left = last > 0 ? value.significand & low_bits(last) : 0;
    *cut = cut_with(0, fraction, rest | left | value.inexact);
    if (format->exponent_zero == FPFMT_EXPONENT_ZERO_NORMALS)
        return 0; /* there is no zero to round to: the smallest value is nearest to all below */
    cut->away = fpfmt_rounds_away(rule, value.negative, false, cut);
    return cut->away;
}

/* Below the smallest value; of DLFloat16 that is all of 2^emin's first step, as the value 2^emin
 * has the code of zero. */
bool fpfmt_in_gap(const fpfmt_format *format, fpfmt_value value)
{
    int emin = shape_emin(format);
    switch ((fpfmt_exponent_zero)format->exponent_zero) {
    case FPFMT_EXPONENT_ZERO_SUBNORMALS: break;
    case FPFMT_EXPONENT_ZERO_NORMALS: return value.exponent < emin;
    case FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS:
        return value.exponent < emin ||
               (value.exponent == emin &&
                shift_right(value.significand, 63 - format->fraction_bits) ==
                    UINT64_C(1) << format->fraction_bits);
    }
    return false;
}

uint64_t fpfmt_round_magnitude(const fpfmt_format *format, fpfmt_value value,
                               const fpfmt_rule *rule, fpfmt_cut *cut)
{
    if (fpfmt_in_gap(format, value))
        return round_in_gap(format, value, rule, cut);
    return round_apart(format, value, fpfmt_quantum(format, value), rule, cut);
}

/* The field of the largest magnitude code is its binade above emin, or one more: a value in a
 * binade above the next rounds to no code of the format, and round_at need not have room for it. */
static inline bool is_beyond(const fpfmt_format *format, fpfmt_value value)
{
    int field = (int)(shape_max(format, value.negative) >> format->fraction_bits);
    return value.exponent > shape_emin(format) + field + 1;
}

bool fpfmt_is_beyond(const fpfmt_format *format, fpfmt_value value)
{
    return is_beyond(format, value);
}

/* IEEE 754-2019 7.5: after rounding, tiny is what stays below the smallest normal when it is
 * rounded to the format's precision with an exponent that has no lower bound. Fixed point has no
 * tiny values, and E8M0, which has no zero, calls all below its smallest value tiny. */
static bool is_tiny(const fpfmt_format *format, fpfmt_value value, const fpfmt_policy *policy,
                    const fpfmt_rule *rule)
{
    int emin = shape_emin(format), quantum = value.exponent - format->fraction_bits;
    bool has_gap = shape_offset(format) != 0;
    uint64_t smallest = has_gap ? 1 : UINT64_C(1) << format->fraction_bits;
    if (is_fixed_point(format) || (has_gap ? !fpfmt_in_gap(format, value) : value.exponent >= emin))
        return false;
    if (format->exponent_zero == FPFMT_EXPONENT_ZERO_NORMALS ||
        policy->tininess == FPFMT_TININESS_BEFORE_ROUNDING || value.exponent < emin - 1)
        return true;
    /* In the binade below emin: rounded to steps of that binade, as if the format went on, the
     * magnitude code is that of 2^emin or a smaller one, which may be negative. The random bits are
     * those of the result. */
    fpfmt_cut cut;
    int64_t rounded = (int64_t)round_apart(format, value, quantum, rule, &cut);
    return rounded < (int64_t)smallest;
}

/* What becomes of a magnitude code that a finite value was rounded to: overflow, where it exceeds
 * the largest, or where overflow is tested before rounding and the exact value did (hip-sat); of a
 * negative number in an unsigned format, which only rounds to 0 if it is no more than that; else
 * the code with its sign. away says whether code is a step above what was kept. */
static inline uint64_t settle(const fpfmt_format *format, const fpfmt_policy *policy, bool negative,
                              uint64_t code, bool inexact, bool away, bool tiny, unsigned *flags)
{
    /* An inexact value whose code before the step away is the largest lies above it. */
    uint64_t max = fpfmt_largest(format, negative, policy);
    bool beyond = policy->overflow_test == FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING && inexact &&
                  code - away == max;
    bool refused = negative & (format->sign_bits == 0);
    if (beyond || code > (refused ? 0 : max))
        return fpfmt_encode_beyond(format, negative, policy, flags);
    if (inexact)
        *flags |= FPFMT_FLAG_INEXACT | (tiny ? FPFMT_FLAG_UNDERFLOW : 0);
    return fpfmt_with_sign(format, code, negative);
}

/* settle, of a value that is not tiny. */
static uint64_t settle_normal(const fpfmt_format *format, const fpfmt_policy *policy, bool negative,
                              uint64_t code, bool inexact, bool away, unsigned *flags)
{
    return settle(format, policy, negative, code, inexact, away, false, flags);
}

/* A tiny value: zero, with underflow and inexact, where results are flushed; else settle, where it
 * underflows if it is inexact, IEEE 754-2019 7.5. */
static uint64_t settle_tiny(const fpfmt_format *format, const fpfmt_policy *policy, bool negative,
                            uint64_t code, bool inexact, bool away, unsigned *flags)
{
    if (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS) {
        *flags |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
        return fpfmt_encode_zero(format, negative, flags);
    }
    return settle(format, policy, negative, code, inexact, away, true, flags);
}

/* A value in the smallest normal's binade or below, of a format without subnormals. */
static uint64_t encode_low(const fpfmt_format *format, fpfmt_value value,
                           const fpfmt_policy *policy, const fpfmt_rule *rule, unsigned *flags)
{
    bool has_zero = format->exponent_zero != FPFMT_EXPONENT_ZERO_NORMALS;
    fpfmt_cut cut;
    uint64_t code = fpfmt_round_magnitude(format, value, rule, &cut);
    if (value.negative && format->sign_bits == 0 && !has_zero)
        return fpfmt_encode_negative(format, policy, false, flags);
    bool inexact = cut.remainder != FPFMT_REMAINDER_NONE;
    return (is_tiny(format, value, policy, rule) ? settle_tiny : settle_normal)(
        format, policy, value.negative, code, inexact, cut.away, flags);
}

/* A value that is finite and not zero. What is common comes first, and leaves early: a normal
 * number well below the top of a format with subnormals and a sign. */
FORCE_INLINE uint64_t encode_finite(const fpfmt_format *format, fpfmt_value value,
                                    const fpfmt_policy *policy, const fpfmt_rule *rule,
                                    unsigned *flags)
{
    int emin = shape_emin(format), exponent = value.exponent > emin ? value.exponent : emin;
    if (exponent == emin && shape_offset(format) != 0)
        return encode_low(format, value, policy, rule, flags);
    /* Whatever the format, what lies below its last exponents neither overflows nor is special:
     * infinity and NaN take two exponents at most, a rounding leads one further, and field 1 is
     * emin. */
    bool inner = exponent < emin - 4 + (1 << format->exponent_bits);
    if (!inner && is_beyond(format, value))
        return fpfmt_encode_beyond(format, value.negative, policy, flags);
    fpfmt_cut cut;
    uint64_t code = round_at(format, value, exponent - format->fraction_bits, rule, &cut);
    bool inexact = cut.remainder != FPFMT_REMAINDER_NONE;
    bool flush = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS;
    if (value.exponent < emin && (inexact || flush) && is_tiny(format, value, policy, rule))
        return settle_tiny(format, policy, value.negative, code, inexact, cut.away, flags);
    if (!inner || format->sign_bits == 0)
        return settle_normal(format, policy, value.negative, code, inexact, cut.away, flags);
    *flags |= inexact ? FPFMT_FLAG_INEXACT : 0;
    return fpfmt_with_sign(format, code, value.negative);
}

/* Zero, infinity and NaN. */
static uint64_t encode_special(const fpfmt_format *format, fpfmt_value value,
                               const fpfmt_policy *policy, unsigned *flags)
{
    switch ((fpfmt_kind)value.kind) {
    case FPFMT_KIND_ZERO:
    case FPFMT_KIND_SUBNORMAL:
    case FPFMT_KIND_NORMAL: break;
    case FPFMT_KIND_INFINITE: return fpfmt_encode_infinity(format, value.negative, policy, flags);
    case FPFMT_KIND_QUIET_NAN:
    case FPFMT_KIND_SIGNALING_NAN: return fpfmt_encode_nan(format, value, policy, flags);
    }
    return fpfmt_encode_zero(format, value.negative, flags);
}

/* fpfmt_encode and fpfmt_encode_random, given the rule; policy is not NULL. */
FORCE_INLINE uint64_t encode(const fpfmt_format *format, fpfmt_value value,
                             const fpfmt_policy *policy, const fpfmt_rule *rule, unsigned *flags)
{
    unsigned raised = 0;
    uint64_t code;
    if (format->sign_bits == 0 && policy->negative == FPFMT_NEGATIVE_DROP)
        value.negative = false;
    /* What counts is whether the value was subnormal in the format it came from. */
    if (value.kind == FPFMT_KIND_SUBNORMAL && (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS))
        value.kind = FPFMT_KIND_ZERO;
    if (value.kind == FPFMT_KIND_NORMAL || value.kind == FPFMT_KIND_SUBNORMAL)
        code = encode_finite(format, value, policy, rule, &raised);
    else
        code = encode_special(format, value, policy, &raised);
    if (flags != NULL)
        *flags |= raised;
    return code;
}

uint64_t fpfmt_encode_random(const fpfmt_format *format, fpfmt_value value, uint64_t random,
                             const fpfmt_policy *policy, unsigned *flags)
{
    policy = fpfmt_or_default(policy);
    fpfmt_rule rule = rule_with(policy, random);
    return encode(format, value, policy, &rule, flags);
}

uint64_t fpfmt_encode(const fpfmt_format *format, fpfmt_value value, const fpfmt_policy *policy,
                      unsigned *flags)
{
    policy = fpfmt_or_default(policy);
    const fpfmt_mode *mode = fpfmt_mode_of(policy->rounding);
    if (fpfmt_mode_has_chance(mode))
        return fpfmt_encode_random(format, value, fpfmt_random_bits(policy->first, policy), policy,
                                   flags);
    fpfmt_rule rule = { .mode = mode };
    return encode(format, value, policy, &rule, flags);
}
