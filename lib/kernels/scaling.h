/* scaling.h - arrays of floats in blocks: largest magnitudes, and products with a factor of each
 * SPDX-License-Identifier: MIT */

/* Included by vector sets for binary32, behind fast.h. Loads and stores are of whole vectors, and
 * of what is left where a block's size is no multiple of the lanes, so that nothing beside the
 * arrays is touched. The sizes that standards have are constants of their own: a block of 32 is
 * four vectors here, and a loop of unknown length around them takes longer than they do. */

#define FOR_SIZE(call)                                                                             \
    switch (size) {                                                                                \
    case 16: call(16); break;                                                                      \
    case 32: call(32); break;                                                                      \
    case 128: call(128); break;                                                                    \
    default: call(size);                                                                           \
    }

/* The largest lane. */
INLINE uint32_t largest_lane(vec_32 x)
{
    uint32_t each[LANES_32], all = 0;
    memcpy(each, &x, sizeof each);
    for (size_t k = 0; k < LANES_32; k++)
        all = each[k] > all ? each[k] : all;
    return all;
}

/* The largest magnitude of a block, as bits: of floats these order as integers, NaN above all. */
INLINE uint32_t largest_magnitude(const unsigned char *from, size_t size)
{
    vec_32 largest = SPLAT(0), x;
    size_t i = 0;
    for (; i + LANES_32 <= size; i += LANES_32) {
        memcpy(&x, from + i * sizeof(float), sizeof x);
        largest = MAXIMUM(largest, x & SPLAT(TOP - 1));
    }
    if (i < size) {
        x = SPLAT(0);
        memcpy(&x, from + i * sizeof(float), (size - i) * sizeof(float));
        largest = MAXIMUM(largest, x & SPLAT(TOP - 1));
    }
    return largest_lane(largest);
}

INLINE void amax_of(uint32_t *largest, const float *values, size_t blocks, size_t size)
{
    const unsigned char *from = (const unsigned char *)values;
    for (size_t b = 0; b < blocks; b++, from += size * sizeof *values)
        largest[b] = largest_magnitude(from, size);
}

static TARGET void amax_32(uint32_t *largest, const float *values, size_t blocks, size_t size)
{
#define CALL(n) amax_of(largest, values, blocks, n)
    FOR_SIZE(CALL)
#undef CALL
}

/* x times the factor; keeps: a product of numbers that are not zero stays that, however small it
 * is: what is subnormal, or vanished, becomes the smallest normal of its sign, which is below a quarter
 * of the smallest value of every format that these products are rounded to. Else *vanished gets the
 * lanes where it does not. */
INLINE vec_32 scaled_32(vec_32 x, vec_32 factor, bool keeps, vec_32 *vanished)
{
    vec_32 y = (vec_32)((real_32)x * (real_32)factor), sign = x & SPLAT(TOP);
    vec_32 magnitude = y & SPLAT(TOP - 1), least = SPLAT(keeps ? HIDDEN : 1);
    MASK small = AND_NOT(ABOVE(least, magnitude), SAME(x & SPLAT(TOP - 1), SPLAT(0)));
    if (keeps)
        return CHOOSE(small, y, sign | least);
    *vanished |= CHOOSE(small, SPLAT(0), SPLAT(1));
    return y;
}

INLINE void scale_block(unsigned char *to, const unsigned char *from, vec_32 factor, bool keeps,
                        vec_32 *vanished, size_t size)
{
    vec_32 x;
    size_t i = 0;
    for (; i + LANES_32 <= size; i += LANES_32) {
        memcpy(&x, from + i * sizeof(float), sizeof x);
        x = scaled_32(x, factor, keeps, vanished);
        memcpy(to + i * sizeof(float), &x, sizeof x);
    }
    if (i == size)
        return;
    x = SPLAT(0);
    memcpy(&x, from + i * sizeof(float), (size - i) * sizeof(float));
    x = scaled_32(x, factor, keeps, vanished);
    memcpy(to + i * sizeof(float), &x, (size - i) * sizeof(float));
}

INLINE vec_32 scale_all(float *scaled, const float *values, const float *factors, bool keeps,
                        size_t blocks, size_t size)
{
    unsigned char *to = (unsigned char *)scaled;
    const unsigned char *from = (const unsigned char *)values;
    vec_32 vanished = SPLAT(0);
    for (size_t b = 0; b < blocks; b++) {
        uint32_t factor;
        memcpy(&factor, factors + b, sizeof factor);
        scale_block(to, from, SPLAT(factor), keeps, &vanished, size);
        to += size * sizeof *values;
        from += size * sizeof *values;
    }
    return vanished;
}

/* Products are to nearest, with subnormals, and raise nothing. */
static TARGET bool scale_32(float *scaled, const float *values, const float *factors, bool keeps,
                            size_t blocks, size_t size)
{
    unsigned saved = fpfmt_enter_plain();
    vec_32 vanished = SPLAT(0);
#define CALL(n)                                                                                    \
    vanished = keeps ? scale_all(scaled, values, factors, true, blocks, n)                         \
                     : scale_all(scaled, values, factors, false, blocks, n)
    FOR_SIZE(CALL)
#undef CALL
    fpfmt_leave_plain(saved);
    return largest_lane(vanished) != 0;
}

/* Back: each value times the factor of its block, and then times last. */
INLINE void unscale_block(unsigned char *to, const unsigned char *from, vec_32 factor, vec_32 last,
                          size_t size)
{
    real_32 x = { 0 };
    size_t i = 0;
    for (; i + LANES_32 <= size; i += LANES_32) {
        memcpy(&x, from + i * sizeof(float), sizeof x);
        x = x * (real_32)factor * (real_32)last;
        memcpy(to + i * sizeof(float), &x, sizeof x);
    }
    if (i == size)
        return;
    memcpy(&x, from + i * sizeof(float), (size - i) * sizeof(float));
    x = x * (real_32)factor * (real_32)last;
    memcpy(to + i * sizeof(float), &x, (size - i) * sizeof(float));
}

INLINE void unscale_all(float *values, const float *elements, const float *factors, float last,
                        size_t blocks, size_t size)
{
    unsigned char *to = (unsigned char *)values;
    const unsigned char *from = (const unsigned char *)elements;
    uint32_t factor, whole;
    memcpy(&whole, &last, sizeof whole);
    for (size_t b = 0; b < blocks; b++) {
        memcpy(&factor, factors + b, sizeof factor);
        unscale_block(to, from, SPLAT(factor), SPLAT(whole), size);
        to += size * sizeof *values;
        from += size * sizeof *values;
    }
}

static TARGET void unscale_32(float *values, const float *elements, const float *factors,
                              float last, size_t blocks, size_t size)
{
    unsigned saved = fpfmt_enter_plain();
#define CALL(n) unscale_all(values, elements, factors, last, blocks, n)
    FOR_SIZE(CALL)
#undef CALL
    fpfmt_leave_plain(saved);
}
