/* samples.c - codes and values to try: edges of fields, neighbours, random ones
 * SPDX-License-Identifier: MIT */

#include "samples.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runner.h"

static uint64_t random_state = 20240917;

void print_seed(void)
{
    printf("# seed %" PRIu64 "\n", random_state);
}

/* Knuth's MMIX generator; its high bits are the random ones. */
uint64_t random_word(void)
{
    uint64_t high;
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    high = random_state >> 32 << 32;
    random_state = random_state * 6364136223846793005 + 1442695040888963407;
    return high | random_state >> 32;
}

uint64_t sample_code(const oracle_format *reference, unsigned n)
{
    uint64_t marks[] = { 0, oracle_min_normal(reference), reference->max, reference->infinity,
                         reference->nan };
    uint64_t mask = UINT64_MAX >> (64 - reference->bits);
    if (n >= 15 * (unsigned)reference->bits)
        return random_word() & mask;
    return ((marks[n % 5] ^ (uint64_t)1 << n / 15) + n / 5 % 3 - 1) & mask;
}

fpfmt_value sample_value(unsigned n)
{
    static const int32_t spans[] = { 4, 70, 300, 2300 };
    uint64_t word = random_word();
    int32_t span = spans[n % 4];
    fpfmt_value value = { .kind = FPFMT_KIND_NORMAL,
                          .negative = word & 1,
                          .inexact = (word & 6) == 6 ? (uint8_t)(1 + (word >> 3) % 3) : 0 };
    value.exponent = (int32_t)(word >> 33) % (2 * span) - span + (n % 3 == 0 ? 62 : 0);
    value.significand = (random_word() & UINT64_MAX << (word >> 8) % 64) | UINT64_C(1) << 63;
    if (n % 97 == 0)
        value.kind = (uint8_t)(FPFMT_KIND_INFINITE + word / 8 % 3);
    if (n % 89 == 0)
        value.kind = FPFMT_KIND_ZERO;
    if (value.kind == FPFMT_KIND_ZERO || value.kind >= FPFMT_KIND_INFINITE)
        value = (fpfmt_value){ .kind = value.kind, .negative = value.negative };
    return value;
}

size_t neighbors_of(fpfmt_value values[NEIGHBORS], const mpfr_t magnitude)
{
    fpfmt_value value, under;
    if (mpfr_zero_p(magnitude))
        return 0;
    under = value = oracle_value(magnitude);
    if (--under.significand >> 63 == 0) {
        under.significand = UINT64_MAX;
        under.exponent--;
    }
    for (size_t i = 0; i < NEIGHBORS; i++)
        values[i] = i < 2 ? under : value;
    values[1].inexact = values[3].inexact = true;
    values[4].significand++;
    return NEIGHBORS;
}

fpfmt_format found(const oracle_format *reference)
{
    fpfmt_format format = *fpfmt_at(0);
    CHECK(fpfmt_find(&format, reference->name) == FPFMT_FOUND, "%s is not found", reference->name);
    return format;
}

const oracle_format *small_format(size_t index)
{
    static const struct {
        int bits, precision;
        bool is_signed, extended;
    } more[] = {
        { 8, 4, true, true },   { 8, 3, true, false }, { 8, 1, true, true },
        { 8, 1, false, false }, { 8, 4, false, true }, { 4, 2, true, false },
        { 8, 8, false, false }, { 3, 1, false, true },
    };
    static oracle_format made[sizeof more / sizeof more[0]];
    size_t count = 0;
    for (size_t i = 0; i < oracle_format_count; i++)
        if (oracle_formats[i].bits <= 16 && count++ == index)
            return &oracle_formats[i];
    if (index - count >= sizeof more / sizeof more[0])
        return NULL;
    made[index - count] = oracle_p3109(more[index - count].bits, more[index - count].precision,
                                       more[index - count].is_signed, more[index - count].extended);
    return &made[index - count];
}

float float_of(uint64_t code)
{
    uint32_t word = (uint32_t)code;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

double double_of(uint64_t code)
{
    double x;
    memcpy(&x, &code, sizeof x);
    return x;
}

uint64_t code_of_float(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

uint64_t code_of_double(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}
