/* avx2.c - kernels of 256-bit vectors
 * SPDX-License-Identifier: MIT */

#include "kernel.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#include "draw.h"
#include "x86.h"

/* For processors with AVX2, F16C and FMA, in a system that saves the 256-bit registers: Intel from
 * Haswell (2013) on, AMD from Excavator (2015) and all of Zen on. Above the scalar set it has eight
 * floats or four doubles at a time; elements without a shift of their own (fast.h); conversions of
 * binary16, bfloat16 and small codes by instruction (avx2_native.h); arithmetic and products in
 * vectors. What it lacks beside avx512: the way to round is not in the instruction but in MXCSR,
 * which takes time to write, so that SUM does not truncate and arithmetic runs twice over a tile;
 * masks are vectors; there are no comparisons of unsigned words, no minimum of 64-bit words, and no
 * tables of 256 bytes in registers.
 *
 * The macros of the templates are defined once, for both carriers: INTEGER and REAL make the names
 * of intrinsics from WORD_BITS. What differs by more than that is a function with the width in its
 * name, defined behind loops.h of its carrier. None is undefined: the file ends the set. */

#define TARGET __attribute__((target("avx2,f16c,fma")))
#define VECTOR_BYTES 32
#include "vectors.h"

#define V(x) ((__m256i)(x))

/* ---- philox.h ---- */

#define PHILOX philox_256
#define MULTIPLY(a, b) ((vec_64)_mm256_mul_epu32(V(a), V(b)))
#define STORE_COUNTERS store_counters

/* The lower halves of four lanes each: two words become one lane of 64 bits, and the lanes of two
 * such vectors are put side by side, counter by counter. */
static inline __attribute__((always_inline)) TARGET void
store_counters(uint32_t *words, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    __m256i low = _mm256_blend_epi32(V(a), V(b << 32), 0xAA);
    __m256i high = _mm256_blend_epi32(V(c), V(d << 32), 0xAA);
    __m256i even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high);
    _mm256_storeu_si256((__m256i *)words, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256((__m256i *)(words + 8), _mm256_permute2x128_si256(even, odd, 0x31));
}

#include "philox.h"

/* ---- the environment ---- */

/* Additions and conversions of 256 bits cannot say how they round, nor that they raise nothing: the
 * environment is as they need it meanwhile, and afterwards what it was, flags included. Conversions
 * by integer operations alone leave it in peace. */
static inline unsigned enter(bool adds)
{
    unsigned saved = 0;
    if (adds) {
        saved = _mm_getcsr();
        _mm_setcsr(MASKED);
    }
    return saved;
}

static inline void leave(bool adds, unsigned saved)
{
    if (adds)
        _mm_setcsr(saved);
}

/* MXCSR's field for rounding, bits 13 and 14. */
enum { DIRECTION_NEAREST = 0, DIRECTION_DOWN = 0x2000, DIRECTION_UP = 0x4000 };

/* The compiler does not know that MXCSR changes what an addition gives, and might move one across.
 * But all that is computed is read from memory after a turn, and written before the next, and no
 * memory access moves across these barriers. */

static inline void turn(unsigned direction)
{
    __asm__ volatile("" : : : "memory");
    _mm_setcsr(MASKED | direction);
    __asm__ volatile("" : : : "memory");
}

/* ---- the macros of operate.h, fast.h and fast_arrays.h, in terms of the carrier in hand ---- */

#define ODD(x) SAME((x)&SPLAT(1), SPLAT(1))
#define DIRECTION_IS_STATE true
#define SET_DIRECTION(direction) turn((unsigned)(direction))
#define ENTER_ARITHMETIC _mm_getcsr
#define LEAVE_ARITHMETIC(saved)                                                                    \
    do {                                                                                           \
        __asm__ volatile("" : : : "memory");                                                       \
        _mm_setcsr(saved);                                                                         \
    } while (0)

