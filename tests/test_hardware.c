/* test_hardware.c - binary32 and binary64 arithmetic against what the processor computes
 * SPDX-License-Identifier: MIT
 *
 * In the four rounding modes of x86, with its flags: tininess is detected after rounding. The NaN
 * that it makes is negative; a NaN that it is given comes out as the first operand that is one, but
 * which is the first of an fma depends on the instruction's form. */

#include <inttypes.h>
#include <stdio.h>

#include <fpfmt.h>

#include "arrays.h"
#include "operands.h"
#include "runner.h"

#if defined __GNUC__ && (defined __x86_64__ || defined __i386__)

#include <immintrin.h>

#define WITH_FMA __attribute__((target("sse2,fma")))

/* The value is known here and not before: what uses it stays behind, what made it stays ahead. */
#define PIN(x) __asm__ volatile("" : "+x"(x) : : "memory")

enum {
    OPERANDS = 3,
    MASKED = 0x1F80,
    INVALID = 1,
    DIVIDE_BY_ZERO = 4,
    OVERFLOW = 8,
    UNDERFLOW = 16,
    INEXACT = 32
};

static const int operations[] = { FPFMT_OPERATION_ADD,      FPFMT_OPERATION_SUBTRACT,
                                  FPFMT_OPERATION_MULTIPLY, FPFMT_OPERATION_DIVIDE,
                                  FPFMT_OPERATION_SQRT,     FPFMT_OPERATION_FMA };

static const struct {
    uint8_t rounding;
    unsigned control;
} modes[] = {
    { FPFMT_ROUND_NEAREST_EVEN, 0x0000 },
    { FPFMT_ROUND_DOWNWARD, 0x2000 },
    { FPFMT_ROUND_UPWARD, 0x4000 },
    { FPFMT_ROUND_TOWARD_ZERO, 0x6000 },
};

WITH_FMA static uint64_t single(int operation, const uint64_t *x, unsigned *status)
{
    __m128 a = _mm_castsi128_ps(_mm_cvtsi32_si128((int)(uint32_t)x[0])), result;
    __m128 b = _mm_castsi128_ps(_mm_cvtsi32_si128((int)(uint32_t)x[1]));
    __m128 c = _mm_castsi128_ps(_mm_cvtsi32_si128((int)(uint32_t)x[2]));
    PIN(a);
    PIN(b);
    PIN(c);
    switch (operation) {
    case FPFMT_OPERATION_ADD: result = _mm_add_ss(a, b); break;
    case FPFMT_OPERATION_SUBTRACT: result = _mm_sub_ss(a, b); break;
    case FPFMT_OPERATION_MULTIPLY: result = _mm_mul_ss(a, b); break;
    case FPFMT_OPERATION_DIVIDE: result = _mm_div_ss(a, b); break;
    case FPFMT_OPERATION_SQRT: result = _mm_sqrt_ss(a); break;
    default: result = _mm_fmadd_ss(a, b, c); break;
    }
    PIN(result);
    *status = _mm_getcsr();
    return (uint32_t)_mm_cvtsi128_si32(_mm_castps_si128(result));
}

WITH_FMA static uint64_t twice(int operation, const uint64_t *x, unsigned *status)
{
    __m128d a = _mm_castsi128_pd(_mm_loadl_epi64((const __m128i *)&x[0])), result;
    __m128d b = _mm_castsi128_pd(_mm_loadl_epi64((const __m128i *)&x[1]));
    __m128d c = _mm_castsi128_pd(_mm_loadl_epi64((const __m128i *)&x[2]));
    uint64_t code;
    PIN(a);
    PIN(b);
    PIN(c);
    switch (operation) {
    case FPFMT_OPERATION_ADD: result = _mm_add_sd(a, b); break;
    case FPFMT_OPERATION_SUBTRACT: result = _mm_sub_sd(a, b); break;
    case FPFMT_OPERATION_MULTIPLY: result = _mm_mul_sd(a, b); break;
    case FPFMT_OPERATION_DIVIDE: result = _mm_div_sd(a, b); break;
    case FPFMT_OPERATION_SQRT: result = _mm_sqrt_sd(a, a); break;
    default: result = _mm_fmadd_sd(a, b, c); break;
    }
    PIN(result);
    *status = _mm_getcsr();
    _mm_storel_epi64((__m128i *)&code, _mm_castpd_si128(result));
    return code;
}

