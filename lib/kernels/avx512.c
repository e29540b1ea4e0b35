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

#define V(x) ((__m512i)(x))

/* One 32-bit word of eight counters to a lane of 64 bits: the multiplication reads the lower half,
 * and what is in the upper half does not matter. */
#define PHILOX philox_512
#define MULTIPLY(a, b) ((vec_64)_mm512_mul_epu32(V(a), V(b)))
#define STORE_COUNTERS store_counters

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

#define ENTER(k) 0
#define LEAVE(k, saved) ((void)(saved))
#define ANY(mask) ((mask) != 0)
#define BOTH(a, b) ((MASK)((a) & (b)))
#define EITHER(a, b) ((MASK)((a) | (b)))
#define BUT_NOT(a, b) ((MASK)((a) & ~(b)))
#define SUM_TRUNCATES true
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#define TRUNCATED (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)

/* The direction is in the instruction, but not whether subnormals count. */
enum {
    DIRECTION_NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC,
    DIRECTION_DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC,
    DIRECTION_UP = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC
};
#define TURNS false
#define TURN(direction) ((void)0)
#define SETTLE fpfmt_settle
#define RETURN fpfmt_return
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
#define MORE(mask, x) ((VEC)INTEGER(mask_add_epi, )(V(x), mask, V(x), V(SPLAT(1))))
#define FEWER(mask, x) ((VEC)INTEGER(mask_sub_epi, )(V(x), mask, V(x), V(SPLAT(1))))
#define MINIMUM(a, b) ((VEC)INTEGER(min_epu, )(V(a), V(b)))
#define MAXIMUM(a, b) ((VEC)INTEGER(max_epu, )(V(a), V(b)))
#define UP(x, n) ((VEC)INTEGER(sllv_epi, )(V(x), V(n)))
#define DOWN(x, n) ((VEC)INTEGER(srlv_epi, )(V(x), V(n)))
#define TAKE(a, b) ((VEC)REAL(sub_round)(R(a), R(b), NEAREST))
#define SUM(mode, a, b)                                                                            \
    ((mode) > FPFMT_ROUND_NEAREST_ZERO ? (VEC)REAL(add_round)(R(a), R(b), TRUNCATED)               \
                                       : (VEC)REAL(add_round)(R(a), R(b), NEAREST))

typedef __mmask16 mask_32;
typedef __mmask8 mask_64;

#define WORD_BITS 32
#include "loops.h"

