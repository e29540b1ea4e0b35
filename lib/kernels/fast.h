/* fast.h - elements that need not look at every rule of an encoder
 * SPDX-License-Identifier: MIT
 *
 * The element function shifts every magnitude by an amount of its own and looks at each rule of the
 * policy. Here a magnitude is first clamped to the ends of the range, which makes overflow,
 * infinity and NaN ordinary magnitudes, then cut by one of two ways that have no such shift, and
 * what the clamp has not settled is put in its place by mask.
 *
 * CUT_BY_SHIFT: where the format's smallest exponent is the carrier's, a step is always the same
 * number of low bits, also among subnormals. An integer addition carries into the step what goes
 * away, and a shift or a mask drops the bits below.
 *
 * CUT_BY_SUM: elsewhere a power of two is added whose last bit is a step of the format. The
 * processor's addition then rounds to a multiple of a step, to nearest even or toward zero; integer
 * comparisons of what came out with what went in make the other modes of that. The last bits of the
 * sum count steps: they are the code but for its exponent field. */

/* Included by vector sets, once per carrier, behind loops.h; end.h ends it. The set defines once,
 * for both carriers:
 *
 *   macro                takes               gives
 *   MASK                                     the type of what ABOVE, SAME and NEGATIVE find
 *   ABOVE(a, b)          words below TOP     a > b as integers; sets may compare as signed
 *   ABOVE_UNSIGNED(a, b) words               a > b; for 32 bits only
 *   SAME(a, b)           words               a == b
 *   NEGATIVE(x)          word                the sign bit is set
 *   ANY(m)               MASK                bool: one lane at least is set
 *   BOTH EITHER AND_NOT  two MASKs m, n      m & n; m | n; m & ~n
 *   CHOOSE(m, no, yes)   MASK, VECs          yes where m is set, else no
 *   PLUS_ONE(m, x)       MASK, word          x + 1 where m is set, else x
 *   MINUS_ONE(m, x)      MASK, word          x - 1 where m is set, else x
 *   OR_AND(a, b, c)      words               a | (b & c)
 *   MINIMUM MAXIMUM      two words below TOP the smaller, the larger as integers
 *   SHIFT_LEFT(x, n)     words, any n        x << n, and 0 from 32 on; for 32 bits only
 *   SHIFT_RIGHT(x, n)    words, any n        x >> n, and 0 from 32 on; for 32 bits only
 *   SUM(mode, a, b)      bits of floats      bits of a + b: toward zero if SUM_TRUNCATES and the
 *                                            mode is none of the three to nearest, else to nearest
 *                                            even
 *   SUM_TRUNCATES                            constant: whether SUM can round toward zero
 *   DIFFERENCE(a, b)     bits of floats      bits of a - b, which is exact wherever it is used
 *
 * SUM and DIFFERENCE work in whatever environment ENTER_CONVERSION (fast_arrays.h) leaves. Flushing
 * of subnormals cannot show: a subnormal carrier is less than half the smallest step, and vanishes
 * in any sum; of a difference that is flushed only whether it is half a step is asked, which no
 * subnormal is.
 *
 * fast_element is specialised by constants. Legal are
 *
 *   cut_method     mode                            fixup      carried  low_only  common
 *   CUT_BY_SHIFT   any without chance              FIXUP_ALL  any      false     as constants say
 *   CUT_BY_SUM     any without chance              FIXUP_ALL  any      false     as constants say
 *   both, 32 bits  STOCHASTIC_A for CHANCE_32      FIXUP_ALL  any      false     as constants say
 *   both, 32 bits  NEAREST_EVEN (direct.h)         FIXUP_NONE false    true      true
 *
 * and CUT_BY_SHIFT or CUT_BY_SUM must be the encoder's cut_method: encoder.c has the conditions. */

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

/* What stands in place of a result where it overflows, or where the input is infinite or NaN, for
 * positive and for negative inputs. */
typedef struct {
    VEC of[2];
    bool before_sign; /* the negative one differs by the sign bit alone: both are stored without it,
                       * and put in place before the input's sign is set in all results */
    bool alike;       /* both are stored as one word */
} NAME(replacement);

/* The constants of a call, spread over vectors; magnitudes are the carrier's, and results either
 * codes or, where carried, carrier bits. */
