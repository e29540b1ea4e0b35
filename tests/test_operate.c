/* test_operate.c - arithmetic on arrays, in every set, against that on their elements
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#endif

enum { COUNT = 128, FIRST = 5, OPERANDS = 3 };

/* CODES: an array of codes; else the bytes of the carrier. */
enum { CODES = 0 };

static struct {
    fpfmt_plan plan;
    size_t carrier, bytes; /* bytes of an element */
    int operation;
    unsigned char in[OPERANDS][8 * COUNT], out[8 * COUNT];
    uint64_t expected[COUNT];
    unsigned flags[COUNT], all;
} the;

static bool run(void *out, const void *a, const void *b, const void *c, size_t n, uint64_t first,
                unsigned *flags)
{
    switch (the.carrier) {
    case 4: return fpfmt_plan_operate_f32(&the.plan, the.operation, out, a, b, c, n, first, flags);
    case 8: return fpfmt_plan_operate_f64(&the.plan, the.operation, out, a, b, c, n, first, flags);
    default: return fpfmt_plan_operate(&the.plan, the.operation, out, a, b, c, n, first, flags);
    }
}

static fpfmt_value value_of(const unsigned char *at)
{
    uint64_t word = load_word(at, the.bytes);
    uint32_t narrow = (uint32_t)word;
    float single;
    double twice;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&twice, &word, sizeof twice);
    return the.carrier == 4   ? fpfmt_from_f32(single)
           : the.carrier == 8 ? fpfmt_from_f64(twice)
                              : fpfmt_decode(&the.plan.format, word);
}

static void expect(void)
{
    fpfmt_policy policy = the.plan.policy;
    const fpfmt_format *format = &the.plan.format;
    uint64_t first = policy.first;
    the.all = 0;
    for (size_t i = 0; i < COUNT; i++) {
        fpfmt_value x[OPERANDS];
        for (int k = 0; k < OPERANDS; k++)
            x[k] = value_of(the.in[k] + i * the.bytes);
        policy.first = first + FIRST + i;
        the.flags[i] = 0;
        uint64_t code =
            fpfmt_operate(format, the.operation, x[0], x[1], x[2], &policy, &the.flags[i]);
        the.all |= the.flags[i];
        the.expected[i] =
            the.carrier == CODES ? code : expected_value(format, &policy, code, the.carrier);
    }
}

static void describe(char text[160])
{
    const fpfmt_policy *policy = &the.plan.policy;
    snprintf(text, 160, "%s operation %d of %s%s mode %d overflow %d sub %d nan %d",
             fpfmt_kernels_name(the.plan.set), the.operation, the.plan.format.name,
             the.carrier == 4   ? " in float"
             : the.carrier == 8 ? " in double"
                                : "",
             policy->rounding, policy->overflow, policy->subnormal, policy->nan);
}

static void compare(bool flagged)
{
    unsigned flags = 0;
    char text[160];
    describe(text);
    memset(the.out, 0, sizeof the.out);
    CHECK(run(the.out, the.in[0], the.in[1], the.in[2], COUNT, FIRST, flagged ? &flags : NULL),
          "%s is refused", text);
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t got = load_word(the.out + i * the.bytes, the.bytes);
        CHECK(got == the.expected[i],
              "%s: %" PRIx64 " %" PRIx64 " %" PRIx64 " gives %" PRIx64 ", not %" PRIx64, text,
              load_word(the.in[0] + i * the.bytes, the.bytes),
              load_word(the.in[1] + i * the.bytes, the.bytes),
              load_word(the.in[2] + i * the.bytes, the.bytes), got, the.expected[i]);
    }
    CHECK(!flagged || flags == the.all, "%s raises %u, not %u", text, flags, the.all);
}

/* The flags of some elements alone. */
static void compare_alone(size_t start)
{
    char text[160];
    describe(text);
    for (size_t i = start % COUNT; i < COUNT; i += 31) {
        unsigned flags = 0;
        size_t at = i * the.bytes;
        run(the.out, the.in[0] + at, the.in[1] + at, the.in[2] + at, 1, FIRST + i, &flags);
        CHECK(flags == the.flags[i], "%s: %" PRIx64 " %" PRIx64 " %" PRIx64 " raises %u, not %u",
              text, load_word(the.in[0] + at, the.bytes), load_word(the.in[1] + at, the.bytes),
              load_word(the.in[2] + at, the.bytes), flags, the.flags[i]);
    }
}

