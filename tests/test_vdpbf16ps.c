/* test_vdpbf16ps.c - the model of VDPBF16PS against the instruction, where the processor has it
 * SPDX-License-Identifier: MIT
 *
 * A lane is a sum in binary32 and two pairs in bfloat16, element 0 in the lower half of its word.
 * MXCSR is neither read nor written: rounding modes, DAZ and FTZ change no bit, no flag is raised,
 * and with every exception unmasked none traps. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "operands.h"
#include "runner.h"

#if defined __x86_64__ && (defined __clang__ ? __clang_major__ >= 9 : __GNUC__ >= 10)

#include <immintrin.h>

#define WITH_BF16 __attribute__((target("avx512f,avx512vl,avx512bf16"), noinline))

/* The value is known here and not before: what uses it stays behind, what made it stays ahead. */
#define PIN(x) __asm__ volatile("" : "+v"(x) : : "memory")

enum {
    LANES = 16,
    DAZ = 0x0040,
    FTZ = 0x8000,
    ROUNDING = 0x2000, /* times 0 to 3 */
    MASKED = 0x1F80,
    STATES = 4 * 2 * 2 * 2
};

static const fpfmt_format *bf16, *fp32;

typedef struct {
    uint16_t a[LANES][2], b[LANES][2];
    uint32_t c[LANES];
} lanes;

/* The three widths of the instruction. */
WITH_BF16 static void multiply_512(uint32_t *sums, const lanes *it)
{
    __m512 c = _mm512_loadu_ps((const void *)it->c);
    __m512i a = _mm512_loadu_si512(it->a), b = _mm512_loadu_si512(it->b);
    PIN(a);
    c = _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
    PIN(c);
    _mm512_storeu_ps(sums, c);
}

WITH_BF16 static void multiply_256(uint32_t *sums, const lanes *it)
{
    for (int i = 0; i < LANES; i += 8) {
        __m256 c = _mm256_loadu_ps((const void *)&it->c[i]);
        __m256i a = _mm256_loadu_si256((const void *)it->a[i]),
                b = _mm256_loadu_si256((const void *)it->b[i]);
        PIN(a);
        c = _mm256_dpbf16_ps(c, (__m256bh)a, (__m256bh)b);
        PIN(c);
        _mm256_storeu_ps((void *)&sums[i], c);
    }
}

WITH_BF16 static void multiply_128(uint32_t *sums, const lanes *it)
{
    for (int i = 0; i < LANES; i += 4) {
        __m128 c = _mm_loadu_ps((const void *)&it->c[i]);
        __m128i a = _mm_loadu_si128((const void *)it->a[i]),
                b = _mm_loadu_si128((const void *)it->b[i]);
        PIN(a);
        c = _mm_dpbf16_ps(c, (__m128bh)a, (__m128bh)b);
        PIN(c);
        _mm_storeu_ps((void *)&sums[i], c);
    }
}

static void (*const widths[])(uint32_t *sums, const lanes *it) = { multiply_512, multiply_256,
                                                                   multiply_128 };
enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* Under one of the states of MXCSR; returns the flags that it raised. */
static unsigned multiply(int width, int state, uint32_t *sums, const lanes *it)
{
    unsigned before = _mm_getcsr();
    unsigned control = (unsigned)(state % 4) * ROUNDING | (state & 4 ? DAZ : 0U) |
                       (state & 8 ? FTZ : 0U) | (state & 16 ? 0U : MASKED);
    _mm_setcsr(control);
    widths[width](sums, it);
    unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    return after ^ control;
}

static uint64_t random_below(uint64_t bound)
{
    return random_bits_64() % bound;
}

/* A bfloat16 in this binade, or the nearest there is. */
static uint16_t in_binade(int exponent)
{
    uint64_t r = random_bits_64();
    int field = exponent + 127 < 0 ? 0 : exponent + 127 > 254 ? 254 : exponent + 127;
    uint64_t fraction = r & 1 ? r >> 1 & 0x7F : (r >> 1 & 1) * 0x40;
    return (uint16_t)((r >> 16 & 0x8000) | (uint64_t)field << 7 | fraction);
}

/* A pair of factors whose product lies about there. */
static void product_near(uint16_t *a, uint16_t *b, int exponent)
{
    int part = (int)random_below(120) - 60;
    *a = in_binade(part);
    *b = in_binade(exponent - part - (int)random_below(2));
}

/* Zeros, ones, infinities and NaN of either kind; above: the bits over those of bfloat16. */
static uint32_t oddity(void)
{
    static const uint16_t codes[] = { 0,      1,      0x7F,   0x80,   0x3F80,
                                      0x7F7F, 0x7F80, 0x7F80, 0x7F81, 0x7FC0 };
    uint64_t r = random_bits_64();
    uint32_t code = codes[r % (sizeof codes / sizeof codes[0])];
    code |= (r >> 8 & 1) << 15;
    return code > 0x7F80 && code < 0x8000 ? code | (uint32_t)(r >> 16 & 0x3F) : code;
}

/* By what lies near what: the sum, or the smallest normal or the largest, where tininess and
 * overflow are decided, or half a unit of the sum. */
