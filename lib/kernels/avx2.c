/* avx2.c - kernels of 256-bit vectors
 * SPDX-License-Identifier: MIT */

#include "kernel.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#include "draw.h"
#include "x86.h"

#define TARGET __attribute__((target("avx2,f16c,fma")))
#define VECTOR_BYTES 32
#include "vectors.h"

#define V(x) ((__m256i)(x))

/* One 32-bit word of four counters to a lane of 64 bits: the multiplication reads the lower half,
 * and what is in the upper half does not matter. */
#define PHILOX philox_256
#define MULTIPLY(a, b) ((vec_64)_mm256_mul_epu32(V(a), V(b)))
#define STORE_COUNTERS store_counters

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

/* Additions and conversions of 256 bits cannot say how they round, nor that they raise nothing: the
 * environment is as they need it meanwhile, and afterwards what it was, flags included. */
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

/* What is computed is read from memory after a turn, and written before the next: the compiler
 * moves no memory access across. */
enum { DIRECTION_NEAREST = 0, DIRECTION_DOWN = 0x2000, DIRECTION_UP = 0x4000 };

static inline void turn(unsigned direction)
{
    __asm__ volatile("" : : : "memory");
    _mm_setcsr(MASKED | direction);
    __asm__ volatile("" : : : "memory");
}

#define ODD(x) SAME((x)&SPLAT(1), SPLAT(1))
#define TURNS true
#define TURN(direction) turn((unsigned)(direction))
#define SETTLE _mm_getcsr
#define RETURN(saved)                                                                              \
    do {                                                                                           \
        __asm__ volatile("" : : : "memory");                                                       \
        _mm_setcsr(saved);                                                                         \
    } while (0)

#define ENTER(k) enter((k)->way == WAY_SUM)
#define LEAVE(k, saved) leave((k)->way == WAY_SUM, saved)
#define SUM_TRUNCATES false
#define SUM(mode, a, b) ((VEC)(R(a) + R(b)))
#define TAKE(a, b) ((VEC)(R(a) - R(b)))
#define INTEGER(name, tail) JOIN(_mm256_##name, WORD_BITS, tail)
#define REAL(name) JOIN(_mm256_##name##_p, NAME(LETTER), )
#define ROUNDED(name, direction, ...) ((void)(direction), (VEC)REAL(name)(__VA_ARGS__))
#define MASK VEC
#define ABOVE(a, b) ((VEC)((NAME(integer))(a) > (NAME(integer))(b)))
#define SAME(a, b) EQUAL(a, b)
#define NEGATIVE(x) ((VEC)((NAME(integer))(x) < (NAME(integer))SPLAT(0)))
#define CHOOSE(mask, no, yes) ((VEC)_mm256_blendv_epi8(V(no), V(yes), V(mask)))
#define OR_AND(a, b, c) ((a) | ((b) & (c)))
#define MORE(mask, x) ((x) - (mask))
#define FEWER(mask, x) ((x) + (mask))
#define ANY(mask) (!_mm256_testz_si256(V(mask), V(mask)))
#define BOTH(a, b) ((a) & (b))
#define EITHER(a, b) ((a) | (b))
#define BUT_NOT(a, b) ((a) & ~(b))
#define BITS(mask) ((unsigned)REAL(movemask)(R(mask)))
#define MINIMUM NAME(minimum)
#define MAXIMUM NAME(maximum)
#define UP(x, n) ((VEC)INTEGER(sllv_epi, )(V(x), V(n)))
#define DOWN(x, n) ((VEC)INTEGER(srlv_epi, )(V(x), V(n)))
#define ABOVE_UNSIGNED(a, b) ((VEC)((a) > (b)))

typedef int32_t integer_32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t integer_64 __attribute__((vector_size(VECTOR_BYTES)));

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

/* 16 words to their low halves. */
INLINE __m256i pairs_of(vec_32 a, vec_32 b)
{
    __m256i low = _mm256_set1_epi32(0xFFFF);
    __m256i packed = _mm256_packus_epi32(_mm256_and_si256(V(a), low), _mm256_and_si256(V(b), low));
    return _mm256_permute4x64_epi64(packed, 0xD8);
}

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

