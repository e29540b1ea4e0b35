/* products.c - two vectors of random numbers, and their product by several accumulators
 * SPDX-License-Identifier: MIT */

#include "products.h"

#include "figures.h"
#include "kit/memory.h"
#include "normal.h"

static const fpfmt_word data[] = {
    { "uniform", "", "uniform from 0 to 1", DATA_UNIFORM },
    { "centred", "", "uniform from -1 to 1", DATA_CENTRED },
    { "normal", "", "normal with deviation 1", DATA_NORMAL },
};
const word_table data_words = OWN_WORDS("data", data);

static fpfmt_value draw(const vectors *of, uint64_t seed, uint64_t index)
{
    switch (of->data) {
    case DATA_UNIFORM: return fpfmt_from_f64(uniform_deviate(seed, index));
    case DATA_CENTRED:
        return fpfmt_from_f64(subtract64(multiply64(2, uniform_deviate(seed, index)), 1));
    case DATA_NORMAL: return fpfmt_from_f64(normal_deviate(seed, index));
    default: return of->number;
    }
}

static void fill(void *codes, const vectors *of, uint64_t seed, uint64_t first)
{
    for (uint64_t i = 0; i < of->length; i++) {
        fpfmt_value value = draw(of, seed, first + i);
        fpfmt_store_code(&of->format, codes, (size_t)i,
                         fpfmt_encode(&of->format, value, NULL, NULL));
    }
}

void make_vectors(vectors *of)
{
    size_t bytes = fpfmt_code_bytes(&of->format);
    of->a = allocate((size_t)of->length, bytes);
    of->b = allocate((size_t)of->length, bytes);
}

void fill_vectors(vectors *of, uint64_t seed)
{
    fill(of->a, of, seed, 0);
    fill(of->b, of, seed, of->length);
}

static uint64_t multiply(const vectors *of, const fpfmt_accumulator *how, const fpfmt_format *in,
                         uint64_t count, unsigned *flags)
{
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    const fpfmt_series a = { .format = &of->format, .codes = of->a, .stride = 1 },
                       b = { .format = &of->format, .codes = of->b, .stride = 1 };
    return fpfmt_dot(in, how, fpfmt_encode(in, zero, NULL, NULL), a, b, (size_t)count, NULL, flags);
}

uint64_t product_of(const vectors *of, const summation *way, uint64_t count)
{
    return multiply(of, &way->how, &way->to, count, NULL);
}

double exact_product(const vectors *of, uint64_t count, unsigned *flags)
{
    const fpfmt_accumulator exact = { .method = FPFMT_ACCUMULATE_EXACT };
    const fpfmt_format *wide = fpfmt_named("fp64");
    return fpfmt_to_f64(fpfmt_decode(wide, multiply(of, &exact, wide, count, flags)), NULL, NULL);
}

double error_of(const vectors *of, const summation *way, uint64_t count)
{
    double exact = exact_product(of, count, NULL);
    uint64_t code = product_of(of, way, count);
    double result = fpfmt_to_f64(fpfmt_decode(&way->to, code), NULL, NULL);
    return result == exact ? 0 : divide64(subtract64(result, exact), exact);
}

double *try_seeds(vectors *of, const summation *ways, size_t count, uint64_t seed, uint64_t runs,
                  progress *moving)
{
    double *errors = allocate((size_t)runs * count, sizeof *errors);
    begin_progress(moving, runs);
    for (uint64_t r = 0; r < runs; r++) {
        fill_vectors(of, seed + r);
        for (size_t w = 0; w < count; w++)
            errors[w * (size_t)runs + (size_t)r] = error_of(of, &ways[w], of->length);
        add_progress(moving, 1);
    }
    return errors;
}

double worst_of(const double *errors, uint64_t count)
{
    double worst = errors[0];
    for (uint64_t i = 1; i < count; i++) {
        double a = errors[i] < 0 ? -errors[i] : errors[i], b = worst < 0 ? -worst : worst;
        if (!(a <= b))
            worst = errors[i];
    }
    return worst;
}
