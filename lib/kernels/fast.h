/* fast.h - the kernels that need not look at every rule of an encoder
 * SPDX-License-Identifier: MIT
 *
 * Included by vector sets, once per carrier, from loops.h's end. Two ways lead from a magnitude to one of
 * the format. Where both have the same smallest exponent, bits are cut by an integer addition and a
 * shift. Elsewhere a power of two is added whose last bit is a step of the format, so that the
 * processor's addition rounds to nearest even; integer comparisons of what came out with what went in
 * make the other modes of that. The environment cannot show: what is subnormal is less than half a
 * step, and vanishes in the sum anyhow.
 *
 * The set defines types and macros on its vectors of WORD: MASK, ABOVE, SAME, NEGATIVE, ANY, CHOOSE
 * (mask, no, yes), MORE and FEWER (one, where the mask says), MINIMUM, MAXIMUM, ADD, TAKE,
 * ADD_TOWARD_ZERO if it has one, and STORE_1, STORE_2 and STORE_4 of four vectors of codes. */

enum { NAME(BLOCK) = 4 * sizeof(VEC) / sizeof(WORD) };

/* The constants of a call, spread over vectors. Pairs are for the two signs. */
typedef struct {
    VEC limit, low, raise, base, half, cut;
    VEC max[2], over[2], infinity[2], nan[2], nan_keep, sign_bit;
    MASK zero_sign;
    bool alike, keeps_infinity; /* the signs differ in nothing else; infinity is not as overflow */
    int drop, sign_shift, nan_shift;
} NAME(constants);

INLINE NAME(constants) NAME(spread)(const fpfmt_encoder *k, bool carried)
{
    NAME(constants) c;
    WORD first = (WORD)(k->first << FRACTION), step = (WORD)1 << k->drop;
    const uint64_t *over = carried ? k->over_value : k->over;
    const uint64_t *infinity = carried ? k->infinity_value : k->infinity;
    const uint64_t *nan = carried ? k->nan_value_set : k->nan_set;
    WORD normal = (WORD)(k->first - 1) << FRACTION;
    c.limit = SPLAT(k->next);
    c.low = SPLAT(first);
    c.raise = SPLAT((WORD)k->drop << FRACTION);
    c.base = SPLAT((WORD)k->first << k->fraction_bits);
    c.half = SPLAT(step / 2 - 1);
    c.cut = SPLAT((WORD)0 - step);
    for (int sign = 0; sign < 2; sign++) {
        WORD max = (WORD)k->max[sign];
        c.max[sign] = SPLAT(carried && max != 0 ? (max << k->drop) + normal : max);
        c.over[sign] = SPLAT(over[sign]);
        c.infinity[sign] = SPLAT(infinity[sign]);
        c.nan[sign] = SPLAT(nan[sign]);
    }
    c.nan_keep = SPLAT(carried ? k->nan_value_keep : k->nan_keep);
    c.sign_bit = SPLAT(carried ? TOP : k->negate);
    c.zero_sign = SAME(OF(negative_zero), SPLAT((WORD)0 - 1));
    c.drop = (int)k->drop;
    c.sign_shift = WORD_BITS - k->width;
    c.nan_shift = carried ? 0 : c.drop;
    WORD sign = carried ? TOP : (WORD)k->negate;
    c.alike = k->negative_zero != 0 && (WORD)over[1] == ((WORD)over[0] | sign) &&
              (WORD)infinity[1] == ((WORD)infinity[0] | sign) &&
              (WORD)nan[1] == ((WORD)nan[0] | sign) && k->max[0] == k->max[1];
    c.keeps_infinity = infinity[0] != over[0] || k->next > INFINITE;
    return c;
}

