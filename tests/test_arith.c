/* test_arith.c - every operation on structured operands of large and mixed formats, against the
 * oracle
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "arrays.h"
#include "operands.h"
#include "oracle_arith.h"
#include "runner.h"
#include "samples.h"
#include "trial.h"

static trial the;
static oracle_number numbers[OPERANDS];

/* How many operands to try where this many take a second: more on request. */
static unsigned many(unsigned count)
{
    return is_exhaustive() ? 40 * count : count / SAMPLE;
}

static void set_target(const char *name)
{
    the.reference = oracle_named(name);
    the.format = found(the.reference);
}

static void take_value(int operand, fpfmt_value value)
{
    the.value[operand] = value;
    oracle_set_value(&numbers[operand], value);
}

static void take_code(int operand, const oracle_format *reference, const fpfmt_format *format,
                      uint64_t code)
{
    the.value[operand] = fpfmt_decode(format, code);
    oracle_decode(reference, code, &numbers[operand]);
}

/* Every operation on the operands in hand: rounded in every mode, and before it is rounded. */
static void check_operations(fpfmt_policy policy)
{
    for (the.operation = 0; the.operation < OPERATIONS; the.operation++) {
        trial_pose(&the);
        trial_check_modes(&the, policy);
        if (the.operation != ROUND_TO_INTEGRAL) {
            trial_check_exact(&the, &policy);
            policy.rounding = FPFMT_ROUND_DOWNWARD;
            trial_check_exact(&the, &policy);
            policy.rounding = FPFMT_ROUND_NEAREST_EVEN;
        }
    }
}

/* Operands of these formats, and the target. */
typedef struct {
    const oracle_format *reference[OPERANDS + 1];
    fpfmt_format format[OPERANDS + 1];
} mixture;

static mixture mixture_of(const oracle_format *const references[OPERANDS + 1])
{
    mixture made;
    for (int i = 0; i <= OPERANDS; i++) {
        made.reference[i] = references[i];
        made.format[i] = found(references[i]);
    }
    the.reference = made.reference[OPERANDS];
    the.format = made.format[OPERANDS];
    return made;
}

static void take_related(const mixture *mixed)
{
    const fpfmt_format *formats[OPERANDS] = { &mixed->format[0], &mixed->format[1],
                                              &mixed->format[2] };
    uint64_t codes[OPERANDS];
    related_codes(codes, formats, &mixed->format[OPERANDS]);
    for (int i = 0; i < OPERANDS; i++)
        take_code(i, mixed->reference[i], formats[i], codes[i]);
}

static void operation_counts(void)
{
    for (int i = 0; i < FPFMT_OPERATION_COUNT; i++)
        CHECK(fpfmt_operands(i) == oracle_operands(i), "operation %d takes %u operands", i,
              fpfmt_operands(i));
}

static void one_format(void)
{
    static const char *const names[] = { "fp16", "bf16", "tf32", "fp32", "fp64" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const oracle_format *one = oracle_named(names[i]);
        mixture same = mixture_of((const oracle_format *const[]){ one, one, one, one });
        for (unsigned n = 0; n < many(8000); n++) {
            take_related(&same);
            check_operations((fpfmt_policy){ 0 });
        }
    }
}

