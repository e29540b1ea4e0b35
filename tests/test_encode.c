/* test_encode.c - the one place that rounds, against the oracle
 * SPDX-License-Identifier: MIT
 *
 * Encodings are compared, not values, and flags as strictly as results. Operands are every value,
 * every midpoint, and their neighbours to one part in 2^64 and closer. */

#include <inttypes.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

/* Formats of the custom grammar, with the corners that no named row has. */
static const oracle_format customs[] = {
    { "e3m0none", ORACLE_FINITE, 4, 1, -2, true, 0x7, 0, 0, FPFMT_OVERFLOW_MAX, true },
    { "e4m0fn", ORACLE_FN, 5, 1, -6, true, 0xE, 0, 0xF, FPFMT_OVERFLOW_NAN, true },
    { "e1m2none", ORACLE_FINITE, 4, 3, 1, true, 0x7, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "e2m2none", ORACLE_FINITE, 5, 3, 0, true, 0xF, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "e3m1ieee", ORACLE_IEEE, 5, 2, -2, true, 0xD, 0xE, 0xF, FPFMT_OVERFLOW_INF, false },
    { "e5m3b7fn", ORACLE_FN, 9, 4, -6, true, 0xFE, 0, 0xFF, FPFMT_OVERFLOW_NAN, false },
    { "e3m3u", ORACLE_IEEE, 6, 4, -2, false, 0x37, 0x38, 0x3C, FPFMT_OVERFLOW_INF, false },
    { "e4m3noneu", ORACLE_FINITE, 7, 4, -6, false, 0x7F, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "e4m3b-20fnuz", ORACLE_FNUZ, 8, 4, 21, true, 0x7F, 0, 0x80, FPFMT_OVERFLOW_NAN, false },
};

/* What a test does with one format. */
typedef void visitor(const fpfmt_format *format, const oracle_format *reference);

static visitor *visit_found;

static void visit(const oracle_format *reference)
{
    fpfmt_format format = found(reference);
    visit_found(&format, reference);
}

static void each_format(int low, int high, visitor *visits)
{
    visit_found = visits;
    for (size_t i = 0; i < oracle_format_count; i++)
        if (oracle_formats[i].bits >= low && oracle_formats[i].bits <= high)
            visit(&oracle_formats[i]);
    for (size_t i = 0; i < sizeof customs / sizeof customs[0]; i++)
        if (customs[i].bits >= low && customs[i].bits <= high)
            visit(&customs[i]);
}

static oracle_number operand;
static oracle_place place;

static void place_operand(const oracle_format *reference, fpfmt_value value)
{
    oracle_set_value(&operand, value);
    if (value.kind == FPFMT_KIND_SUBNORMAL || value.kind == FPFMT_KIND_NORMAL)
        oracle_find(reference, &operand, &place);
}

/* The operand was placed: one encoding against the oracle's choice. */
static void check_policy(const fpfmt_format *format, const oracle_format *reference,
                         fpfmt_value value, const fpfmt_policy *policy)
{
    unsigned flags = 0, expected_flags = 0;
    uint64_t code = fpfmt_encode(format, value, policy, &flags);
    uint64_t expected = oracle_choose(reference, &operand, &place, policy, &expected_flags);
    CHECK(code == expected && flags == expected_flags,
          "%s: kind %d %s%016" PRIx64
          "%s * 2^(%d-63), rounding %d overflow %d test %d subnormal %d "
          "nan %d negative %d tininess %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
          format->name, value.kind, value.negative ? "-" : "", value.significand,
          value.inexact ? "+" : "", (int)value.exponent, policy->rounding, policy->overflow,
          policy->overflow_test, policy->subnormal, policy->nan, policy->negative, policy->tininess,
          code, flags, expected, expected_flags);
}

static void check_modes(const fpfmt_format *format, const oracle_format *reference,
                        fpfmt_value value, fpfmt_policy policy)
{
    for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT; policy.rounding++)
        check_policy(format, reference, value, &policy);
}

