/* test_dot_calls.c - how sums are called: strides, ones, nothing to add, pieces, and what is
 * refused SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "elements.h"
#include "runner.h"
#include "stops.h"

static uint64_t sum_of(const fpfmt_accumulator *how, const elements *it, uint64_t start, size_t i,
                       size_t n)
{
    fpfmt_series series[2];
    for (int k = 0; k < 2; k++)
        series[k] = (fpfmt_series){ .format = it->from[k],
                                    .codes = it->stored[k] + i * code_bytes(it->from[k]),
                                    .stride = 1 };
    return fpfmt_dot(it->to, how, start, series[0], series[1], n, NULL, NULL);
}

/* Call check with every row of the table, on elements that it takes: of 8, 16 and 32 bits as the
 * engines do, and of 64 in the others. */
static void each_row(void (*check)(const fpfmt_accumulator *how, const elements *it))
{
    static elements it;
    const fpfmt_accumulator *row;
    size_t rows = 0;
    for (; (row = fpfmt_accumulator_at(rows)) != NULL; rows++) {
        it.to = format_in(row->outputs == NULL ? "fp32" : row->outputs, 0);
        for (size_t i = 0;; i++) {
            it.from[0] = it.from[1] =
                format_in(row->inputs == NULL ? "e4m3 fp16 tf32 fp64" : row->inputs, i);
            if (it.from[0] == NULL)
                break;
            for (int n = 0; n < 40; n++) {
                make_elements(&it, random_length(), false);
                check(row, &it);
            }
        }
    }
    CHECK(rows > 0, "there are no accumulators");
}

/* The elements laid out with a stride, at an odd address, and junk between them. */
static fpfmt_series spread(unsigned char *room, const elements *it, int k, ptrdiff_t stride)
{
    size_t bytes = code_bytes(it->from[k]), n = it->n,
           step = (size_t)(stride < 0 ? -stride : stride);
    unsigned char *first = room + 1 + (stride < 0 ? (n - 1) * step * bytes : 0);
    memset(room, 0x5A, 1 + n * step * bytes);
    for (size_t i = 0; i < n; i++)
        store_word(first + (ptrdiff_t)i * stride * (ptrdiff_t)bytes, it->codes[k][i], bytes);
    return (fpfmt_series){ .format = it->from[k], .codes = first, .stride = stride };
}

static void check_strides(const fpfmt_accumulator *how, const elements *it)
{
    static unsigned char room[2][3 * 8 * LONGEST + 1];
    static const ptrdiff_t strides[] = { 1, 2, 3, -1, -2 };
    uint64_t expected = sum_of(how, it, it->start, 0, it->n);
    for (size_t i = 0; i < 5; i++) {
        ptrdiff_t a = strides[i], b = strides[random_below(5)];
        uint64_t got = fpfmt_dot(it->to, how, it->start, spread(room[0], it, 0, a),
                                 spread(room[1], it, 1, b), it->n, NULL, NULL);
        CHECK(got == expected, "%s of %s with strides %td and %td: 0x%" PRIx64 ", not 0x%" PRIx64,
              how->name, it->from[0]->name, a, b, got, expected);
    }
}

/* Stride 0 is one element over and over; no codes are ones of the format. */
static void check_repeated(const fpfmt_accumulator *how, const elements *it)
{
    static elements same;
    const fpfmt_format *from = it->from[0];
    uint64_t one = fpfmt_encode(from, fpfmt_from_i64(1), NULL, NULL);
    unsigned char stored[8];
    size_t bytes = code_bytes(from);
    store_word(stored, one, bytes);
    same = *it;
    for (size_t i = 0; i < it->n; i++)
        store_word(same.stored[1] + i * bytes, one, bytes);
    uint64_t expected = sum_of(how, &same, it->start, 0, it->n);
    const fpfmt_series repeated = { .format = from, .codes = stored, .stride = 0 },
                       ones = { .codes = NULL }, a = series_of(it, 0);
    const uint64_t got[] = {
        fpfmt_dot(it->to, how, it->start, a, repeated, it->n, NULL, NULL),
        fpfmt_dot(it->to, how, it->start, a, ones, it->n, NULL, NULL),
        fpfmt_dot(it->to, how, it->start, ones, a, it->n, NULL, NULL),
        fpfmt_sum(it->to, how, it->start, a, it->n, NULL, NULL),
    };
    for (size_t i = 0; i < sizeof got / sizeof got[0]; i++)
        CHECK(got[i] == expected, "%s of %s and ones, way %zu: 0x%" PRIx64 ", not 0x%" PRIx64,
              how->name, from->name, i, got[i], expected);
}

/* The start comes back, with no bits above the format's and no flags. */
static void check_nothing(const fpfmt_accumulator *how, const elements *it)
{
    unsigned flags = 0;
    uint64_t high =
        fpfmt_measure(it->to).width < 64 ? UINT64_MAX << fpfmt_measure(it->to).width : 0;
    uint64_t signaling = fpfmt_measure(it->to).infinity + 1;
    const fpfmt_series nothing = { .format = it->from[0], .codes = NULL, .stride = 1 };
    CHECK(fpfmt_dot(it->to, how, it->start | high, series_of(it, 0), series_of(it, 1), 0, NULL,
                    &flags) == it->start,
          "%s of nothing is not its start 0x%" PRIx64, how->name, it->start);
    CHECK(fpfmt_dot(it->to, how, signaling, nothing, nothing, 0, NULL, &flags) == signaling &&
              flags == 0,
          "%s of nothing raises flags %x", how->name, flags);
}

