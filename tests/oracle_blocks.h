/* oracle_blocks.h - a slow, clear reference for scales and elements of blocks, on MPFR and GMP
 * SPDX-License-Identifier: MIT
 *
 * It shares no code and no table with lib/: recipes are typed here once more from what their makers
 * publish, formats are those of oracle.h. Each operation of binary32 is one rounding of an exact
 * result. From fpfmt.h it takes the enumerators and fpfmt_policy, which are the question. */

#ifndef FPFMT_TESTS_ORACLE_BLOCKS_H
#define FPFMT_TESTS_ORACLE_BLOCKS_H

#include "oracle_numbers.h"

/* A code book: entries by rising value, with the codes of magnitudes where there is a sign. */
typedef struct {
    const char *name;
    int width;
    bool has_sign, on_takes_upper;
    size_t count;
    float values[16], thresholds[15];
    uint8_t codes[16];
} oracle_book;

/* The book of that name, NULL if there is none. Its thresholds are found here: those of nf4 as
 * middles in binary32, those of bnb-fp4 from their decimals, those of offset4 by a search for the
 * first binary32 that x + 8.5, cut to an integer, sends to the next entry. */
const oracle_book *oracle_book_named(const char *name);

/* A block format: element or book, the other is NULL. */
typedef struct {
    const oracle_format *element, *scale;
    const oracle_book *book;
    bool has_tensor;
} oracle_block;

enum oracle_rule {
    ORACLE_FLOOR,
    ORACLE_CEIL,
    ORACLE_EVEN,
    ORACLE_QUOTIENT,
    ORACLE_BETTER,
    ORACLE_FLOAT,
    ORACLE_FLOAT_POWER,
    ORACLE_INVERSE,
    ORACLE_ENGINE,
    ORACLE_TORCHAO
};

typedef struct {
    const char *name;
    enum oracle_rule rule;
    char step;                /* x: exact; / and *: in binary32 */
    bool up;                  /* scales are rounded up, not to nearest */
    uint8_t rounding;         /* of elements */
    char zero, nan, infinite; /* r rule, l least, o one, z zeros; s scale, e element; n NaN, m max,
                                 r rule */
    bool flush;               /* values below 2^-126 */
    double least, least_scale;
} oracle_recipe;

extern const oracle_recipe oracle_recipes[];
extern const size_t oracle_recipe_count;

/* What a block is scaled with. */
typedef struct {
    uint64_t code;
    mpfr_t stored, factor;
    bool is_nan, is_zero;
} oracle_scale;

void oracle_start_scale(oracle_scale *scale);

/* The scale of n values. decode and encode are the tensor's scale; decode 0: there is none. The
 * policy is that of elements, which the better of two scales depends on; element i has its random
 * bits at index policy->first + i. */
void oracle_set_scale(oracle_scale *scale, const oracle_block *block, const oracle_recipe *recipe,
                      const oracle_number *values, size_t n, float decode, float encode,
                      const fpfmt_policy *policy);

/* The code of one value, and what it raises. */
uint64_t oracle_block_element(const oracle_block *block, const oracle_recipe *recipe,
                              const oracle_scale *scale, const oracle_number *value,
                              const fpfmt_policy *policy, unsigned *flags);

/* What a code stands for by the stored scale; NaN and infinities as MPFR has them. */
void oracle_held(mpfr_t held, const oracle_block *block, uint64_t code, const mpfr_t stored);

/* The square of the distance between two numbers of binary64, in units of 2^-2148. */
void oracle_square_error(mpz_t square, const mpfr_t x, const mpfr_t y);

#endif