/* Call check with the neighbours of the values and midpoints of the codes from first to last. */
static void each_operand(const fpfmt_format *format, const oracle_format *reference, uint64_t first,
                         uint64_t last, uint64_t stride,
                         void (*check)(const fpfmt_format *, const oracle_format *, fpfmt_value))
{
    mpfr_t low, high;
    mpfr_inits2(64, low, high, (mpfr_ptr)NULL);
    for (uint64_t code = first; code <= last; code += stride)
        for (int middle = 0; middle < 2; middle++) {
            fpfmt_value values[NEIGHBORS];
            size_t count;
            oracle_magnitude(low, reference, code);
            if (middle) {
                oracle_magnitude(high, reference, code + 1);
                mpfr_add(low, low, high, MPFR_RNDN);
                mpfr_div_2ui(low, low, 1, MPFR_RNDN);
            }
            count = neighbors_of(values, low);
            for (size_t i = 0; i < count; i++)
                for (int sign = 0; sign < 2; sign++) {
                    values[i].negative = sign;
                    check(format, reference, values[i]);
                }
        }
    mpfr_clears(low, high, (mpfr_ptr)NULL);
}

static void check_rounding(const fpfmt_format *format, const oracle_format *reference,
                           fpfmt_value value)
{
    place_operand(reference, value);
    check_modes(format, reference, value, (fpfmt_policy){ 0 });
    if (place.subnormal)
        check_modes(format, reference, value,
                    (fpfmt_policy){ .tininess = FPFMT_TININESS_BEFORE_ROUNDING });
}

static void round_everywhere(const fpfmt_format *format, const oracle_format *reference)
{
    each_operand(format, reference, 0, reference->max + 2, SAMPLE, check_rounding);
}

static void small_formats(void)
{
    each_format(1, 8, round_everywhere);
}

static void p3109_formats(void)
{
    visit_found = round_everywhere;
    oracle_each_p3109(3, 8, visit);
}

static void medium_formats(void)
{
    each_format(9, 16, round_everywhere);
}

/* Powers of two and what lies far outside. */
static void check_far(const fpfmt_format *format, const oracle_format *reference)
{
    static const int32_t exponents[] = {
        -16777216, -100000, -2000, -1076, -1075, -1074, -1023,  -1022,   -200, -150,
        -127,      -100,    -41,   -32,   -20,   20,    33,     64,      65,   127,
        128,       200,     1023,  1024,  1025,  2000,  100000, 16777216
    };
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++)
        for (int form = 0; form < 8; form++) {
            fpfmt_value value = { .kind = FPFMT_KIND_NORMAL,
                                  .exponent = exponents[i],
                                  .negative = form & 1,
                                  .inexact = (form & 2) != 0 };
            value.significand = form & 4 ? UINT64_MAX : UINT64_C(1) << 63;
            check_rounding(format, reference, value);
        }
}

static void far_operands(void)
{
    each_format(1, 64, check_far);
    visit_found = check_far;
    oracle_each_p3109(3, 8, visit);
}

static void check_overflow(const fpfmt_format *format, const oracle_format *reference,
                           fpfmt_value value)
{
    fpfmt_policy policy = { 0 };
    place_operand(reference, value);
    for (policy.overflow = 0; policy.overflow < FPFMT_OVERFLOW_COUNT; policy.overflow++)
        for (policy.overflow_test = 0; policy.overflow_test < 2; policy.overflow_test++)
            check_modes(format, reference, value, policy);
}

static void overflow_of(const fpfmt_format *format, const oracle_format *reference)
{
    uint64_t first = reference->max > 3 ? reference->max - 3 : 0;
    each_operand(format, reference, first, reference->max + 5, 1, check_overflow);
    for (int kind = FPFMT_KIND_NORMAL; kind <= FPFMT_KIND_INFINITE; kind++)
        for (int32_t exponent = 8; exponent < 1 << 24; exponent *= 2)
            for (int sign = 0; sign < 2; sign++)
                check_overflow(format, reference,
                               (fpfmt_value){ .kind = (uint8_t)kind,
                                              .negative = sign,
                                              .exponent = exponent,
                                              .significand = UINT64_C(1) << 63 });
}

static void overflow_policies(void)
{
    each_format(1, 64, overflow_of);
    visit_found = overflow_of;
    oracle_each_p3109(3, 8, visit);
}

