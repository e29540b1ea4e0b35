/* avx2_tally.h - statistics of floats and what they became, eight pairs at a time
 * SPDX-License-Identifier: MIT */

/* Included by avx2.c for 32 bits; avx512 takes the same function. Differences are exact and the
 * quotient is to nearest even, as the environment is the one at the start of a program meanwhile.
 * Nothing here is subnormal: numbers and quotients are at least 2^-25 of what has a field of
 * fpfmt_ranges.least, or of 1. */

/* Sums over the eight lanes of a kind, of vectors of 0 and -1. */
typedef struct {
    __m256i plain, zero, exact, underflow, subnormal, saturated, error, relative;
} tallied;

INLINE __m256i above(__m256i a, __m256i b)
{
    return _mm256_cmpgt_epi32(a, b);
}

INLINE __m256i all_words(uint32_t word)
{
    return _mm256_set1_epi32((int)word);
}

INLINE __m256 as_floats(__m256i x)
{
    return _mm256_castsi256_ps(x);
}

/* The squares of eight significands, of floats that are normal or 0, and the place of their bins:
 * the pair of lanes 2 i and 2 i + 1 takes turn i. Words are read back one by one, which takes less
 * than to take them out of the vector. */
INLINE void add_squares(fpfmt_bins bins, __m256i x)
{
    const __m256i hidden = all_words(0x00800000), turns = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
    __m256i fraction = _mm256_and_si256(x, all_words(0x007FFFFF));
    __m256i significand =
        _mm256_and_si256(_mm256_or_si256(fraction, hidden), above(x, _mm256_setzero_si256()));
    __m256i odd = _mm256_srli_epi64(significand, 32);
    __m256i place = _mm256_slli_epi32(_mm256_srli_epi32(x, 23), 2);
    uint64_t squares[2][4] __attribute__((aligned(32)));
    uint32_t places[8] __attribute__((aligned(32)));
    _mm256_store_si256((__m256i *)squares[0], _mm256_mul_epu32(significand, significand));
    _mm256_store_si256((__m256i *)squares[1], _mm256_mul_epu32(odd, odd));
    _mm256_store_si256((__m256i *)places, _mm256_or_si256(place, turns));
    /* Written out, as compilers keep a loop at -O2. */
    bins[places[0]] += squares[0][0];
    bins[places[1]] += squares[1][0];
    bins[places[2]] += squares[0][1];
    bins[places[3]] += squares[1][1];
    bins[places[4]] += squares[0][2];
    bins[places[5]] += squares[1][2];
    bins[places[6]] += squares[0][3];
    bins[places[7]] += squares[1][3];
}