/* Operands near values of the format and its specials; of a quarter of them the second, and of
 * another the third, nearly cancel the first. */
static void fill(const fpfmt_format *format)
{
    uint64_t sign = UINT64_C(1) << (8 * the.bytes - 1);
    if (the.carrier == CODES)
        sign = UINT64_C(1) << (fpfmt_measure(format).width - 1);
    for (int k = 0; k < OPERANDS; k++)
        if (the.carrier != CODES)
            fill_carriers(the.in[k], the.bytes, COUNT, format);
        else
            for (size_t i = 0; i < COUNT; i++)
                store_word(the.in[k] + i * the.bytes, random_bits_64(), the.bytes);
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t word = load_word(the.in[0] + i * the.bytes, the.bytes);
        if (i % 4 < 2)
            store_word(the.in[1 + i % 2] + i * the.bytes, (word ^ sign) + random_bits_64() % 3,
                       the.bytes);
    }
}

static void try_policy(const fpfmt_format *format, const fpfmt_policy *policy, size_t turn)
{
    for (the.operation = 0; the.operation < FPFMT_OPERATION_COUNT; the.operation++) {
        CHECK(fpfmt_prepare(&the.plan, format, policy, set_here(0)), "%s is not prepared",
              format->name);
        expect();
        for (size_t s = 0; set_here(s) != NULL; s++) {
            fpfmt_prepare(&the.plan, format, policy, set_here(s));
            compare(true);
            compare(false);
            compare_alone(turn);
        }
    }
}

/* Every format and mode: the first mode with all policies, the others with one of them by turns. */
static void test_kind(size_t carrier)
{
    fpfmt_format format;
    fpfmt_policy policy;
    size_t turn = 0, policies = 0;
    while (array_policy(&policy, policies))
        policies++;
    for (size_t f = 0; array_format(&format, f); f++) {
        if (carrier != CODES && !holds(carrier, &format))
            continue;
        the.carrier = carrier;
        the.bytes = carrier == CODES ? code_bytes(&format) : carrier;
        for (size_t m = 0, more = policies / SAMPLE;
             array_policy(&policy, turn % policies) && array_mode(&policy, m);
             m += more == 0, more -= more > 0, turn += SAMPLE) {
            policy.specials = turn / policies % 3 == 0 ? FPFMT_SPECIALS_P3109 : FPFMT_SPECIALS_IEEE;
            fill(&format);
            try_policy(&format, &policy, turn);
        }
    }
    CHECK(turn > 0, "no format was tried");
    printf("# %zu formats and policies, %d operations on %d elements, in each set\n", turn / SAMPLE,
           FPFMT_OPERATION_COUNT, COUNT);
}

static void codes(void)
{
    test_kind(CODES);
}

static void carried_f32(void)
{
    test_kind(4);
}

static void carried_f64(void)
{
    test_kind(8);
}

/* Long arrays, of which parts are NaN and infinite, against the plainest set. */
static void long_arrays(void)
{
    enum { LONG = 5003 / SAMPLE };
    static const char *const names[] = { "e4m3", "fp16", "bf16", "fp32" };
    static uint32_t in[OPERANDS][LONG], out[LONG], expected[LONG];
    for (size_t f = 0; f < sizeof names / sizeof names[0]; f++)
        for (the.carrier = CODES; the.carrier <= 4; the.carrier += 4)
            for (the.operation = 0; the.operation < FPFMT_OPERATION_COUNT; the.operation++) {
                const fpfmt_format *format = fpfmt_named(names[f]);
                the.bytes = the.carrier == CODES ? code_bytes(format) : the.carrier;
                for (int k = 0; k < OPERANDS; k++)
                    for (size_t i = 0; i < LONG; i++) {
                        uint64_t word = random_bits_64();
                        if (i / 700 % 2 == 0 && the.bytes > 1)
                            word |= UINT64_C(0x7C) << (8 * the.bytes - 8);
                        store_word((unsigned char *)in[k] + i * the.bytes, word, the.bytes);
                    }
                for (size_t s = 0; set_here(s) != NULL; s++) {
                    fpfmt_prepare(&the.plan, format, NULL, set_here(s));
                    CHECK(run(s == 0 ? expected : out, in[0], in[1], in[2], LONG, FIRST, NULL),
                          "%s of %d is refused", names[f], LONG);
                    CHECK(s == 0 || memcmp(out, expected, LONG * the.bytes) == 0,
                          "%s operation %d of %d elements of %zu bytes of %s",
                          fpfmt_kernels_name(the.plan.set), the.operation, LONG, the.bytes,
                          names[f]);
                }
            }
}

