/* avx2_native.h - conversions of binary32 that F16C and AVX2 have instructions for
 * SPDX-License-Identifier: MIT */

/* Included by avx2.c for 32 bits, behind pairs_of. Made are encode_native and decode_native as
 * fast_arrays.h asks for them; all other names are of this file. ENTER_CONVERSION has masked the
 * exceptions around encode_native where binary16 is made. decode_native runs in any environment:
 * VCVTPH2PS takes subnormals as they are whatever MXCSR says, and a float that was a half is no
 * subnormal. Arrays go by blocks of 16 elements; the last ones by way of a block filled up with
 * zeros, as there are no masked accesses of bytes. */

/* Eight floats to binary16; how is a constant. */
INLINE __m128i half_of(const unsigned char *from, int how)
{
    __m256 x = _mm256_loadu_ps((const float *)from);
    return how == FPFMT_ROUND_TOWARD_ZERO ? _mm256_cvtps_ph(x, _MM_FROUND_TO_ZERO)
                                          : _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT);
}

/* Eight floats to bfloat16 in the low halves of words, to nearest even: the upper half of the word
 * rises by half a step less one, and by one more if its last bit is odd. Past the largest value
 * that carries into the code of infinity, as it should; a NaN must not be added to, and is made
 * quiet. */
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

/* 16 floats to codes of two bytes. */
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

/* Sixteen binary16 with every NaN made quiet: the conversion of a signaling one would raise a flag.
 * The quiet bit is set in all NaN, as it is there in the others. */
INLINE __m256i quieted(__m256i half)
{
    __m256i magnitude = _mm256_and_si256(half, _mm256_set1_epi16(0x7FFF));
    __m256i nan = _mm256_cmpgt_epi16(magnitude, _mm256_set1_epi16(0x7C00));
    return _mm256_or_si256(half, _mm256_and_si256(nan, _mm256_set1_epi16(0x0200)));
}

/* Sixteen binary16 as floats, times a power of two. NaN and infinities stay what they are, and
 * every product is zero or normal and so exact: decoder.c sees to it. */
INLINE void store_halves(unsigned char *to, __m256i half, __m256 scale)
{
    __m256 low = _mm256_cvtph_ps(_mm256_castsi256_si128(half));
    __m256 high = _mm256_cvtph_ps(_mm256_extracti128_si256(half, 1));
    _mm256_storeu_ps((float *)to, _mm256_mul_ps(low, scale));
    _mm256_storeu_ps((float *)(to + 32), _mm256_mul_ps(high, scale));
}

/* 16 codes of up to 8 bits to binary16 with the same fields: the fraction begins at the top of
 * binary16's, the exponent ends at the bottom of its field, and the sign moves up. Read so, the
 * value is off by a power of two alone, subnormals too. With the five exponent bits of binary16 and
 * its specials, infinity and NaN come out right; with fewer they are looked for. */
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

/* 16 codes to floats; native is a constant. A bfloat16 is the upper half of its float, with NaN
 * made quiet. */
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

/* Which special codes there are to look for: constants, as each look would be a branch. */
enum { SPECIALS_NONE, SPECIALS_NAN, SPECIALS_ANY };

/* 16 codes to floats by a factor, and where it is twice, by another. */
INLINE void restore_16(const fpfmt_decoder *k, bool twice, unsigned char *to,
                       const unsigned char *from, __m256 factor, __m256 whole)
{
    __m256i half = small_to_half(k, from);
    __m256 low = _mm256_mul_ps(_mm256_cvtph_ps(_mm256_castsi256_si128(half)), factor);
    __m256 high = _mm256_mul_ps(_mm256_cvtph_ps(_mm256_extracti128_si256(half, 1)), factor);
    _mm256_storeu_ps((float *)to, twice ? _mm256_mul_ps(low, whole) : low);
    _mm256_storeu_ps((float *)(to + 32), twice ? _mm256_mul_ps(high, whole) : high);
}

/* Codes to floats by a factor in place of the decoder's scale: that and the block's factor are one
 * constant, which has to be a normal float, as the scale is a power of two. Specials, the two of a
 * tensor without a scale of its own, and the sizes that standards have, are constants. */
INLINE void restore_blocks(const fpfmt_decoder *k, int specials, bool twice, unsigned char *to,
                           const unsigned char *from, const float *factors, float scale, float last,
                           size_t blocks, size_t size)
{
    fpfmt_decoder constants = *k;
    const __m256 whole = _mm256_set1_ps(last);
    if (specials != SPECIALS_ANY)
        constants.quiet = constants.has_infinity = 0;
    if (specials == SPECIALS_NONE)
        constants.nan_mask = 0;
    for (size_t b = 0; b < blocks; b++) {
        const __m256 factor = _mm256_set1_ps(scale * factors[b]);
        if (size == 32) {
            restore_16(&constants, twice, to, from, factor, whole);
            restore_16(&constants, twice, to + 64, from + 16, factor, whole);
            from += 32;
            to += 128;
            continue;
        }
        for (size_t i = 0; i < size; i += 16, from += 16, to += 64)
            restore_16(&constants, twice, to, from, factor, whole);
    }
}

/* Is every factor times the scale a normal float? */
INLINE bool are_normal(const float *factors, float scale, size_t blocks)
{
    bool normal = true;
    for (size_t b = 0; b < blocks; b++) {
        uint32_t bits;
        float both = scale * factors[b];
        memcpy(&bits, &both, sizeof bits);
        normal &= (bits & 0x7F800000) - 0x00800000 < 0x7F000000;
    }
    return normal;
}

static TARGET bool restore_native(const fpfmt_decoder *k, float *values, const uint8_t *codes,
                                  const float *factors, float last, size_t blocks, size_t size)
{
    unsigned char *to = (unsigned char *)values;
    float scale;
    memcpy(&scale, &k->scale, sizeof scale);
    if (k->native != NATIVE_SMALL || size % 16 != 0)
        return false;
    unsigned saved = fpfmt_enter_plain();
    bool normal = are_normal(factors, scale, blocks), twice = last != 1;
    int specials = k->quiet != 0 || k->has_infinity != 0 ? SPECIALS_ANY
                   : k->nan_mask != 0                    ? SPECIALS_NAN
                                                         : SPECIALS_NONE;
#define CALL(s, t, n) restore_blocks(k, s, t, to, codes, factors, scale, last, blocks, n)
    if (!normal)
        ;
    else if (specials == SPECIALS_NAN && size == 32 && !twice)
        CALL(SPECIALS_NAN, false, 32);
    else if (specials == SPECIALS_NONE && size == 32 && !twice)
        CALL(SPECIALS_NONE, false, 32);
    else if (specials == SPECIALS_NONE && size == 16)
        CALL(SPECIALS_NONE, true, 16);
    else if (size == 32 && !twice)
        CALL(SPECIALS_ANY, false, 32);
    else
        CALL(SPECIALS_ANY, true, size);
#undef CALL
    fpfmt_leave_plain(saved);
    return normal;
}
