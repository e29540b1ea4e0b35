/* avx2.c - kernels of 256-bit vectors
 * SPDX-License-Identifier: MIT */

#include "kernel.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#include "draw.h"
#include "x86.h"

#define TARGET __attribute__((target("avx2,f16c")))
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
enum { ALL_MASKED_TO_NEAREST = 0x1F80 };

static inline unsigned enter(bool adds)
{
    unsigned saved = 0;
    if (adds) {
        saved = _mm_getcsr();
        _mm_setcsr(ALL_MASKED_TO_NEAREST);
    }
    return saved;
}

static inline void leave(bool adds, unsigned saved)
{
    if (adds)
        _mm_setcsr(saved);
}

#define ENTER(k) enter((k)->way == WAY_SUM)
#define LEAVE(k, saved) leave((k)->way == WAY_SUM, saved)
#define SUM_TRUNCATES false
#define SUM(mode, a, b) ((VEC)(R(a) + R(b)))
#define TAKE(a, b) ((VEC)(R(a) - R(b)))
#define MASK VEC
#define ABOVE(a, b) ((VEC)((NAME(integer))(a) > (NAME(integer))(b)))
#define SAME(a, b) EQUAL(a, b)
#define NEGATIVE(x) ((VEC)((NAME(integer))(x) < (NAME(integer))SPLAT(0)))
#define CHOOSE(mask, no, yes) ((VEC)_mm256_blendv_epi8(V(no), V(yes), V(mask)))
#define MORE(mask, x) ((x) - (mask))
#define FEWER(mask, x) ((x) + (mask))
#define ANY(mask) (!_mm256_testz_si256(V(mask), V(mask)))
#define BOTH(a, b) ((a) & (b))
#define EITHER(a, b) ((a) | (b))
#define BUT_NOT(a, b) ((a) & ~(b))
#define R(x) ((NAME(real))(x))

typedef int32_t integer_32 __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t integer_64 __attribute__((vector_size(VECTOR_BYTES)));

#define WORD_BITS 32
#include "loops.h"

#define MINIMUM(a, b) ((VEC)_mm256_min_epu32(V(a), V(b)))
#define MAXIMUM(a, b) ((VEC)_mm256_max_epu32(V(a), V(b)))
#define STORE_1 store_bytes_32
#define STORE_2 store_pairs_32
#define STORE_4 store_fours_32

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

#include "fast.h"

#undef MINIMUM
#undef MAXIMUM
#undef STORE_1
#undef STORE_2
#undef STORE_4
#include "end.h"

#define WORD_BITS 64
#include "loops.h"

#define MINIMUM(a, b) CHOOSE(ABOVE(a, b), a, b)
#define MAXIMUM(a, b) CHOOSE(ABOVE(a, b), b, a)
#define STORE_1 store_bytes_64
#define STORE_2 store_pairs_64
#define STORE_4 store_fours_64

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

#include "fast.h"
#include "end.h"

const fpfmt_kernels fpfmt_avx2_kernels = {
    .name = "avx2",
    .runs_here = fpfmt_has_avx2,
    .encode = { encode_fast_32, encode_fast_64 },
    .round = { round_fast_32, round_fast_64 },
    .decode = { decode_loop_32, decode_loop_64 },
};

#endif
