/* avx512_native.h - conversions of binary32 that AVX-512 has instructions or tables for
 * SPDX-License-Identifier: MIT */

/* Included by avx512.c for 32 bits, behind every_second. Made are encode_native and decode_native
 * as fast_arrays.h asks for them, and for fused.h to_half and to_bfloat; all other names are of
 * this file. Nothing here reads MXCSR or raises a flag: see ENTER_CONVERSION.
 *
 * The last elements of an array go by masked accesses, which touch no byte beyond. A masked access
 * with an empty mask is avoided, hence "if (done == n) return": the processor takes long over it
 * where the page behind the array is not there. */

/* Sixteen floats to binary16, to nearest even or toward zero, which is a constant of the caller.
 * {sae} says that nothing is raised; gcc 12 has no intrinsic that does: it takes _MM_FROUND_NO_EXC
 * for a bit of the immediate, where the instruction ignores it. */
INLINE __m256i to_half(__m512 x, bool truncates)
{
    __m256i half;
    if (truncates)
        __asm__("vcvtps2ph $3, %{sae%}, %1, %0" : "=v"(half) : "v"(x));
    else
        __asm__("vcvtps2ph $0, %{sae%}, %1, %0" : "=v"(half) : "v"(x));
    return half;
}

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

/* Sixteen floats to bfloat16 in the upper halves of words, to nearest even: the word rises by half
 * a step less one, and by one more if the last bit above is odd. Past the largest value that
 * carries into the code of infinity, as it should; of NaN the result means nothing. VCVTNEPS2BF16
 * would not do: it flushes subnormals, and few processors have it. */
INLINE __m512i to_bfloat(__m512i x)
{
    __mmask16 odd = _mm512_test_epi32_mask(x, _mm512_set1_epi32(0x10000));
    __m512i near = _mm512_add_epi32(x, _mm512_set1_epi32(0x7FFF));
    return _mm512_mask_add_epi32(near, odd, near, _mm512_set1_epi32(1));
}

/* 32 floats to codes; index takes the upper halves of both vectors. NaN, fpclass 0x01 and 0x80, are
 * made quiet, and rare enough to branch on. */
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

/* Sixteen bfloat16 to floats: their upper halves, and signaling NaN, fpclass 0x80, made quiet. */
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

/* ---- codes of a byte by a plan's table, which has two bytes for each code ---- */

/* A table of 256 bytes in registers, 64 in each. */
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

/* The bytes for 64 codes. The instruction looks up seven bits of a code in 128 bytes of two
 * registers; upper, the eighth bit of each code, then chooses between the two halves of the table.
 */
INLINE __m512i look_up(const byte_table *table, __m512i codes, __mmask64 upper)
{
    __m512i low = _mm512_permutex2var_epi8(table->part[0], codes, table->part[1]);
    __m512i high = _mm512_permutex2var_epi8(table->part[2], codes, table->part[3]);
    return _mm512_mask_mov_epi8(low, upper, high);
}

/* What turns 64 codes into the upper halves of as many words. */
typedef struct {
    byte_table low, high;
    __m512i index[4]; /* of 16 words each: which bytes of low and high go to bytes 2 and 3 of a
                       * word. Bit 6 of a place says that it is in high */
} word_table;

/* index[part] has for word i places 16 part + i, of low for byte 2 and of high, by the 0x40 in the
 * top byte, for byte 3. */
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

/* Sixteen words of 64: bytes 0 and 1 of each are zeroed by the mask, two bits set of every four. */
INLINE __m512i word_part(const word_table *table, __m512i lows, __m512i highs, int part)
{
    return _mm512_maskz_permutex2var_epi8(UINT64_C(0xCCCCCCCCCCCCCCCC), lows, table->index[part],
                                          highs);
}

/* 64 codes to floats. */
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