static void mixed_formats(void)
{
    static const char *const names[][OPERANDS + 1] = {
        { "bf16", "e4m3", "fp32", "fp16" },         { "fp16", "fp16", "fp32", "fp32" },
        { "e5m2", "e4m3", "bf16", "bf16" },         { "fp64", "fp64", "fp64", "e4m3" },
        { "fp32", "fp64", "bf16", "tf32" },         { "fp16", "fp32", "e8m0", "fp64" },
        { "e8m0", "e2m1", "e3m2", "e2m3" },         { "int8f6", "int8", "dlfloat16", "fp16alt" },
        { "fp16", "e5m2fnuz", "fp16", "ufloat11" }, { "bf16", "e4m3fnuz", "ue5m3", "e8m0" },
        { "fp32", "pxr24", "int4", "int8" },        { "fp64", "e3m4", "e4m3", "dlfloat16" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const oracle_format *references[OPERANDS + 1];
        for (int k = 0; k <= OPERANDS; k++)
            references[k] = oracle_named(names[i][k]);
        mixture mixed = mixture_of(references);
        for (unsigned n = 0; n < many(1500); n++) {
            take_related(&mixed);
            check_operations((fpfmt_policy){ .negative = (uint8_t)(n % 3) });
        }
    }
}

static void p3109_formats(void)
{
    const oracle_format mixed[] = {
        oracle_p3109(8, 3, true, true),  oracle_p3109(8, 4, true, false),
        oracle_p3109(8, 1, false, true), oracle_p3109(6, 3, true, true),
        oracle_p3109(16, 8, true, true), oracle_p3109(8, 5, false, true),
    };
    enum { COUNT = sizeof mixed / sizeof mixed[0] };
    for (unsigned i = 0; i < COUNT * COUNT; i++) {
        mixture made = mixture_of((const oracle_format *const[]){
            &mixed[i % COUNT], &mixed[i / COUNT], &mixed[(i + 1) % COUNT],
            &mixed[(i / COUNT + i + 2) % COUNT] });
        for (unsigned n = 0; n < many(500); n++) {
            take_related(&made);
            check_operations((fpfmt_policy){ .specials = FPFMT_SPECIALS_P3109 });
        }
    }
}

/* Zeros, infinities and NaN of both kinds, in every place. */
static void specials(void)
{
    static const uint16_t codes[] = { 0x0000, 0x8000, 0x7C00, 0xFC00, 0x7E01, 0xFE23, 0x7C01,
                                      0xFD55, 0x0001, 0x83FF, 0x3C00, 0xBC00, 0x7BFF };
    enum { COUNT = sizeof codes / sizeof codes[0] };
    const oracle_format *half = oracle_named("fp16");
    static const char *const targets[] = { "fp16", "fp32", "e4m3", "e2m1", "ue5m3" };
    for (size_t t = 0; t < sizeof targets / sizeof targets[0]; t++) {
        mixture mixed = mixture_of(
            (const oracle_format *const[]){ half, half, half, oracle_named(targets[t]) });
        for (unsigned n = 0; n < COUNT * COUNT * COUNT; n += SAMPLE) {
            take_code(0, half, &mixed.format[0], codes[n % COUNT]);
            take_code(1, half, &mixed.format[0], codes[n / COUNT % COUNT]);
            take_code(2, half, &mixed.format[0], codes[n / COUNT / COUNT]);
            check_operations((fpfmt_policy){ .specials = (uint8_t)(n % 2) });
        }
    }
}

static void long_significands(void)
{
    static const char *const targets[] = { "fp64", "fp16", "e5m2" };
    for (size_t t = 0; t < sizeof targets / sizeof targets[0]; t++) {
        set_target(targets[t]);
        for (unsigned n = 0; n < many(20000); n++) {
            fpfmt_value values[OPERANDS];
            related_values(values);
            for (int i = 0; i < OPERANDS; i++)
                take_value(i, values[i]);
            check_operations((fpfmt_policy){ 0 });
        }
    }
}

/* What users write: integers of up to 64 bits, and exact text. */
static void integers_and_text(void)
{
    static const uint64_t integers[] = {
        0, 1, 3, 0xFFFFFFFF, (uint64_t)1 << 63, UINT64_MAX - 1, UINT64_MAX
    };
    static const char *const texts[] = { "18446744073709551615",
                                         "0x1.fffffffffffffffep-1000",
                                         "-9223372036854775809",
                                         "0x1p4000",
                                         "-0x1.8p-4000",
                                         "2^-1074",
                                         "-0" };
    enum { COUNT = sizeof integers / sizeof integers[0] + sizeof texts / sizeof texts[0] };
    fpfmt_value values[COUNT];
    size_t count = 0;
    for (; count < sizeof integers / sizeof integers[0]; count++)
        values[count] = fpfmt_from_u64(integers[count]);
    for (size_t i = 0; count < COUNT; i++, count++)
        CHECK(fpfmt_parse(&values[count], texts[i], strlen(texts[i]), NULL) == strlen(texts[i]) &&
                  !values[count].inexact,
              "%s is not exact", texts[i]);
    set_target("fp64");
    for (unsigned n = 0; n < COUNT * COUNT * COUNT; n += SAMPLE) {
        take_value(0, values[n % COUNT]);
        take_value(1, values[n / COUNT % COUNT]);
        take_value(2, values[n / COUNT / COUNT]);
        check_operations((fpfmt_policy){ 0 });
    }
}

/* Exponents of 32 bits: no sum of them wraps. */
static void far_exponents(void)
{
    static const int32_t exponents[] = { INT32_MIN, INT32_MIN + 1, -(1 << 24), -2000, 0,
                                         INT32_MAX, INT32_MAX - 1, 1 << 24,    64 };
    enum { COUNT = sizeof exponents / sizeof exponents[0] };
    set_target("fp32");
    for (unsigned n = 0; n < COUNT * COUNT * COUNT; n++)
        for (unsigned form = 0; form < 8; form += SAMPLE) {
            unsigned index = n;
            for (int i = 0; i < OPERANDS; i++, index /= COUNT)
                take_value(
                    i, (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                      .negative = form >> i & 1,
                                      .exponent = exponents[index % COUNT],
                                      .significand = form & 1 ? UINT64_MAX : UINT64_C(1) << 63 });
            check_operations((fpfmt_policy){ 0 });
        }
}

static void flushed(void)
{
    static const char *const names[] = { "fp16", "bf16", "e5m2", "fp32" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const oracle_format *one = oracle_named(names[i]);
        mixture same = mixture_of((const oracle_format *const[]){ one, one, one, one });
        for (unsigned n = 0; n < many(3000); n++) {
            take_related(&same);
            for (int operand = 0; operand < OPERANDS; operand++)
                if (random_bits_64() % 4 == 0) /* a subnormal, or close to them */
                    take_code(operand, one, &same.format[0],
                              random_bits_64() % (oracle_min_normal(one) + 2) |
                                  (random_bits_64() & oracle_sign(one)));
            check_operations((fpfmt_policy){ .subnormal = (uint8_t)(1 + n % 3) });
        }
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "operations take as many operands as they should", operation_counts },
        { "operations within a format are right", one_format },
        { "operations on mixed formats are rounded once", mixed_formats },
        { "P3109's formats follow its rules", p3109_formats },
        { "zeros, infinities and NaN give what IEEE 754 says", specials },
        { "significands of 64 bits are exact", long_significands },
        { "integers and text are exact operands", integers_and_text },
        { "no exponent is too large", far_exponents },
        { "subnormal operands and results are flushed on request", flushed },
    };
    trial_start(&the);
    for (int i = 0; i < OPERANDS; i++) {
        oracle_start(&numbers[i]);
        the.operand[i] = &numbers[i];
    }
    return run_tests("arith", tests, sizeof tests / sizeof tests[0]);
}