INLINE __m128i half_of(const unsigned char *from, int how)
{
    __m256 x = _mm256_loadu_ps((const float *)from);
    return how == FPFMT_ROUND_TOWARD_ZERO ? _mm256_cvtps_ph(x, _MM_FROUND_TO_ZERO)
                                          : _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
}

INLINE __m256i bfloat_of(const unsigned char *from)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)from), one = _mm256_set1_epi32(1);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(x, 16), one);
    __m256i near = _mm256_add_epi32(_mm256_add_epi32(x, _mm256_set1_epi32(0x7FFF)), odd);
    __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi32(0x7FFFFFFF));
    __m256i nan = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(0x7F800000));
    __m256i quiet = _mm256_or_si256(x, _mm256_set1_epi32(0x400000));
    return _mm256_srli_epi32(_mm256_blendv_epi8(near, quiet, nan), 16);
}

INLINE void native_block(int native, int how, unsigned char *to, const unsigned char *from)
{
    if (native == NATIVE_HALF) {
        _mm_storeu_si128((__m128i *)to, half_of(from, how));
        _mm_storeu_si128((__m128i *)(to + 16), half_of(from + 32, how));
    } else {
        _mm256_storeu_si256((__m256i *)to,
                            pairs_of((vec_32)bfloat_of(from), (vec_32)bfloat_of(from + 32)));
    }
}

INLINE void native_array(int native, int how, unsigned char *to, const unsigned char *from,
                         size_t n)
{
    unsigned char in[64] = { 0 }, out[32];
    size_t done = 0;
    for (; n - done >= 16; done += 16)
        native_block(native, how, to + 2 * done, from + 4 * done);
    if (done == n)
        return;
    memcpy(in, from + 4 * done, 4 * (n - done));
    native_block(native, how, out, in);
    memcpy(to + 2 * done, out, 2 * (n - done));
}

static TARGET void encode_native(const fpfmt_encoder *k, unsigned char *to,
                                 const unsigned char *from, size_t n)
{
    if (k->native == NATIVE_BFLOAT)
        native_array(NATIVE_BFLOAT, FPFMT_ROUND_NEAREST_EVEN, to, from, n);
    else if (k->rounding == FPFMT_ROUND_TOWARD_ZERO)
        native_array(NATIVE_HALF, FPFMT_ROUND_TOWARD_ZERO, to, from, n);
    else
        native_array(NATIVE_HALF, FPFMT_ROUND_NEAREST_EVEN, to, from, n);
}

/* Signaling NaN of binary16 would raise a flag: they become quiet before they are converted. */
INLINE __m256i quieted(__m256i half)
{
    __m256i magnitude = _mm256_and_si256(half, _mm256_set1_epi16(0x7FFF));
    __m256i nan = _mm256_cmpgt_epi16(magnitude, _mm256_set1_epi16(0x7C00));
    return _mm256_or_si256(half, _mm256_and_si256(nan, _mm256_set1_epi16(0x0200)));
}

INLINE void store_halves(unsigned char *to, __m256i half, __m256 scale)
{
    __m256 low = _mm256_cvtph_ps(_mm256_castsi256_si128(half));
    __m256 high = _mm256_cvtph_ps(_mm256_extracti128_si256(half, 1));
    _mm256_storeu_ps((float *)to, _mm256_mul_ps(low, scale));
    _mm256_storeu_ps((float *)(to + 32), _mm256_mul_ps(high, scale));
}