#define ENTER_CONVERSION(k) enter((k)->cut_method == CUT_BY_SUM)
#define LEAVE_CONVERSION(k, saved) leave((k)->cut_method == CUT_BY_SUM, saved)
#define SUM_TRUNCATES false
#define SUM(mode, a, b) ((VEC)(R(a) + R(b)))
#define DIFFERENCE(a, b) ((VEC)(R(a) - R(b)))
#define INTEGER(name, tail) JOIN(_mm256_##name, WORD_BITS, tail)
#define REAL(name) JOIN(_mm256_##name##_p, NAME(LETTER), )
#define ROUNDED(name, direction, ...) ((void)(direction), (VEC)REAL(name)(__VA_ARGS__))
#define MASK VEC
#define ABOVE(a, b) ((VEC)((NAME(integer))(a) > (NAME(integer))(b)))
#define SAME(a, b) EQUAL(a, b)
#define NEGATIVE(x) ((VEC)((NAME(integer))(x) < (NAME(integer))SPLAT(0)))
#define CHOOSE(mask, no, yes) ((VEC)_mm256_blendv_epi8(V(no), V(yes), V(mask)))
#define OR_AND(a, b, c) ((a) | ((b) & (c)))
#define PLUS_ONE(mask, x) ((x) - (mask))
#define MINUS_ONE(mask, x) ((x) + (mask))
#define ANY(mask) (!_mm256_testz_si256(V(mask), V(mask)))
#define BOTH(a, b) ((a) & (b))
#define EITHER(a, b) ((a) | (b))
#define AND_NOT(a, b) ((a) & ~(b))
#define BITS(mask) ((unsigned)REAL(movemask)(R(mask)))
#define MINIMUM NAME(minimum)
#define MAXIMUM NAME(maximum)
#define SHIFT_LEFT(x, n) ((VEC)INTEGER(sllv_epi, )(V(x), V(n)))
#define SHIFT_RIGHT(x, n) ((VEC)INTEGER(srlv_epi, )(V(x), V(n)))
#define ABOVE_UNSIGNED(a, b) ((VEC)((a) > (b)))

/* For comparisons that are of signed words: see ABOVE in fast.h. */
typedef int32_t integer_32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t integer_64 __attribute__((vector_size(VECTOR_BYTES)));

/* ---- binary32 ---- */

#define WORD_BITS 32
#include "loops.h"

INLINE vec_32 minimum_32(vec_32 a, vec_32 b)
{
    return (vec_32)_mm256_min_epu32(V(a), V(b));
}

INLINE vec_32 maximum_32(vec_32 a, vec_32 b)
{
    return (vec_32)_mm256_max_epu32(V(a), V(b));
}

/* The low halves of 16 words. packus saturates, so that the upper halves are cleared first, and
 * packs within 128-bit lanes, so that the four quarters come out as 0 2 1 3: 0xD8 puts them in
 * order. */
INLINE __m256i pairs_of(vec_32 a, vec_32 b)
{
    __m256i low = _mm256_set1_epi32(0xFFFF);
    __m256i packed = _mm256_packus_epi32(_mm256_and_si256(V(a), low), _mm256_and_si256(V(b), low));
    return _mm256_permute4x64_epi64(packed, 0xD8);
}

/* Two packings within 128-bit lanes leave groups of four bytes in the order of the words' lanes. */
INLINE void store_bytes_32(unsigned char *to, vec_32 a, vec_32 b, vec_32 c, vec_32 d)
{
    __m256i low = _mm256_set1_epi32(0xFF), order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i ab = _mm256_packus_epi32(_mm256_and_si256(V(a), low), _mm256_and_si256(V(b), low));
    __m256i cd = _mm256_packus_epi32(_mm256_and_si256(V(c), low), _mm256_and_si256(V(d), low));
    __m256i all = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(ab, cd), order);
    _mm256_storeu_si256((__m256i *)to, all);
}

INLINE void store_pairs_32(unsigned char *to, vec_32 a, vec_32 b, vec_32 c, vec_32 d)
{
    _mm256_storeu_si256((__m256i *)to, pairs_of(a, b));
    _mm256_storeu_si256((__m256i *)(to + 32), pairs_of(c, d));
}