static void check_flush(const fpfmt_format *format, const oracle_format *reference,
                        fpfmt_value value)
{
    fpfmt_policy policy = { 0 };
    for (value.kind = FPFMT_KIND_SUBNORMAL; value.kind <= FPFMT_KIND_NORMAL; value.kind++) {
        place_operand(reference, value);
        for (policy.subnormal = 0; policy.subnormal < 4; policy.subnormal++)
            for (policy.tininess = 0; policy.tininess < 2; policy.tininess++)
                check_modes(format, reference, value, policy);
    }
}

static void flush_of(const fpfmt_format *format, const oracle_format *reference)
{
    uint64_t normal = oracle_min_normal(reference);
    uint64_t stride = normal < 2048 ? 1 : normal / 512 + 1;
    each_operand(format, reference, 0, normal, stride * SAMPLE, check_flush);
    each_operand(format, reference, normal < 3 ? 0 : normal - 3, normal + 2, 1, check_flush);
}

static void flushing(void)
{
    each_format(1, 64, flush_of);
    visit_found = flush_of;
    oracle_each_p3109(3, 8, visit);
}

static void nan_of(const fpfmt_format *format, const oracle_format *reference)
{
    static const uint8_t widths[] = { 0, 1, 2, 5, 6, 9, 14, 22, 51 };
    static const uint64_t payloads[] = {
        0, 1, 2, 0x20, 0x123, 0x1FF, 0x155555, 0x3FFFFF, 0x5555555555555, 0x7FFFFFFFFFFFF
    };
    for (size_t i = 0; i < 4 * sizeof widths * 10; i++) {
        fpfmt_value value = { .kind = i & 1 ? FPFMT_KIND_QUIET_NAN : FPFMT_KIND_SIGNALING_NAN,
                              .negative = (i & 2) != 0,
                              .payload_bits = widths[i / 4 % sizeof widths],
                              .significand = payloads[i / 4 / sizeof widths] };
        fpfmt_policy policy = { 0 };
        if (value.payload_bits > 0)
            value.significand &= UINT64_MAX >> (64 - value.payload_bits);
        place_operand(reference, value);
        for (policy.nan = 0; policy.nan < FPFMT_NAN_COUNT; policy.nan++) {
            policy.rounding = (uint8_t)(i % FPFMT_ROUND_DETERMINISTIC_COUNT);
            policy.overflow = (uint8_t)(i / 4 % FPFMT_OVERFLOW_COUNT);
            policy.negative = (uint8_t)(i / 8 % 3);
            policy.subnormal = (uint8_t)(i % 4);
            check_policy(format, reference, value, &policy);
        }
    }
}

static void nan_rules(void)
{
    each_format(1, 64, nan_of);
    visit_found = nan_of;
    oracle_each_p3109(3, 8, visit);
}

static void zero_of(const fpfmt_format *format, const oracle_format *reference)
{
    for (int i = 0; i < 6 * 3 * 4 * 2; i++) {
        fpfmt_value value = { .kind = FPFMT_KIND_ZERO, .negative = i & 1 };
        place_operand(reference, value);
        check_modes(format, reference, value,
                    (fpfmt_policy){ .overflow = (uint8_t)(i / 2 % 6),
                                    .negative = (uint8_t)(i / 12 % 3),
                                    .subnormal = (uint8_t)(i / 36) });
    }
}

static void zeros(void)
{
    each_format(1, 64, zero_of);
    visit_found = zero_of;
    oracle_each_p3109(3, 8, visit);
}

static void check_negative(const fpfmt_format *format, const oracle_format *reference,
                           fpfmt_value value)
{
    fpfmt_policy policy = { 0 };
    place_operand(reference, value);
    for (policy.negative = 0; policy.negative < 3; policy.negative++)
        for (policy.overflow = 0; policy.overflow < FPFMT_OVERFLOW_COUNT; policy.overflow++)
            check_modes(format, reference, value, policy);
}

static void negatives_of(const fpfmt_format *format, const oracle_format *reference)
{
    fpfmt_value infinite = { .kind = FPFMT_KIND_INFINITE, .negative = true };
    if (reference->is_signed)
        return;
    each_operand(format, reference, 0, 4, 1, check_negative);
    each_operand(format, reference, oracle_min_normal(reference), reference->max + 2,
                 1 + reference->max / 64, check_negative);
    each_operand(format, reference, reference->max - 1, reference->max + 2, 1, check_negative);
    check_negative(format, reference, infinite);
}

