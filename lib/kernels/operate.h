/* operate.h - arithmetic on vectors of carried values
 * SPDX-License-Identifier: MIT
 *
 * Results are rounded to odd, so that one more rounding, to a format of at least two bits less, is
 * as if it were the only one: Boldo and Melquiond, "Emulation of FMA and correctly rounded sums:
 * proved algorithms using rounding to odd", IEEE Transactions on Computers 57, 2008. No processor
 * rounds to odd. Of the results rounded down and up the odd one is taken: they are neighbours, and
 * one of them is odd, if anything was lost; where nothing was lost they agree. */

/* Included by vector sets, once per carrier, behind fast_arrays.h. The set defines, once for both
 * carriers,
 *
 *   macro                    takes, gives
 *   ROUNDED(name, d, ...)    VEC: the intrinsic of the set's vectors whose name has add, sub, mul,
 *                            div, sqrt or fmadd in it, of R(...) operands, rounded in direction d
 *   DIRECTION_NEAREST _DOWN _UP   constants: to nearest even, toward minus and plus infinity
 *   DIRECTION_IS_STATE       constant: true if the environment says how ROUNDED rounds, which then
 *                            does not read d; false if the instruction does
 *   SET_DIRECTION(d)         makes the environment round so, if it is the one to say; what is read
 *                            or written in memory before stays before, and after after
 *   ENTER_ARITHMETIC()       makes subnormals count and traps impossible; gives the unsigned that
 *                            LEAVE_ARITHMETIC wants
 *   LEAVE_ARITHMETIC(saved)  puts the environment back, flags included
 *   ODD(x)                   MASK: the lowest bit is set
 *   BITS(mask)               unsigned: bit i for lane i of a MASK
 *
 * and what fast.h asks for. operate_32 and operate_64 are made, fpfmt_operate_kernels. */

/* The vector of an array's elements from i on. */
INLINE VEC NAME(load)(const unsigned char *from, size_t i)
{
    VEC x;
    memcpy(&x, from + i * sizeof(WORD), sizeof x);
    return x;
}

/* One operation; operation and direction are constants of the caller. */
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

/* The result rounded to odd, out of those rounded in two directions. An exact zero sum is +0
 * rounded up and -0 rounded down, IEEE 754-2019 6.3, and neither is odd: first decides which sign
 * it has. Of an overflow one is infinite, the other the largest value, which is odd. */
INLINE VEC NAME(odd_of)(VEC first, VEC second)
{
    return CHOOSE(ODD(second), first, second);
}

/* Notes which lanes, of elements from i on, are infinite, NaN, or the largest value, which is what
 * overflow is rounded to. Returns how many places are noted then; found is how many were. */
INLINE size_t NAME(note)(uint16_t *special, size_t found, size_t i, VEC x)
{
    MASK is = ABOVE(x & SPLAT(TOP - 1), SPLAT(INFINITE - 2));
    if (ANY(is))
        for (unsigned bits = BITS(is), lane = 0; bits >> lane != 0; lane++)
            if (bits >> lane & 1)
                special[found++] = (uint16_t)(i + lane);
    return found;
}

/* An array of whole vectors; operation and how are constants of the caller. Where the direction is
 * state, to change it takes as long as several operations, so that the whole array is computed in
 * the second direction first, into the output, and then in the first one. Operands that are not
 * taken are not read. */
INLINE size_t NAME(operate_loop)(int operation, int how, unsigned char *to, uint16_t *special,
                                 const unsigned char *a, const unsigned char *b,
                                 const unsigned char *c, size_t n)
{
    const bool down = how == OPERATE_DOWNWARD, near = how == OPERATE_NEAREST;
    const bool one = operation == FPFMT_OPERATION_SQRT, three = operation == FPFMT_OPERATION_FMA;
    const int first = near ? DIRECTION_NEAREST : down ? DIRECTION_DOWN : DIRECTION_UP;
    const int second = down ? DIRECTION_UP : DIRECTION_DOWN;
    size_t found = 0;
    if (DIRECTION_IS_STATE && !near) {
        SET_DIRECTION(second);
        for (size_t i = 0; i < n; i += NAME(LANES)) {
            VEC x = NAME(load)(a, i), y = one ? x : NAME(load)(b, i);
            VEC z = three ? NAME(load)(c, i) : x, sum = NAME(apply)(operation, second, x, y, z);
            memcpy(to + i * sizeof(WORD), &sum, sizeof sum);
        }
    }
    SET_DIRECTION(first);
    for (size_t i = 0; i < n; i += NAME(LANES)) {
        VEC x = NAME(load)(a, i), y = one ? x : NAME(load)(b, i);
        VEC z = three ? NAME(load)(c, i) : x, sum = NAME(apply)(operation, first, x, y, z);
        if (!near)
            sum = NAME(odd_of)(sum, DIRECTION_IS_STATE ? NAME(load)(to, i)
                                                       : NAME(apply)(operation, second, x, y, z));
        found = NAME(note)(special, found, i, sum);
        memcpy(to + i * sizeof(WORD), &sum, sizeof sum);
    }
    return found;
}

/* operate_loop with operation and how as constants. VARIANT numbers them: how, below 4, takes two
 * bits and the operation those above. 0 places, and nothing done, for other operations. */
static TARGET size_t NAME(operate_vectors)(int operation, int how, unsigned char *to,
                                           uint16_t *special, const unsigned char *a,
                                           const unsigned char *b, const unsigned char *c, size_t n)
{
#define VARIANT(operation, how) (4 * (operation) + (how))
#define CASE(operation, how)                                                                       \
    case VARIANT(operation, how):                                                                  \
        return NAME(operate_loop)(operation, how, to, special, a, b, c, n);
#define CASES(operation)                                                                           \
    CASE(operation, OPERATE_UPWARD)                                                                \
    CASE(operation, OPERATE_DOWNWARD)                                                              \
    CASE(operation, OPERATE_NEAREST)
    switch (VARIANT(operation, how)) {
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
#undef VARIANT
}

/* The kernel: whole vectors where they lie, and what is left of less than one by way of three
 * vectors of ones with the last operands in front. With ones no operation gives a result to be
 * noted, so that places behind the last element need no mask. */
static TARGET size_t NAME(operate)(int operation, int how, void *values, uint16_t *special,
                                   const void *a, const void *b, const void *c, size_t n)
{
    const void *operands[3] = { a, b, c };
    size_t whole = n - n % NAME(LANES), rest = (n - whole) * sizeof(WORD);
    unsigned char *to = values;
    VEC in[3], out;
    unsigned saved = ENTER_ARITHMETIC();
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
    LEAVE_ARITHMETIC(saved);
    return found;
}
