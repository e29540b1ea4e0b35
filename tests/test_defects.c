/* test_defects.c - which rows are unsound, and what NULL and the ends of formats give
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <string.h>

#include <fpfmt.h>

/* sign, exponent and fraction bits, bias, nans, infinity, exponent_zero, overflow, tie. */
#define ROW(sign, exponent, fraction, b, n, i, zero, o, t)                                         \
    {                                                                                              \
        .sign_bits = sign, .exponent_bits = exponent, .fraction_bits = fraction, .bias = b,        \
        .nans = n, .infinity = i, .exponent_zero = zero, .overflow = o, .tie = t                   \
    }

/* OCP E4M3, sound, and what breaks it in one place, with a part of the sentence that says so; NULL
 * where nothing is. */
static const struct {
    fpfmt_format format;
    const char *sentence;
} rows[] = {
    { ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), NULL },
    { ROW(2, 4, 3, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "sign bit" },
    { ROW(1, 0, 0, 7, 0, 0, 0, FPFMT_OVERFLOW_NAN, 0), "width" },
    { ROW(1, 12, 52, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "width" },
    { ROW(1, 8, 53, 127, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "precision" },
    { ROW(1, 4, 3, 7, 4, 0, 0, FPFMT_OVERFLOW_NAN, 0), "enumerator" },
    { ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, 3, 0, FPFMT_OVERFLOW_NAN, 0), "enumerator" },
    { ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, 0, 3, FPFMT_OVERFLOW_NAN, 0), "enumerator" },
    { ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 2), "enumerator" },
    { ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_SPEC, 0), "overflow" },
    { ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_COUNT, 0), "overflow" },
    { ROW(1, 0, 3, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "fixed point" },
    { ROW(1, 0, 3, 7, 0, FPFMT_INFINITY_TOP, 0, FPFMT_OVERFLOW_NAN, 0), "fixed point" },
    { ROW(1, 0, 3, 7, 0, 0, 1, FPFMT_OVERFLOW_NAN, 0), "fixed point" },
    { ROW(1, 0, 3, 7, 0, 0, 0, FPFMT_OVERFLOW_NAN, 0), NULL },
    { ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_IEEE, 0, FPFMT_OVERFLOW_NAN, 0),
      "come together" },
    { ROW(1, 4, 3, 7, FPFMT_NANS_IEEE, 0, 0, FPFMT_OVERFLOW_NAN, 0), "come together" },
    { ROW(1, 4, 0, 7, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, 0, FPFMT_OVERFLOW_NAN, 0),
      "fraction bit" },
    { ROW(0, 4, 3, 7, FPFMT_NANS_NEGATIVE_ZERO, 0, 0, FPFMT_OVERFLOW_NAN, 0),
      "sign there is no -0" },
    { ROW(1, 4, 3, 7, FPFMT_NANS_NEGATIVE_ZERO, 0, FPFMT_EXPONENT_ZERO_NORMALS, FPFMT_OVERFLOW_NAN,
          0),
      "zero there is no -0" },
    { ROW(1, 13, 3, 7, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "exceeds binary64" },
    { ROW(1, 4, 3, -1020, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "exceeds binary64" },
    { ROW(1, 4, 3, -5000, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "exceeds binary64" },
    { ROW(1, 4, 3, 1079, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "below binary64" },
    { ROW(1, 4, 3, 5000, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "below binary64" },
    { ROW(1, 4, 3, 1072, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), NULL },
    { ROW(1, 4, 3, -1008, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), NULL },
    { ROW(1, 4, 3, -1009, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "exceeds binary64" },
    { ROW(1, 4, 3, 1073, FPFMT_NANS_ALL_ONES, 0, 0, FPFMT_OVERFLOW_NAN, 0), "below binary64" },
    { ROW(1, 1, 0, 7, FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_TOP, 0, FPFMT_OVERFLOW_NAN, 0),
      "no finite value" },
    { ROW(1, 1, 3, 7, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, 0, FPFMT_OVERFLOW_NAN, 0),
      "no normal value" },
};

static void unsound_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *said = fpfmt_defect(&rows[i].format), *expected = rows[i].sentence;
        bool right =
            expected == NULL ? said == NULL : said != NULL && strstr(said, expected) != NULL;
        CHECK(right, "row %zu: \"%s\", not \"%s\"", i, said == NULL ? "sound" : said,
              expected == NULL ? "sound" : expected);
    }
    fpfmt_format special = rows[0].format;
    special.specials = FPFMT_SPECIALS_P3109 + 1;
    CHECK(fpfmt_defect(&special) != NULL && strstr(fpfmt_defect(&special), "enumerator") != NULL,
          "specials of no specification are sound");
    for (size_t i = 0; fpfmt_at(i) != NULL; i++)
        CHECK(fpfmt_defect(fpfmt_at(i)) == NULL, "%s: %s", fpfmt_at(i)->name,
              fpfmt_defect(fpfmt_at(i)));
}

static void null_policies(void)
{
    const fpfmt_format *format = fpfmt_named("fp16");
    fpfmt_value value = fpfmt_from_f64(1.0 + 1.0 / 1024 + 1.0 / 4096);
    CHECK(fpfmt_policy_defect(NULL) == NULL, "the default policy has a defect");
    CHECK(fpfmt_random_bits(7, NULL) == 0, "the default policy draws bits");
    CHECK(fpfmt_encode_random(format, value, 1, NULL, NULL) ==
              fpfmt_encode(format, value, NULL, NULL),
          "random bits matter without a policy");
    CHECK(fpfmt_explain(format, value, NULL).code == 0x3c01,
          "the explanation is of another policy");
    CHECK(fpfmt_to_i64(fpfmt_from_f64(2.5), NULL, NULL) == 2, "2.5 is not rounded to even");
}

/* Where nothing lies beyond, P3109 has NaN; a format without NaN has only its last value. The
 * policy decides, whatever the format's own specification says. */
static void beyond_the_last(void)
{
    const fpfmt_policy p3109 = { .specials = FPFMT_SPECIALS_P3109 };
    static const struct {
        const char *name;
        uint64_t last, beyond;
    } ends[] = {
        { "binary8p4se", 0x7f, 0x80 }, { "binary4p2sf", 0x7, 0x8 }, { "binary8p1uf", 0xfe, 0xff },
        { "e2m1", 0x7, 0x7 },          { "int8", 0x7f, 0x7f },      { "e4m3", 0x7e, 0x7f },
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const fpfmt_format *format = fpfmt_named(ends[i].name);
        uint64_t next = fpfmt_next_up(format, ends[i].last, &p3109, NULL);
        CHECK(next == ends[i].beyond, "%s: 0x%llx", ends[i].name, (unsigned long long)next);
        CHECK(fpfmt_next_up(format, ends[i].last, NULL, NULL) == ends[i].last, "%s: not the last",
              ends[i].name);
    }
}

static const fpfmt_format
    /* 0, 2^-6, 2^-5 ...: code 0 of the first binade is zero, and with no fraction bit all of it */
    gap_of_zero_bits =
        ROW(1, 4, 0, 7, 0, 0, FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS, FPFMT_OVERFLOW_MAX, 0),
    /* 0.5, 0.75, 1, 1.5 of either sign */
    without_zero = ROW(1, 1, 1, 1, 0, 0, FPFMT_EXPONENT_ZERO_NORMALS, FPFMT_OVERFLOW_MAX, 0),
    clamped = ROW(1, 4, 3, 7, FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_TOP, 0, FPFMT_OVERFLOW_MAX, 0),
    symmetric = ROW(1, 0, 7, 0, 0, 0, 0, FPFMT_OVERFLOW_SYMMETRIC, 0);

/* Rows of callers' own whose fields meet as in no row of the table. */
static void unusual_rows(void)
{
    const fpfmt_value inf = { .kind = FPFMT_KIND_INFINITE },
                      negative_inf = { .kind = FPFMT_KIND_INFINITE, .negative = true };
    unsigned flags = 0;
    CHECK(fpfmt_encode(&gap_of_zero_bits, fpfmt_from_f64(0x1p-7), NULL, &flags) == 0 &&
              flags == (FPFMT_FLAG_INEXACT | FPFMT_FLAG_UNDERFLOW),
          "half of the smallest value: flags %x", flags);
    CHECK(fpfmt_encode(&gap_of_zero_bits, fpfmt_from_f64(0x1.8p-7), NULL, NULL) == 1,
          "three quarters of the smallest value are not next to it");
    CHECK(fpfmt_measure(&gap_of_zero_bits).emin == -6, "the smallest normal is not 2^-6");
    CHECK(fpfmt_next_down(&without_zero, 1, NULL, NULL) == 0, "below 0.75 is not 0.5");
    CHECK(fpfmt_next_up(&without_zero, 5, NULL, NULL) == 4, "above -0.75 is not -0.5");
    CHECK(fpfmt_next_down(&without_zero, 0, NULL, NULL) == 4, "below 0.5 is not -0.5");
    flags = 0;
    CHECK(fpfmt_encode(&clamped, inf, NULL, &flags) == 0x7d &&
              flags == (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INEXACT),
          "a row's own MAX keeps an infinite input");
    CHECK(fpfmt_negate(&clamped, 0x7e) == 0xfe, "the negative of a code is not of its magnitude");
    CHECK(fpfmt_encode(&symmetric, fpfmt_from_i64(-128), NULL, NULL) == 0x81 &&
              fpfmt_encode(&symmetric, fpfmt_from_i64(-129), NULL, NULL) == 0x81 &&
              fpfmt_encode(&symmetric, negative_inf, NULL, NULL) == 0x81,
          "a row's own SYMMETRIC uses the lowest code");
    CHECK(fpfmt_decode(&symmetric, 0x80).exponent == 7 && fpfmt_abs(&symmetric, 0x80) == 0x7f,
          "the lowest code is still one");
}

/* The room with its slot number slot in use. */
static fpfmt_reserved used(int slot)
{
    static const char something;
    fpfmt_reserved room = { .numbers = { slot == 2, slot == 3 ? -1 : 0 } };
    if (slot < 2)
        room.pointers[slot] = &something;
    return room;
}

static bool speaks_of_room(const char *sentence)
{
    return sentence != NULL && strstr(sentence, "reserved") != NULL;
}

static void reserved_room(void)
{
    for (int slot = 0; slot < 4; slot++) {
        fpfmt_format format = *fpfmt_named("fp16");
        fpfmt_accumulator how = *fpfmt_accumulator_at(0);
        format.reserved = used(slot);
        how.reserved = used(slot);
        CHECK(speaks_of_room(fpfmt_defect(&format)), "slot %d of a format may be used", slot);
        CHECK(speaks_of_room(fpfmt_accumulator_defect(&how)), "slot %d of an accumulator", slot);
    }
}

/* A product of 1 by 1 matrices, a sum of one element, and a view of one. */
static void reserved_room_of_calls(void)
{
#ifdef FPFMT_CHECKING
    skip_test("a checking build stops instead");
#else
    static const uint16_t one = 0x3C00;
    const fpfmt_format *fp16 = fpfmt_named("fp16");
    const fpfmt_accumulator *exact = fpfmt_accumulator_at(0);
    fpfmt_accumulator tensor_core;
    fpfmt_find_accumulator(&tensor_core, "nv-v100", fp16, fp16, fp16);
    for (int slot = 0; slot < 5; slot++) { /* past the last one nothing is refused */
        const fpfmt_series good = { .format = fp16, .codes = &one, .stride = 1 };
        const fpfmt_series bad = {
            .format = fp16, .codes = &one, .stride = 1, .reserved = used(slot)
        };
        uint64_t expected = slot < 4 ? fpfmt_measure(fp16).nan : one;
        CHECK(fpfmt_sum(fp16, exact, 0, bad, 1, NULL, NULL) == expected, "slot %d of a", slot);
        CHECK(fpfmt_dot(fp16, exact, 0, good, bad, 1, NULL, NULL) == expected, "slot %d of b",
              slot);
        fpfmt_alignment group;
        CHECK(fpfmt_align(fp16, &tensor_core, &group, 0, bad, good, 1) == (slot == 4) &&
                  fpfmt_align(fp16, &tensor_core, &group, 0, good, bad, 1) == (slot == 4),
              "slot %d of a series that is aligned", slot);
        for (int which = 0; which < 3; which++) {
            uint16_t c = 0;
            fpfmt_product of = { .to = fp16,
                                 .how = exact,
                                 .a = { .format = fp16, .codes = &one },
                                 .b = { .format = fp16, .codes = &one },
                                 .c = &c,
                                 .m = 1,
                                 .n = 1,
                                 .k = 1,
                                 .alpha = 1 };
            *(which == 0   ? &of.reserved
              : which == 1 ? &of.a.reserved
                           : &of.b.reserved) = used(slot);
            CHECK(fpfmt_gemm(&of, NULL) == (slot == 4) && c == (slot < 4 ? 0 : one),
                  "slot %d of product, A or B: %d", slot, which);
        }
        fpfmt_plan plan;
        float from = 1, to = 0;
        fpfmt_view in = { .data = &from }, out = { .data = &to };
        fpfmt_prepare(&plan, fp16, NULL, NULL);
        in.reserved = used(slot);
        CHECK(fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32, out, in, 0, NULL) == (slot == 4),
              "slot %d of a view to read", slot);
        in.reserved = used(4);
        out.reserved = used(slot);
        CHECK(fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32, out, in, 0, NULL) == (slot == 4),
              "slot %d of a view to write", slot);
    }
#endif
}

int main(void)
{
    static const struct test tests[] = {
        { "each rule of soundness has its sentence, and no row of the table breaks one",
          unsound_rows },
        { "rows whose fields meet as in no row of the table work", unusual_rows },
        { "reserved room that is in use is a defect", reserved_room },
        { "reserved room that is in use is refused", reserved_room_of_calls },
        { "a NULL policy is the default one everywhere", null_policies },
        { "beyond the last value there is NaN in P3109, where there is NaN", beyond_the_last },
    };
    return run_tests("defects", tests, sizeof tests / sizeof tests[0]);
}
