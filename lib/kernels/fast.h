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

_Static_assert(FPFMT_ROUND_COUNT == 13,
               "give the new rounding mode its case in cut_by_shift and in cut_by_sum, and see "
               "whether it is_nearest or is_signed");

/* Does it go to the nearer neighbour? A set that adds toward zero does not, for these modes. */
INLINE bool NAME(is_nearest)(int mode)
{
    return mode == FPFMT_ROUND_NEAREST_EVEN || mode == FPFMT_ROUND_NEAREST_AWAY ||
           mode == FPFMT_ROUND_NEAREST_ZERO;
}

/* Do results, and what overflows, differ by the sign? */
INLINE bool NAME(is_signed)(int mode)
{
    return mode == FPFMT_ROUND_UPWARD || mode == FPFMT_ROUND_DOWNWARD;
}

/* What stands in place of a result, for positive and for negative inputs. Early, the two differ
 * from it as others do, by the sign, which comes after it; they are without it then. */
typedef struct {
    VEC of[2];
    bool early, same;
} NAME(replacement);

/* The constants of a call, spread over vectors. */
typedef struct {
    VEC limit, low, raise, base, half, cut, drop, fraction_bits, smallest;
    VEC max[2], nan_keep, sign_shift, sign_bit;
    NAME(replacement) over, infinity, nan;
    bool overflows, keeps_infinity, zero_signed; /* what is to be done at all */
    bool common; /* but for NaN all are early, and but for overflow the same for both signs */
} NAME(constants);

INLINE NAME(replacement) NAME(replace)(const uint64_t pair[2], WORD sign)
{
    NAME(replacement) it;
    WORD positive = (WORD)pair[0], negative = (WORD)pair[1];
    it.early = sign != 0 && (negative & sign) != 0 && (positive & sign) == 0;
    negative &= it.early ? ~sign : (WORD)0 - 1;
    it.of[0] = SPLAT(positive);
    it.of[1] = SPLAT(negative);
    it.same = positive == negative;
    return it;
}