INLINE void store_fours_32(unsigned char *to, vec_32 a, vec_32 b, vec_32 c, vec_32 d)
{
    _mm256_storeu_si256((__m256i *)to, V(a));
    _mm256_storeu_si256((__m256i *)(to + 32), V(b));
    _mm256_storeu_si256((__m256i *)(to + 64), V(c));
    _mm256_storeu_si256((__m256i *)(to + 96), V(d));
}

#include "avx2_native.h"

INLINE vec_32 load_bytes_32(const unsigned char *from)
{
    return (vec_32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)from));
}

INLINE vec_32 load_pairs_32(const unsigned char *from)
{
    return (vec_32)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)from));
}

INLINE vec_32 load_fours_32(const unsigned char *from)
{
    return (vec_32)_mm256_loadu_si256((const __m256i *)from);
}

#include "fast_arrays.h"

#include "scaling.h"
#include "avx2_tally.h"

#include "operate.h"

/* Twelve sums, two vectors of B and a factor are 15 of 16 registers. Sums cannot be rounded here:
 * .steps is false below, and STEP need not look at its first argument. */
enum { ROWS = 6, ROWS_AT_A_TIME = 6 };
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define SOME_ROWS EACH_ROW
#define STEP(step, a, b, sum) apply_32(FPFMT_OPERATION_FMA, DIRECTION_NEAREST, a, b, sum)
#include "tile.h"

#include "end.h"

/* ---- binary64 ---- */

#define WORD_BITS 64
#include "loops.h"

/* AVX2 has no such instruction for 64 bits. The magnitudes that are compared are below TOP. */
INLINE vec_64 minimum_64(vec_64 a, vec_64 b)
{
    return CHOOSE(ABOVE(a, b), a, b);
}

INLINE vec_64 maximum_64(vec_64 a, vec_64 b)
{
    return CHOOSE(ABOVE(a, b), b, a);
}

/* The low words of eight, in order: shuffle works within 128-bit lanes, as packus does. */
INLINE vec_32 words_of(vec_64 a, vec_64 b)
{
    __m256 both = _mm256_shuffle_ps((__m256)V(a), (__m256)V(b), 0x88);
    return (vec_32)_mm256_permute4x64_epi64((__m256i)both, 0xD8);
}

INLINE void store_bytes_64(unsigned char *to, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    __m256i low = _mm256_set1_epi16(0xFF);
    __m256i pairs = _mm256_and_si256(pairs_of(words_of(a, b), words_of(c, d)), low);
    pairs = _mm256_permute4x64_epi64(_mm256_packus_epi16(pairs, pairs), 0xD8);
    _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(pairs));
}

INLINE void store_pairs_64(unsigned char *to, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    _mm256_storeu_si256((__m256i *)to, pairs_of(words_of(a, b), words_of(c, d)));
}

INLINE void store_fours_64(unsigned char *to, vec_64 a, vec_64 b, vec_64 c, vec_64 d)
{
    _mm256_storeu_si256((__m256i *)to, V(words_of(a, b)));
    _mm256_storeu_si256((__m256i *)(to + 32), V(words_of(c, d)));
}

INLINE vec_64 load_bytes_64(const unsigned char *from)
{
    return (vec_64)_mm256_cvtepu8_epi64(_mm_loadu_si32(from));
}

INLINE vec_64 load_pairs_64(const unsigned char *from)
{
    return (vec_64)_mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)from));
}

INLINE vec_64 load_fours_64(const unsigned char *from)
{
    return (vec_64)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)from));
}

#include "fast_arrays.h"

#include "operate.h"
#include "end.h"

const fpfmt_kernels fpfmt_avx2_kernels = {
    .name = "avx2",
    .runs_here = fpfmt_has_avx2,
    .encode = { encode_fast_32, encode_fast_64 },
    .round = { round_fast_32, round_fast_64 },
    .decode = { decode_fast_32, decode_fast_64 },
    .operate = { operate_32, operate_64 },
    .amax = amax_32,
    .scale = scale_32,
    .unscale = unscale_32,
    .restore = restore_native,
    .tally = fpfmt_tally_avx2,
    .tile = tile_32,
    .tile_rows = ROWS,
    .tile_columns = 2 * LANES_32,
};

#endif