/* The low byte of each of 64 words. */
static const uint8_t every_fourth[64] = {
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
    64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124,
    0,  4,  8,  12, 16, 20, 24, 28, 32, 36,  40,  44,  48,  52,  56,  60,
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

/* Nearest even or toward zero. The intrinsic cannot say that nothing is raised. */
INLINE __m256i to_half(__m512 x, bool truncates)
{
    __m256i half;
    if (truncates)
        __asm__("vcvtps2ph $3, %{sae%}, %1, %0" : "=v"(half) : "v"(x));
    else
        __asm__("vcvtps2ph $0, %{sae%}, %1, %0" : "=v"(half) : "v"(x));
    return half;
}

/* An access with an empty mask is avoided: where the page is not there, it takes long. */
INLINE void encode_half(unsigned char *to, const unsigned char *from, size_t n, bool truncates)
{
    size_t done = 0;
    for (; n - done >= 16; done += 16)
        _mm256_storeu_si256((__m256i *)(to + 2 * done),
                            to_half(_mm512_loadu_ps(from + 4 * done), truncates));
    if (done == n)
        return;
    __mmask16 rest = (__mmask16)((1 << (n - done)) - 1);
    __m512 last = _mm512_maskz_loadu_ps(rest, from + 4 * done);
    _mm256_mask_storeu_epi16(to + 2 * done, rest, to_half(last, truncates));
}

/* The upper half of the word rises by half a step, and for ties by the last bit above. */
INLINE __m512i to_bfloat(__m512i x)
{
    __mmask16 odd = _mm512_test_epi32_mask(x, _mm512_set1_epi32(0x10000));
    __m512i near = _mm512_add_epi32(x, _mm512_set1_epi32(0x7FFF));
    return _mm512_mask_add_epi32(near, odd, near, _mm512_set1_epi32(1));
}

INLINE __m512i bfloat_pair(__m512i a, __m512i b, __m512i index)
{
    __mmask16 nan_a = _mm512_fpclass_ps_mask((__m512)a, 0x81);
    __mmask16 nan_b = _mm512_fpclass_ps_mask((__m512)b, 0x81);
    __m512i near_a = to_bfloat(a), near_b = to_bfloat(b);
    if (nan_a | nan_b) {
        __m512i quiet = _mm512_set1_epi32(0x400000);
        near_a = _mm512_mask_or_epi32(near_a, nan_a, a, quiet);
        near_b = _mm512_mask_or_epi32(near_b, nan_b, b, quiet);
    }
    return _mm512_permutex2var_epi16(near_a, index, near_b);
}

INLINE void encode_bfloat(unsigned char *to, const unsigned char *from, size_t n)
{
    __m512i index = _mm512_add_epi16(_mm512_loadu_si512(every_second), _mm512_set1_epi16(1));
    size_t done = 0;
    for (; n - done >= 32; done += 32) {
        const unsigned char *at = from + 4 * done;
        __m512i a = _mm512_loadu_si512(at), b = _mm512_loadu_si512(at + 64);
        _mm512_storeu_si512(to + 2 * done, bfloat_pair(a, b, index));
    }
    if (done == n)
        return;
    __mmask32 rest = (UINT32_C(1) << (n - done)) - 1;
    const unsigned char *at = from + 4 * done;
    __m512i a = _mm512_maskz_loadu_epi32((__mmask16)rest, at);
    __m512i b = _mm512_maskz_loadu_epi32((__mmask16)(rest >> 16), at + 64);
    _mm512_mask_storeu_epi16(to + 2 * done, rest, bfloat_pair(a, b, index));
}

static TARGET void encode_native(const fpfmt_encoder *k, unsigned char *to,
                                 const unsigned char *from, size_t n)
{
    if (k->native == NATIVE_BFLOAT)
        encode_bfloat(to, from, n);
    else if (k->rounding == FPFMT_ROUND_TOWARD_ZERO)
        encode_half(to, from, n, true);
    else
        encode_half(to, from, n, false);
}

INLINE void decode_half(unsigned char *to, const unsigned char *from, size_t n)
{
    size_t done = 0;
    for (; n - done >= 16; done += 16) {
        __m256i half = _mm256_loadu_si256((const __m256i *)(from + 2 * done));
        _mm512_storeu_ps(to + 4 * done, _mm512_cvt_roundph_ps(half, _MM_FROUND_NO_EXC));
    }
    if (done == n)
        return;
    __mmask16 rest = (__mmask16)((1 << (n - done)) - 1);
    __m256i half = _mm256_maskz_loadu_epi16(rest, from + 2 * done);
    _mm512_mask_storeu_ps(to + 4 * done, rest, _mm512_cvt_roundph_ps(half, _MM_FROUND_NO_EXC));
}

INLINE __m512i from_bfloat(__m256i half)
{
    __m512i x = _mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16);
    __mmask16 signaling = _mm512_fpclass_ps_mask((__m512)x, 0x80);
    return _mm512_mask_or_epi32(x, signaling, x, _mm512_set1_epi32(0x400000));
}

INLINE void decode_bfloat(unsigned char *to, const unsigned char *from, size_t n)
{
    size_t done = 0;
    for (; n - done >= 16; done += 16)
        _mm512_storeu_si512(to + 4 * done,
                            from_bfloat(_mm256_loadu_si256((const __m256i *)(from + 2 * done))));
    if (done == n)
        return;
    __mmask16 rest = (__mmask16)((1 << (n - done)) - 1);
    __m256i half = _mm256_maskz_loadu_epi16(rest, from + 2 * done);
    _mm512_mask_storeu_epi32(to + 4 * done, rest, from_bfloat(half));
}

/* A table of 256 bytes in registers. */
typedef struct {
    __m512i part[4];
} byte_table;

INLINE byte_table load_table(const uint8_t table[256])
{
    byte_table it;
    for (int i = 0; i < 4; i++)
        it.part[i] = _mm512_loadu_si512(table + 64 * i);
    return it;
}

