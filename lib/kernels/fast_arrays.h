/* fast_arrays.h - the kernels of a vector set
 * SPDX-License-Identifier: MIT
 *
 * Included once per carrier, after loops.h. Besides what fast.h asks for, the set defines STORE_1,
 * STORE_2 and STORE_4 of four vectors to codes, LOAD_1, LOAD_2 and LOAD_4 of one from codes, ENTER
 * and LEAVE around what depends on the environment, and for binary32 the functions encode_native
 * and decode_native. */

#include "fast.h"

enum { NAME(BLOCK) = 4 * sizeof(VEC) / sizeof(WORD) };

/* Words of codes or of values; count is a multiple of the lanes. */
INLINE void NAME(fast_loop)(const NAME(constants) * from_memory, int way, int mode, bool carried,
                            bool common, unsigned char *to, const unsigned char *from, size_t count,
                            const WORD *random)
{
    const NAME(constants) c = *from_memory;
    VEC x, bits = SPLAT(0);
    for (size_t i = 0; i < count; i += NAME(LANES)) {
        memcpy(&x, from + i * sizeof(WORD), sizeof x);
        if (mode == FPFMT_ROUND_STOCHASTIC_A)
            memcpy(&bits, random + i, sizeof bits);
        x = NAME(fast_element)(&c, way, mode, PATCH_ALL, carried, false, common, x, bits);
        memcpy(to + i * sizeof(WORD), &x, sizeof x);
    }
}

/* The same, specialised by the common case. */
INLINE void NAME(fast_case)(const NAME(constants) * c, int way, int mode, bool carried,
                            unsigned char *to, const unsigned char *from, size_t count,
                            const WORD *random)
{
    if (c->common)
        NAME(fast_loop)(c, way, mode, carried, true, to, from, count, random);
    else
        NAME(fast_loop)(c, way, mode, carried, false, to, from, count, random);
}

/* And by mode. */
INLINE void NAME(fast_words)(const NAME(constants) * c, int way, int mode, bool carried,
                             unsigned char *to, const unsigned char *from, size_t count,
                             const WORD *random)
{
#define CASE(mode)                                                                                 \
    case mode: NAME(fast_case)(c, way, mode, carried, to, from, count, random); break;
    switch (mode) {
        CASE(FPFMT_ROUND_NEAREST_EVEN)
        CASE(FPFMT_ROUND_NEAREST_AWAY)
        CASE(FPFMT_ROUND_NEAREST_ZERO)
        CASE(FPFMT_ROUND_TOWARD_ZERO)
        CASE(FPFMT_ROUND_AWAY_FROM_ZERO)
        CASE(FPFMT_ROUND_UPWARD)
        CASE(FPFMT_ROUND_DOWNWARD)
        CASE(FPFMT_ROUND_TO_ODD)
    default: NAME(fast_case)(c, way, FPFMT_ROUND_STOCHASTIC_A, carried, to, from, count, random);
    }
#undef CASE
}

static TARGET void NAME(shift_words)(const NAME(constants) * c, int mode, unsigned char *to,
                                     const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SHIFT, mode, false, to, from, count, random);
}

static TARGET void NAME(sum_words)(const NAME(constants) * c, int mode, unsigned char *to,
                                   const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SUM, mode, false, to, from, count, random);
}

static TARGET void NAME(shift_values)(const NAME(constants) * c, int mode, unsigned char *to,
                                      const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SHIFT, mode, true, to, from, count, random);
}

static TARGET void NAME(sum_values)(const NAME(constants) * c, int mode, unsigned char *to,
                                    const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SUM, mode, true, to, from, count, random);
}

INLINE void NAME(store_words)(unsigned char *to, size_t bytes, const WORD words[NAME(BLOCK)])
{
    VEC p, q, r, s;
    memcpy(&p, words, sizeof p);
    memcpy(&q, words + NAME(LANES), sizeof q);
    memcpy(&r, words + 2 * NAME(LANES), sizeof r);
    memcpy(&s, words + 3 * NAME(LANES), sizeof s);
    switch (bytes) {
    case 1: NAME(store_bytes)(to, p, q, r, s); break;
    case 2: NAME(store_pairs)(to, p, q, r, s); break;
    default: NAME(store_fours)(to, p, q, r, s);
    }
}

#if WORD_BITS == 32
/* The code of a NaN, with its sign. */
INLINE vec_32 nan_code(const constants_32 *c, vec_32 x, vec_32 result)
{
    vec_32 a = x & SPLAT(TOP - 1), nan = OR_AND(c->nan.of[0], a >> c->drop, c->nan_keep);
    nan = OR_AND(nan, x >> c->sign_shift, c->sign_bit);
    return CHOOSE(ABOVE(a, SPLAT(INFINITE)), result, nan);
}

