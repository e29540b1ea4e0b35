/* test_engines.c - models of matrix engines against models written apart, group by group
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "elements.h"
#include "oracle_engines.h"
#include "runner.h"

static bool check(const fpfmt_accumulator *how, const elements *it)
{
    const oracle_format *to = oracle_named(it->to->name);
    oracle_series a = { oracle_named(it->from[0]->name), it->codes[0] },
                  b = { oracle_named(it->from[1]->name), it->codes[1] };
    unsigned flags = 0;
    uint64_t got =
        fpfmt_dot(it->to, how, it->start, series_of(it, 0), series_of(it, 1), it->n, NULL, &flags);
    uint64_t expected = oracle_dot(how, to, it->start, a, b, it->n);
    return CHECK(got == expected && flags == 0,
                 "%s (how %d, group %d, %d bits, kept %d, nearest %d, apart %d, interleaved %d, "
                 "late %d, total %d, reach %d, parities %d, promote %" PRIu32
                 ") of %zu %s and %s to %s from 0x%" PRIx64 ", first 0x%" PRIx64 " by 0x%" PRIx64
                 ": 0x%" PRIx64 ", not 0x%" PRIx64,
                 how->name, how->method, how->group, how->fraction_bits, how->kept_bits,
                 how->nearest, how->apart, how->interleaved, how->late_bits, how->total_bits,
                 how->start_reach, how->parities, how->promote, it->n, it->from[0]->name,
                 it->from[1]->name, it->to->name, it->start, it->codes[0][0], it->codes[1][0], got,
                 expected);
}

/* Every row of the table that is an engine, with every pair of its inputs. */
static void check_rows(bool aligned, unsigned long count)
{
    static elements it;
    const fpfmt_accumulator *row;
    unsigned long done = 0;
    for (size_t r = 0; (row = fpfmt_accumulator_at(r)) != NULL; r++) {
        /* test_scaled_dot.c has those that know scales. */
        if (row->method < FPFMT_ACCUMULATE_ALIGNED || row->joined > 1 || row->scales_late ||
            (row->method == FPFMT_ACCUMULATE_ALIGNED) != aligned)
            continue;
        it.to = format_in(row->outputs, 0);
        for (size_t i = 0; (it.from[0] = format_in(row->inputs, i)) != NULL; i++)
            for (size_t j = 0; (it.from[1] = format_in(row->inputs, j)) != NULL; j++)
                for (unsigned long n = 0; n < count; n++, done++) {
                    fpfmt_accumulator how = *row;
                    how.promote = n % 8 == 0 ? (uint32_t)(1 + random_below(130)) : 0;
                    make_elements(&it, random_length(), n % 8 == 1);
                    check(&how, &it);
                }
    }
    printf("# %lu sums\n", done);
}

static void tensor_cores(void)
{
    check_rows(true, (is_exhaustive() ? 20000UL : 600UL) / (unsigned long)SAMPLE);
}

static void instructions(void)
{
    check_rows(false, (is_exhaustive() ? 200000UL : 6000UL) / (unsigned long)SAMPLE);
}

/* Parameters of a start that is added late. */
static void make_late(fpfmt_accumulator *how)
{
    how->late_bits = (uint8_t)(1 + random_below(40));
    how->total_bits = (uint8_t)(random_below(2) ? 0 : random_below(45));
    how->start_reach = (uint8_t)(random_below(2) ? 0 : random_below(45));
    how->parities = random_below(2);
}

/* Parameters that no engine has, and formats that none takes. */
static void parameters(void)
{
    static const char *const inputs[] = { "fp16", "bf16",     "tf32", "e4m3", "e5m2", "e2m1",
                                          "int8", "e5m2fnuz", "fp32", "e8m0", "e3m2" };
    static const char *const outputs[] = { "fp16", "bf16", "fp32", "tf32", "fp64", "e5m2" };
    static elements it;
    for (unsigned long n = (is_exhaustive() ? 1000000UL : 20000UL) / (unsigned long)SAMPLE; n > 0; n--) {
        fpfmt_accumulator how = { .name = "of your own",
                                  .method = FPFMT_ACCUMULATE_ALIGNED,
                                  .group = (uint8_t)(1 + random_below(FPFMT_GROUP_MAX)),
                                  .fraction_bits = (uint8_t)(1 + random_below(40)),
                                  .kept_bits = (uint8_t)random_below(53),
                                  .nearest = random_below(2),
                                  .apart = random_below(4) == 0,
                                  .interleaved = random_below(4) == 0 };
        if (how.apart)
            how.group = (uint8_t)(1U << random_below(6));
        if (how.interleaved)
            how.group = 16;
        if (random_below(2))
            how.kept_bits = 0;
        if (!how.apart && !how.interleaved && random_below(2))
            make_late(&how);
        it.from[0] = fpfmt_named(inputs[random_below(sizeof inputs / sizeof inputs[0])]);
        it.from[1] = fpfmt_named(inputs[random_below(sizeof inputs / sizeof inputs[0])]);
        it.to = fpfmt_named(outputs[random_below(sizeof outputs / sizeof outputs[0])]);
        make_elements(&it, random_length(), n % 8 == 0);
        check(&how, &it);
    }
}