typedef struct {
    VEC clamp;                     /* larger magnitudes are replaced by it */
    VEC low;                       /* 2^emin */
    VEC raise;                     /* from the exponent of a magnitude to that of the power
                                    * that is added: extra_bits, in the exponent field */
    VEC base;                      /* biased_emin as the exponent field of a code */
    VEC half;                      /* CUT_BY_SHIFT: half a step, less one */
    VEC cut;                       /* CUT_BY_SHIFT: the bits of a magnitude in whole steps */
    VEC extra_bits, fraction_bits; /* of the encoder */
    VEC smallest;                  /* the smallest value, of cut_by_chance */
    VEC max[2];                    /* larger results overflow */
    VEC nan_keep;                  /* bits of a NaN's payload, at their place in the result */
    VEC sign_shift;                /* from the top of the word down to a code's sign */
    VEC sign_bit;                  /* of the result, 0 where it has none */
    NAME(replacement) over, infinity, nan;
    bool overflows, keeps_infinity; /* over and infinity are not what the clamp makes */
    bool zero_signed;               /* there is a -0 */
    bool common;                    /* finish_common serves */
} NAME(constants);

/* pair is the encoder's, for both signs; sign is the sign bit of results, 0 where they have none.
 */
INLINE NAME(replacement) NAME(replace)(const uint64_t pair[2], WORD sign)
{
    NAME(replacement) it;
    WORD positive = (WORD)pair[0], negative = (WORD)pair[1];
    it.before_sign = sign != 0 && (negative & sign) != 0 && (positive & sign) == 0;
    negative &= it.before_sign ? ~sign : (WORD)0 - 1;
    it.of[0] = SPLAT(positive);
    it.of[1] = SPLAT(negative);
    it.alike = positive == negative;
    return it;
}

/* The constants of an encoder, to codes or to carried values. */
INLINE NAME(constants) NAME(spread)(const fpfmt_encoder *k, bool carried)
{
    NAME(constants) c;
    WORD step = (WORD)1 << k->extra_bits, normal = (WORD)(k->biased_emin - 1) << FRACTION;
    WORD sign = carried ? TOP : (WORD)k->negate, max[2];
    const uint64_t *over = carried ? k->overflow_value : k->overflow_code;
    const uint64_t *infinity = carried ? k->infinity_value : k->infinity_code;
    for (int i = 0; i < 2; i++) {
        max[i] = (WORD)k->max[i];
        max[i] = carried && max[i] != 0 ? (max[i] << k->extra_bits) + normal : max[i];
        c.max[i] = SPLAT(max[i]);
    }
    c.over = NAME(replace)(over, sign);
    c.infinity = NAME(replace)(infinity, sign);
    c.nan = NAME(replace)(carried ? k->nan_value_set : k->nan_set, sign);
    c.zero_signed = k->negative_zero != 0;
    /* The clamp is one step past the largest value, so that what overflows is found above max; or
     * the largest value, where overflow of both signs gives just that. */
    c.overflows = !c.over.before_sign || !c.over.alike || (WORD)over[0] != max[0];
    c.clamp = SPLAT((WORD)k->past_max - (c.overflows ? 0 : step));
    /* Infinite inputs are clamped as all that overflows is, and need nothing more where they become
     * what overflow does; unless the range reaches so far that the clamp lies above them. */
    c.keeps_infinity = infinity[0] != over[0] || infinity[1] != over[1] || k->past_max > INFINITE;
    c.common = max[0] == max[1] && c.zero_signed && c.over.before_sign && c.infinity.before_sign &&
               c.infinity.alike && c.nan.alike && (c.over.alike || NAME(is_signed)(k->rounding));
    c.low = SPLAT((WORD)k->biased_emin << FRACTION);
    c.raise = SPLAT((WORD)k->extra_bits << FRACTION);
    c.base = SPLAT((WORD)k->biased_emin << k->fraction_bits);
    c.half = SPLAT(step / 2 - 1);
    c.cut = SPLAT((WORD)0 - step);
    c.extra_bits = OF(extra_bits);
    c.fraction_bits = OF(fraction_bits);
    c.smallest = SPLAT((WORD)(k->biased_emin - k->fraction_bits) << FRACTION);
    c.nan_keep = SPLAT(carried ? k->nan_value_keep : k->nan_keep);
    c.sign_shift = SPLAT((WORD)WORD_BITS - k->width);
    c.sign_bit = SPLAT(sign);
    return c;
}

/* CUT_BY_SHIFT: the code, or the value, without sign, of a magnitude a up to the clamp. What is
 * added carries into the step exactly where the mode goes away. With biased_emin 1 a code is the
 * magnitude without its extra bits. In STOCHASTIC_A random holds 32 bits of which the upper ones,
 * as many as the rest has, are added: what draw_32 left of the lower ones carries with nothing. */
