/* avx512.c - kernels of 512-bit vectors
 * SPDX-License-Identifier: MIT */

#include "kernel.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#include "draw.h"
#include "x86.h"

/* For processors with AVX-512 F, BW, VL, DQ and VBMI, in a system that saves the 512-bit and the
 * mask registers: Intel from Ice Lake (2019) on where AVX-512 is not fused off, AMD from Zen 4
 * (2022) on. Above avx2 it has vectors twice as wide, and instructions that say how they round and
 * raise nothing, so that MXCSR is left alone: SUM truncates, and both directions of arithmetic come
 * out of one pass. Comparisons give mask registers; of a | (b & c) one instruction is made; any
 * byte of two vectors goes anywhere in one (VBMI), which packs codes, and looks up tables of 256
 * bytes in registers (avx512_native.h). Tiles of products hold twice as many rows, and sums that
 * are rounded. fused.h is for this set alone.
 *
 * The macros of the templates are defined once, for both carriers: INTEGER and REAL make the names
 * of intrinsics from WORD_BITS. What differs by more than that is a function with the width in its
 * name, defined behind loops.h of its carrier. None is undefined: the file ends the set. */

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,f16c")))
#define VECTOR_BYTES 64
#include "vectors.h"

#define V(x) ((__m512i)(x))

/* ---- philox.h ---- */

#define PHILOX philox_512
#define MULTIPLY(a, b) ((vec_64)_mm512_mul_epu32(V(a), V(b)))
#define STORE_COUNTERS store_counters

/* The lower halves of eight lanes each: two words become one lane of 64 bits, and the lanes of two
 * such vectors are put side by side, counter by counter. */
static inline __attribute__((always_inline)) TARGET void
store_counters(uint32_t *words, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    __m512i low = _mm512_mask_blend_epi32(0xAAAA, V(a), V(b << 32));
    __m512i high = _mm512_mask_blend_epi32(0xAAAA, V(c), V(d << 32));
    __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    __m512i last = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_storeu_si512(words, _mm512_permutex2var_epi64(low, first, high));
    _mm512_storeu_si512(words + 16, _mm512_permutex2var_epi64(low, last, high));
}

#include "philox.h"

/* ---- the macros of fast_arrays.h, fast.h and operate.h, in terms of the carrier in hand ---- */

#define ENTER_CONVERSION(k) 0
#define LEAVE_CONVERSION(k, saved) ((void)(saved))
#define ANY(mask) ((mask) != 0)
#define BOTH(a, b) ((MASK)((a) & (b)))
#define EITHER(a, b) ((MASK)((a) | (b)))
#define AND_NOT(a, b) ((MASK)((a) & ~(b)))
#define SUM_TRUNCATES true
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define TRUNCATED (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)

/* The direction is in the instruction, and that it raises nothing, but not whether subnormals
 * count: where the environment flushes them, ENTER_ARITHMETIC changes that (x86.h). */
enum {
    DIRECTION_NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC,
    DIRECTION_DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC,
    DIRECTION_UP = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC
};
#define DIRECTION_IS_STATE false
#define SET_DIRECTION(direction) ((void)0)
#define ENTER_ARITHMETIC fpfmt_settle
#define LEAVE_ARITHMETIC fpfmt_return
#define BITS(mask) ((unsigned)(mask))

