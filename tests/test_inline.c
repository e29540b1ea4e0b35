/* test_inline.c - fpfmt_inline.h against the library, bit for bit
 * SPDX-License-Identifier: MIT */

#include <fpfmt_inline.h>

#include <fenv.h>
#include <inttypes.h>

#include <fpfmt.h>

#include "runner.h"

#if defined __SSE2__
#include <xmmintrin.h>
static void flush_subnormals(bool flush)
{
    const unsigned results_and_operands = 0x8040;
    unsigned control = _mm_getcsr() & ~results_and_operands;
    _mm_setcsr(flush ? control | results_and_operands : control);
}
#else
static void flush_subnormals(bool flush)
{
    (void)flush;
}
#endif

enum { BF16, FP16, E5M2, E4M3, FORMATS };

static const char *const names[FORMATS] = { "bf16", "fp16", "e5m2", "e4m3" };
static const fpfmt_format *formats[FORMATS];

static unsigned narrowed(int which, float x)
{
    switch (which) {
    case BF16: return fpfmt_bf16_from_f32(x);
    case FP16: return fpfmt_fp16_from_f32(x);
    case E5M2: return fpfmt_e5m2_from_f32(x);
    default: return fpfmt_e4m3_from_f32(x);
    }
}

static float widened(int which, unsigned code)
{
    switch (which) {
    case BF16: return fpfmt_f32_from_bf16((uint16_t)code);
    case FP16: return fpfmt_f32_from_fp16((uint16_t)code);
    case E5M2: return fpfmt_f32_from_e5m2((uint8_t)code);
    default: return fpfmt_f32_from_e4m3((uint8_t)code);
    }
}

static void check_float(uint32_t code)
{
    float x = fpfmt_inline_float(code);
    fpfmt_value value = fpfmt_from_f32(x);
    for (int which = 0; which < FORMATS; which++) {
        unsigned result = narrowed(which, x);
        uint64_t expected = fpfmt_encode(formats[which], value, NULL, NULL);
        CHECK(result == expected, "float 0x%08" PRIx32 " to %s: 0x%x, not 0x%" PRIx64, code,
              names[which], result, expected);
    }
}

/* Every exponent and sign, with significands of two bits and what lies beside them. */
static void structured_floats(void)
{
    for (uint32_t upper = 0; upper < 512; upper += SAMPLE)
        for (int i = 0; i < 23; i++)
            for (int j = 0; j <= i; j++)
                for (uint32_t step = 0; step < 3; step++) {
                    uint32_t bits = (UINT32_C(1) << i | UINT32_C(1) << j) + step - 1;
                    check_float(upper << 23 | (bits & 0x7FFFFF));
                    check_float(upper << 23 | (~bits & 0x7FFFFF));
                }
}

static void machine_modes(void)
{
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (!CHECK(fesetround(modes[i]) == 0, "the rounding mode cannot be set"))
            continue;
        flush_subnormals(true);
        structured_floats();
        flush_subnormals(false);
    }
    fesetround(FE_TONEAREST);
}

static void strided_floats(void)
{
    const uint64_t stride = (257 * SAMPLE) | 1; /* odd, so that every low bit changes */
    for (uint64_t code = 0; code <= UINT32_MAX; code += stride)
        check_float((uint32_t)code);
}

static void every_float(void)
{
    for (uint64_t code = 0; code <= UINT32_MAX; code += SAMPLE)
        check_float((uint32_t)code);
}

static void every_code(void)
{
    for (int which = 0; which < FORMATS; which++)
        for (unsigned code = 0; code < 1u << fpfmt_measure(formats[which]).width; code++) {
            uint32_t result = fpfmt_inline_code(widened(which, code));
            float x = fpfmt_to_f32(fpfmt_decode(formats[which], code), NULL, NULL);
            CHECK(result == fpfmt_inline_code(x), "%s 0x%x: 0x%08" PRIx32 ", not 0x%08" PRIx32,
                  names[which], code, result, fpfmt_inline_code(x));
        }
}

int main(void)
{
    enum { EXHAUSTIVE = 1 }; /* the last ones, of which the others take some */
    static const struct test tests[] = {
        { "floats of every exponent convert as in the library", structured_floats },
        { "the machine's rounding and flushing make no difference", machine_modes },
        { "floats at an even distance convert as in the library", strided_floats },
        { "every code converts to float as in the library", every_code },
        { "every float converts as in the library", every_float },
    };
    for (int which = 0; which < FORMATS; which++)
        formats[which] = fpfmt_named(names[which]);
    const size_t count = sizeof tests / sizeof tests[0];
    return run_tests("inline", tests, is_exhaustive() ? count : count - EXHAUSTIVE);
}