INLINE VEC NAME(cut_by_shift)(const NAME(constants) * c, int mode, bool carried, VEC a,
                              MASK negative, VEC random)
{
    VEC odd = a >> c->extra_bits & SPLAT(1), most = ~c->cut, add = SPLAT(0);
    switch (mode) {
    case FPFMT_ROUND_NEAREST_EVEN: add = c->half + odd; break;
    case FPFMT_ROUND_NEAREST_AWAY: add = c->half + SPLAT(1); break;
    case FPFMT_ROUND_NEAREST_ZERO: add = c->half; break;
    case FPFMT_ROUND_AWAY_FROM_ZERO: add = most; break;
    case FPFMT_ROUND_UPWARD: add = CHOOSE(negative, most, add); break;
    case FPFMT_ROUND_DOWNWARD: add = CHOOSE(negative, add, most); break;
    case FPFMT_ROUND_TO_ODD: add = most & (odd - SPLAT(1)); break;
    case FPFMT_ROUND_STOCHASTIC_A: add = random >> (SPLAT((WORD)WORD_BITS) - c->extra_bits); break;
    default: break;
    }
    return carried ? (a + add) & c->cut : (a + add) >> c->extra_bits;
}

/* CUT_BY_SUM: the code, or the value, without sign, of a magnitude a up to the clamp, in modes
 * without chance. Let e be the exponent of a, or emin if that is larger. A step is 2^(e - m), with
 * m fraction bits, and the power that is added is 2^(e + extra_bits), whose last bit weighs just
 * that. As extra_bits is 1 at least, a is less than the power and the sum stays in its binade, or
 * is the next power, whose bits are one step more too. So sum is the power's bits and the number of
 * steps, and differences of sum, power and a are exact.
 *
 * Where the encoder says CUT_BY_SUM, half a step is a normal carrier even at emin, and the power is
 * finite even for the clamp: biased_emin >= m + 2, and the clamp's exponent field + extra_bits is
 * less than that of infinity (encoder.c).
 *
 * SUM rounds to nearest even, or truncates; each mode then corrects the count by one where SUM went
 * the other way. At least one fraction bit makes the parity of steps that of codes.
 *
 * With low_only, only NEAREST_EVEN, raise has minus base in its low bits and so has the sum: the
 * code stands in as many low bits of the result, and what stands above does not count. base is
 * even, so that ties still go to the even code, and too small to leave the binade. */
INLINE VEC NAME(cut_by_sum)(const NAME(constants) * c, int mode, bool carried, bool low_only, VEC a,
                            MASK negative)
{
    VEC exponent = MAXIMUM(a, c->low) & SPLAT(INFINITE), power = exponent + c->raise;
    VEC sum = SUM(mode, a, power), back = DIFFERENCE(sum, power);
    VEC half = exponent - ((SPLAT(FRACTION + 1) << FRACTION) - c->raise); /* a step's: 2^(e-m-1) */
    switch (mode) {
    case FPFMT_ROUND_NEAREST_AWAY: sum = PLUS_ONE(SAME(DIFFERENCE(a, back), half), sum); break;
    case FPFMT_ROUND_NEAREST_ZERO: sum = MINUS_ONE(SAME(DIFFERENCE(back, a), half), sum); break;
    case FPFMT_ROUND_TOWARD_ZERO:
        if (!SUM_TRUNCATES)
            sum = MINUS_ONE(ABOVE(back, a), sum);
        break;
    case FPFMT_ROUND_AWAY_FROM_ZERO: sum = PLUS_ONE(ABOVE(a, back), sum); break;
    case FPFMT_ROUND_UPWARD:
        sum = PLUS_ONE(AND_NOT(ABOVE(a, back), negative), sum);
        if (!SUM_TRUNCATES)
            sum = MINUS_ONE(BOTH(ABOVE(back, a), negative), sum);
        break;
    case FPFMT_ROUND_DOWNWARD:
        sum = PLUS_ONE(BOTH(ABOVE(a, back), negative), sum);
        if (!SUM_TRUNCATES)
            sum = MINUS_ONE(AND_NOT(ABOVE(back, a), negative), sum);
        break;
    case FPFMT_ROUND_TO_ODD: {
        VEC down = SUM_TRUNCATES ? sum : MINUS_ONE(ABOVE(back, a), sum);
        sum = CHOOSE(SAME(back, a), down | SPLAT(1), down);
        break;
    }
    default: break;
    }
    if (carried)
        return DIFFERENCE(sum, power);
    return (low_only ? sum : sum - power - c->base) + (exponent >> c->extra_bits);
}

#if WORD_BITS == 32
/* CUT_BY_SUM by chance, for DECIDE_CHANCE_32: the magnitude goes away where the first 32 bits of
 * the rest and random carry. It shifts by the element, as the element function does, but looks at
 * no other rule. Both shifts that make chance of the rest give 0 where their amount leaves the
 * word, so that one of them serves any rest. */