/* Eight pairs; returns which of them are plain, a bit each. */
INLINE int tally_eight(const fpfmt_ranges *it, fpfmt_bins bins[TALLY_SUMS], tallied *all, __m256i x,
                       __m256i y, __m256i *error, __m256i *relative)
{
    const __m256i none = _mm256_setzero_si256(), magnitude = all_words(0x7FFFFFFF);
    __m256i a = _mm256_and_si256(x, magnitude), b = _mm256_and_si256(y, magnitude);
    __m256i same = _mm256_cmpeq_epi32(x, y), was_zero = _mm256_cmpeq_epi32(a, none);
    __m256i became_zero = _mm256_cmpeq_epi32(b, none);

    /* The difference of floats is one itself if taking it from the larger one gives the smaller:
     * the first half of it is exact always (Dekker 1971), in rounding to nearest. */
    __m256i larger = _mm256_max_epi32(a, b), smaller = _mm256_min_epi32(a, b);
    __m256 apart = _mm256_sub_ps(as_floats(larger), as_floats(smaller));
    __m256i rest = _mm256_castps_si256(_mm256_sub_ps(as_floats(larger), apart));
    __m256i fits = _mm256_cmpeq_epi32(rest, smaller);

    __m256i sign = it->has_sign ? _mm256_andnot_si256(became_zero, _mm256_xor_si256(x, y)) : x;
    __m256i usual = _mm256_and_si256(above(a, all_words(it->least - 1)),
                                     above(all_words(it->most + 1), larger));
    usual = _mm256_andnot_si256(_mm256_srai_epi32(sign, 31), _mm256_and_si256(usual, fits));
    usual = _mm256_or_si256(usual, _mm256_and_si256(was_zero, same));

    /* Each kind is of what no kind before has taken. */
    __m256i past = above(a, all_words(it->largest)), left = _mm256_andnot_si256(same, usual);
    __m256i exact = _mm256_and_si256(same, usual);
    __m256i underflow = _mm256_andnot_si256(past, _mm256_and_si256(left, became_zero));
    left = _mm256_andnot_si256(became_zero, left);
    __m256i inexact = _mm256_andnot_si256(past, above(a, all_words(it->smallest - 1)));
    inexact = _mm256_and_si256(left, inexact);
    left = _mm256_andnot_si256(inexact, left);
    __m256i subnormal = _mm256_and_si256(
        left, _mm256_and_si256(above(all_words(it->tiny), a), above(all_words(it->stays), b)));
    left = _mm256_andnot_si256(subnormal, left);
    __m256i saturated = _mm256_and_si256(left, above(a, all_words(it->beyond - 1)));
    __m256i plain =
        _mm256_or_si256(_mm256_or_si256(exact, underflow),
                        _mm256_or_si256(_mm256_or_si256(inexact, subnormal), saturated));

    all->plain = _mm256_sub_epi32(all->plain, plain);
    all->zero = _mm256_sub_epi32(all->zero, _mm256_and_si256(plain, was_zero));
    all->exact = _mm256_sub_epi32(all->exact, exact);
    all->underflow = _mm256_sub_epi32(all->underflow, underflow);
    all->subnormal = _mm256_sub_epi32(all->subnormal, subnormal);
    all->saturated = _mm256_sub_epi32(all->saturated, saturated);

    /* To divide by 1 where x is 0, or anything, gives the 0 that it should. */
    a = _mm256_and_si256(a, plain);
    *error = _mm256_and_si256(_mm256_castps_si256(apart), plain);
    __m256i divisor =
        _mm256_or_si256(a, _mm256_and_si256(_mm256_cmpeq_epi32(a, none), all_words(0x3F800000)));
    *relative = _mm256_castps_si256(_mm256_div_ps(as_floats(*error), as_floats(divisor)));
    all->error = _mm256_max_epi32(all->error, *error);
    all->relative = _mm256_max_epi32(all->relative, *relative);
    add_squares(bins[TALLY_SIGNAL], a);
    if (!_mm256_testz_si256(*error, *error)) {
        add_squares(bins[TALLY_NOISE], *error);
        add_squares(bins[TALLY_RELATIVE], *relative);
    }
    return _mm256_movemask_ps(as_floats(plain));
}

INLINE uint32_t lane_sum(__m256i x)
{
    uint32_t each[8], sum = 0;
    _mm256_storeu_si256((__m256i *)each, x);
    for (int i = 0; i < 8; i++)
        sum += each[i];
    return sum;
}

TARGET void fpfmt_tally_avx2(const fpfmt_ranges *ranges, fpfmt_bins bins[TALLY_SUMS],
                             fpfmt_tally *tally, const uint32_t *x, const uint32_t *y, size_t n)
{
    const fpfmt_ranges it = *ranges;
    const __m256i none = _mm256_setzero_si256();
    tallied all = { none, none, none, none, none, none, none, none };
    unsigned saved = fpfmt_enter_plain();
    for (size_t i = 0; i < n; i += 8) {
        __m256i error, relative;
        int plain = tally_eight(&it, bins, &all, _mm256_loadu_si256((const __m256i *)(x + i)),
                                _mm256_loadu_si256((const __m256i *)(y + i)), &error, &relative);
        tally->is_plain[i / 8] = (uint8_t)plain;
        _mm256_storeu_si256((__m256i *)(tally->error + i), error);
        _mm256_storeu_si256((__m256i *)(tally->relative + i), relative);
    }
    fpfmt_leave_plain(saved);
    tally->plain = lane_sum(all.plain);
    tally->zero = lane_sum(all.zero);
    tally->exact = lane_sum(all.exact);
    tally->underflow = lane_sum(all.underflow);
    tally->subnormal = lane_sum(all.subnormal);
    tally->saturated = lane_sum(all.saturated);
    tally->largest_error = largest_lane((vec_32)all.error);
    tally->largest_relative = largest_lane((vec_32)all.relative);
}
