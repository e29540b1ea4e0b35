/* any_row.c - what fpfmt.h says of a row, computed on whole numbers for rows of few bits
 * SPDX-License-Identifier: MIT */

#include "any_row.h"

/* The number of units of a magnitude code, as FPFMT_EXPONENT_ZERO_... has the exponent field 0. */
static uint64_t units_of(const fpfmt_format *format, uint64_t code)
{
    uint64_t binade = UINT64_C(1) << format->fraction_bits;
    uint64_t field = code / binade, fraction = code % binade;
    if (format->exponent_bits == 0)
        return code << FINER;
    switch (format->exponent_zero) {
    case FPFMT_EXPONENT_ZERO_SUBNORMALS:
        return field == 0 ? fraction << FINER : (binade + fraction) << (FINER + field - 1);
    case FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS:
        if (code == 0)
            return 0;
        break;
    default: break;
    }
    return (binade + fraction) << (FINER + field);
}

void list_row(any_row *row, const fpfmt_format *format)
{
    int bits = format->exponent_bits + format->fraction_bits;
    uint64_t top = (UINT64_C(1) << bits) - 1;
    bool subnormals = format->exponent_zero == FPFMT_EXPONENT_ZERO_SUBNORMALS;
    row->format = *format;
    row->fixed = format->exponent_bits == 0;
    row->has_zero = format->exponent_zero != FPFMT_EXPONENT_ZERO_NORMALS;
    row->unit = -format->bias - FINER - (row->fixed ? 0 : format->fraction_bits - subnormals);
    row->infinity = row->nan = 0;
    if (format->nans == FPFMT_NANS_ALL_ONES)
        row->nan = top--;
    if (format->nans == FPFMT_NANS_NEGATIVE_ZERO)
        row->nan = UINT64_C(1) << bits;
    if (format->infinity == FPFMT_INFINITY_TOP)
        row->infinity = top--;
    if (format->infinity == FPFMT_INFINITY_IEEE) {
        uint64_t binade = UINT64_C(1) << format->fraction_bits;
        row->infinity = top + 1 - binade;
        row->nan = row->infinity + binade / 2;
        top = row->infinity - 1;
    }
    row->max = row->lowest = top;
    row->lowest += row->fixed && format->sign_bits != 0;
    row->min_normal = row->fixed   ? 1
                      : subnormals ? UINT64_C(1) << format->fraction_bits
                                   : row->has_zero;
    for (uint64_t code = 0; code <= row->lowest + 1; code++)
        row->size[code] = units_of(format, code);
}

uint64_t row_code(const any_row *row, bool negative, uint64_t magnitude)
{
    int bits = row->format.exponent_bits + row->format.fraction_bits;
    bool has_negative_zero = row->format.nans != FPFMT_NANS_NEGATIVE_ZERO;
    if (!negative || row->format.sign_bits == 0)
        return magnitude;
    if (row->fixed)
        return magnitude == 0 ? 0 : (UINT64_C(2) << bits) - magnitude;
    return magnitude == 0 && !has_negative_zero ? 0 : magnitude + (UINT64_C(1) << bits);
}

fpfmt_value units_value(const any_row *row, bool negative, uint64_t units, bool tail)
{
    fpfmt_value value = fpfmt_from_u64(units);
    value.negative = negative;
    if (units != 0) {
        value.exponent += row->unit;
        value.inexact = tail;
    }
    return value;
}

static uint64_t nan_of(const any_row *row, bool negative)
{
    return row->format.nans == FPFMT_NANS_NEGATIVE_ZERO ? row->nan
                                                        : row_code(row, negative, row->nan);
}

static bool is_integer(const any_row *row)
{
    return row->format.exponent_bits == 0;
}