INLINE vec_32 cut_by_chance(const constants_32 *c, bool carried, vec_32 a, vec_32 random)
{
    const vec_32 none = SPLAT(0), one = SPLAT(1), all = SPLAT(32);
    vec_32 field = a >> FRACTION, exponent = MAXIMUM(field, one);
    vec_32 hidden = CHOOSE(SAME(field, none), SPLAT(HIDDEN), none);
    vec_32 significand = (a & SPLAT(HIDDEN - 1)) | hidden;
    vec_32 first = c->low >> FRACTION, place = MAXIMUM(exponent, first);
    vec_32 shift = place - exponent + c->extra_bits;
    vec_32 kept = SHIFT_RIGHT(significand, shift);
    vec_32 chance = SHIFT_LEFT(significand, all - shift) | SHIFT_RIGHT(significand, shift - all);
    MASK away = ABOVE_UNSIGNED(random, chance + random);
    if (!carried)
        return PLUS_ONE(away, SHIFT_LEFT(place - first, c->fraction_bits) + kept);
    vec_32 value = ((exponent - one) << FRACTION) + SHIFT_LEFT(PLUS_ONE(away, kept), shift);
    return CHOOSE(SAME(kept, none), value, CHOOSE(away, none, c->smallest));
}
#endif

/* From a result without sign to the output, where c->common holds: the largest magnitude is that of
 * both signs, there is a -0, and overflow and infinity give the same code but for the sign, or in
 * directed modes overflow one for each sign. All of that is put in place before the sign, which
 * then takes one operation for all. x is the input, a its magnitude before the clamp. */
INLINE VEC NAME(finish_common)(const NAME(constants) * c, int mode, bool carried, VEC x, VEC a,
                               VEC result, MASK negative)
{
    VEC payload = carried ? a : a >> c->extra_bits;
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
    if (c->nan.before_sign)
        result = CHOOSE(nan, result, quiet);
    result = OR_AND(result, carried ? x : x >> c->sign_shift, c->sign_bit);
    return c->nan.before_sign ? result : CHOOSE(nan, result, quiet);
}

/* From a result without sign to the output in every other case, as unsigned formats, formats
 * without -0, and policies that treat the signs differently. */
INLINE VEC NAME(finish)(const NAME(constants) * c, bool carried, VEC x, VEC a, VEC result,
                        MASK negative)
{
    VEC sign = (carried ? x : x >> c->sign_shift) & c->sign_bit;
    VEC payload = (carried ? a : a >> c->extra_bits) & c->nan_keep;
    MASK over = ABOVE(result, CHOOSE(negative, c->max[0], c->max[1]));
    MASK infinite = SAME(a, SPLAT(INFINITE)), nan = ABOVE(a, SPLAT(INFINITE));
    VEC quiet = payload | CHOOSE(negative, c->nan.of[0], c->nan.of[1]);
    VEC signs = c->zero_signed ? sign : CHOOSE(ABOVE(result, SPLAT(0)), SPLAT(0), sign);
    VEC overflowed = CHOOSE(negative, c->over.of[0], c->over.of[1]);
    result = CHOOSE(over, result | signs, overflowed | (c->over.before_sign ? sign : SPLAT(0)));
    VEC infinity = CHOOSE(negative, c->infinity.of[0], c->infinity.of[1]);
    result = CHOOSE(infinite, result, infinity | (c->infinity.before_sign ? sign : SPLAT(0)));
    return CHOOSE(nan, result, quiet | (c->nan.before_sign ? sign : SPLAT(0)));
}

/* One vector of inputs to codes or carried values; the table on top tells which constants may come
 * together. random is read in STOCHASTIC_A only, which stands for both modes of DECIDE_CHANCE_32.
 */
INLINE VEC NAME(fast_element)(const NAME(constants) * c, int cut_method, int mode, int fixup,
                              bool carried, bool low_only, bool common, VEC x, VEC random)
{
    VEC a = x & SPLAT(TOP - 1), clamped = MINIMUM(a, c->clamp), result;
    MASK negative = NEGATIVE(x);
    if (cut_method == CUT_BY_SHIFT)
        result = NAME(cut_by_shift)(c, mode, carried, clamped, negative, random);
#if WORD_BITS == 32
    else if (mode == FPFMT_ROUND_STOCHASTIC_A)
        result = cut_by_chance(c, carried, clamped, random);
#endif
    else
        result = NAME(cut_by_sum)(c, mode, carried, low_only, clamped, negative);
    if (fixup != FIXUP_ALL)
        return OR_AND(result, x >> c->sign_shift, c->sign_bit);
    return common ? NAME(finish_common)(c, mode, carried, x, a, result, negative)
                  : NAME(finish)(c, carried, x, a, result, negative);
}