static unsigned flags_of(unsigned status)
{
    return (status & INVALID ? FPFMT_FLAG_INVALID : 0U) |
           (status & DIVIDE_BY_ZERO ? FPFMT_FLAG_DIVIDE_BY_ZERO : 0U) |
           (status & OVERFLOW ? FPFMT_FLAG_OVERFLOW : 0U) |
           (status & UNDERFLOW ? FPFMT_FLAG_UNDERFLOW : 0U) |
           (status & INEXACT ? FPFMT_FLAG_INEXACT : 0U);
}

/* In the mode, with no flag raised before; the environment is as it was afterwards. */
static uint64_t by_hardware(const fpfmt_format *format, int operation, const uint64_t *x,
                            unsigned control, unsigned *flags)
{
    unsigned before = _mm_getcsr(), status;
    _mm_setcsr(MASKED | control);
    uint64_t code =
        format->fraction_bits == 23 ? single(operation, x, &status) : twice(operation, x, &status);
    _mm_setcsr(before);
    *flags = flags_of(status);
    return code;
}

/* The NaN operands that the operation takes, and whether it multiplies 0 by infinity. */
typedef struct {
    unsigned nans;
    bool zero_by_infinity;
} oddities;

static oddities oddities_of(const fpfmt_value *x, int operation)
{
    oddities found = { 0, false };
    for (unsigned i = 0; i < fpfmt_operands(operation); i++)
        found.nans += x[i].kind >= FPFMT_KIND_QUIET_NAN;
    found.zero_by_infinity = (x[0].kind == FPFMT_KIND_ZERO && x[1].kind == FPFMT_KIND_INFINITE) ||
                             (x[1].kind == FPFMT_KIND_ZERO && x[0].kind == FPFMT_KIND_INFINITE);
    return found;
}

static void check_operation(const fpfmt_format *format, int operation, const uint64_t *codes,
                            const fpfmt_value *x)
{
    oddities odd = oddities_of(x, operation);
    bool fma = operation == FPFMT_OPERATION_FMA, any_nan = fma && odd.nans > 1;
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        fpfmt_policy policy = { .rounding = modes[m].rounding };
        unsigned flags = 0, expected_flags;
        uint64_t expected =
            by_hardware(format, operation, codes, modes[m].control, &expected_flags);
        uint64_t code = fpfmt_operate(format, operation, x[0], x[1], x[2], &policy, &flags);
        bool made = odd.nans == 0 && flags == FPFMT_FLAG_INVALID;
        bool same = code == expected ||
                    ((made || any_nan) && fpfmt_is_nan(format, code) &&
                     fpfmt_is_nan(format, expected) && !fpfmt_is_signaling(format, code));
        if (fma && odd.nans > 0 && odd.zero_by_infinity)
            expected_flags |= FPFMT_FLAG_INVALID; /* 7.2 leaves it open; here it is raised */
        CHECK(same && flags == expected_flags,
              "%s operation %d of 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
              ", rounding %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
              format->name, operation, codes[0], codes[1], codes[2], policy.rounding, code, flags,
              expected, expected_flags);
    }
}

static void check_format(const char *name)
{
    const fpfmt_format *format = fpfmt_named(name);
    const fpfmt_format *formats[OPERANDS] = { format, format, format };
    unsigned long count = is_exhaustive() ? 20000000 : 600000 / SAMPLE;
    if (!__builtin_cpu_supports("fma")) {
        skip_test("this processor has no fma");
        return;
    }
    for (unsigned long n = 0; n < count; n++) {
        uint64_t codes[OPERANDS];
        fpfmt_value x[OPERANDS];
        if (n % 4 == 0) {
            for (int i = 0; i < OPERANDS; i++)
                codes[i] = random_bits_64() >> (format->fraction_bits == 23 ? 32 : 0);
        } else {
            related_codes(codes, formats, format);
        }
        for (int i = 0; i < OPERANDS; i++)
            x[i] = fpfmt_decode(format, codes[i]);
        for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++)
            check_operation(format, operations[o], codes, x);
    }
    printf("# %lu operands in 4 modes and 6 operations\n", count);
}

#else

static void check_format(const char *name)
{
    (void)name;
    skip_test("this test knows only how x86 is told its rounding mode and tells its flags");
}

#endif

static void single_precision(void)
{
    check_format("fp32");
}

static void double_precision(void)
{
    check_format("fp64");
}

int main(void)
{
    static const struct test tests[] = {
        { "fp32 arithmetic is the processor's, flags too", single_precision },
        { "fp64 arithmetic is the processor's, flags too", double_precision },
    };
    return run_tests("hardware", tests, sizeof tests / sizeof tests[0]);
}
