/* oracle_numbers.c - numbers of MPFR as the arithmetic of binary32 rounds them
 * SPDX-License-Identifier: MIT */

#include "oracle_numbers.h"

/* Enough for exact products of three numbers of binary64, and what is cut is jammed. */
enum { BITS = ORACLE_NUMBER_BITS };

/* Rounded toward zero before, with what was cut: then the last bit is set instead. */
static void jam(mpfr_t x, int ternary)
{
    if (ternary != 0 && mpfr_regular_p(x) && mpfr_min_prec(x) < (mpfr_prec_t)mpfr_get_prec(x)) {
        if (mpfr_sgn(x) > 0)
            mpfr_nextabove(x);
        else
            mpfr_nextbelow(x);
    }
}

void oracle_round_32(mpfr_t rounded, const mpfr_t x)
{
    if (!mpfr_regular_p(x)) {
        mpfr_set(rounded, x, MPFR_RNDN);
        return;
    }
    long quantum = mpfr_get_exp(x) - 24;
    if (quantum < -149)
        quantum = -149;
    mpfr_mul_2si(rounded, x, -quantum, MPFR_RNDN);
    mpfr_rint_roundeven(rounded, rounded, MPFR_RNDN);
    mpfr_mul_2si(rounded, rounded, quantum, MPFR_RNDN);
    if (mpfr_regular_p(rounded) && mpfr_get_exp(rounded) > 128)
        mpfr_set_inf(rounded, mpfr_sgn(rounded));
}

void oracle_divide(mpfr_t q, const mpfr_t a, const mpfr_t b)
{
    jam(q, mpfr_div(q, a, b, MPFR_RNDZ));
}

void oracle_divide_32(mpfr_t q, const mpfr_t a, const mpfr_t b)
{
    oracle_divide(q, a, b);
    oracle_round_32(q, q);
}

void oracle_multiply_32(mpfr_t p, const mpfr_t a, const mpfr_t b)
{
    jam(p, mpfr_mul(p, a, b, MPFR_RNDZ));
    oracle_round_32(p, p);
}

void oracle_invert_32(mpfr_t q, const mpfr_t x)
{
    mpfr_t one;
    mpfr_init2(one, BITS);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    oracle_divide_32(q, one, x);
    mpfr_clear(one);
}

/* A processor's minimum with the largest binary32: of NaN too. */
void oracle_cap_32(mpfr_t x)
{
    mpfr_t largest;
    mpfr_init2(largest, BITS);
    mpfr_set_d(largest, 0x1.fffffep127, MPFR_RNDN);
    if (mpfr_nan_p(x) || mpfr_greater_p(x, largest))
        mpfr_set(x, largest, MPFR_RNDN);
    mpfr_clear(largest);
}

void oracle_as_mpfr(mpfr_t x, const oracle_number *number)
{
    switch (number->kind) {
    case FPFMT_KIND_ZERO: mpfr_set_zero(x, number->negative ? -1 : 1); return;
    case FPFMT_KIND_INFINITE: mpfr_set_inf(x, number->negative ? -1 : 1); return;
    case FPFMT_KIND_SUBNORMAL:
    case FPFMT_KIND_NORMAL: mpfr_setsign(x, number->magnitude, number->negative, MPFR_RNDN); return;
    default: mpfr_set_nan(x);
    }
}

void oracle_set_mpfr(oracle_number *number, const mpfr_t x)
{
    number->negative = mpfr_signbit(x) != 0;
    number->kind = mpfr_nan_p(x)    ? FPFMT_KIND_QUIET_NAN
                   : mpfr_inf_p(x)  ? FPFMT_KIND_INFINITE
                   : mpfr_zero_p(x) ? FPFMT_KIND_ZERO
                                    : FPFMT_KIND_NORMAL;
    number->payload = number->payload_bits = 0;
    if (mpfr_regular_p(x))
        mpfr_abs(number->magnitude, x, MPFR_RNDN);
}

uint64_t oracle_encode_mpfr(const oracle_format *format, const mpfr_t x, const fpfmt_policy *policy)
{
    oracle_number number;
    unsigned flags = 0;
    oracle_start(&number);
    oracle_set_mpfr(&number, x);
    uint64_t code = oracle_encode(format, &number, policy, &flags);
    oracle_stop(&number);
    return code;
}

void oracle_decode_mpfr(mpfr_t x, const oracle_format *format, uint64_t code)
{
    oracle_number number;
    oracle_start(&number);
    oracle_decode(format, code, &number);
    oracle_as_mpfr(x, &number);
    oracle_stop(&number);
}