/* The output on an operand, and every length up to COUNT at odd addresses. */
static void in_place(void)
{
    static const char *const names[] = { "e4m3", "bf16", "fp32", "fp64" };
    static unsigned char lain[OPERANDS][8 * COUNT + 1];
    for (size_t f = 0; f < sizeof names / sizeof names[0]; f++)
        for (size_t s = 0; set_here(s) != NULL; s++)
            for (size_t n = 0; n <= COUNT; n++) {
                const fpfmt_format *format = fpfmt_named(names[f]);
                int on = (int)(n % OPERANDS);
                the.operation = FPFMT_OPERATION_FMA;
                the.carrier = CODES;
                the.bytes = code_bytes(format);
                fpfmt_prepare(&the.plan, format, NULL, set_here(s));
                fill(format);
                expect();
                for (int k = 0; k < OPERANDS; k++)
                    memcpy(lain[k] + 1, the.in[k], sizeof the.in[k]);
                CHECK(run(lain[on] + 1, lain[0] + 1, lain[1] + 1, lain[2] + 1, n, FIRST, NULL),
                      "%s in place is refused", format->name);
                for (size_t i = 0; i < COUNT; i++) {
                    uint64_t got = load_word(lain[on] + 1 + i * the.bytes, the.bytes);
                    uint64_t expected =
                        i < n ? the.expected[i] : load_word(the.in[on] + i * the.bytes, the.bytes);
                    CHECK(got == expected, "%s of %zu on operand %d: element %zu", format->name, n,
                          on, i);
                }
            }
}

#if defined __x86_64__ && defined __GNUC__
/* Every direction, with subnormals lost or kept. */
static void environments(void)
{
    for (size_t s = 0; set_here(s) != NULL; s++)
        for (unsigned state = 0; state < 16; state++) {
            unsigned saved = _mm_getcsr();
            unsigned set = 0x1F80 | (state & 3) << 13 | (state & 4 ? 0x40 : 0) |
                           (state & 8 ? 0x8000 : 0) | 0x15;
            the.carrier = state & 1 ? 4 : CODES;
            the.bytes = state & 1 ? 4 : 2;
            the.operation = (int)state % FPFMT_OPERATION_COUNT;
            fpfmt_prepare(&the.plan, fpfmt_named("bf16"), NULL, set_here(s));
            fill(&the.plan.format);
            expect();
            _mm_setcsr(set);
            run(the.out, the.in[0], the.in[1], the.in[2], COUNT, FIRST, NULL);
            unsigned after = _mm_getcsr();
            _mm_setcsr(saved);
            CHECK(after == set, "MXCSR %x became %x", set, after);
            for (size_t i = 0; i < COUNT; i++)
                CHECK(load_word(the.out + i * the.bytes, the.bytes) == the.expected[i],
                      "%s operation %d depends on MXCSR %x", fpfmt_kernels_name(the.plan.set),
                      the.operation, set);
        }
}
#else
static void environments(void)
{
    skip_test("MXCSR is x86's");
}
#endif

int main(void)
{
    static const struct test tests[] = {
        { "operations on codes are those on their values, in every set", codes },
        { "operations on carried floats are those on their values", carried_f32 },
        { "operations on carried doubles are those on their values", carried_f64 },
        { "long arrays, with many specials, are the same in every set", long_arrays },
        { "the output may lie on any operand, of any length", in_place },
        { "no environment changes a result, or is changed", environments },
    };
    return run_tests("operate", tests, sizeof tests / sizeof tests[0]);
}
