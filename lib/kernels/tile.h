/* tile.h - a tile of a matrix product, its sums in registers
 * SPDX-License-Identifier: MIT
 *
 * Included by vector sets after operate.h for 32 bits. Each row of a tile is two vectors. The set
 * defines STEP (step, vector, vector, sum), which is one product and one sum; EACH_ROW of a tile,
 * and SOME_ROWS as many as are done at a time where sums are rounded: so many variables, as arrays
 * would not stay in registers. */

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

static TARGET bool rounded_tile(int step, float *sums, const float *a, const float *b, size_t k)
{
    return step == STEP_HALF ? steps_loop(STEP_HALF, sums, a, b, k)
                             : steps_loop(STEP_BFLOAT, sums, a, b, k);
}

static TARGET bool tile_32(int step, float *sums, const float *a, const float *b, size_t k)
{
    bool nan = false;
    unsigned saved = SETTLE();
    TURN(DIRECTION_NEAREST);
    if (step == STEP_NONE)
        nan = tile_loop(STEP_NONE, sums, a, b, k);
    else
        for (int first = 0; first < ROWS; first += ROWS_AT_A_TIME)
            nan |= rounded_tile(step, sums + first * COLUMNS, a + first * TILE_DEPTH, b, k);
    RETURN(saved);
    return nan;
}
