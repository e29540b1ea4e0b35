/* test_scaled_engines.c - engines' sums of operands that share scales, against exact fractions
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "oracle_scaled.h"
#include "runner.h"
#include "samples.h"

/* Powers of two with a sign, and with or without 0. */
static const fpfmt_format *signed_powers(bool zero)
{
    static const fpfmt_format formats[2] = {
        { .name = "powers",
          .sign_bits = 1,
          .exponent_bits = 4,
          .bias = 7,
          .overflow = FPFMT_OVERFLOW_MAX,
          .exponent_zero = FPFMT_EXPONENT_ZERO_NORMALS },
        { .name = "powers0",
          .sign_bits = 1,
          .exponent_bits = 4,
          .bias = 7,
          .overflow = FPFMT_OVERFLOW_MAX,
          .exponent_zero = FPFMT_EXPONENT_ZERO_SUBNORMALS },
    };
    return &formats[zero];
}

static fpfmt_accumulator engine(const char *name, const char *inputs)
{
    fpfmt_accumulator how;
    memset(&how, 0, sizeof how);
    const fpfmt_format *from = fpfmt_named(inputs);
    CHECK(fpfmt_find_accumulator(&how, name, fpfmt_named("fp32"), from, from) == FPFMT_FOUND,
          "there is no %s", name);
    return how;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* n elements of 1 by two scales that all of them share. */
static double of_ones(const fpfmt_accumulator *how, const fpfmt_format *format,
                      const fpfmt_format *scale, double a_scale, double b_scale, size_t n)
{
    unsigned char ones[MOST], scales[2];
    const fpfmt_format *to = fpfmt_named("fp32");
    uint64_t one = fpfmt_encode(format, fpfmt_from_i64(1), NULL, NULL);
    memset(ones, (int)one, sizeof ones);
    scales[0] = (unsigned char)fpfmt_encode(scale, fpfmt_from_f64(a_scale), NULL, NULL);
    scales[1] = (unsigned char)fpfmt_encode(scale, fpfmt_from_f64(b_scale), NULL, NULL);
    const fpfmt_series a = {
        .format = format, .codes = ones, .stride = 1, .scales = { scale, scales, 0, n }
    };
    const fpfmt_series b = {
        .format = format, .codes = ones, .stride = 1, .scales = { scale, scales + 1, 0, n }
    };
    return value_of(to, fpfmt_dot(to, how, 0, a, b, n, NULL, NULL));
}

static void signs_of_scales(void)
{
    const fpfmt_accumulator joined = engine("nv-mxf4nvf4", "e2m1");
    const fpfmt_accumulator single = engine("nv-mxf8f6f4", "e4m3");
    const fpfmt_format *e4m3 = fpfmt_named("e4m3"), *e2m1 = fpfmt_named("e2m1");
    CHECK(fpfmt_defect(signed_powers(true)) == NULL && fpfmt_defect(signed_powers(false)) == NULL,
          "formats of powers have a defect");
    double got = of_ones(&joined, e2m1, e4m3, 1, -1, 16);
    CHECK(got == -16, "joined ones by 1 and -1: %g", got);
    got = of_ones(&joined, e2m1, e4m3, -1, -1, 16);
    CHECK(got == 16, "joined ones by -1 and -1: %g", got);
    got = of_ones(&single, e4m3, signed_powers(true), 1, -2, 32);
    CHECK(got == -64, "ones by 1 and -2: %g", got);
    got = of_ones(&single, e4m3, signed_powers(false), -2, -2, 32);
    CHECK(got == 128, "ones by -2 and -2: %g", got);
}

static void zero_scales(void)
{
    const fpfmt_accumulator joined = engine("nv-mxf4nvf4", "e2m1");
    const fpfmt_accumulator single = engine("nv-mxf8f6f4", "e4m3");
    double got = of_ones(&single, fpfmt_named("e4m3"), signed_powers(true), 0, 1, 32);
    CHECK(got == 0, "ones by 0 and 1: %g", got);
    got = of_ones(&joined, fpfmt_named("e2m1"), fpfmt_named("e4m3"), 1, 0, 32);
    CHECK(got == 0, "joined ones by 1 and 0: %g", got);
}

/* Formats of elements and scales that the parameters may go with, or not. */
static const fpfmt_format *random_format(bool scale)
{
    static const char *const elements[] = { "e4m3",     "e5m2",    "e3m2",       "e2m3",
                                            "e2m1",     "int8f6",  "int4",       "fp16",
                                            "e5m10b40", "e3m4b-9", "e2m1b90none" };
    static const char *const scales[] = { "e8m0", "e8m0", "e8m0", "e4m3",     "ue4m3",
                                          "bf16", "fp32", "int8", "e4m3b40fn" };
    static fpfmt_format own[2][2];
    if (scale && chance(4))
        return signed_powers(chance(2));
    const char *name = scale ? scales[random_below(9)] : elements[random_below(11)];
    fpfmt_format *made = &own[scale][random_below(2)];
    CHECK(fpfmt_find(made, name) == FPFMT_FOUND, "there is no %s", name);
    return made;
}

static fpfmt_accumulator random_engine(void)
{
    static const uint8_t joined[] = { 0, 1, 2, 4, 8, 16, 16 };
    fpfmt_accumulator how = { .name = "random", .method = FPFMT_ACCUMULATE_ALIGNED };
    how.joined = joined[random_below(7)];
    how.group = (uint8_t)(how.joined > 1 ? how.joined * (1 + random_below(64U / how.joined))
                                         : 1 + random_below(32));
    how.fraction_bits = (uint8_t)(1 + random_below(40));
    how.kept_bits = (uint8_t)(chance(3) ? 5 + random_below(20) : 0);
    how.nearest = chance(2);
    if (chance(2))
        how.promote = (uint32_t)(how.group * (1 + random_below(3)));
    if (chance(16))
        how.promote = (uint32_t)(1 + random_below(40));
    how.scales_late = how.promote != 0 && chance(2);
    return how;
}

/* A size that most often goes with the parameters. */
static size_t random_size(const fpfmt_accumulator *how)
{
    if (chance(10))
        return 1 + random_below(MOST);
    size_t of = how->scales_late ? how->promote : how->joined > 1 ? how->joined : 1;
    return of * (1 + random_below(4));
}

static void random_engines(void)
{
    static const char *const outputs[] = { "fp32", "fp32", "fp16", "bf16" };
    static operand a, b;
    static fpfmt_format formats[4];
    size_t taken = 0, joined = 0, late = 0;
    print_seed();
    for (int t = 0; t < 20000 / SAMPLE; t++) {
        const fpfmt_accumulator how = random_engine();
        const fpfmt_format *to = fpfmt_named(outputs[random_below(4)]);
        bool near = !chance(8);
        if (!CHECK(fpfmt_accumulator_defect(&how) == NULL, "%s", fpfmt_accumulator_defect(&how)))
            continue;
        for (int i = 0; i < 4; i++)
            formats[i] = *random_format(i % 2 == 1);
        make_operand(&a, &formats[0], chance(8) ? NULL : &formats[1], random_size(&how), near);
        make_operand(&b, &formats[2], chance(8) ? NULL : &formats[3], random_size(&how), near);
        if (fpfmt_scales_defect(&how, &a.series, &b.series) != NULL)
            continue;
        size_t n = 1 + random_below(MOST);
        uint64_t start = chance(2) ? 0 : random_code(to, near);
        double got = value_of(to, fpfmt_dot(to, &how, start, a.series, b.series, n, NULL, NULL));
        double expected = oracle_scaled(&how, to, value_of(to, start), &a, &b, n);
        CHECK(
            same(got, expected),
            "group %d of %d joined, %d bits, %d kept, nearest %d, promote %u, late %d, to %s: %zu "
            "of %s@%s and %s@%s from %a are %a, not %a",
            how.group, how.joined, how.fraction_bits, how.kept_bits, how.nearest, how.promote,
            how.scales_late, to->name, n, formats[0].name, formats[1].name, formats[2].name,
            formats[3].name, value_of(to, start), got, expected);
        taken++;
        joined += how.joined > 1;
        late += how.scales_late;
    }
    printf("# %zu sums, %zu of them of joined products, %zu with late scales\n", taken, joined,
           late);
    CHECK(taken > 4000 / SAMPLE && joined > 1000 / SAMPLE && late > 500 / SAMPLE,
          "few parameters go with operands");
}

/* Joined products of e4m3 are sums of steps of 2^-18, up to 2^22 of them, which leaves no room in
 * 64 bits for two significands of binary32; nor do 30 fraction bits fit above steps of bfloat16. */
static void what_does_not_fit(void)
{
    fpfmt_accumulator joined = engine("nv-mxf4nvf4", "e2m1"), single = engine("nv-a100", "fp16");
    static unsigned char codes[64];
    const struct {
        const char *element, *scale;
        int fraction_bits;
        bool fits;
    } rows[] = {
        { "e4m3", "fp32", 30, false },    { "e4m3", "fp32", 1, false },
        { "e2m1", "fp32", 35, true },     { "e4m3", "e4m3", 30, true },
        { "e5m2", "e8m0", 1, false },     { "bf16", "e8m0", 1, false },
        { "e8m2b250", "e8m0", 1, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_format element, scale;
        CHECK(fpfmt_find(&element, rows[i].element) == FPFMT_FOUND &&
                  fpfmt_find(&scale, rows[i].scale) == FPFMT_FOUND,
              "row %zu has no format", i);
        const fpfmt_series series = {
            .format = &element, .codes = codes, .stride = 1, .scales = { &scale, codes, 1, 16 }
        };
        joined.fraction_bits = (uint8_t)rows[i].fraction_bits;
        const char *defect = fpfmt_scales_defect(&joined, &series, &series);
        CHECK(rows[i].fits == (defect == NULL) &&
                  (defect == NULL || strcmp(defect, "joined products and their scales do not fit "
                                                    "into 62 bits") == 0),
              "%s@%s: %s", rows[i].element, rows[i].scale, defect == NULL ? "none" : defect);
    }
    const fpfmt_series wide = { .format = fpfmt_named("fp64"), .codes = codes, .stride = 1 };
    const char *defect = fpfmt_scales_defect(&single, &wide, &wide);
    CHECK(defect != NULL &&
              strcmp(defect, "products to be aligned have more than 62 fraction bits") == 0,
          "products of fp64: %s", defect == NULL ? "none" : defect);
}

/* The first group of a promoted sum has no scales where these come late: 32 ones are 32. */
static void first_group(void)
{
    const fpfmt_accumulator late = engine("deepseek", "e4m3");
    const fpfmt_format *e4m3 = fpfmt_named("e4m3"), *to = fpfmt_named("fp32");
    unsigned char ones[32];
    const float scale = 3;
    fpfmt_alignment group;
    memset(ones, 0x38, sizeof ones);
    const fpfmt_series series = {
        .format = e4m3, .codes = ones, .stride = 1, .scales = { to, &scale, 1, 128 }
    };
    CHECK(fpfmt_align(to, &late, &group, 0, series, series, 32) && group.code == 0x42000000,
          "the group is 0x%x", (unsigned)group.code);
}

int main(void)
{
    static const struct test tests[] = {
        { "a scale's sign is a sign of its products", signs_of_scales },
        { "products with a scale of 0 are 0", zero_scales },
        { "products that do not fit into the engine's integers are refused", what_does_not_fit },
        { "a group is told without the scales that come late", first_group },
        { "engines with random parameters agree with exact fractions", random_engines },
    };
    return run_tests("engines of scaled operands", tests, sizeof tests / sizeof tests[0]);
}
