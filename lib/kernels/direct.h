/* direct.h - floats to codes of one or two bytes, to nearest even, without words in between
 * SPDX-License-Identifier: MIT
 *
 * Four vectors at a time are clamped, cut and stored as codes at once. The clamp is the encoder's
 * own: its code is the one that overflow and infinity have, so that but for NaN nothing is left to
 * set right: so it is for E4M3 and E5M2 of OCP, bfloat16 and the like under the default policy. */

/* Included by fast_arrays.h for 32 bits, with the macros of fast.h. encode_direct serves an encoder
 * where decision is DECIDE_EVEN, fixup is not FIXUP_ALL and bytes is 1 or 2; the set's functions
 * store_bytes_32 and store_pairs_32 write the low bytes of each word. */

/* result, or where x is NaN the code of that NaN, with its sign. */
INLINE vec_32 nan_code(const constants_32 *c, vec_32 x, vec_32 result)
{
    vec_32 a = x & SPLAT(TOP - 1), nan = OR_AND(c->nan.of[0], a >> c->extra_bits, c->nan_keep);
    nan = OR_AND(nan, x >> c->sign_shift, c->sign_bit);
    return CHOOSE(ABOVE(a, SPLAT(INFINITE)), result, nan);
}

/* NaN are rare enough to be looked for in four vectors together. */
INLINE MASK any_nan(vec_32 p, vec_32 q, vec_32 r, vec_32 s)
{
    const vec_32 infinite = SPLAT(INFINITE), magnitude = SPLAT(TOP - 1);
    return EITHER(EITHER(ABOVE(p & magnitude, infinite), ABOVE(q & magnitude, infinite)),
                  EITHER(ABOVE(r & magnitude, infinite), ABOVE(s & magnitude, infinite)));
}

/* BLOCK_32 elements. cut_method, fixup and bytes are constants of the caller. */
INLINE void direct_block(const constants_32 *c, int cut_method, int fixup, size_t bytes,
                         unsigned char *to, const unsigned char *from)
{
    const int mode = FPFMT_ROUND_NEAREST_EVEN;
    vec_32 p, q, r, s, none = SPLAT(0);
    memcpy(&p, from, sizeof p);
    memcpy(&q, from + sizeof p, sizeof q);
    memcpy(&r, from + 2 * sizeof p, sizeof r);
    memcpy(&s, from + 3 * sizeof p, sizeof s);
    vec_32 t = fast_element_32(c, cut_method, mode, FIXUP_NONE, false, true, true, p, none);
    vec_32 u = fast_element_32(c, cut_method, mode, FIXUP_NONE, false, true, true, q, none);
    vec_32 v = fast_element_32(c, cut_method, mode, FIXUP_NONE, false, true, true, r, none);
    vec_32 w = fast_element_32(c, cut_method, mode, FIXUP_NONE, false, true, true, s, none);
    if (fixup == FIXUP_NAN && ANY(any_nan(p, q, r, s))) {
        t = nan_code(c, p, t);
        u = nan_code(c, q, u);
        v = nan_code(c, r, v);
        w = nan_code(c, s, w);
    }
    if (bytes == 1)
        NAME(store_bytes)(to, t, u, v, w);
    else
        NAME(store_pairs)(to, t, u, v, w);
}

/* An array. Minus base, to as many bits as are stored, goes into the low bits of raise: see
 * cut_by_sum. The last elements go by way of a block in memory, filled up with zeros. */
INLINE void direct_array(const fpfmt_encoder *k, int cut_method, int fixup, size_t bytes,
                         unsigned char *to, const unsigned char *from, size_t n)
{
    constants_32 c = spread_32(k, false);
    uint32_t base = (uint32_t)k->biased_emin << k->fraction_bits;
    unsigned char in[sizeof(vec_32) * 4], out[sizeof in];
    size_t done = 0;
    c.clamp = SPLAT(k->clamp);
    c.raise += SPLAT((0 - base) & ((UINT32_C(1) << (8 * bytes)) - 1));
    for (; n - done >= BLOCK_32; done += BLOCK_32)
        direct_block(&c, cut_method, fixup, bytes, to + done * bytes, from + done * sizeof(float));
    if (done == n)
        return;
    memset(in, 0, sizeof in);
    memcpy(in, from + done * sizeof(float), (n - done) * sizeof(float));
    direct_block(&c, cut_method, fixup, bytes, out, in);
    memcpy(to + done * bytes, out, (n - done) * bytes);
}

/* direct_array with its three choices as constants. VARIANT numbers them: bytes, 1 or 2, takes two
 * bits, and each of the others the next one. */
static TARGET void encode_direct(const fpfmt_encoder *k, unsigned char *to,
                                 const unsigned char *from, size_t n)
{
#define VARIANT(cut_method, fixup, bytes)                                                          \
    (8 * ((cut_method) == CUT_BY_SUM) + 4 * ((fixup) == FIXUP_NAN) + (bytes))
#define CASE(cut_method, fixup, bytes)                                                             \
    case VARIANT(cut_method, fixup, bytes):                                                        \
        direct_array(k, cut_method, fixup, bytes, to, from, n);                                    \
        break;
    switch (VARIANT(k->cut_method, k->fixup, k->bytes)) {
        CASE(CUT_BY_SHIFT, FIXUP_NONE, 1)
        CASE(CUT_BY_SHIFT, FIXUP_NONE, 2)
        CASE(CUT_BY_SHIFT, FIXUP_NAN, 1)
        CASE(CUT_BY_SHIFT, FIXUP_NAN, 2)
        CASE(CUT_BY_SUM, FIXUP_NONE, 1)
        CASE(CUT_BY_SUM, FIXUP_NONE, 2)
        CASE(CUT_BY_SUM, FIXUP_NAN, 1)
    default: direct_array(k, CUT_BY_SUM, FIXUP_NAN, 2, to, from, n); break;
    }
#undef CASE
#undef VARIANT
}