/* The code or the value, without sign, of a magnitude up to the limit. */
INLINE VEC NAME(cut_by_shift)(const NAME(constants) *c, int mode, bool carried, VEC a, MASK negative,
                              VEC random)
{
    VEC odd = a >> c->drop & SPLAT(1), most = ~c->cut, add = SPLAT(0);
    switch (mode) {
    case FPFMT_ROUND_NEAREST_EVEN: add = c->half + odd; break;
    case FPFMT_ROUND_NEAREST_AWAY: add = c->half + SPLAT(1); break;
    case FPFMT_ROUND_NEAREST_ZERO: add = c->half; break;
    case FPFMT_ROUND_AWAY_FROM_ZERO: add = most; break;
    case FPFMT_ROUND_UPWARD: add = CHOOSE(negative, most, add); break;
    case FPFMT_ROUND_DOWNWARD: add = CHOOSE(negative, add, most); break;
    case FPFMT_ROUND_TO_ODD: add = most & (odd - SPLAT(1)); break;
    case FPFMT_ROUND_STOCHASTIC_A: add = random >> (WORD_BITS - c->drop); break;
    default: break;
    }
    return carried ? (a + add) & c->cut : (a + add) >> c->drop;
}

/* The same where a float addition does it. With low_only, raise has minus base in its low bits, and
 * so has the sum: the code stands in those of the result that are stored. */
INLINE VEC NAME(cut_by_sum)(const NAME(constants) *c, int mode, bool carried, bool low_only, VEC a,
                            MASK negative)
{
    VEC exponent = MAXIMUM(a, c->low) & SPLAT(INFINITE), power = exponent + c->raise;
    VEC sum = SUM(mode, a, power), back = TAKE(sum, power);
    VEC half = exponent - ((SPLAT(FRACTION + 1) << FRACTION) - c->raise);
    switch (mode) {
    case FPFMT_ROUND_NEAREST_AWAY: sum = MORE(SAME(TAKE(a, back), half), sum); break;
    case FPFMT_ROUND_NEAREST_ZERO: sum = FEWER(SAME(TAKE(back, a), half), sum); break;
    case FPFMT_ROUND_TOWARD_ZERO:
        if (!SUM_TRUNCATES)
            sum = FEWER(ABOVE(back, a), sum);
        break;
    case FPFMT_ROUND_AWAY_FROM_ZERO: sum = MORE(ABOVE(a, back), sum); break;
    case FPFMT_ROUND_UPWARD:
        sum = MORE(BUT_NOT(ABOVE(a, back), negative), sum);
        sum = FEWER(BOTH(ABOVE(back, a), negative), sum);
        break;
    case FPFMT_ROUND_DOWNWARD:
        sum = MORE(BOTH(ABOVE(a, back), negative), sum);
        sum = FEWER(BUT_NOT(ABOVE(back, a), negative), sum);
        break;
    case FPFMT_ROUND_TO_ODD: {
        VEC down = FEWER(ABOVE(back, a), sum);
        sum = down | CHOOSE(SAME(back, a), SPLAT(1), SPLAT(0));
        break;
    }
    default: break;
    }
    if (carried)
        return TAKE(sum, power);
    return (low_only ? sum : sum - power - c->base) + (exponent >> c->drop);
}

/* The sign, and what the policy makes of overflow and of specials: whatever each sign has. */
INLINE VEC NAME(finish_each)(const NAME(constants) *c, VEC a, VEC result, VEC sign, MASK negative)
{
    MASK over = ABOVE(result, CHOOSE(negative, c->max[0], c->max[1]));
    MASK keeps = EITHER(c->zero_sign, ABOVE(result, SPLAT(0)));
    result |= CHOOSE(keeps, SPLAT(0), sign);
    result = CHOOSE(over, result, CHOOSE(negative, c->over[0], c->over[1]));
    VEC infinity = CHOOSE(negative, c->infinity[0], c->infinity[1]);
    result = CHOOSE(SAME(a, SPLAT(INFINITE)), result, infinity);
    VEC payload = (a >> c->nan_shift & c->nan_keep) | CHOOSE(negative, c->nan[0], c->nan[1]);
    return CHOOSE(ABOVE(a, SPLAT(INFINITE)), result, payload);
}

/* The same where both signs have the same, and zero has two. */
INLINE VEC NAME(finish_alike)(const NAME(constants) *c, VEC a, VEC result, VEC sign)
{
    result = CHOOSE(ABOVE(result, c->max[0]), result, c->over[0]);
    if (c->keeps_infinity)
        result = CHOOSE(SAME(a, SPLAT(INFINITE)), result, c->infinity[0]);
    VEC payload = c->nan_shift == 0 ? a : a >> c->nan_shift;
    return CHOOSE(ABOVE(a, SPLAT(INFINITE)), result, (payload & c->nan_keep) | c->nan[0]) | sign;
}