/* Sums that are promoted are those of the pieces, and additions. */
static void check_promotion(const fpfmt_accumulator *how, const elements *it)
{
    fpfmt_accumulator promoted = *how;
    promoted.promote = (uint32_t)(1 + random_below(40));
    fpfmt_value sum = fpfmt_decode(it->to, it->start);
    for (size_t i = 0; i < it->n; i += promoted.promote) {
        size_t n = it->n - i < promoted.promote ? it->n - i : promoted.promote;
        fpfmt_value part = fpfmt_decode(it->to, sum_of(how, it, 0, i, n));
        sum = fpfmt_decode(it->to, fpfmt_add(it->to, sum, part, NULL, NULL));
    }
    uint64_t expected = fpfmt_encode(it->to, sum, NULL, NULL);
    uint64_t got = sum_of(&promoted, it, it->start, 0, it->n);
    CHECK(got == expected, "%s/%" PRIu32 ": 0x%" PRIx64 ", not 0x%" PRIx64, how->name,
          promoted.promote, got, expected);
}

/* A chain goes on where it stopped, in pieces of whole groups. */
static void check_pieces(const fpfmt_accumulator *how, const elements *it)
{
    /* No group, and no sum that is promoted by its row, has more elements than 128. */
    size_t piece = 128 * (1 + (size_t)random_below(3)), n = it->n < piece ? it->n : piece;
    bool whole = how->method == FPFMT_ACCUMULATE_FMA ||
                 how->method == FPFMT_ACCUMULATE_MULTIPLY_ADD ||
                 how->method >= FPFMT_ACCUMULATE_ALIGNED;
    if (!whole || n == it->n)
        return;
    uint64_t part = sum_of(how, it, it->start, 0, n);
    uint64_t got = sum_of(how, it, part, n, it->n - n);
    uint64_t expected = sum_of(how, it, it->start, 0, it->n);
    CHECK(got == expected, "%s, %zu and %zu elements: 0x%" PRIx64 ", not 0x%" PRIx64, how->name, n,
          it->n - n, got, expected);
}

static void strides(void)
{
    each_row(check_strides);
}

static void ones(void)
{
    each_row(check_repeated);
}

static void nothing(void)
{
    each_row(check_nothing);
}

static void promotion(void)
{
    each_row(check_promotion);
}

static void pieces(void)
{
    each_row(check_pieces);
}

/* A call that is refused: it gives NaN and raises nothing, or in a checking build it stops. */
static struct {
    fpfmt_accumulator how;
    const char *from;
    unsigned flags;
    uint64_t result;
} refused;

static void attempt(void)
{
    static const unsigned char codes[8];
    const fpfmt_series series = { .format = fpfmt_named(refused.from),
                                  .codes = codes,
                                  .stride = 0 };
    refused.flags = 0;
    refused.result = fpfmt_dot(fpfmt_named("fp32"), &refused.how, 0x3F800000, series, series, 4,
                               NULL, &refused.flags);
}

static void refusals(void)
{
    static const struct {
        fpfmt_accumulator how;
        const char *from;
    } cases[] = {
        { { .method = FPFMT_ACCUMULATE_COUNT }, "fp16" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .fraction_bits = 24 }, "fp16" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4, .fraction_bits = 41 }, "fp16" },
        { { .method = FPFMT_ACCUMULATE_TWO_CHAINS }, "bf16" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4, .fraction_bits = 24 }, "fp64" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4, .fraction_bits = 24 }, "fp32" },
    };
    const size_t count = sizeof cases / sizeof cases[0];
    for (size_t i = 0; i < count; i++) {
        bool sound = i == count - 1;
        refused.how = cases[i].how;
        refused.from = cases[i].from;
#ifdef FPFMT_CHECKING
        CHECK(stops(attempt) != sound, "case %zu stops or not", i);
#else
        attempt();
        CHECK(refused.flags == 0 && refused.result == (sound ? 0x3F800000 : 0x7FC00000),
              "case %zu: 0x%" PRIx64 " flags %x", i, refused.result, refused.flags);
#endif
    }
    CHECK(fpfmt_accumulator_defect(&cases[4].how) == NULL, "fp64 is a defect of the row");
}

int main(void)
{
    static const struct test tests[] = {
        { "elements may lie with any stride, at any address", strides },
        { "stride 0 repeats an element, and no codes are ones", ones },
        { "no elements give back the start", nothing },
        { "promotion adds sums of pieces", promotion },
        { "a chain goes on where it stopped", pieces },
        { "defects, and products too long to be aligned, are refused", refusals },
    };
    return run_tests("dot_calls", tests, sizeof tests / sizeof tests[0]);
}
