/* oracle.c - the values of formats, and where a number lies among them
 * SPDX-License-Identifier: MIT */

#include "oracle.h"

#include <math.h>

enum { NUMBER_BITS = 192, WORK_BITS = 128 };

void oracle_start(oracle_number *number)
{
    *number = (oracle_number){ .kind = FPFMT_KIND_ZERO };
    mpfr_init2(number->magnitude, NUMBER_BITS);
    mpfr_set_zero(number->magnitude, 1);
}

void oracle_stop(oracle_number *number)
{
    mpfr_clear(number->magnitude);
}

uint64_t oracle_sign(const oracle_format *format)
{
    bool bit = format->is_signed && format->kind != ORACLE_INTEGER;
    return bit ? (uint64_t)1 << (format->bits - 1) : 0;
}

bool oracle_has_zero(const oracle_format *format)
{
    return format->kind != ORACLE_E8M0;
}

bool oracle_has_negative_zero(const oracle_format *format)
{
    return oracle_sign(format) != 0 && format->kind != ORACLE_FNUZ && format->kind != ORACLE_P3109;
}

uint64_t oracle_limit(const oracle_format *format, bool negative)
{
    return format->max + (negative && format->is_signed && format->kind == ORACLE_INTEGER);
}

uint64_t oracle_code(const oracle_format *format, bool negative, uint64_t magnitude)
{
    if (!negative)
        return magnitude;
    if (magnitude == 0 && !oracle_has_negative_zero(format))
        return 0;
    if (format->kind == ORACLE_INTEGER)
        return ((uint64_t)1 << format->bits) - magnitude;
    return magnitude + oracle_sign(format);
}

/* Codes per binade. */
static uint64_t binade(const oracle_format *format)
{
    return (uint64_t)1 << (format->precision - 1);
}

uint64_t oracle_min_normal(const oracle_format *format)
{
    switch (format->kind) {
    case ORACLE_E8M0: return 0;
    case ORACLE_DLFLOAT:
    case ORACLE_INTEGER: return 1;
    default: return binade(format);
    }
}

/* A magnitude code stands for units * 2^exponent. */
static uint64_t units(const oracle_format *format, uint64_t code, int *exponent)
{
    uint64_t row = code / binade(format), column = code % binade(format);
    int unit = format->emin - (format->precision - 1);
    switch (format->kind) {
    case ORACLE_INTEGER: *exponent = format->emin; return code;
    case ORACLE_E8M0:
    case ORACLE_DLFLOAT:
        *exponent = unit + (int)row;
        return code == 0 && format->kind == ORACLE_DLFLOAT ? 0 : binade(format) + column;
    default:
        *exponent = row == 0 ? unit : unit + (int)row - 1;
        return row == 0 ? column : binade(format) + column;
    }
}

void oracle_magnitude(mpfr_t magnitude, const oracle_format *format, uint64_t code)
{
    int exponent;
    uint64_t count = units(format, code, &exponent);
    mpfr_set_uj_2exp(magnitude, count, exponent, MPFR_RNDN);
}

bool oracle_is_nan(const oracle_format *format, uint64_t code)
{
    uint64_t magnitude = code & ~oracle_sign(format);
    switch (format->kind) {
    case ORACLE_IEEE: return magnitude > format->infinity;
    case ORACLE_FN:
    case ORACLE_E8M0:
    case ORACLE_DLFLOAT: return magnitude == format->nan;
    case ORACLE_FNUZ:
    case ORACLE_P3109: return code == format->nan;
    default: return false;
    }
}

bool oracle_is_infinite(const oracle_format *format, uint64_t code)
{
    return format->infinity != 0 && (code & ~oracle_sign(format)) == format->infinity;
}