/* INVALID is a rule for integers; in other rows it is that of the row. */
static unsigned rule_of(const any_row *row, const fpfmt_policy *policy)
{
    bool own = policy->overflow == FPFMT_OVERFLOW_SPEC ||
               (policy->overflow == FPFMT_OVERFLOW_INVALID && !is_integer(row));
    return own ? row->format.overflow : policy->overflow;
}

/* Of what lies past either end: IEEE 754-2019 5.8 has invalid alone for integers. */
static unsigned flags_outside(const any_row *row, const fpfmt_policy *policy)
{
    return is_integer(row) && rule_of(row, policy) == FPFMT_OVERFLOW_INVALID
               ? FPFMT_FLAG_INVALID
               : FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INEXACT;
}

/* The magnitude code of the largest value that a rule leaves in use. */
static uint64_t largest(const any_row *row, bool negative, const fpfmt_policy *policy)
{
    bool symmetric = rule_of(row, policy) == FPFMT_OVERFLOW_SYMMETRIC;
    return negative && !symmetric ? row->lowest : row->max;
}

static uint64_t past_the_end(const any_row *row, bool negative, const fpfmt_policy *policy,
                             bool infinite, unsigned *flags)
{
    unsigned rule = rule_of(row, policy), mode = policy->rounding;
    bool has_infinity = row->infinity != 0;
    *flags |= flags_outside(row, policy);
    bool specified =
        policy->overflow <= FPFMT_OVERFLOW_INF || policy->overflow == FPFMT_OVERFLOW_INVALID;
    if (!infinite && specified) {
        bool inner = mode == FPFMT_ROUND_TOWARD_ZERO ||
                     mode == (negative ? FPFMT_ROUND_UPWARD : FPFMT_ROUND_DOWNWARD);
        bool odd = mode == FPFMT_ROUND_TO_ODD && (!has_infinity || row->max % 2 != 0);
        if (inner || odd)
            return row_code(row, negative, largest(row, negative, policy));
    }
    if (rule == FPFMT_OVERFLOW_INF && has_infinity)
        return row_code(row, negative, row->infinity);
    if ((rule == FPFMT_OVERFLOW_INF || rule == FPFMT_OVERFLOW_NAN) && row->nan != 0)
        return nan_of(row, negative);
    return row_code(row, negative, largest(row, negative, policy));
}

/* What is below zero in a row without a sign. */
static uint64_t refused(const any_row *row, const fpfmt_policy *policy, bool infinite,
                        unsigned *flags)
{
    bool inner =
        row->has_zero && !infinite &&
        (policy->rounding == FPFMT_ROUND_TOWARD_ZERO || policy->rounding == FPFMT_ROUND_UPWARD);
    bool specified =
        policy->overflow <= FPFMT_OVERFLOW_NAN || policy->overflow == FPFMT_OVERFLOW_INVALID;
    bool nan = policy->negative == FPFMT_NEGATIVE_SPEC && specified;
    if (is_integer(row) && policy->negative != FPFMT_NEGATIVE_ZERO) {
        *flags |= flags_outside(row, policy);
        return 0;
    }
    *flags |= nan && !inner ? FPFMT_FLAG_INVALID : FPFMT_FLAG_INEXACT;
    return nan && !inner ? row->nan : 0;
}

/* Does what lies part of the way from one value to the next go there? part and whole in units. */
static bool goes(const any_row *row, const fpfmt_policy *policy, bool negative, uint64_t part,
                 uint64_t whole, bool tail, bool odd, bool above_zero, uint64_t random)
{
    bool inexact = part != 0 || tail, tie = 2 * part == whole && !tail;
    bool beyond_half = 2 * part > whole || (2 * part == whole && tail);
    switch (policy->rounding) {
    case FPFMT_ROUND_NEAREST_EVEN:
        return beyond_half || (tie && (row->format.tie == FPFMT_TIE_LARGER ? !above_zero : odd));
    case FPFMT_ROUND_NEAREST_AWAY: return beyond_half || tie;
    case FPFMT_ROUND_NEAREST_ZERO: return beyond_half;
    case FPFMT_ROUND_TOWARD_ZERO: return false;
    case FPFMT_ROUND_AWAY_FROM_ZERO: return inexact;
    case FPFMT_ROUND_UPWARD: return inexact && !negative;
    case FPFMT_ROUND_DOWNWARD: return inexact && negative;
    case FPFMT_ROUND_TO_ODD: return inexact && !odd;
    default:
        return (part << policy->random_bits) / whole + random >= UINT64_C(1) << policy->random_bits;
    }
}