INLINE MASK any_nan(vec_32 p, vec_32 q, vec_32 r, vec_32 s)
{
    const vec_32 infinite = SPLAT(INFINITE), magnitude = SPLAT(TOP - 1);
    return EITHER(EITHER(ABOVE(p & magnitude, infinite), ABOVE(q & magnitude, infinite)),
                  EITHER(ABOVE(r & magnitude, infinite), ABOVE(s & magnitude, infinite)));
}

/* Nearest even to codes of one or two bytes, in one go. */
INLINE void fused_block(const constants_32 *c, int way, int patch, size_t bytes, unsigned char *to,
                        const unsigned char *from)
{
    const int mode = FPFMT_ROUND_NEAREST_EVEN;
    vec_32 p, q, r, s, none = SPLAT(0);
    memcpy(&p, from, sizeof p);
    memcpy(&q, from + sizeof p, sizeof q);
    memcpy(&r, from + 2 * sizeof p, sizeof r);
    memcpy(&s, from + 3 * sizeof p, sizeof s);
    vec_32 t = fast_element_32(c, way, mode, PATCH_NOTHING, false, true, true, p, none);
    vec_32 u = fast_element_32(c, way, mode, PATCH_NOTHING, false, true, true, q, none);
    vec_32 v = fast_element_32(c, way, mode, PATCH_NOTHING, false, true, true, r, none);
    vec_32 w = fast_element_32(c, way, mode, PATCH_NOTHING, false, true, true, s, none);
    if (patch == PATCH_NAN && ANY(any_nan(p, q, r, s))) {
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

INLINE void fused(const fpfmt_encoder *k, int way, int patch, size_t bytes, unsigned char *to,
                  const unsigned char *from, size_t n)
{
    constants_32 c = spread_32(k, false);
    uint32_t base = (uint32_t)k->first << k->fraction_bits;
    unsigned char in[sizeof(vec_32) * 4], out[sizeof in];
    size_t done = 0;
    c.limit = SPLAT(k->limit);
    c.raise += SPLAT((0 - base) & ((UINT32_C(1) << (8 * bytes)) - 1));
    for (; n - done >= BLOCK_32; done += BLOCK_32)
        fused_block(&c, way, patch, bytes, to + done * bytes, from + done * sizeof(float));
    if (done == n)
        return;
    memset(in, 0, sizeof in);
    memcpy(in, from + done * sizeof(float), (n - done) * sizeof(float));
    fused_block(&c, way, patch, bytes, out, in);
    memcpy(to + done * bytes, out, (n - done) * bytes);
}

static TARGET void encode_fused(const fpfmt_encoder *k, unsigned char *to,
                                const unsigned char *from, size_t n)
{
    switch (8 * (k->way == WAY_SUM) + 4 * (k->patch == PATCH_NAN) + k->bytes) {
    case 1: fused(k, WAY_SHIFT, PATCH_NOTHING, 1, to, from, n); break;
    case 2: fused(k, WAY_SHIFT, PATCH_NOTHING, 2, to, from, n); break;
    case 5: fused(k, WAY_SHIFT, PATCH_NAN, 1, to, from, n); break;
    case 6: fused(k, WAY_SHIFT, PATCH_NAN, 2, to, from, n); break;
    case 9: fused(k, WAY_SUM, PATCH_NOTHING, 1, to, from, n); break;
    case 10: fused(k, WAY_SUM, PATCH_NOTHING, 2, to, from, n); break;
    case 13: fused(k, WAY_SUM, PATCH_NAN, 1, to, from, n); break;
    default: fused(k, WAY_SUM, PATCH_NAN, 2, to, from, n); break;
    }
}
#endif

/* The flags of whole vectors, told from their magnitudes. */
static TARGET unsigned NAME(scan)(const fpfmt_encoder *k, const unsigned char *from, size_t count)
{
    const VEC none = SPLAT(0), one = SPLAT(1), infinite = SPLAT(INFINITE);
    const VEC step = SPLAT(((WORD)1 << k->drop) - 1);
    const bool shifts = k->way == WAY_SHIFT;
    const VEC smallest = SPLAT(shifts ? 0 : (WORD)(k->first - k->fraction_bits) << FRACTION);
    MASK inexact = ABOVE(none, none), under = inexact, nan = inexact, signals = inexact;
    MASK over[2] = { inexact, inexact }, infinity[2] = { inexact, inexact };
    VEC x;
    for (size_t i = 0; i < count; i += NAME(LANES)) {
        memcpy(&x, from + i * sizeof(WORD), sizeof x);
        VEC a = x & SPLAT(TOP - 1), exponent = a >> FRACTION;
        VEC below = MAXIMUM(exponent, OF(first)) - exponent + OF(drop);
        VEC cut = shifts ? step : (one << MINIMUM(below, SPLAT(FRACTION))) - one;
        cut = CHOOSE(ABOVE(smallest, a), cut, SPLAT(TOP - 1));
        MASK negative = NEGATIVE(x);
        MASK past =
            BUT_NOT(ABOVE(a, CHOOSE(negative, OF(over_from[0]) - one, OF(over_from[1]) - one)),
                    ABOVE(a, infinite - one));
        MASK lost = BUT_NOT(ABOVE(a & cut, none), ABOVE(a, infinite - one));
        lost = BUT_NOT(lost, past);
        MASK tiny = ABOVE(CHOOSE(negative, OF(tiny[0]), OF(tiny[1])), a);
        MASK is_infinite = SAME(a, infinite), is_nan = ABOVE(a, infinite);
        inexact = EITHER(inexact, lost);
        under = EITHER(under, BOTH(lost, tiny));
        over[0] = EITHER(over[0], BUT_NOT(past, negative));
        over[1] = EITHER(over[1], BOTH(past, negative));
        infinity[0] = EITHER(infinity[0], BUT_NOT(is_infinite, negative));
        infinity[1] = EITHER(infinity[1], BOTH(is_infinite, negative));
        nan = EITHER(nan, is_nan);
        signals = EITHER(signals, BUT_NOT(is_nan, ABOVE(a & SPLAT(HIDDEN >> 1), none)));
    }
    uint64_t flags =
        (ANY(inexact) ? FPFMT_FLAG_INEXACT : 0) | (ANY(under) ? FPFMT_FLAG_UNDERFLOW : 0);
    for (int sign = 0; sign < 2; sign++) {
        flags |= ANY(over[sign]) ? k->over_flags[sign] : 0;
        flags |= ANY(infinity[sign]) ? k->infinity_flags[sign] : 0;
    }
    flags |= (ANY(nan) ? k->nan_flags : 0) | (ANY(signals) ? k->signaling_flags : 0);
    return (unsigned)flags;
}

typedef void NAME(words_kernel)(const NAME(constants) *, int mode, unsigned char *to,
                                const unsigned char *from, size_t count, const WORD *random);

/* To values, or to codes as wide as they are. */
INLINE void NAME(same_width)(const fpfmt_encoder *k, NAME(words_kernel) * convert, bool carried,
                             unsigned char *to, const unsigned char *from, size_t n,
                             const fpfmt_draw *draw)
{
    const NAME(constants) c = NAME(spread)(k, carried);
    bool drawn = k->decide == DECIDE_CHANCE_32;
    WORD in[TILE];
    uint32_t drawn_words[DRAWN];
    const uint32_t *random = drawn_words;
    size_t piece = drawn ? TILE : SIZE_MAX, count, whole;
    for (size_t done = 0; done < n; done += count) {
        const unsigned char *at = from;
        unsigned char *out = to;
        count = n - done < piece ? n - done : piece;
        whole = count - count % NAME(LANES);
        if (whole == 0) {
            whole = NAME(load_words)(in, from, count);
            at = out = (unsigned char *)in;
        } else {
            count = whole;
        }
        if (drawn)
            random = draw_32(k, draw, draw->index + done, count, drawn_words);
        convert(&c, k->rounding, out, at, whole, (const WORD *)random);
        if (out != to)
            memcpy(to, out, count * sizeof(WORD));
        from += count * sizeof(WORD);
        to += count * sizeof(WORD);
    }
}

/* To narrower codes, by tiles. */
INLINE void NAME(narrower)(const fpfmt_encoder *k, NAME(words_kernel) * convert, unsigned char *to,
                           const unsigned char *from, size_t n, const fpfmt_draw *draw)
{
    const NAME(constants) c = NAME(spread)(k, false);
    unsigned char narrow[TILE * sizeof(WORD)];
    WORD in[TILE], words[TILE];
    uint32_t drawn_words[DRAWN];
    const uint32_t *random = drawn_words;
    size_t count, whole;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < TILE ? n - done : TILE;
        const unsigned char *at = from;
        whole = count;
        if (count % NAME(LANES) != 0) {
            whole = NAME(load_words)(in, from, count);
            at = (unsigned char *)in;
        }
        if (k->decide == DECIDE_CHANCE_32)
            random = draw_32(k, draw, draw->index + done, count, drawn_words);
        convert(&c, k->rounding, (unsigned char *)words, at, whole, (const WORD *)random);
        unsigned char *out = count % NAME(BLOCK) == 0 ? to : narrow;
        for (size_t i = 0; i < count; i += NAME(BLOCK))
            NAME(store_words)(out + i * k->bytes, k->bytes, words + i);
        if (out == narrow)
            memcpy(to, narrow, count * k->bytes);
        from += count * sizeof(WORD);
        to += count * k->bytes;
    }
}

/* Without flags, by the best way there is. */
static TARGET void NAME(convert)(const fpfmt_encoder *k, bool carried, unsigned char *to,
                                 const unsigned char *from, size_t n, const fpfmt_draw *draw)
{
    bool shifts = k->way == WAY_SHIFT;
    unsigned saved = ENTER(k);
#if WORD_BITS == 32
    if (!carried && k->native != NATIVE_NONE)
        encode_native(k, to, from, n);
    else if (!carried && k->decide == DECIDE_EVEN && k->patch != PATCH_ALL && k->bytes <= 2)
        encode_fused(k, to, from, n);
    else
#endif
        if (carried)
        NAME(same_width)
    (k, shifts ? NAME(shift_values) : NAME(sum_values), true, to, from, n, draw);
    else if (k->bytes == sizeof(WORD))
        NAME(same_width)(k, shifts ? NAME(shift_words) : NAME(sum_words), false, to, from, n, draw);
    else NAME(narrower)(k, shifts ? NAME(shift_words) : NAME(sum_words), to, from, n, draw);
    LEAVE(k, saved);
}

/* With flags, by pieces that are still in the nearest cache when they are read again. */
INLINE void NAME(with_flags)(const fpfmt_encoder *k, bool carried, unsigned char *to,
                             const unsigned char *from, size_t n, const fpfmt_draw *draw,
                             unsigned *flags)
{
    enum { PIECE = 4 * TILE };
    WORD in[TILE];
    size_t bytes = carried ? sizeof(WORD) : k->bytes, count, whole;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < PIECE ? n - done : PIECE;
        whole = count - count % NAME(LANES);
        *flags |= NAME(scan)(k, from, whole);
        if (whole < count) {
            size_t rest = NAME(load_words)(in, from + whole * sizeof(WORD), count - whole);
            *flags |= NAME(scan)(k, (unsigned char *)in, rest);
        }
        NAME(convert)(k, carried, to, from, count, draw);
        from += count * sizeof(WORD);
        to += count * bytes;
    }
}

