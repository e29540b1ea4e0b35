/* operate.h - arithmetic on vectors of carried values
 * SPDX-License-Identifier: MIT
 *
 * Included by vector sets, once per carrier, after fast_arrays.h. Results are rounded to odd, so
 * that one more rounding, to a format of at least two bits less, is as if it were the only one:
 * Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008. Of the results rounded
 * down and up the odd one is taken; where they agree nothing was lost.
 *
 * The set defines APPLY (operation, direction, three vectors), TURN, which makes the environment
 * round in a direction if APPLY goes by that, as TURNS says, SETTLE and RETURN around all that, the
 * mask ODD of vectors, and BITS of a MASK as an integer. */

INLINE VEC NAME(load)(const unsigned char *from, size_t i)
{
    VEC x;
    memcpy(&x, from + i * sizeof(WORD), sizeof x);
    return x;
}

INLINE VEC NAME(apply)(int operation, int direction, VEC a, VEC b, VEC c)
{
    switch (operation) {
    case FPFMT_OPERATION_ADD: return ROUNDED(add, direction, R(a), R(b));
    case FPFMT_OPERATION_SUBTRACT: return ROUNDED(sub, direction, R(a), R(b));
    case FPFMT_OPERATION_MULTIPLY: return ROUNDED(mul, direction, R(a), R(b));
    case FPFMT_OPERATION_DIVIDE: return ROUNDED(div, direction, R(a), R(b));
    case FPFMT_OPERATION_SQRT: return ROUNDED(sqrt, direction, R(a));
    default: return ROUNDED(fmadd, direction, R(a), R(b), R(c));
    }
}

/* Of the results for an exact zero, +0 comes from rounding up, -0 from rounding down. */
INLINE VEC NAME(odd_of)(VEC first, VEC second)
{
    return CHOOSE(ODD(second), first, second);
}

/* Notes which lanes are infinite, NaN, or the largest value: that is what overflow is rounded to.
 */
INLINE size_t NAME(note)(uint16_t *special, size_t found, size_t i, VEC x)
{
    MASK is = ABOVE(x & SPLAT(TOP - 1), SPLAT(INFINITE - 2));
    if (ANY(is))
        for (unsigned bits = BITS(is), lane = 0; bits >> lane != 0; lane++)
            if (bits >> lane & 1)
                special[found++] = (uint16_t)(i + lane);
    return found;
}

/* Whole vectors. */
INLINE size_t NAME(operate_loop)(int operation, int how, unsigned char *to, uint16_t *special,
                                 const unsigned char *a, const unsigned char *b,
                                 const unsigned char *c, size_t n)
{
    const bool down = how == OPERATE_DOWNWARD, near = how == OPERATE_NEAREST;
    const bool one = operation == FPFMT_OPERATION_SQRT, three = operation == FPFMT_OPERATION_FMA;
    const int first = near ? DIRECTION_NEAREST : down ? DIRECTION_DOWN : DIRECTION_UP;
    const int second = down ? DIRECTION_UP : DIRECTION_DOWN;
    size_t found = 0;
    if (TURNS && !near) {
        TURN(second);
        for (size_t i = 0; i < n; i += NAME(LANES)) {
            VEC x = NAME(load)(a, i), y = one ? x : NAME(load)(b, i);
            VEC z = three ? NAME(load)(c, i) : x, sum = NAME(apply)(operation, second, x, y, z);
            memcpy(to + i * sizeof(WORD), &sum, sizeof sum);
        }
    }
    TURN(first);
    for (size_t i = 0; i < n; i += NAME(LANES)) {
        VEC x = NAME(load)(a, i), y = one ? x : NAME(load)(b, i);
        VEC z = three ? NAME(load)(c, i) : x, sum = NAME(apply)(operation, first, x, y, z);
        if (!near)
            sum = NAME(odd_of)(sum, TURNS ? NAME(load)(to, i) : NAME(apply)(operation, second, x, y, z));
        found = NAME(note)(special, found, i, sum);
        memcpy(to + i * sizeof(WORD), &sum, sizeof sum);
    }
    return found;
}

/* Specialised by operation and direction. */
static TARGET size_t NAME(operate_vectors)(int operation, int how, unsigned char *to,
                                           uint16_t *special, const unsigned char *a,
                                           const unsigned char *b, const unsigned char *c, size_t n)
{
#define CASE(operation, how)                                                                       \
    case 4 * (operation) + (how):                                                                  \
        return NAME(operate_loop)(operation, how, to, special, a, b, c, n);
#define CASES(operation)                                                                           \
    CASE(operation, OPERATE_UPWARD)                                                                \
    CASE(operation, OPERATE_DOWNWARD)                                                              \
    CASE(operation, OPERATE_NEAREST)
    switch (4 * operation + how) {
        CASES(FPFMT_OPERATION_ADD)
        CASES(FPFMT_OPERATION_SUBTRACT)
        CASES(FPFMT_OPERATION_MULTIPLY)
        CASES(FPFMT_OPERATION_DIVIDE)
        CASES(FPFMT_OPERATION_SQRT)
        CASES(FPFMT_OPERATION_FMA)
    default: return 0;
    }
#undef CASES
#undef CASE
}

static TARGET size_t NAME(operate)(int operation, int how, void *values, uint16_t *special,
                                   const void *a, const void *b, const void *c, size_t n)
{
    const void *operands[3] = { a, b, c };
    size_t whole = n - n % NAME(LANES), rest = (n - whole) * sizeof(WORD);
    unsigned char *to = values;
    VEC in[3], out;
    unsigned saved = SETTLE();
    size_t found = NAME(operate_vectors)(operation, how, to, special, a, b, c, whole);
    if (rest > 0) {
        for (int i = 0; i < 3; i++) {
            in[i] = (VEC)((NAME(real)){ 0 } + 1);
            if (operands[i] != NULL)
                memcpy(&in[i], (const unsigned char *)operands[i] + whole * sizeof(WORD), rest);
        }
        size_t more = NAME(operate_vectors)(operation, how, (unsigned char *)&out, special + found,
                                            (unsigned char *)&in[0], (unsigned char *)&in[1],
                                            (unsigned char *)&in[2], NAME(LANES));
        for (size_t i = 0; i < more; i++)
            special[found + i] = (uint16_t)(special[found + i] + whole);
        found += more;
        memcpy(to + whole * sizeof(WORD), &out, rest);
    }
    RETURN(saved);
    return found;
}