INLINE VEC NAME(fast_element)(const NAME(constants) *c, int way, int mode, int patch, bool carried,
                              bool low_only, VEC x, VEC random)
{
    VEC a = x & SPLAT(TOP - 1), clamped = MINIMUM(a, c->limit);
    MASK negative = NEGATIVE(x);
    VEC result = way == WAY_SHIFT
                     ? NAME(cut_by_shift)(c, mode, carried, clamped, negative, random)
                     : NAME(cut_by_sum)(c, mode, carried, low_only, clamped, negative);
    VEC sign = carried ? x & SPLAT(TOP) : x >> c->sign_shift & c->sign_bit;
    if (patch == PATCH_ALL)
        return c->alike ? NAME(finish_alike)(c, a, result, sign)
                        : NAME(finish_each)(c, a, result, sign, negative);
    MASK nan = ABOVE(a, SPLAT(INFINITE));
    if (patch == PATCH_NAN && ANY(nan))
        result = CHOOSE(nan, result, (a >> c->nan_shift & c->nan_keep) | c->nan[0]);
    return result | sign;
}

/* Words of codes or of values; count is a multiple of the lanes. */
INLINE void NAME(fast_loop)(const NAME(constants) *from_memory, int way, int mode, bool carried,
                            unsigned char *to, const unsigned char *from, size_t count,
                            const WORD *random)
{
    const NAME(constants) c = *from_memory;
    VEC x, bits = SPLAT(0);
    for (size_t i = 0; i < count; i += NAME(LANES)) {
        memcpy(&x, from + i * sizeof(WORD), sizeof x);
        if (mode == FPFMT_ROUND_STOCHASTIC_A)
            memcpy(&bits, random + i, sizeof bits);
        x = NAME(fast_element)(&c, way, mode, PATCH_ALL, carried, false, x, bits);
        memcpy(to + i * sizeof(WORD), &x, sizeof x);
    }
}

/* The same, specialised by mode. */
INLINE void NAME(fast_words)(const NAME(constants) *c, int way, int mode, bool carried,
                             unsigned char *to, const unsigned char *from, size_t count,
                             const WORD *random)
{
#define CASE(mode)                                                                                 \
    case mode: NAME(fast_loop)(c, way, mode, carried, to, from, count, random); break;
    switch (mode) {
        CASE(FPFMT_ROUND_NEAREST_EVEN)
        CASE(FPFMT_ROUND_NEAREST_AWAY)
        CASE(FPFMT_ROUND_NEAREST_ZERO)
        CASE(FPFMT_ROUND_TOWARD_ZERO)
        CASE(FPFMT_ROUND_AWAY_FROM_ZERO)
        CASE(FPFMT_ROUND_UPWARD)
        CASE(FPFMT_ROUND_DOWNWARD)
        CASE(FPFMT_ROUND_TO_ODD)
    default:
        if (way == WAY_SHIFT)
            NAME(fast_loop)(c, WAY_SHIFT, FPFMT_ROUND_STOCHASTIC_A, carried, to, from, count, random);
    }
#undef CASE
}

static TARGET void NAME(shift_words)(const NAME(constants) *c, int mode, unsigned char *to,
                                     const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SHIFT, mode, false, to, from, count, random);
}

static TARGET void NAME(sum_words)(const NAME(constants) *c, int mode, unsigned char *to,
                                   const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SUM, mode, false, to, from, count, random);
}

static TARGET void NAME(shift_values)(const NAME(constants) *c, int mode, unsigned char *to,
                                      const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SHIFT, mode, true, to, from, count, random);
}

static TARGET void NAME(sum_values)(const NAME(constants) *c, int mode, unsigned char *to,
                                    const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, WAY_SUM, mode, true, to, from, count, random);
}

INLINE void NAME(store_words)(unsigned char *to, size_t bytes, const WORD words[NAME(BLOCK)])
{
    VEC it[4];
    memcpy(it, words, sizeof it);
    switch (bytes) {
    case 1: STORE_1(to, it[0], it[1], it[2], it[3]); break;
    case 2: STORE_2(to, it[0], it[1], it[2], it[3]); break;
    default: STORE_4(to, it[0], it[1], it[2], it[3]);
    }
}

