/* every_float.h - the codes of every binary32 input, by slices
 * SPDX-License-Identifier: MIT
 *
 * Slice k of the inputs holds one of each 64 neighbours: the one whose six lowest bits are k, XORed
 * with all the other groups of six. So each slice has both signs, every exponent, ties and NaN. */

#ifndef FPFMT_TESTS_EVERY_FLOAT_H
#define FPFMT_TESTS_EVERY_FLOAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fpfmt.h>

enum { SLICES = 64, BLOCK = 4096, BLOCKS = (1 << 26) / BLOCK, LANES = 4, SETS = 8 };

/* A format, a rounding mode and a rule for overflow; what is on record of their slices. */
typedef struct {
    const fpfmt_format *format;
    const uint32_t *values; /* of the codes, as bits of a float */
    const char *mode, *overflow;
    fpfmt_plan plan[SETS];
    uint64_t record[SLICES];
} row;

/* What became of a row in one slice. */
typedef struct {
    uint64_t lane[LANES], mismatches;
    char first[160];
} outcome;

/* How much is done: with the sets from first_set on, the scalar one in every turns-th row, others
 * in the next slice; rounding as well as encoding, without which the first set stays alone. */
typedef struct {
    size_t first_set;
    unsigned turns;
    bool rounds;
} effort;

extern row *rows;
extern size_t row_count;
extern outcome *outcomes; /* one for each row */

void make_rows(void);

/* Four FNV-1a hashes, whose unit is a code instead of a byte, of the codes 0, 4, 8 and so on, of
 * the codes 1, 5, 9 ..., and so on; and then that of these four. */
uint64_t hash_of(const outcome *it);

/* Outcomes as they are before the first block. */
void begin_outcomes(void);

/* BLOCK elements of a slice, each step places further. */
void fill_block(float in[BLOCK], unsigned slice, uint32_t place, uint32_t step);

/* A block in every set that takes part: each like the first; this one's codes like those of
 * fpfmt_encode, on every 61st input, and its values those of its codes. */
void try_block(const row *it, unsigned slice, uint32_t place, const float in[BLOCK],
               const effort *how);

/* All rows of a slice, in as many processes as there are processors. False if one went astray. */
bool run_slice(unsigned slice, const effort *how);

#endif