/* Below the smallest normal, and after rounding with an exponent without bound still there. */
static bool is_tiny(const any_row *row, const fpfmt_policy *policy, bool negative, uint64_t units,
                    bool tail, uint64_t random)
{
    uint64_t normal = row->size[row->min_normal], step = 1;
    if (row->fixed || units >= normal)
        return false;
    if (!row->has_zero || policy->tininess == FPFMT_TININESS_BEFORE_ROUNDING)
        return true;
    /* The step just below it: 2^fraction_bits of them in a binade, or its own above 2^emin. */
    while (2 * step < normal)
        step *= 2;
    step >>= row->format.fraction_bits;
    if (units < normal - step)
        return true;
    return !goes(row, policy, negative, units - (normal - step), step, tail,
                 row->min_normal % 2 == 0, false, random);
}

/* Zero is all that a row without a sign has of what is negative. */
static bool sign_fits(const any_row *row, bool negative)
{
    return !negative || row->format.sign_bits != 0;
}

uint64_t expected_of_units(const any_row *row, bool negative, uint64_t units, bool tail,
                           const fpfmt_policy *policy, uint64_t random, unsigned *flags)
{
    uint64_t low = 0, max;
    bool sign = row->format.sign_bits != 0;
    if (!sign && policy->negative == FPFMT_NEGATIVE_DROP)
        negative = false;
    max = largest(row, negative, policy);
    if (units == 0) {
        *flags |= row->has_zero ? 0 : FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
        return row_code(row, negative, 0);
    }
    if (negative && !sign && !row->has_zero)
        return refused(row, policy, false, flags);
    bool tiny = is_tiny(row, policy, negative, units, tail, random);
    if (tiny && (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS)) {
        *flags |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
        return row_code(row, negative, 0);
    }
    if (units < row->size[0]) {
        *flags |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
        return row_code(row, negative, 0);
    }
    while (low <= row->lowest && row->size[low + 1] <= units)
        low++;
    uint64_t part = units - row->size[low];
    bool inexact = part != 0 || tail, up = false;
    if (low <= row->lowest)
        up = goes(row, policy, negative, part, row->size[low + 1] - row->size[low], tail,
                  low % 2 != 0, low == 0 && row->has_zero, random);
    if (negative && !sign && low + up > 0)
        return refused(row, policy, false, flags);
    bool before = policy->overflow_test == FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING;
    if (sign_fits(row, negative) && (low + up > max || (before && inexact && low == max)))
        return past_the_end(row, negative, policy, false, flags);
    *flags |= inexact ? FPFMT_FLAG_INEXACT | (tiny ? FPFMT_FLAG_UNDERFLOW : 0) : 0;
    return row_code(row, negative, low + up);
}

uint64_t expected_of_infinity(const any_row *row, bool negative, const fpfmt_policy *policy,
                              unsigned *flags)
{
    unsigned rule = rule_of(row, policy);
    bool clamps = rule == FPFMT_OVERFLOW_MAX || rule == FPFMT_OVERFLOW_SYMMETRIC;
    if (row->format.sign_bits == 0 && policy->negative == FPFMT_NEGATIVE_DROP)
        negative = false;
    if (negative && row->format.sign_bits == 0)
        return refused(row, policy, true, flags);
    if (row->infinity != 0 && !clamps)
        return row_code(row, negative, row->infinity);
    return past_the_end(row, negative, policy, true, flags);
}