/* What the fast ways do not take is done by the loop. */
static TARGET void NAME(encode_fast)(const fpfmt_encoder *k, void *codes, const void *values,
                                     size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    if (flags == NULL && k->way != WAY_LOOP)
        NAME(convert)(k, false, codes, values, n, draw);
    else if (k->scans)
        NAME(with_flags)(k, false, codes, values, n, draw, flags);
    else
        NAME(encode_loop)(k, codes, values, n, draw, flags);
}

static TARGET void NAME(round_fast)(const fpfmt_encoder *k, void *rounded, const void *values,
                                    size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    if (flags == NULL && k->way != WAY_LOOP)
        NAME(convert)(k, true, rounded, values, n, draw);
    else if (k->scans)
        NAME(with_flags)(k, true, rounded, values, n, draw, flags);
    else
        NAME(round_loop)(k, rounded, values, n, draw, flags);
}

/* Codes of 1, 2 or 4 bytes; returns how many came in whole vectors. */
INLINE size_t NAME(decode_vectors)(const fpfmt_decoder *decoder, size_t bytes, unsigned char *to,
                                   const unsigned char *from, size_t n, bool *any)
{
    const fpfmt_decoder k = *decoder;
    VEC signals = SPLAT(0), signaling;
    size_t done = 0;
    for (; n - done >= NAME(LANES); done += NAME(LANES)) {
        const unsigned char *at = from + bytes * done;
        VEC x = bytes == 1 ? NAME(load_bytes)(at) : bytes == 2 ? NAME(load_pairs)(at) : NAME(load_fours)(at);
        x = NAME(decode)(&k, x, &signaling);
        memcpy(to + sizeof(WORD) * done, &x, sizeof x);
        signals |= signaling;
    }
    *any = ANY(SAME(signals, SPLAT((WORD)0 - 1)));
    return done;
}

static TARGET void NAME(decode_fast)(const fpfmt_decoder *k, const uint8_t table[2][256],
                                     void *values, const void *codes, size_t n, unsigned *flags)
{
    size_t done;
    bool any = false;
#if WORD_BITS == 32
    if ((flags == NULL || k->quiet == 0) && decode_native(k, table, values, codes, n))
        return;
#endif
    switch (k->bytes) {
    case 1: done = NAME(decode_vectors)(k, 1, values, codes, n, &any); break;
    case 2: done = NAME(decode_vectors)(k, 2, values, codes, n, &any); break;
    default: done = NAME(decode_vectors)(k, 4, values, codes, n, &any);
    }
    if (flags != NULL && any)
        *flags |= FPFMT_FLAG_INVALID;
    if (done < n)
        NAME(decode_loop)
    (k, table, (unsigned char *)values + sizeof(WORD) * done,
     (const unsigned char *)codes + k->bytes * done, n - done, flags);
}
