/* avx512.c - kernels of 512-bit vectors
 * SPDX-License-Identifier: MIT */

#include "kernel.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#include "draw.h"
#include "x86.h"

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,f16c")))
#define VECTOR_BYTES 64
#include "vectors.h"

#define PHILOX scalar_philox

#define V(x) ((__m512i)(x))
#define ENTER(way) 0
#define LEAVE(way, saved) ((void)(saved))
#define ANY(mask) ((mask) != 0)
#define BOTH(a, b) ((MASK)((a) & (b)))
#define EITHER(a, b) ((MASK)((a) | (b)))
#define BUT_NOT(a, b) ((MASK)((a) & ~(b)))
#define SUM_TRUNCATES true
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define TRUNCATED (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)

#define WORD_BITS 32
#include "loops.h"

#define MASK __mmask16
#define ABOVE(a, b) _mm512_cmpgt_epu32_mask(V(a), V(b))
#define SAME(a, b) _mm512_cmpeq_epi32_mask(V(a), V(b))
#define NEGATIVE(x) _mm512_movepi32_mask(V(x))
#define CHOOSE(mask, no, yes) ((VEC)_mm512_mask_mov_epi32(V(no), mask, V(yes)))
#define MORE(mask, x) ((VEC)_mm512_mask_add_epi32(V(x), mask, V(x), V(SPLAT(1))))
#define FEWER(mask, x) ((VEC)_mm512_mask_sub_epi32(V(x), mask, V(x), V(SPLAT(1))))
#define MINIMUM(a, b) ((VEC)_mm512_min_epu32(V(a), V(b)))
#define MAXIMUM(a, b) ((VEC)_mm512_max_epu32(V(a), V(b)))
#define R(x) ((__m512)(x))
#define TAKE(a, b) ((VEC)_mm512_sub_round_ps(R(a), R(b), NEAREST))
#define SUM(mode, a, b)                                                                            \
    ((mode) == FPFMT_ROUND_TOWARD_ZERO ? (VEC)_mm512_add_round_ps(R(a), R(b), TRUNCATED)           \
                                       : (VEC)_mm512_add_round_ps(R(a), R(b), NEAREST))
#define STORE_1 store_bytes_32
#define STORE_2 store_pairs_32
#define STORE_4 store_fours_32

/* The low byte of each of 64 words. */
static const uint8_t every_fourth[64] = {
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36, 40,  44,  48,  52,  56,  60,
    64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124,
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36, 40,  44,  48,  52,  56,  60,
    64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124,
};

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

#include "fast.h"

#undef MASK
#undef ABOVE
#undef SAME
#undef NEGATIVE
#undef CHOOSE
#undef MORE
#undef FEWER
#undef MINIMUM
#undef MAXIMUM
#undef R
#undef TAKE
#undef SUM
#undef STORE_1
#undef STORE_2
#undef STORE_4
#include "end.h"

#define WORD_BITS 64
#include "loops.h"

#define MASK __mmask8
#define ABOVE(a, b) _mm512_cmpgt_epu64_mask(V(a), V(b))
#define SAME(a, b) _mm512_cmpeq_epi64_mask(V(a), V(b))
#define NEGATIVE(x) _mm512_movepi64_mask(V(x))
#define CHOOSE(mask, no, yes) ((VEC)_mm512_mask_mov_epi64(V(no), mask, V(yes)))
#define MORE(mask, x) ((VEC)_mm512_mask_add_epi64(V(x), mask, V(x), V(SPLAT(1))))
#define FEWER(mask, x) ((VEC)_mm512_mask_sub_epi64(V(x), mask, V(x), V(SPLAT(1))))
#define MINIMUM(a, b) ((VEC)_mm512_min_epu64(V(a), V(b)))
#define MAXIMUM(a, b) ((VEC)_mm512_max_epu64(V(a), V(b)))
#define R(x) ((__m512d)(x))
#define TAKE(a, b) ((VEC)_mm512_sub_round_pd(R(a), R(b), NEAREST))
#define SUM(mode, a, b)                                                                            \
    ((mode) == FPFMT_ROUND_TOWARD_ZERO ? (VEC)_mm512_add_round_pd(R(a), R(b), TRUNCATED)           \
                                       : (VEC)_mm512_add_round_pd(R(a), R(b), NEAREST))
#define STORE_1 store_bytes_64
#define STORE_2 store_pairs_64
#define STORE_4 store_fours_64

/* Eight low bytes, halves or words of each of four vectors. */
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

#include "fast.h"
#include "end.h"

const fpfmt_kernels fpfmt_avx512_kernels = {
    .name = "avx512",
    .runs_here = fpfmt_has_avx512,
    .encode = { encode_fast_32, encode_fast_64 },
    .round = { round_fast_32, round_fast_64 },
    .decode = { decode_loop_32, decode_loop_64 },
};

#endif