/* The fields of a term say what was kept of it and what was lost. */
static int64_t check_term(const fpfmt_alignment *group, const fpfmt_accumulator *how, size_t i)
{
    uint64_t significand = group->term[i].significand, kept = group->term[i].kept;
    int64_t down = (int64_t)group->largest - group->term[i].exponent + group->term[i].point -
                   how->fraction_bits;
    bool right = significand == 0 ? kept == 0 && group->term[i].lost == 0
                 : down <= 0      ? kept == significand << -down && group->term[i].lost == 0
                 : down > 63      ? kept == 0 && group->term[i].lost == significand
                                  : kept << down | group->term[i].lost;
    right &= significand >> group->term[i].point < 4;
    right &= significand == 0 || group->term[i].exponent <= group->largest;
    if (significand != 0 && down > 0 && down < 64)
        right &= (kept << down) + group->term[i].lost == significand;
    CHECK(right, "term %zu: %" PRIu64 " of %" PRIx64 " kept, %" PRIx64 " lost", i, kept,
          significand, group->term[i].lost);
    return group->term[i].negative ? -(int64_t)kept : (int64_t)kept;
}

/* The value of a term, made from its fields, is the product of the elements. */
static void check_value(const fpfmt_alignment *group, const elements *it, size_t i)
{
    fpfmt_value a =
        fpfmt_decode(i == 0 ? it->to : it->from[0], i == 0 ? it->start : it->codes[0][i - 1]);
    fpfmt_value b = i == 0 ? fpfmt_from_i64(1) : fpfmt_decode(it->from[1], it->codes[1][i - 1]);
    fpfmt_value product = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, a, b, a, NULL, NULL);
    fpfmt_value told = fpfmt_from_u64(group->term[i].significand);
    if (told.kind == FPFMT_KIND_NORMAL)
        told.exponent += group->term[i].exponent - group->term[i].point;
    CHECK(told.kind == product.kind && told.significand == product.significand &&
              (product.kind == FPFMT_KIND_ZERO ||
               (told.exponent == product.exponent && group->term[i].negative == product.negative)),
          "term %zu is not the product", i);
}

/* Is product i infinite or NaN to the accumulator, or past the output where the start is late? */
static bool is_special(const fpfmt_accumulator *how, const elements *it, size_t i)
{
    fpfmt_value a = fpfmt_decode(it->from[0], it->codes[0][i]),
                b = fpfmt_decode(it->from[1], it->codes[1][i]);
    fpfmt_value product = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, a, b, a, NULL, NULL);
    return !fpfmt_value_is_finite(a) || !fpfmt_value_is_finite(b) ||
           (how->late_bits != 0 && product.kind == FPFMT_KIND_NORMAL &&
            product.exponent > fpfmt_measure(it->to).emax);
}

static void check_alignment(const fpfmt_accumulator *how, elements *it)
{
    fpfmt_alignment group;
    memset(&group, 0xA5, sizeof group);
    size_t n = it->n < how->group ? it->n : how->group;
    if (!CHECK(
            fpfmt_align(it->to, how, &group, it->start, series_of(it, 0), series_of(it, 1), it->n),
            "%s does not align", how->name))
        return;
    bool special = !fpfmt_is_finite(it->to, it->start);
    for (size_t i = 0; i < n; i++)
        special |= is_special(how, it, i);
    CHECK(group.special == special && group.count == n + 1, "%zu of %zu terms, special %d",
          group.count, n + 1, group.special);
    uint64_t code =
        fpfmt_dot(it->to, how, it->start, series_of(it, 0), series_of(it, 1), n, NULL, NULL);
    CHECK(group.code == code, "%s: 0x%" PRIx64 ", but the sum is 0x%" PRIx64, how->name, group.code,
          code);
    int64_t sum = 0;
    int32_t largest = INT32_MIN;
    for (size_t i = 0; !special && i < group.count; i++) {
        sum += check_term(&group, how, i);
        check_value(&group, it, i);
        if (group.term[i].significand != 0 && group.term[i].exponent > largest)
            largest = group.term[i].exponent;
    }
    CHECK(special || (group.sum == sum && group.largest == largest),
          "the sum is %" PRId64 ", not %" PRId64, group.sum, sum);
}

