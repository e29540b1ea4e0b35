/* test_names.c - names of formats: aliases, folding, ambiguity, grammars, suggestions
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "oracle.h"
#include "runner.h"

static void check_row(const char *name, const char *row)
{
    fpfmt_format format = { .name = "untouched" };
    fpfmt_status status = fpfmt_find(&format, name);
    CHECK(status == FPFMT_FOUND && strcmp(format.name, row) == 0, "%s: status %d, %s, not %s", name,
          (int)status, format.name, row);
    CHECK(fpfmt_named(name) != NULL && strcmp(fpfmt_named(name)->name, row) == 0,
          "%s is not the name of a row", name);
}

/* Each ecosystem's spelling of each row. */
static void aliases(void)
{
    static const char *const spellings[][12] = {
        { "fp64", "binary64", "double", "float64", "torch.float64", "F64" },
        { "fp32", "binary32", "single", "float", "float32", "torch.float32", "F32" },
        { "tf32", "TensorFloat-32", "FloatTF32", "tfloat32_t", "e8m10" },
        { "fp16", "binary16", "half", "float16", "e5m10", "FP16", "torch.float16", "F16" },
        { "bf16", "bfloat16", "BF16", "e8m7", "torch.bfloat16" },
        { "e5m2", "float8_e5m2", "E5M2", "FLOAT8E5M2", "__nv_fp8_e5m2", "Float8E5M2", "f8E5M2",
          "F8_E5M2", "torch.float8_e5m2", "fp8e5" },
        { "e4m3", "float8_e4m3fn", "Float8E4M3FN", "FLOAT8E4M3FN", "torch.float8_e4m3fn",
          "__nv_fp8_e4m3", "float8e4nv", "fp8e4nv", "f8E4M3FN", "F8_E4M3", "kDLFloat8_e4m3fn" },
        { "e4m3ieee", "Float8E4M3", "float8_e4m3", "f8E4M3" },
        { "e3m4", "Float8E3M4", "float8_e3m4", "f8E3M4" },
        { "e5m2fnuz", "float8_e5m2fnuz", "FLOAT8E5M2FNUZ", "torch.float8_e5m2fnuz", "f8E5M2FNUZ",
          "Float8E5M2FNUZ" },
        { "e4m3fnuz", "float8_e4m3fnuz", "FLOAT8E4M3FNUZ", "torch.float8_e4m3fnuz", "float8e4b8",
          "fp8e4b8", "f8E4M3FNUZ", "Float8E4M3FNUZ" },
        { "e4m3b11fnuz", "float8_e4m3b11fnuz", "Float8E4M3B11FNUZ", "f8E4M3B11FNUZ" },
        { "e8m0", "float8_e8m0fnu", "torch.float8_e8m0fnu", "FLOAT8E8M0", "float_ue8m0_t",
          "Float8E8M0FNU", "f8E8M0FNU", "ue8m0", "F8_E8M0" },
        { "e3m2", "float6_e3m2fn", "Float6E3M2FN", "f6E3M2FN" },
        { "e2m3", "float6_e2m3fn", "Float6E2M3FN", "f6E2M3FN" },
        { "e2m1", "float4_e2m1fn", "FLOAT4E2M1", "Float4E2M1FN", "f4E2M1FN", "fp4",
          "torch.float4_e2m1fn_x2", "F4" },
        { "ue4m3", "float_ue4m3_t" },
        { "ue5m3", "float_ue5m3_t" },
        { "fp16alt" },
        { "dlfloat16" },
        { "pxr24" },
        { "ufloat11" },
        { "ufloat10" },
        { "int8f6" },
        { "int8" },
        { "int4" },
        { "int16" },
        { "int32" },
        { "uint4" },
        { "uint8" },
        { "uint16" },
        { "uint32" },
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        for (size_t j = 0; j < 12 && spellings[i][j] != NULL; j++)
            check_row(spellings[i][j], spellings[i][0]);
}

static void folding(void)
{
    static const char *const spellings[][2] = {
        { "FP32", "fp32" },
        { "fp_32", "fp32" },
        { "F-P-3-2", "fp32" },
        { "BFloat16", "bf16" },
        { "b-float_16", "bf16" },
        { "E8M0", "e8m0" },
        { "FP8_E4M3", "e4m3" },
        { "fp8-e5m2", "e5m2" },
        { "FLOAT6_E3M2FN", "e3m2" },
        { "tensorfloat_32", "tf32" },
        { "Binary8P4SE", "binary8p4se" },
        { "f8E4M3", "e4m3ieee" },
        { "F8_E4M3", "e4m3" },
        { "Float8E4M3", "e4m3ieee" },
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        check_row(spellings[i][0], spellings[i][1]);
}

static void check_refused(const char *name, fpfmt_status refusal)
{
    fpfmt_format format = { .name = "untouched" };
    fpfmt_status status = fpfmt_find(&format, name);
    CHECK(status == refusal, "\"%s\": status %d", name, (int)status);
    CHECK(strcmp(format.name, "untouched") == 0, "\"%s\" changed the format", name);
    CHECK(fpfmt_named(name) == NULL, "\"%s\" is the name of a row", name);
}

/* The suggestions, in order and no more, separated by blanks. */
static void check_suggestions(const char *name, const char *expected)
{
    char all[256] = "", text[FPFMT_NAME_SIZE];
    for (size_t i = 0; i < 8 && fpfmt_suggest(text, sizeof text, name, i) > 0; i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, text);
    }
    CHECK(strcmp(all, expected) == 0, "\"%s\" suggests \"%s\", not \"%s\"", name, all, expected);
}

/* As snprintf: the length of all of it, and as much of it as there is room for. */
static void short_of_room(void)
{
    char text[FPFMT_NAME_SIZE];
    size_t length = fpfmt_suggest(NULL, 0, "bflaot16", 0);
    CHECK(length == 8, "%zu characters in no room", length);
    memset(text, '#', sizeof text);
    length = fpfmt_suggest(text, 4, "bflaot16", 0);
    CHECK(length == 8 && strcmp(text, "bfl") == 0 && text[4] == '#', "\"%.5s\" in room for 4",
          text);
    text[0] = '#';
    CHECK(fpfmt_suggest(text, sizeof text, "bflaot16", 1) == 0 && text[0] == '#',
          "a candidate past the last is printed");
}

static void ambiguity(void)
{
    static const char *const names[][2] = {
        { "fp8", "e5m2 e4m3" },
        { "FP8", "e5m2 e4m3" },
        { "fp6", "e3m2 e2m3" },
        { "f8e4m3", "e4m3 e4m3ieee" },
        { "F8E4M3", "e4m3 e4m3ieee" },
        { "f8_e4m3", "e4m3 e4m3ieee" },
        { "e4m3b11", "e4m3b11ieee e4m3b11fn e4m3b11fnuz e4m3b11none" },
        { "E4M3B11", "e4m3b11ieee e4m3b11fn e4m3b11fnuz e4m3b11none" },
        { "e4m3b15", "e4m3b15ieee e4m3b15fn e4m3b15fnuz e4m3b15none" },
        { "e2m1b3", "e2m1b3ieee e2m1b3fn e2m1b3none" },
        { "e3m2b4", "e3m2b4ieee e3m2b4fn e3m2b4none" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char expected[64], text[FPFMT_NAME_SIZE];
        size_t found = 0;
        check_refused(names[i][0], FPFMT_AMBIGUOUS);
        /* Which of two equally likely rows comes first is not promised. */
        for (size_t n = 0; fpfmt_suggest(text, sizeof text, names[i][0], n) > 0; n++) {
            fpfmt_format format;
            snprintf(expected, sizeof expected, " %s ", names[i][1]);
            for (char *c = text; *c != '\0'; c++)
                if (*c >= 'A' && *c <= 'Z')
                    *c = (char)(*c - 'A' + 'a');
            CHECK(strstr(expected, text) != NULL, "\"%s\" suggests %s", names[i][0], text);
            CHECK(fpfmt_find(&format, text) == FPFMT_FOUND, "%s is suggested and not found", text);
            found++;
        }
        for (const char *c = names[i][1]; c != NULL; c = strchr(c + 1, ' '))
            found--;
        CHECK(found == 0, "\"%s\" has %zu suggestions too many", names[i][0], found);
    }
}

static void unknown(void)
{
    static const char *const names[] = {
        "",
        "x",
        "fp",
        "fp3",
        "e",
        "e5",
        "e5m",
        "m2",
        "e0m3",
        "e5m2b",
        "e5m2x",
        "e5m2fnx",
        "e5m2ieeeu2",
        "binary",
        "binary8",
        "binary8p3",
        "binary8p3s",
        "binary8p0se",
        "binary8p8se",
        "binary8p9uf",
        "binary2p1se",
        "binary8p3sx",
        "binary8p3see",
        "e5m2 ",
        " e5m2",
        "fp32,bf16",
        "e99999m2",
        "e5m99999",
        "fp32\n",
        "binary99999p3se",
        "e5m2b99999fn",
        "averyveryverylongnamethatnobodyuses",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_refused(names[i], FPFMT_UNKNOWN);
}

static void typos(void)
{
    static const char *const names[][2] = {
        { "bf61", "bf16" },         { "fp23", "fp32" },         { "fp46", "fp64" },
        { "bfloat61", "bfloat16" }, { "e4m3fnzu", "e4m3fnuz" }, { "dlflot16", "dlfloat16" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        check_refused(names[i][0], FPFMT_UNKNOWN);
        check_suggestions(names[i][0], names[i][1]);
    }
    check_suggestions("zzzzzzzzzzzz", "");
    check_suggestions("bf17", "bf16");
    check_suggestions("fp128", "");
    check_suggestions("x87", "");
    check_suggestions("", "");
    check_suggestions("fp32", "fp32");
}

/* Fields of custom formats: sign, exponent, fraction bits, bias, NaN, infinity, overflow, tie. */
static void custom_grammar(void)
{
    enum { NONE = FPFMT_NANS_NONE, ONES = FPFMT_NANS_ALL_ONES, ZERO = FPFMT_NANS_NEGATIVE_ZERO };
    static const struct {
        const char *name;
        int sign, exponent, fraction, bias, nans, infinity, overflow;
    } rows[] = {
        { "e6m5", 1, 6, 5, 31, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, FPFMT_OVERFLOW_INF },
        { "E6M5", 1, 6, 5, 31, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, FPFMT_OVERFLOW_INF },
        { "e5m3b7fn", 1, 5, 3, 7, ONES, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_NAN },
        { "e6m5fnuz", 1, 6, 5, 32, ZERO, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_NAN },
        { "e6m5none", 1, 6, 5, 31, NONE, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_MAX },
        { "e6m5ieee", 1, 6, 5, 31, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, FPFMT_OVERFLOW_INF },
        { "e6m5u", 0, 6, 5, 31, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, FPFMT_OVERFLOW_INF },
        { "e6m5fnu", 0, 6, 5, 31, ONES, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_NAN },
        { "e4m3b11ieee", 1, 4, 3, 11, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, FPFMT_OVERFLOW_INF },
        { "e2m1b3none", 1, 2, 1, 3, NONE, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_MAX },
        { "e3m0none", 1, 3, 0, 3, NONE, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_MAX },
        { "e5m2b0", 1, 5, 2, 0, FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, FPFMT_OVERFLOW_INF },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_format format;
        if (!CHECK(fpfmt_find(&format, rows[i].name) == FPFMT_FOUND, "%s is not found",
                   rows[i].name))
            continue;
        CHECK(format.sign_bits == rows[i].sign && format.exponent_bits == rows[i].exponent &&
                  format.fraction_bits == rows[i].fraction && format.bias == rows[i].bias &&
                  format.nans == rows[i].nans && format.infinity == rows[i].infinity &&
                  format.overflow == rows[i].overflow &&
                  format.exponent_zero == FPFMT_EXPONENT_ZERO_SUBNORMALS,
              "%s is read as s%d e%d m%d bias %d nans %d infinity %d overflow %d", rows[i].name,
              format.sign_bits, format.exponent_bits, format.fraction_bits, (int)format.bias,
              format.nans, format.infinity, format.overflow);
        CHECK((format.tie == FPFMT_TIE_LARGER) == (rows[i].fraction == 0), "%s: tie", rows[i].name);
        CHECK(format.specials == FPFMT_SPECIALS_IEEE, "%s: specials", rows[i].name);
    }
}

static unsigned p3109_unsound;

/* Sound means that the largest and the smallest value are binary64. */
static void check_p3109(const oracle_format *reference)
{
    fpfmt_format format;
    fpfmt_limits limits;
    mpfr_t most, least;
    bool sound;
    fpfmt_status status = fpfmt_find(&format, reference->name);
    mpfr_inits2(64, most, least, (mpfr_ptr)NULL);
    oracle_magnitude(most, reference, reference->max);
    oracle_magnitude(least, reference, 1);
    sound = mpfr_cmp_si_2exp(most, 1, 1024) < 0 && mpfr_cmp_si_2exp(least, 1, -1074) >= 0;
    mpfr_clears(most, least, (mpfr_ptr)NULL);

    CHECK(status == (sound ? FPFMT_FOUND : FPFMT_UNSOUND), "%s: status %d", reference->name,
          (int)status);
    p3109_unsound += status == FPFMT_UNSOUND;
    if (status == FPFMT_UNSOUND)
        CHECK(fpfmt_defect(&format) != NULL && reference->bits >= 12, "%s: no defect is told",
              reference->name);
    if (status != FPFMT_FOUND)
        return;
    limits = fpfmt_measure(&format);
    CHECK(strcmp(format.name, reference->name) == 0, "%s is called %s", reference->name,
          format.name);
    CHECK(format.specials == FPFMT_SPECIALS_P3109, "%s is not P3109's", reference->name);
    CHECK(limits.width == reference->bits && limits.precision == reference->precision &&
              limits.emin == reference->emin && limits.max == reference->max &&
              limits.nan == reference->nan && limits.infinity == reference->infinity,
          "%s: limits differ", reference->name);
}

static void p3109_grammar(void)
{
    p3109_unsound = 0;
    oracle_each_p3109(3, 16, check_p3109);
    CHECK(p3109_unsound == 50, "%u P3109 formats are unsound", p3109_unsound);
}

static void unsound(void)
{
    static const char *const names[] = {
        "e12m3",      "e11m53",   "e11m52b1024fnuz", "e5m2ieeeb", "e8m56", "e11m10b1100",
        "e11m10b900", "e8m0ieee", "e4m3fnuzu",       "e4m60",     "e20m3",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fpfmt_format format = { .name = "untouched" };
        fpfmt_status status = fpfmt_find(&format, names[i]);
        bool is_name = strcmp(names[i], "e5m2ieeeb") != 0;
        CHECK(status == (is_name ? FPFMT_UNSOUND : FPFMT_UNKNOWN), "%s: status %d", names[i],
              (int)status);
        if (status == FPFMT_UNSOUND)
            CHECK(fpfmt_defect(&format) != NULL, "%s has no defect", names[i]);
    }
}

/* Every row is sound, found by its own name, and no name or alias leads to another row unseen. */
static void rows_are_consistent(void)
{
    size_t rows = 0;
    for (size_t i = 0; fpfmt_at(i) != NULL; i++, rows++) {
        const fpfmt_format *row = fpfmt_at(i);
        char list[512];
        CHECK(fpfmt_defect(row) == NULL, "%s: %s", row->name, fpfmt_defect(row));
        CHECK(fpfmt_named(row->name) == row, "%s is not found by its name", row->name);
        CHECK(row->title != NULL, "%s has no title", row->name);
        bool p3109 = row->sets != NULL && strcmp(row->sets, "p3109") == 0;
        CHECK(row->specials == (p3109 ? FPFMT_SPECIALS_P3109 : FPFMT_SPECIALS_IEEE),
              "%s has the specials of another specification", row->name);
        snprintf(list, sizeof list, "%s", row->aliases == NULL ? "" : row->aliases);
        for (char *alias = strtok(list, " "); alias != NULL; alias = strtok(NULL, " ")) {
            fpfmt_format format;
            fpfmt_status status = fpfmt_find(&format, alias);
            CHECK(status == FPFMT_AMBIGUOUS ||
                      (status == FPFMT_FOUND && strcmp(format.name, row->name) == 0),
                  "%s, an alias of %s, is %s", alias, row->name, format.name);
        }
    }
    CHECK(rows >= oracle_format_count, "there are %zu rows", rows);
    CHECK(fpfmt_at(rows) == NULL && fpfmt_at(SIZE_MAX) == NULL, "there is a row past the end");
}

int main(void)
{
    static const struct test tests[] = {
        { "every ecosystem's name finds its format", aliases },
        { "case, _ and - do not matter unless the bytes match exactly", folding },
        { "a name of two formats is refused with both", ambiguity },
        { "a suggestion is cut to the room there is", short_of_room },
        { "what is no name is unknown", unknown },
        { "a typing error gets a suggestion", typos },
        { "the custom grammar fills in every field", custom_grammar },
        { "P3109 names give P3109's formats, and 50 of them exceed binary64", p3109_grammar },
        { "names of formats beyond binary64 say which bound they break", unsound },
        { "rows are sound and their aliases lead to them", rows_are_consistent },
    };
    return run_tests("names", tests, sizeof tests / sizeof tests[0]);
}