#define INTEGER(name, tail) JOIN(_mm512_##name, WORD_BITS, tail)
#define REAL(name) JOIN(_mm512_##name##_p, NAME(LETTER), )
#define ROUNDED(name, direction, ...)                                                              \
    ((direction) == DIRECTION_NEAREST ? (VEC)REAL(name##_round)(__VA_ARGS__, DIRECTION_NEAREST)    \
     : (direction) == DIRECTION_DOWN  ? (VEC)REAL(name##_round)(__VA_ARGS__, DIRECTION_DOWN)       \
                                      : (VEC)REAL(name##_round)(__VA_ARGS__, DIRECTION_UP))
#define MASK NAME(mask)
#define ABOVE(a, b) INTEGER(cmpgt_epu, _mask)(V(a), V(b))
#define ABOVE_UNSIGNED ABOVE
#define SAME(a, b) INTEGER(cmpeq_epi, _mask)(V(a), V(b))
#define NEGATIVE(x) INTEGER(movepi, _mask)(V(x))
#define ODD(x) INTEGER(test_epi, _mask)(V(x), V(SPLAT(1)))
#define CHOOSE(mask, no, yes) ((VEC)INTEGER(mask_mov_epi, )(V(no), mask, V(yes)))
#define OR_AND(a, b, c) ((VEC)INTEGER(ternarylogic_epi, )(V(a), V(b), V(c), 0xF8))
#define PLUS_ONE(mask, x) ((VEC)INTEGER(mask_add_epi, )(V(x), mask, V(x), V(SPLAT(1))))
#define MINUS_ONE(mask, x) ((VEC)INTEGER(mask_sub_epi, )(V(x), mask, V(x), V(SPLAT(1))))
#define MINIMUM(a, b) ((VEC)INTEGER(min_epu, )(V(a), V(b)))
#define MAXIMUM(a, b) ((VEC)INTEGER(max_epu, )(V(a), V(b)))
#define SHIFT_LEFT(x, n) ((VEC)INTEGER(sllv_epi, )(V(x), V(n)))
#define SHIFT_RIGHT(x, n) ((VEC)INTEGER(srlv_epi, )(V(x), V(n)))
#define DIFFERENCE(a, b) ((VEC)REAL(sub_round)(R(a), R(b), NEAREST))
#define SUM(mode, a, b)                                                                            \
    (NAME(is_nearest)(mode) ? (VEC)REAL(add_round)(R(a), R(b), NEAREST)                            \
                            : (VEC)REAL(add_round)(R(a), R(b), TRUNCATED))

/* In OR_AND, 0xF8 is the truth table of a | (b & c). */
typedef __mmask16 mask_32;
typedef __mmask8 mask_64;

/* ---- binary32 ---- */

#define WORD_BITS 32
#include "loops.h"

/* The low bytes of 32 words in two vectors, as places in both together, and the same places again:
 * the instruction makes one half of 64 codes, of which the other half is taken from the other two
 * vectors.
 */
static const uint8_t every_fourth[64] = {
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
    64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124,
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
    64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124,
};

/* The low halves of 32 words in two vectors. */
static const uint16_t every_second[32] = {
    0,  2,  4,  6,  8,  10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
    32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62,
};

INLINE void store_bytes_32(unsigned char *to, vec_32 a, vec_32 b, vec_32 c, vec_32 d)
{
    __m512i index = _mm512_loadu_si512(every_fourth);
    __m512i low = _mm512_permutex2var_epi8(V(a), index, V(b));
    __m512i high = _mm512_permutex2var_epi8(V(c), index, V(d));
    _mm512_storeu_si512(to, _mm512_mask_mov_epi32(low, 0xFF00, high));
}

INLINE void store_pairs_32(unsigned char *to, vec_32 a, vec_32 b, vec_32 c, vec_32 d)
{
    __m512i index = _mm512_loadu_si512(every_second);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi16(V(a), index, V(b)));
    _mm512_storeu_si512(to + 64, _mm512_permutex2var_epi16(V(c), index, V(d)));
}

INLINE void store_fours_32(unsigned char *to, vec_32 a, vec_32 b, vec_32 c, vec_32 d)
{
    _mm512_storeu_si512(to, V(a));
    _mm512_storeu_si512(to + 64, V(b));
    _mm512_storeu_si512(to + 128, V(c));
    _mm512_storeu_si512(to + 192, V(d));
}

#include "avx512_native.h"

INLINE vec_32 load_bytes_32(const unsigned char *from)
{
    return (vec_32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)from));
}

INLINE vec_32 load_pairs_32(const unsigned char *from)
{
    return (vec_32)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)from));
}

INLINE vec_32 load_fours_32(const unsigned char *from)
{
    return (vec_32)_mm512_loadu_si512(from);
}

#include "fast_arrays.h"

#include "scaling.h"

#include "operate.h"
#include "fused.h"

/* STEP of tile.h. A rounded sum is the odd result of both directions, rounded again by the
 * conversion to binary16 or by to_bfloat, and it is that which makes the rounding one: see
 * operate.h. */