static void negatives_into_unsigned(void)
{
    each_format(1, 64, negatives_of);
    visit_found = negatives_of;
    oracle_each_p3109(3, 8, visit);
}

/* Codes one bit away from the edges of the fields, and values of random bits in the format's range.
 */
static void round_in_places(const fpfmt_format *format, const oracle_format *reference)
{
    uint64_t marks[] = { 0, oracle_min_normal(reference), reference->max };
    int span = 2 * (60 - reference->emin);
    for (size_t m = 0; m < sizeof marks / sizeof marks[0]; m++)
        for (int bit = 0; bit < reference->bits - 1; bit++) {
            uint64_t code = marks[m] ^ (uint64_t)1 << bit;
            if (code > 0 && code <= reference->max)
                each_operand(format, reference, code - 1, code + 1, 1, check_rounding);
        }
    each_operand(format, reference, reference->max - 1, reference->max + 2, 1, check_rounding);
    for (int n = 0; n < 60000; n += SAMPLE) {
        uint64_t word = random_word();
        check_rounding(format, reference,
                       (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                      .negative = word & 1,
                                      .inexact = (word & 2) != 0,
                                      .exponent = (int32_t)(word >> 32) % span,
                                      .significand = random_word() | UINT64_C(1) << 63 });
    }
    for (int n = 0; n < 4000; n += SAMPLE) {
        uint64_t code = random_word() % reference->max;
        each_operand(format, reference, code, code, 1, check_rounding);
    }
}

static void large_formats(void)
{
    print_seed();
    each_format(17, 64, round_in_places);
}

/* NULL policy and flags, and flags that were raised before. */
static void arguments(void)
{
    static const fpfmt_policy upward = { .rounding = FPFMT_ROUND_UPWARD };
    const fpfmt_format *half = fpfmt_named("fp16");
    fpfmt_value third = fpfmt_from_f64(1.0 / 3);
    unsigned flags = FPFMT_FLAG_INVALID;
    CHECK(fpfmt_encode(half, third, NULL, NULL) == 0x3555, "1/3 to nearest");
    CHECK(fpfmt_encode(half, third, &upward, &flags) == 0x3556, "1/3 upward");
    CHECK(flags == (FPFMT_FLAG_INVALID | FPFMT_FLAG_INEXACT), "flags are not OR-ed: %x", flags);
}

static void exhaustive(void)
{
    each_format(17, 24, round_everywhere);
    visit_found = round_everywhere;
    for (int bits = 9; bits <= 12; bits++)
        for (int precision = bits == 12 ? 2 : 1; precision < bits; precision++)
            for (int variant = 0; variant < 4; variant++) {
                oracle_format format = oracle_p3109(bits, precision, variant < 2, variant % 2);
                visit(&format);
            }
}

int main(void)
{
    enum { EXHAUSTIVE = 1 }; /* the last ones, of which the others take some */
    static const struct test tests[] = {
        { "formats of up to 8 bits round right everywhere in every mode", small_formats },
        { "P3109 formats of 3 to 8 bits round right everywhere in every mode", p3109_formats },
        { "formats of 9 to 16 bits round right everywhere in every mode", medium_formats },
        { "larger formats round right at edges and in random places", large_formats },
        { "operands far outside of the range come out right", far_operands },
        { "every overflow policy is kept from one ulp below the maximum up", overflow_policies },
        { "subnormals are flushed as asked, tiny before or after rounding", flushing },
        { "NaN keeps, loses or changes what each rule says", nan_rules },
        { "zeros keep their sign where there is one", zeros },
        { "negatives into unsigned formats follow each rule", negatives_into_unsigned },
        { "NULL arguments mean the default, and flags are OR-ed", arguments },
        { "tf32, pxr24 and P3109 of 9 to 12 bits round right everywhere", exhaustive },
    };
    oracle_start(&operand);
    const size_t count = sizeof tests / sizeof tests[0];
    return run_tests("encode", tests, is_exhaustive() ? count : count - EXHAUSTIVE);
}
