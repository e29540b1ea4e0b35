/* products.h - two vectors of random numbers, and their product by several accumulators
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_PRODUCTS_H
#define FPLAB_PRODUCTS_H

#include <fpfmt.h>

#include "kit/words.h"
#include "progress.h"
#include "summing.h"

/* What vectors hold; DATA_NUMBER is one number everywhere. */
enum { DATA_UNIFORM, DATA_CENTRED, DATA_NORMAL, DATA_NUMBER };

/* The words for all of these but the number, with the distribution as a sentence has it. */
extern const word_table data_words;

/* Two vectors of codes of a format. Of the seed, a has the random numbers of the indices from 0 to
 * length - 1, and b those of the next. */
typedef struct {
    fpfmt_format format;
    uint64_t length;
    int data;           /* DATA_... */
    fpfmt_value number; /* of DATA_NUMBER */
    void *a, *b;
} vectors;

/* Room for the codes; format and length are set. */
void make_vectors(vectors *of);

/* The numbers of a seed. */
void fill_vectors(vectors *of, uint64_t seed);

/* The product of the first count elements, as a code of way->to. */
uint64_t product_of(const vectors *of, const summation *way, uint64_t count);

/* The exact product of the first count elements, rounded once to binary64. */
double exact_product(const vectors *of, uint64_t count, unsigned *flags);

/* What the product of the first count elements is off the exact one, as a part of that. */
double error_of(const vectors *of, const summation *way, uint64_t count);

/* The errors of every way for so many seeds from seed on: errors[w * runs + r] is that of way w in
 * run r. The vectors are then those of the last seed. */
double *try_seeds(vectors *of, const summation *ways, size_t count, uint64_t seed, uint64_t runs,
                  progress *moving);

/* The error farthest from 0, or one that is NaN. */
double worst_of(const double *errors, uint64_t count);

#endif
