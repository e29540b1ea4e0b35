/* fast.h - elements that need not look at every rule of an encoder
 * SPDX-License-Identifier: MIT
 *
 * Included by vector sets, once per carrier, after loops.h. Two ways lead from a magnitude to one
 * of the format. Where both have the same smallest exponent, bits are cut by an integer addition
 * and a shift. Elsewhere a power of two is added whose last bit is a step of the format, so that
 * the processor's addition rounds to nearest even; integer comparisons of what came out with what
 * went in make the other modes of that. The environment cannot show: what is subnormal is less than
 * half a step, and vanishes in the sum anyhow.
 *
 * The set defines, on its vectors of WORD, the type MASK of what ABOVE, SAME and NEGATIVE find, and
 * ANY, BOTH, EITHER and BUT_NOT of masks; CHOOSE (mask, no, yes), MORE and FEWER (by one, where the
 * mask says), OR_AND (a | (b & c)), MINIMUM, MAXIMUM, SUM (by mode) and TAKE of floats, and for 32
 * bits UP and DOWN, which shift by any number. */

/* The constants of a call, spread over vectors. Pairs are for the two signs. */
typedef struct {
    VEC limit, low, raise, base, half, cut;
    VEC max[2], over[2], infinity[2], nan[2], nan_keep, sign_bit;
    MASK zero_sign;
    bool alike, keeps_infinity; /* the signs differ in nothing else; infinity is not as overflow */
    VEC drop, sign_shift, nan_shift, fraction_bits, smallest;
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
    c.drop = OF(drop);
    c.fraction_bits = OF(fraction_bits);
    c.smallest = SPLAT((WORD)(k->first - k->fraction_bits) << FRACTION);
    c.sign_shift = SPLAT((WORD)WORD_BITS - k->width);
    c.nan_shift = carried ? SPLAT(0) : c.drop;
    WORD sign = carried ? TOP : (WORD)k->negate;
    c.alike = k->negative_zero != 0 && (WORD)over[1] == ((WORD)over[0] | sign) &&
              (WORD)infinity[1] == ((WORD)infinity[0] | sign) &&
              (WORD)nan[1] == ((WORD)nan[0] | sign) && k->max[0] == k->max[1];
    c.keeps_infinity = infinity[0] != over[0] || k->next > INFINITE;
    return c;
}

/* The code or the value, without sign, of a magnitude up to the limit. */
INLINE VEC NAME(cut_by_shift)(const NAME(constants) * c, int mode, bool carried, VEC a,
                              MASK negative, VEC random)
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
    case FPFMT_ROUND_STOCHASTIC_A: add = random >> (SPLAT((WORD)WORD_BITS) - c->drop); break;
    default: break;
    }
    return carried ? (a + add) & c->cut : (a + add) >> c->drop;
}

/* The same where a float addition does it. With low_only, raise has minus base in its low bits, and
 * so has the sum: the code stands in those of the result that are stored. */
INLINE VEC NAME(cut_by_sum)(const NAME(constants) * c, int mode, bool carried, bool low_only, VEC a,
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

#if WORD_BITS == 32
/* The same by chance: where the first 32 bits of the rest and as many random ones carry. */
INLINE vec_32 cut_by_chance(const constants_32 *c, bool carried, vec_32 a, vec_32 random)
{
    const vec_32 none = SPLAT(0), one = SPLAT(1), all = SPLAT(32);
    vec_32 field = a >> FRACTION, exponent = MAXIMUM(field, one);
    vec_32 hidden = CHOOSE(SAME(field, none), SPLAT(HIDDEN), none);
    vec_32 significand = (a & SPLAT(HIDDEN - 1)) | hidden;
    vec_32 first = c->low >> FRACTION, place = MAXIMUM(exponent, first);
    vec_32 shift = place - exponent + c->drop;
    vec_32 kept = DOWN(significand, shift);
    vec_32 chance = UP(significand, all - shift) | DOWN(significand, shift - all);
    MASK away = ABOVE_UNSIGNED(random, chance + random);
    if (!carried)
        return MORE(away, UP(place - first, c->fraction_bits) + kept);
    vec_32 value = ((exponent - one) << FRACTION) + UP(MORE(away, kept), shift);
    return CHOOSE(SAME(kept, none), value, CHOOSE(away, none, c->smallest));
}
#endif

/* The sign, and what the policy makes of overflow and of specials: whatever each sign has. */
INLINE VEC NAME(finish_each)(const NAME(constants) * c, VEC a, VEC result, VEC sign, MASK negative)
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
INLINE VEC NAME(finish_alike)(const NAME(constants) * c, VEC a, VEC result)
{
    result = CHOOSE(ABOVE(result, c->max[0]), result, c->over[0]);
    if (c->keeps_infinity)
        result = CHOOSE(SAME(a, SPLAT(INFINITE)), result, c->infinity[0]);
    VEC nan = OR_AND(c->nan[0], a >> c->nan_shift, c->nan_keep);
    return CHOOSE(ABOVE(a, SPLAT(INFINITE)), result, nan);
}

INLINE VEC NAME(finish)(const NAME(constants) * c, int patch, bool carried, VEC x, VEC a,
                        VEC result, MASK negative)
{
    VEC sign = carried ? x : x >> c->sign_shift;
    if (patch != PATCH_ALL)
        return OR_AND(result, sign, c->sign_bit);
    if (c->alike)
        return OR_AND(NAME(finish_alike)(c, a, result), sign, c->sign_bit);
    return NAME(finish_each)(c, a, result, sign & c->sign_bit, negative);
}

INLINE VEC NAME(fast_element)(const NAME(constants) * c, int way, int mode, int patch, bool carried,
                              bool low_only, VEC x, VEC random)
{
    VEC a = x & SPLAT(TOP - 1), clamped = MINIMUM(a, c->limit), result;
    MASK negative = NEGATIVE(x);
    if (way == WAY_SHIFT)
        result = NAME(cut_by_shift)(c, mode, carried, clamped, negative, random);
#if WORD_BITS == 32
    else if (mode == FPFMT_ROUND_STOCHASTIC_A)
        result = cut_by_chance(c, carried, clamped, random);
#endif
    else
        result = NAME(cut_by_sum)(c, mode, carried, low_only, clamped, negative);
    return NAME(finish)(c, patch, carried, x, a, result, negative);
}