void oracle_decode(const oracle_format *format, uint64_t code, oracle_number *number)
{
    uint64_t magnitude = code & ~oracle_sign(format);
    bool normal;
    number->negative = magnitude != code;
    if (oracle_is_nan(format, code)) {
        uint64_t quiet = format->nan - format->infinity;
        bool fields = format->kind == ORACLE_IEEE;
        number->negative &= format->kind != ORACLE_FNUZ && format->kind != ORACLE_P3109;
        number->kind =
            fields && magnitude < format->nan ? FPFMT_KIND_SIGNALING_NAN : FPFMT_KIND_QUIET_NAN;
        number->payload_bits = fields ? (uint8_t)(format->precision - 2) : 0;
        number->payload = fields ? (magnitude - format->infinity) % quiet : 0;
        return;
    }
    if (oracle_is_infinite(format, code)) {
        number->kind = FPFMT_KIND_INFINITE;
        return;
    }
    if (format->kind == ORACLE_INTEGER && code > format->max) {
        number->negative = true;
        magnitude = ((uint64_t)1 << format->bits) - code;
    }
    oracle_magnitude(number->magnitude, format, magnitude);
    normal = magnitude >= oracle_min_normal(format);
    number->kind = mpfr_zero_p(number->magnitude) ? FPFMT_KIND_ZERO
                   : normal                       ? FPFMT_KIND_NORMAL
                                                  : FPFMT_KIND_SUBNORMAL;
}

void oracle_set_value(oracle_number *number, fpfmt_value value)
{
    number->kind = value.kind;
    number->negative = value.negative;
    number->payload = value.significand;
    number->payload_bits = value.payload_bits;
    if (value.kind != FPFMT_KIND_SUBNORMAL && value.kind != FPFMT_KIND_NORMAL)
        return;
    /* A quarter stands for a tail below the half, three quarters for one above it. */
    mpfr_set_uj_2exp(number->magnitude, value.significand, 2, MPFR_RNDN);
    mpfr_add_ui(number->magnitude, number->magnitude, value.inexact, MPFR_RNDN);
    mpfr_mul_2si(number->magnitude, number->magnitude, (long)value.exponent - 65, MPFR_RNDN);
}

void oracle_set_ratio(oracle_number *number, const mpq_t ratio)
{
    mpz_t quotient, rest;
    long shift;
    number->negative = mpq_sgn(ratio) < 0;
    number->kind = mpq_sgn(ratio) == 0 ? FPFMT_KIND_ZERO : FPFMT_KIND_NORMAL;
    if (mpq_sgn(ratio) == 0)
        return;
    mpz_inits(quotient, rest, NULL);
    mpz_abs(quotient, mpq_numref(ratio));
    shift = NUMBER_BITS - 2 - (long)mpz_sizeinbase(quotient, 2) +
            (long)mpz_sizeinbase(mpq_denref(ratio), 2);
    if (shift >= 0) {
        mpz_mul_2exp(quotient, quotient, (mp_bitcnt_t)shift);
        mpz_tdiv_qr(quotient, rest, quotient, mpq_denref(ratio));
    } else {
        mpz_mul_2exp(rest, mpq_denref(ratio), (mp_bitcnt_t)-shift);
        mpz_tdiv_qr(quotient, rest, quotient, rest);
    }
    if (mpz_sgn(rest) != 0)
        mpz_setbit(quotient, 0);
    mpfr_set_z_2exp(number->magnitude, quotient, -shift, MPFR_RNDN);
    mpz_clears(quotient, rest, NULL);
}

fpfmt_value oracle_value(const mpfr_t magnitude)
{
    fpfmt_value value = { .kind = FPFMT_KIND_NORMAL };
    mpfr_t significand;
    value.exponent = (int32_t)(mpfr_get_exp(magnitude) - 1);
    mpfr_init2(significand, 64);
    mpfr_mul_2si(significand, magnitude, 63L - value.exponent, MPFR_RNDZ);
    value.significand = mpfr_get_uj(significand, MPFR_RNDZ);
    mpfr_clear(significand);
    return value;
}