#if WORD_BITS == 32
/* Nearest even to codes of one or two bytes, in one go. */
INLINE void fused_block(const constants_32 *c, int way, int patch, size_t bytes, unsigned char *to,
                        const unsigned char *from)
{
    const int mode = FPFMT_ROUND_NEAREST_EVEN;
    vec_32 it[4], none = SPLAT(0);
    memcpy(it, from, sizeof it);
    vec_32 a = fast_element_32(c, way, mode, patch, false, true, it[0], none);
    vec_32 b = fast_element_32(c, way, mode, patch, false, true, it[1], none);
    vec_32 d = fast_element_32(c, way, mode, patch, false, true, it[2], none);
    vec_32 e = fast_element_32(c, way, mode, patch, false, true, it[3], none);
    if (bytes == 1)
        STORE_1(to, a, b, d, e);
    else
        STORE_2(to, a, b, d, e);
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

/* What a fast way does not take is done by the loop. */
static TARGET void NAME(encode_fast)(const fpfmt_encoder *k, void *codes, const void *values,
                                     size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    if (k->way == WAY_LOOP || flags != NULL) {
        NAME(encode_loop)(k, codes, values, n, draw, flags);
        return;
    }
    unsigned saved = ENTER(k);
#if WORD_BITS == 32
    if (k->native != NATIVE_NONE) {
        encode_native(k, codes, values, n);
        LEAVE(k, saved);
        return;
    }
    if (k->decide == DECIDE_EVEN && k->patch != PATCH_ALL && k->bytes <= 2) {
        encode_fused(k, codes, values, n);
        LEAVE(k, saved);
        return;
    }
#endif
    const NAME(constants) c = NAME(spread)(k, false);
    const unsigned char *from = values;
    unsigned char *to = codes, narrow[TILE * sizeof(WORD)];
    WORD in[TILE], words[TILE];
    uint32_t random[TILE];
    size_t count, whole;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < TILE ? n - done : TILE;
        whole = NAME(load_words)(in, from, count);
        if (k->decide == DECIDE_CHANCE_32)
            draw_32(k, draw, draw->index + done, count, random);
        (k->way == WAY_SHIFT ? NAME(shift_words) : NAME(sum_words))(
            &c, k->rounding, (unsigned char *)words, (unsigned char *)in, whole, (WORD *)random);
        unsigned char *out = count % NAME(BLOCK) == 0 ? to : narrow;
        for (size_t i = 0; i < count; i += NAME(BLOCK))
            NAME(store_words)(out + i * k->bytes, k->bytes, words + i);
        if (out == narrow)
            memcpy(to, narrow, count * k->bytes);
        from += count * sizeof(WORD);
        to += count * k->bytes;
    }
    LEAVE(k, saved);
}

static TARGET void NAME(round_fast)(const fpfmt_encoder *k, void *rounded, const void *values,
                                    size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    if (k->way == WAY_LOOP || flags != NULL) {
        NAME(round_loop)(k, rounded, values, n, draw, flags);
        return;
    }
    const NAME(constants) c = NAME(spread)(k, true);
    const unsigned char *from = values;
    unsigned char *to = rounded;
    bool drawn = k->decide == DECIDE_CHANCE_32;
    WORD in[TILE];
    uint32_t random[TILE];
    size_t piece = drawn ? TILE : SIZE_MAX, count, whole;
    unsigned saved = ENTER(k);
    for (size_t done = 0; done < n; done += count) {
        const unsigned char *at = from;
        unsigned char *out = to;
        count = n - done < piece ? n - done : piece;
        whole = count - count % NAME(LANES);
        if (drawn)
            draw_32(k, draw, draw->index + done, count, random);
        if (whole == 0) {
            whole = NAME(load_words)(in, from, count);
            at = out = (unsigned char *)in;
        } else {
            count = whole;
        }
        (k->way == WAY_SHIFT ? NAME(shift_values)
                             : NAME(sum_values))(&c, k->rounding, out, at, whole, (WORD *)random);
        if (out != to)
            memcpy(to, out, count * sizeof(WORD));
        from += count * sizeof(WORD);
        to += count * sizeof(WORD);
    }
    LEAVE(k, saved);
}