INLINE NAME(constants) NAME(spread)(const fpfmt_encoder *k, bool carried)
{
    NAME(constants) c;
    WORD step = (WORD)1 << k->drop, normal = (WORD)(k->first - 1) << FRACTION;
    WORD sign = carried ? TOP : (WORD)k->negate, max[2];
    const uint64_t *over = carried ? k->over_value : k->over;
    const uint64_t *infinity = carried ? k->infinity_value : k->infinity;
    for (int i = 0; i < 2; i++) {
        max[i] = (WORD)k->max[i];
        max[i] = carried && max[i] != 0 ? (max[i] << k->drop) + normal : max[i];
        c.max[i] = SPLAT(max[i]);
    }
    c.over = NAME(replace)(over, sign);
    c.infinity = NAME(replace)(infinity, sign);
    c.nan = NAME(replace)(carried ? k->nan_value_set : k->nan_set, sign);
    c.zero_signed = k->negative_zero != 0;
    /* Where overflow gives the largest value, the limit does that. */
    c.overflows = !c.over.early || !c.over.same || (WORD)over[0] != max[0];
    c.limit = SPLAT((WORD)k->next - (c.overflows ? 0 : step));
    c.keeps_infinity = infinity[0] != over[0] || infinity[1] != over[1] || k->next > INFINITE;
    c.common = max[0] == max[1] && c.zero_signed && c.over.early && c.infinity.early &&
               c.infinity.same && c.nan.same && (c.over.same || NAME(is_signed)(k->rounding));
    c.low = SPLAT((WORD)k->first << FRACTION);
    c.raise = SPLAT((WORD)k->drop << FRACTION);
    c.base = SPLAT((WORD)k->first << k->fraction_bits);
    c.half = SPLAT(step / 2 - 1);
    c.cut = SPLAT((WORD)0 - step);
    c.drop = OF(drop);
    c.fraction_bits = OF(fraction_bits);
    c.smallest = SPLAT((WORD)(k->first - k->fraction_bits) << FRACTION);
    c.nan_keep = SPLAT(carried ? k->nan_value_keep : k->nan_keep);
    c.sign_shift = SPLAT((WORD)WORD_BITS - k->width);
    c.sign_bit = SPLAT(sign);
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
        if (!SUM_TRUNCATES)
            sum = FEWER(BOTH(ABOVE(back, a), negative), sum);
        break;
    case FPFMT_ROUND_DOWNWARD:
        sum = MORE(BOTH(ABOVE(a, back), negative), sum);
        if (!SUM_TRUNCATES)
            sum = FEWER(BUT_NOT(ABOVE(back, a), negative), sum);
        break;
    case FPFMT_ROUND_TO_ODD: {
        VEC down = SUM_TRUNCATES ? sum : FEWER(ABOVE(back, a), sum);
        sum = CHOOSE(SAME(back, a), down | SPLAT(1), down);
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

/* The sign, and what the policy makes of overflow and of specials, in the common case. */
INLINE VEC NAME(finish_common)(const NAME(constants) * c, int mode, bool carried, VEC x, VEC a,
                               VEC result, MASK negative)
{
    VEC payload = carried ? a : a >> c->drop;
    if (c->overflows) {
        VEC over = c->over.of[0];
        if (NAME(is_signed)(mode))
            over = CHOOSE(negative, c->over.of[0], c->over.of[1]);
        result = CHOOSE(ABOVE(result, c->max[0]), result, over);
    }
    if (c->keeps_infinity)
        result = CHOOSE(SAME(a, SPLAT(INFINITE)), result, c->infinity.of[0]);
    VEC quiet = OR_AND(c->nan.of[0], payload, c->nan_keep);
    MASK nan = ABOVE(a, SPLAT(INFINITE));
    if (c->nan.early)
        result = CHOOSE(nan, result, quiet);
    result = OR_AND(result, carried ? x : x >> c->sign_shift, c->sign_bit);
    return c->nan.early ? result : CHOOSE(nan, result, quiet);
}

/* The same in all cases. */
INLINE VEC NAME(finish)(const NAME(constants) * c, bool carried, VEC x, VEC a, VEC result,
                        MASK negative)
{
    VEC sign = (carried ? x : x >> c->sign_shift) & c->sign_bit;
    VEC payload = (carried ? a : a >> c->drop) & c->nan_keep;
    MASK over = ABOVE(result, CHOOSE(negative, c->max[0], c->max[1]));
    MASK infinite = SAME(a, SPLAT(INFINITE)), nan = ABOVE(a, SPLAT(INFINITE));
    VEC quiet = payload | CHOOSE(negative, c->nan.of[0], c->nan.of[1]);
    VEC signs = c->zero_signed ? sign : CHOOSE(ABOVE(result, SPLAT(0)), SPLAT(0), sign);
    VEC overflowed = CHOOSE(negative, c->over.of[0], c->over.of[1]);
    result = CHOOSE(over, result | signs, overflowed | (c->over.early ? sign : SPLAT(0)));
    VEC infinity = CHOOSE(negative, c->infinity.of[0], c->infinity.of[1]);
    result = CHOOSE(infinite, result, infinity | (c->infinity.early ? sign : SPLAT(0)));
    return CHOOSE(nan, result, quiet | (c->nan.early ? sign : SPLAT(0)));
}

INLINE VEC NAME(fast_element)(const NAME(constants) * c, int way, int mode, int patch, bool carried,
                              bool low_only, bool common, VEC x, VEC random)
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
    if (patch != PATCH_ALL)
        return OR_AND(result, x >> c->sign_shift, c->sign_bit);
    return common ? NAME(finish_common)(c, mode, carried, x, a, result, negative)
                  : NAME(finish)(c, carried, x, a, result, negative);
}