uint8_t oracle_remainder(const mpfr_t magnitude)
{
    mpfr_t top, rest;
    int half, any;
    mpfr_init2(top, 64);
    mpfr_init2(rest, mpfr_get_prec(magnitude));
    any = mpfr_set(top, magnitude, MPFR_RNDZ);
    mpfr_sub(rest, magnitude, top, MPFR_RNDN);
    half = mpfr_cmp_ui_2exp(rest, 1, mpfr_get_exp(top) - 65);
    mpfr_clears(top, rest, (mpfr_ptr)NULL);
    if (any == 0)
        return FPFMT_REMAINDER_NONE;
    return half < 0    ? FPFMT_REMAINDER_BELOW_HALF
           : half == 0 ? FPFMT_REMAINDER_HALF
                       : FPFMT_REMAINDER_ABOVE_HALF;
}

bool oracle_agrees(const oracle_number *number, fpfmt_value value)
{
    bool finite = number->kind == FPFMT_KIND_SUBNORMAL || number->kind == FPFMT_KIND_NORMAL;
    bool nan = number->kind == FPFMT_KIND_QUIET_NAN || number->kind == FPFMT_KIND_SIGNALING_NAN;
    mpfr_t magnitude;
    bool equal;
    if (value.kind != number->kind || value.negative != number->negative || value.inexact)
        return false;
    if (nan)
        return value.significand == number->payload && value.payload_bits == number->payload_bits;
    if (!finite)
        return true;
    mpfr_init2(magnitude, 64);
    mpfr_set_uj_2exp(magnitude, value.significand, (intmax_t)value.exponent - 63, MPFR_RNDN);
    equal = mpfr_equal_p(magnitude, number->magnitude) && value.significand >> 63 == 1;
    mpfr_clear(magnitude);
    return equal;
}

/* How far magnitude is from low towards high. */
static int remainder_between(const mpfr_t magnitude, const mpfr_t low, const mpfr_t high)
{
    static mpfr_t middle;
    static bool ready;
    int order;
    if (!ready)
        mpfr_init2(middle, WORK_BITS);
    ready = true;
    if (mpfr_equal_p(magnitude, low))
        return ORACLE_EXACT;
    mpfr_add(middle, low, high, MPFR_RNDN);
    mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
    order = mpfr_cmp(magnitude, middle);
    return order < 0 ? ORACLE_BELOW_HALF : order == 0 ? ORACLE_HALF : ORACLE_ABOVE_HALF;
}

/* The largest code up to last whose value is at most magnitude. Every value of every format is a
 * double times a power of two, so magnitude cut to one separates them as well. */
static uint64_t search(const oracle_format *format, const mpfr_t magnitude, uint64_t last)
{
    uint64_t low = 0, high = last + 1;
    long binade_sought;
    double sought = mpfr_get_d_2exp(&binade_sought, magnitude, MPFR_RNDZ);
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        int exponent, binade_found;
        double found = frexp((double)units(format, middle, &exponent), &binade_found);
        long above = binade_found + (long)exponent - binade_sought;
        if (above < 0 || (above == 0 && found <= sought))
            low = middle;
        else
            high = middle;
    }
    return low;
}

void oracle_find(const oracle_format *format, const oracle_number *number, oracle_place *place)
{
    static mpfr_t low, high;
    static bool ready;
    if (!ready)
        mpfr_inits2(WORK_BITS, low, high, (mpfr_ptr)NULL);
    ready = true;

    *place = (oracle_place){ .edge = -1 };
    oracle_magnitude(low, format, oracle_min_normal(format));
    if (format->kind != ORACLE_INTEGER && mpfr_less_p(number->magnitude, low)) {
        place->subnormal = true;
        place->under = !oracle_has_zero(format);
        mpfr_set(high, low, MPFR_RNDN);
        mpfr_set_ui_2exp(
            low, 1, format->emin - format->precision + (format->kind == ORACLE_DLFLOAT), MPFR_RNDN);
        mpfr_sub(low, high, low, MPFR_RNDN);
        if (mpfr_lessequal_p(low, number->magnitude))
            place->edge = remainder_between(number->magnitude, low, high);
    }
    if (place->under)
        return;
    place->below = search(format, number->magnitude, format->max + 2 * binade(format));
    oracle_magnitude(low, format, place->below);
    oracle_magnitude(high, format, place->below + 1);
    place->remainder = remainder_between(number->magnitude, low, high);
}