/* 16 codes of up to 8 bits to binary16 of the same fields. */
INLINE __m256i small_to_half(const fpfmt_decoder *k, const unsigned char *from)
{
    __m256i code = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)from));
    __m256i top = _mm256_set1_epi16((short)0x8000);
    __m256i magnitude =
        _mm256_and_si256(code, _mm256_set1_epi16((short)((1 << (k->width - 1)) - 1)));
    __m256i sign = _mm256_and_si256(_mm256_slli_epi16(code, 16 - k->width), top);
    __m256i half = _mm256_or_si256(_mm256_slli_epi16(magnitude, k->half_shift), sign);
    if (k->quiet != 0)
        return quieted(half);
    if (k->has_infinity != 0) {
        __m256i infinite = _mm256_cmpeq_epi16(magnitude, _mm256_set1_epi16((short)k->infinity));
        __m256i infinity = _mm256_or_si256(sign, _mm256_set1_epi16(0x7C00));
        half = _mm256_blendv_epi8(half, infinity, infinite);
    }
    if (k->nan_mask != 0) {
        __m256i key = _mm256_and_si256(code, _mm256_set1_epi16((short)k->nan_mask));
        __m256i nan = _mm256_cmpeq_epi16(key, _mm256_set1_epi16((short)k->first_nan));
        __m256i kept = k->nan_sign != 0 ? sign : _mm256_setzero_si256();
        kept = _mm256_or_si256(kept, _mm256_set1_epi16(0x7E00));
        half = _mm256_blendv_epi8(half, kept, nan);
    }
    return half;
}

INLINE void decode_block(const fpfmt_decoder *k, int native, unsigned char *to,
                         const unsigned char *from)
{
    const __m256i quiet = _mm256_set1_epi32(0x400000), infinity = _mm256_set1_epi32(0x7F800000);
    if (native == NATIVE_SMALL) {
        float scale;
        memcpy(&scale, &k->scale, sizeof scale);
        store_halves(to, small_to_half(k, from), _mm256_set1_ps(scale));
        return;
    }
    __m256i half = _mm256_loadu_si256((const __m256i *)from);
    if (native == NATIVE_HALF) {
        store_halves(to, quieted(half), _mm256_set1_ps(1));
        return;
    }
    for (int i = 0; i < 2; i++) {
        __m128i part = i == 0 ? _mm256_castsi256_si128(half) : _mm256_extracti128_si256(half, 1);
        __m256i x = _mm256_slli_epi32(_mm256_cvtepu16_epi32(part), 16);
        __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi32(0x7FFFFFFF));
        __m256i nan = _mm256_cmpgt_epi32(magnitude, infinity);
        x = _mm256_or_si256(x, _mm256_and_si256(nan, quiet));
        _mm256_storeu_si256((__m256i *)(to + 32 * i), x);
    }
}

INLINE void decode_array(const fpfmt_decoder *k, int native, unsigned char *to,
                         const unsigned char *from, size_t n)
{
    const fpfmt_decoder constants = *k;
    unsigned char in[32] = { 0 }, out[64];
    size_t done = 0, bytes = native == NATIVE_SMALL ? 1 : 2;
    for (; n - done >= 16; done += 16)
        decode_block(&constants, native, to + 4 * done, from + bytes * done);
    if (done == n)
        return;
    memcpy(in, from + bytes * done, bytes * (n - done));
    decode_block(&constants, native, out, in);
    memcpy(to + 4 * done, out, 4 * (n - done));
}

/* False: nothing was done. */
static TARGET bool decode_native(const fpfmt_decoder *k, const uint8_t table[2][256],
                                 unsigned char *to, const unsigned char *from, size_t n)
{
    (void)table;
    if (k->native == NATIVE_HALF)
        decode_array(k, NATIVE_HALF, to, from, n);
    else if (k->native == NATIVE_BFLOAT)
        decode_array(k, NATIVE_BFLOAT, to, from, n);
    else if (k->native == NATIVE_SMALL)
        decode_array(k, NATIVE_SMALL, to, from, n);
    return k->native != NATIVE_NONE;
}

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

#include "operate.h"

enum { ROWS = 6, ROWS_AT_A_TIME = 6 };
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define SOME_ROWS EACH_ROW
#define STEP(step, a, b, sum) apply_32(FPFMT_OPERATION_FMA, DIRECTION_NEAREST, a, b, sum)
#include "tile.h"

#include "end.h"

#define WORD_BITS 64
#include "loops.h"

INLINE vec_64 minimum_64(vec_64 a, vec_64 b)
{
    return CHOOSE(ABOVE(a, b), a, b);
}

INLINE vec_64 maximum_64(vec_64 a, vec_64 b)
{
    return CHOOSE(ABOVE(a, b), b, a);
}

/* The low words of eight. */
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
    .tile = tile_32,
    .tile_rows = ROWS,
    .tile_columns = 2 * LANES_32,
};

#endif