static void alignments(void)
{
    static elements it;
    const fpfmt_accumulator *row;
    fpfmt_alignment group;
    size_t engines = 0;
    for (size_t r = 0; (row = fpfmt_accumulator_at(r)) != NULL; r++) {
        it.from[0] = it.from[1] = fpfmt_named("e5m2");
        it.to = fpfmt_named("fp32");
        make_elements(&it, 1, false);
        if (row->method != FPFMT_ACCUMULATE_ALIGNED) {
            CHECK(!fpfmt_align(it.to, row, &group, 0, series_of(&it, 0), series_of(&it, 1), 1),
                  "%s aligns", row->name);
            continue;
        }
        engines++;
        it.from[0] = it.from[1] = format_in(row->inputs, 0);
        it.to = format_in(row->outputs, 0);
        for (int n = 0; n < 2000 / SAMPLE && !row->apart && !row->parities &&
                        row->joined <= 1 && row->promote == 0;
             n++) {
            make_elements(&it, random_length(), n % 8 == 0);
            it.start = row->late_bits != 0 ? 0 : it.start;
            check_alignment(row, &it);
        }
        CHECK(!fpfmt_align(it.to, row, &group, 0, series_of(&it, 0), series_of(&it, 1), 0),
              "%s aligns no elements", row->name);
    }
    CHECK(engines > 0, "no engine aligns");
}

/* Where the start is added later, it is no term; and of 32 elements each second pair is. */
static void alignments_apart(void)
{
    fpfmt_accumulator how;
    fpfmt_alignment group;
    const fpfmt_format *from = fpfmt_named("e4m3"), *to = fpfmt_named("fp16");
    static const unsigned char codes[8] = { 0x38, 0x40, 0x44, 0x48, 0x4A, 0x4C, 0x4E, 0x50 };
    const fpfmt_series a = { .format = from, .codes = codes, .stride = 1 },
                       ones = { .codes = NULL };
    CHECK(fpfmt_find_accumulator(&how, "nv-hopper-mma-fp8", to, from, from) == FPFMT_FOUND &&
              fpfmt_align(to, &how, &group, 0x3C00, a, ones, 8) && group.count == 5 &&
              group.term[0].significand == 0 && group.code == 0x4B00, /* 1 + 2 + 5 + 6 */
          "%zu terms, 0x%" PRIx64, group.count, group.code);
    CHECK(fpfmt_find_accumulator(&how, "promote:2", fpfmt_named("fp32"), from, from) ==
                  FPFMT_FOUND &&
              fpfmt_align(fpfmt_named("fp32"), &how, &group, 0x3F800000, a, ones, 8) &&
              group.count == 3 && group.term[0].significand == 0 && group.code == 0x40400000,
          "%zu terms, 0x%" PRIx64, group.count, group.code);
}

/* Of a group whose parities are apart the even elements are told; and no start, even infinite. */
static void alignments_late(void)
{
    fpfmt_accumulator how;
    fpfmt_alignment group;
    const fpfmt_format *from = fpfmt_named("e4m3fnuz"), *to = fpfmt_named("fp32");
    static const unsigned char codes[8] = { 0x40, 0x48, 0x4C, 0x50, 0x52, 0x54, 0x56, 0x58 };
    const fpfmt_series a = { .format = from, .codes = codes, .stride = 1 },
                       ones = { .codes = NULL };
    CHECK(fpfmt_find_accumulator(&how, "amd-cdna3", to, from, from) == FPFMT_FOUND &&
              fpfmt_align(to, &how, &group, 0x7F800000, a, ones, 8) && group.count == 5 &&
              group.term[0].significand == 0 && !group.special && group.largest == 2 &&
              group.code == 0x41800000, /* 1 + 3 + 5 + 7 */
          "%zu terms, largest %" PRId32 ", 0x%" PRIx64, group.count, group.largest, group.code);
}

int main(void)
{
    static const struct test tests[] = {
        { "tensor cores sum as exact integers do, in their groups", tensor_cores },
        { "so do parameters and formats of one's own", parameters },
        { "x86 and Arm instructions are the operations of their pseudocode", instructions },
        { "an alignment's terms are the products, and add up to the sum", alignments },
        { "a start that is added later is no term", alignments_apart },
        { "nor are odd elements that are aligned apart", alignments_late },
    };
    return run_tests("engines", tests, sizeof tests / sizeof tests[0]);
}
