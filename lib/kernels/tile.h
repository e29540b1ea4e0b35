/* tile.h - a tile of a matrix product, its sums in registers
 * SPDX-License-Identifier: MIT
 *
 * A step of k takes one row of B, two vectors, and of each row of A one factor for all lanes: with
 * ROWS rows there are 2 ROWS independent sums to hide the time that an fma takes. All sums, the two
 * vectors and the factor must be in registers at once, which is what bounds ROWS. */

/* Included by vector sets behind operate.h, for 32 bits. Besides what operate.h asks for, the set
 * defines
 *
 *   name                   takes, gives
 *   ROWS                   constant: rows of a tile, at most TILE_ROWS; 2 ROWS + 3 vectors are held
 *   ROWS_AT_A_TIME         constant, a divisor of ROWS: rows that are done at a time where sums are
 *                          rounded, which takes registers of its own
 *   EACH_ROW(DO)           DO(0) DO(1) and so on, ROWS of them
 *   SOME_ROWS(DO)          DO(0) and so on, ROWS_AT_A_TIME of them
 *   STEP(step, a, b, sum)  VEC: a x b + sum to nearest even, and with STEP_HALF or STEP_BFLOAT that
 *                          rounded, as if once, to binary16 or bfloat16; step is a constant
 *
 * A row's sums are variables with its number in their names, made by macros: compilers do not keep
 * an array in registers. tile_32 is made, an fpfmt_tile_kernel of ROWS by 2 LANES_32. */

INLINE void store_at(float *to, VEC x)
{
    memcpy(to, &x, sizeof x);
}

INLINE VEC load_at(const float *from)
{
    VEC x;
    memcpy(&x, from, sizeof x);
    return x;
}

INLINE MASK is_nan(VEC x)
{
    return ABOVE(x & SPLAT(TOP - 1), SPLAT(INFINITE));
}

INLINE VEC everywhere(const float *from)
{
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return SPLAT(word);
}

enum { COLUMNS = 2 * LANES_32 };

/* Row i of a tile: its sums into two variables; from them back, and a note if one is NaN; and one
 * product each, of the element of A in this row and x and y, two vectors of a row of B. */

#define LOAD_ROW(i)                                                                                \
    VEC left##i = load_at(sums + (i)*COLUMNS), right##i = load_at(sums + (i)*COLUMNS + LANES_32);
#define STORE_ROW(i)                                                                               \
    store_at(sums + (i)*COLUMNS, left##i);                                                         \
    store_at(sums + (i)*COLUMNS + LANES_32, right##i);                                             \
    nan = EITHER(nan, EITHER(is_nan(left##i), is_nan(right##i)));
#define STEP_ROW(i)                                                                                \
    factor = everywhere(a + (i)*TILE_DEPTH + at);                                                  \
    left##i = STEP(step, factor, x, left##i);                                                      \
    right##i = STEP(step, factor, y, right##i);

/* A function that takes k steps of the rows of EACH, for a constant step. */
#define TILE_LOOP(name, EACH)                                                                      \
    INLINE bool name(int step, float *sums, const float *a, const float *b, size_t k)              \
    {                                                                                              \
        VEC x, y, factor;                                                                          \
        MASK nan;                                                                                  \
        EACH(LOAD_ROW)                                                                             \
        for (size_t at = 0; at < k; at++) {                                                        \
            x = load_at(b + at * COLUMNS);                                                         \
            y = load_at(b + at * COLUMNS + LANES_32);                                              \
            EACH(STEP_ROW)                                                                         \
        }                                                                                          \
        nan = is_nan(left0);                                                                       \
        EACH(STORE_ROW)                                                                            \
        (void)step;                                                                                \
        return ANY(nan);                                                                           \
    }
TILE_LOOP(tile_loop, EACH_ROW)
TILE_LOOP(steps_loop, SOME_ROWS)

/* ROWS_AT_A_TIME rows with rounded sums, the step as a constant. */
static TARGET bool rounded_tile(int step, float *sums, const float *a, const float *b, size_t k)
{
    return step == STEP_HALF ? steps_loop(STEP_HALF, sums, a, b, k)
                             : steps_loop(STEP_BFLOAT, sums, a, b, k);
}

/* The kernel. */
static TARGET bool tile_32(int step, float *sums, const float *a, const float *b, size_t k)
{
    bool nan = false;
    unsigned saved = ENTER_ARITHMETIC();
    SET_DIRECTION(DIRECTION_NEAREST);
    if (step == STEP_NONE)
        nan = tile_loop(STEP_NONE, sums, a, b, k);
    else
        for (int first = 0; first < ROWS; first += ROWS_AT_A_TIME)
            nan |= rounded_tile(step, sums + first * COLUMNS, a + first * TILE_DEPTH, b, k);
    LEAVE_ARITHMETIC(saved);
    return nan;
}