static void make_lane(lanes *it, size_t i)
{
    uint64_t r = random_bits_64();
    int near = (int)(r >> 40 & 3) - 2;
    it->c[i] = (uint32_t)(r & 0x80000000);
    for (int k = 0; k < 2; k++) {
        uint16_t *a = &it->a[i][k], *b = &it->b[i][k];
        switch (r >> 60 & 7) {
        case 0:
            *a = (uint16_t)random_bits_64();
            *b = (uint16_t)random_bits_64();
            it->c[i] = (uint32_t)random_bits_64();
            break;
        case 1:
            *a = (uint16_t)operand_code(bf16);
            *b = (uint16_t)operand_code(bf16);
            it->c[i] = (uint32_t)operand_code(fp32);
            break;
        case 2: /* about the smallest normal, or the bits below its last */
            product_near(a, b, (r >> (50 + k) & 1 ? -126 : -149) + near);
            it->c[i] ^= (uint32_t)(random_below(4) == 0 ? 0 : 0x00800000 + (r >> 32 & 7) - 3);
            break;
        case 3: /* about the largest */
            product_near(a, b, r >> (50 + k) & 1 ? 127 : 103 + near);
            it->c[i] ^= (uint32_t)(0x7F7FFFFF - (r >> 32 & 3));
            break;
        case 4: /* half units */
            product_near(a, b, -24 + near + (int)(r >> 50 & 1));
            it->c[i] = (it->c[i] & 0x80000000) | 0x3F800000 | (uint32_t)(r >> 32 & 3);
            break;
        case 5: /* what cancels */
            product_near(a, b, near);
            if (k == 1) {
                fpfmt_value x = fpfmt_decode(bf16, *a), y = fpfmt_decode(bf16, *b);
                x.negative = !x.negative;
                it->c[i] = (uint32_t)fpfmt_multiply(fp32, x, y, NULL, NULL) + (uint32_t)(r & 1);
            }
            break;
        case 6:
            *a = (uint16_t)oddity();
            *b = (uint16_t)oddity();
            it->c[i] = oddity() << 16 | (uint32_t)(r >> 32 & 1);
            break;
        default: product_near(a, b, (int)random_below(300) - 170); break;
        }
    }
}

static uint32_t by_model(const fpfmt_accumulator *how, const lanes *it, size_t i)
{
    return (uint32_t)fpfmt_dot(
        fp32, how, it->c[i], (fpfmt_series){ .format = bf16, .codes = it->a[i], .stride = 1 },
        (fpfmt_series){ .format = bf16, .codes = it->b[i], .stride = 1 }, 2, NULL, NULL);
}

/* What results there were: a run that met none of a kind has tried too little. */
enum { ZERO, NORMAL, INFINITE, NAN_RESULT, KINDS };

static int kind_of(uint32_t code)
{
    uint32_t magnitude = code & 0x7FFFFFFF;
    return magnitude == 0           ? ZERO
           : magnitude < 0x7F800000 ? NORMAL
           : magnitude > 0x7F800000 ? NAN_RESULT
                                    : INFINITE;
}

static void lanes_by_lanes(void)
{
    fpfmt_accumulator how;
    unsigned long count = (is_exhaustive() ? 200000000UL : 4000000UL) / (unsigned long)SAMPLE,
                  kinds[KINDS] = { 0 };
    if (!CHECK(fpfmt_find_accumulator(&how, "x86-vdpbf16ps", fp32, bf16, bf16) == FPFMT_FOUND,
               "there is no model"))
        return;
    for (unsigned long n = 0; n < count; n += LANES) {
        lanes it;
        uint32_t sums[LANES];
        for (size_t i = 0; i < LANES; i++)
            make_lane(&it, i);
        int width = (int)(n / LANES % WIDTHS), state = (int)(n / LANES % STATES);
        unsigned raised = multiply(width, state, sums, &it);
        CHECK(raised == 0, "state %d of MXCSR is changed by 0x%x", state, raised);
        for (size_t i = 0; i < LANES; i++) {
            uint32_t got = by_model(&how, &it, i);
            kinds[kind_of(got)]++;
            CHECK(got == sums[i],
                  "%04x x %04x + %04x x %04x + %08" PRIx32 ": %08" PRIx32 ", not %08" PRIx32
                  " as in state %d",
                  it.a[i][1], it.b[i][1], it.a[i][0], it.b[i][0], it.c[i], got, sums[i], state);
        }
    }
    for (int kind = 0; kind < KINDS; kind++)
        CHECK(kinds[kind] >= count / 200, "only %lu results of kind %d", kinds[kind], kind);
    printf("# %lu lanes: %lu zero, %lu normal, %lu infinite, %lu NaN\n", count, kinds[ZERO],
           kinds[NORMAL], kinds[INFINITE], kinds[NAN_RESULT]);
}

/* The same lanes in every state and width. */
static void states(void)
{
    for (unsigned long n = 0; n < 20000 / SAMPLE; n++) {
        lanes it;
        uint32_t first[LANES], sums[LANES];
        for (size_t i = 0; i < LANES; i++)
            make_lane(&it, i);
        multiply(0, 0, first, &it);
        for (int width = 0; width < WIDTHS; width++)
            for (int state = 0; state < STATES; state++) {
                unsigned raised = multiply(width, state, sums, &it);
                CHECK(raised == 0 && memcmp(sums, first, sizeof sums) == 0,
                      "width %d in state %d differs", width, state);
            }
    }
}

static bool is_here(void)
{
    bf16 = fpfmt_named("bf16");
    fp32 = fpfmt_named("fp32");
    if (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vl"))
        return true;
    skip_test("this processor has no VDPBF16PS");
    return false;
}

static void model(void)
{
    if (is_here())
        lanes_by_lanes();
}

static void environment(void)
{
    if (is_here())
        states();
}

#else

static void model(void)
{
    skip_test("this compiler makes no VDPBF16PS");
}

static void environment(void)
{
    model();
}

#endif

int main(void)
{
    static const struct test tests[] = {
        { "the model gives the bits of VDPBF16PS", model },
        { "MXCSR neither changes VDPBF16PS nor is changed by it", environment },
    };
    return run_tests("vdpbf16ps", tests, sizeof tests / sizeof tests[0]);
}