INLINE VEC step_32(int step, VEC a, VEC b, VEC sum)
{
    if (step == STEP_NONE) {
        /* Of the three forms of this instruction the one whose result replaces the sum. For the
         * intrinsic gcc 12 takes vfmadd132ps too, whose result replaces a factor, and then copies
         * registers in the innermost loop. */
        __asm__("vfmadd231ps %{rn-sae%}, %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
        return sum;
    }
    sum = odd_of_32(apply_32(FPFMT_OPERATION_FMA, DIRECTION_UP, a, b, sum),
                    apply_32(FPFMT_OPERATION_FMA, DIRECTION_DOWN, a, b, sum));
    if (step == STEP_HALF)
        return (VEC)_mm512_cvt_roundph_ps(to_half((__m512)sum, false), _MM_FROUND_NO_EXC);
    return (VEC)to_bfloat(V(sum)) & SPLAT(0xFFFF0000);
}

/* 24 sums, two vectors of B and a factor are 27 of 32 registers. A rounded sum needs registers
 * of its own, and constants, so that four rows are done at a time. */
enum { ROWS = 12, ROWS_AT_A_TIME = 4 };
#define SOME_ROWS(DO) DO(0) DO(1) DO(2) DO(3)
#define EACH_ROW(DO) SOME_ROWS(DO) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define STEP step_32
#include "tile.h"

#include "end.h"

/* ---- binary64 ---- */

#define WORD_BITS 64
#include "loops.h"

/* AVX-512 narrows a vector of 64-bit words by one instruction, so that each vector is stored by
 * itself: eight low bytes, halves or words. */
INLINE void store_bytes_64(unsigned char *to, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    _mm_storel_epi64((__m128i *)to, _mm512_cvtepi64_epi8(V(a)));
    _mm_storel_epi64((__m128i *)(to + 8), _mm512_cvtepi64_epi8(V(b)));
    _mm_storel_epi64((__m128i *)(to + 16), _mm512_cvtepi64_epi8(V(c)));
    _mm_storel_epi64((__m128i *)(to + 24), _mm512_cvtepi64_epi8(V(d)));
}

INLINE void store_pairs_64(unsigned char *to, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    _mm_storeu_si128((__m128i *)to, _mm512_cvtepi64_epi16(V(a)));
    _mm_storeu_si128((__m128i *)(to + 16), _mm512_cvtepi64_epi16(V(b)));
    _mm_storeu_si128((__m128i *)(to + 32), _mm512_cvtepi64_epi16(V(c)));
    _mm_storeu_si128((__m128i *)(to + 48), _mm512_cvtepi64_epi16(V(d)));
}

INLINE void store_fours_64(unsigned char *to, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi64_epi32(V(a)));
    _mm256_storeu_si256((__m256i *)(to + 32), _mm512_cvtepi64_epi32(V(b)));
    _mm256_storeu_si256((__m256i *)(to + 64), _mm512_cvtepi64_epi32(V(c)));
    _mm256_storeu_si256((__m256i *)(to + 96), _mm512_cvtepi64_epi32(V(d)));
}

INLINE vec_64 load_bytes_64(const unsigned char *from)
{
    return (vec_64)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)from));
}

INLINE vec_64 load_pairs_64(const unsigned char *from)
{
    return (vec_64)_mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)from));
}

INLINE vec_64 load_fours_64(const unsigned char *from)
{
    return (vec_64)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)from));
}

#include "fast_arrays.h"

#include "operate.h"
#include "end.h"

const fpfmt_kernels fpfmt_avx512_kernels = {
    .name = "avx512",
    .runs_here = fpfmt_has_avx512,
    .encode = { encode_fast_32, encode_fast_64 },
    .round = { round_fast_32, round_fast_64 },
    .decode = { decode_fast_32, decode_fast_64 },
    .operate = { operate_32, operate_64 },
    .fused = operate_fused,
    .amax = amax_32,
    .scale = scale_32,
    .unscale = unscale_32,
    .tally = fpfmt_tally_avx2,
    .tile = tile_32,
    .tile_rows = ROWS,
    .tile_columns = 2 * LANES_32,
    .steps = true,
};

#endif