INLINE __m512i look_up(const byte_table *table, __m512i codes, __mmask64 upper)
{
    __m512i low = _mm512_permutex2var_epi8(table->part[0], codes, table->part[1]);
    __m512i high = _mm512_permutex2var_epi8(table->part[2], codes, table->part[3]);
    return _mm512_mask_mov_epi8(low, upper, high);
}

/* What turns 64 codes into the upper halves of as many words. */
typedef struct {
    byte_table low, high;
    __m512i index[4]; /* byte i of both to bytes 2 and 3 of word i */
} word_table;

INLINE word_table load_words_table(const uint8_t table[2][256])
{
    word_table it = { load_table(table[0]), load_table(table[1]), { _mm512_setzero_si512() } };
    __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i both = _mm512_or_si512(_mm512_slli_epi32(lane, 16), _mm512_slli_epi32(lane, 24));
    both = _mm512_or_si512(both, _mm512_set1_epi32(0x40000000));
    for (int i = 0; i < 4; i++)
        it.index[i] = _mm512_add_epi8(both, _mm512_set1_epi8((char)(16 * i)));
    return it;
}

INLINE __m512i word_part(const word_table *table, __m512i lows, __m512i highs, int part)
{
    return _mm512_maskz_permutex2var_epi8(UINT64_C(0xCCCCCCCCCCCCCCCC), lows, table->index[part],
                                          highs);
}

INLINE void decode_block(unsigned char *to, const word_table *table, __m512i codes)
{
    __mmask64 upper = _mm512_movepi8_mask(codes);
    __m512i lows = look_up(&table->low, codes, upper), highs = look_up(&table->high, codes, upper);
    _mm512_storeu_si512(to, word_part(table, lows, highs, 0));
    _mm512_storeu_si512(to + 64, word_part(table, lows, highs, 1));
    _mm512_storeu_si512(to + 128, word_part(table, lows, highs, 2));
    _mm512_storeu_si512(to + 192, word_part(table, lows, highs, 3));
}

INLINE void decode_bytes(unsigned char *to, const unsigned char *from, size_t n,
                         const uint8_t table[2][256])
{
    const word_table words = load_words_table(table);
    unsigned char out[256];
    size_t done = 0;
    for (; n - done >= 64; done += 64)
        decode_block(to + 4 * done, &words, _mm512_loadu_si512(from + done));
    if (done == n)
        return;
    decode_block(out, &words,
                 _mm512_maskz_loadu_epi8(UINT64_MAX >> (64 - (n - done)), from + done));
    memcpy(to + 4 * done, out, 4 * (n - done));
}

/* False: nothing was done. */
static TARGET bool decode_native(const fpfmt_decoder *k, const uint8_t table[2][256],
                                 unsigned char *to, const unsigned char *from, size_t n)
{
    if (k->native == NATIVE_HALF)
        decode_half(to, from, n);
    else if (k->native == NATIVE_BFLOAT)
        decode_bfloat(to, from, n);
    else if (k->has_table && table != NULL)
        decode_bytes(to, from, n, table);
    else
        return false;
    return true;
}

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

#include "operate.h"
#include "fused.h"

/* A sum that is rounded takes more registers, and time, than a plain one. */
INLINE VEC step_32(int step, VEC a, VEC b, VEC sum)
{
    if (step ==
        STEP_NONE) { /* of the forms of this instruction, the one that leaves sum in place */
        __asm__("vfmadd231ps %{rn-sae%}, %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
        return sum;
    }
    sum = odd_of_32(apply_32(FPFMT_OPERATION_FMA, DIRECTION_UP, a, b, sum),
                    apply_32(FPFMT_OPERATION_FMA, DIRECTION_DOWN, a, b, sum));
    if (step == STEP_HALF)
        return (VEC)_mm512_cvt_roundph_ps(to_half((__m512)sum, false), _MM_FROUND_NO_EXC);
    return (VEC)to_bfloat(V(sum)) & SPLAT(0xFFFF0000);
}

enum { ROWS = 12, ROWS_AT_A_TIME = 4 };
#define SOME_ROWS(DO) DO(0) DO(1) DO(2) DO(3)
#define EACH_ROW(DO) SOME_ROWS(DO) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define STEP step_32
#include "tile.h"

#include "end.h"

#define WORD_BITS 64
#include "loops.h"

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
    .tile = tile_32,
    .tile_rows = ROWS,
    .tile_columns = 2 * LANES_32,
    .steps = true,
};

#endif
