/* test_faults.c - faults met in other software, held as rows of data/faults.tsv
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <fenv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __SSE__
#include <xmmintrin.h>
#endif

#include <fpfmt.h>

enum { FEWEST_ROWS = 365, MOST_ROWS = 2000, FIELDS = 7 };

struct row {
    unsigned line;
    const char *kind, *input, *format, *policy, *expected, *flags, *source;
};

static struct row rows[MOST_ROWS];
static size_t row_count;

/* CHECK for a row: names its line, its input and its source. */
static bool holds(const struct row *row, bool condition, const char *got)
{
    return CHECK(condition, "faults.tsv:%u (%s): %s %s %s %s gives %s, not %s %s", row->line,
                 row->source, row->kind, row->input, row->format, row->policy, got, row->expected,
                 row->flags);
}

static bool find_format(const struct row *row, fpfmt_format *format, const char *name)
{
    return holds(row, fpfmt_find(format, name) == FPFMT_FOUND, "an unknown format");
}

/* A typed code, as fp16:0x7c00; false if the input is something else. */
static bool read_code(const struct row *row, fpfmt_format *format, uint64_t *code)
{
    char name[FPFMT_NAME_SIZE] = "", *end;
    const char *colon = strchr(row->input, ':');
    if (colon == NULL || (size_t)(colon - row->input) >= sizeof name)
        return false;
    memcpy(name, row->input, (size_t)(colon - row->input));
    *code = strtoull(colon + 1, &end, 16);
    return find_format(row, format, name) && holds(row, *end == '\0', "bits that cannot be read");
}

static bool read_value(const struct row *row, fpfmt_value *value)
{
    fpfmt_format format;
    uint64_t code;
    if (strncmp(row->input, "int:", 4) == 0) {
        *value = fpfmt_from_i64(strtoll(row->input + 4, NULL, 10));
        return true;
    }
    if (strchr(row->input, ':') != NULL) {
        if (!read_code(row, &format, &code))
            return false;
        *value = fpfmt_decode(&format, code);
        return true;
    }
    size_t length = strlen(row->input);
    return holds(row, fpfmt_parse(value, row->input, length, NULL) == length, "a parse error");
}

static const struct {
    const char *word;
    fpfmt_policy policy;
} words[] = {
    { "-", { .rounding = FPFMT_ROUND_NEAREST_EVEN } },
    { "rna", { .rounding = FPFMT_ROUND_NEAREST_AWAY } },
    { "rnz", { .rounding = FPFMT_ROUND_NEAREST_ZERO } },
    { "rtz", { .rounding = FPFMT_ROUND_TOWARD_ZERO } },
    { "raz", { .rounding = FPFMT_ROUND_AWAY_FROM_ZERO } },
    { "rup", { .rounding = FPFMT_ROUND_UPWARD } },
    { "rdn", { .rounding = FPFMT_ROUND_DOWNWARD } },
    { "rto", { .rounding = FPFMT_ROUND_TO_ODD } },
    { "max", { .overflow = FPFMT_OVERFLOW_MAX } },
    { "max-finite", { .overflow = FPFMT_OVERFLOW_MAX_FINITE } },
    { "ftz", { .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS } },
    { "daz", { .subnormal = FPFMT_SUBNORMAL_FLUSH_INPUTS } },
    { "preserve", { .nan = FPFMT_NAN_PRESERVE } },
    { "tiny-before", { .tininess = FPFMT_TININESS_BEFORE_ROUNDING } },
};

static bool find_policy(const struct row *row, fpfmt_policy *policy, const fpfmt_format *format)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, row->policy) == 0) {
            *policy = words[i].policy;
            return true;
        }
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++)
        if (strcmp(fpfmt_policy_at(i)->name, row->policy) == 0) {
            *policy = fpfmt_policy_for(fpfmt_policy_at(i), format);
            return true;
        }
    return holds(row, false, "an unknown policy");
}

/* The words of flags as the file has them, the gravest first. */
static void name_flags(char text[64], unsigned flags)
{
    static const char *const names[] = { "inexact", "underflow", "overflow", "divide-by-zero",
                                         "invalid" };
    text[0] = '\0';
    for (int bit = 4; bit >= 0; bit--)
        if (flags & 1U << bit) {
            strcat(text, text[0] == '\0' ? "" : ",");
            strcat(text, names[bit]);
        }
    if (text[0] == '\0')
        strcpy(text, "-");
}

static void check_encode(const struct row *row)
{
    fpfmt_format format;
    fpfmt_policy policy;
    fpfmt_value value;
    char raised[64], got[128];
    unsigned flags = 0;
    if (!find_format(row, &format, row->format) || !find_policy(row, &policy, &format) ||
        !read_value(row, &value))
        return;
    uint64_t code = fpfmt_encode(&format, value, &policy, &flags);
    name_flags(raised, flags);
    snprintf(got, sizeof got, "0x%llX %s", (unsigned long long)code, raised);
    holds(row, code == strtoull(row->expected, NULL, 16) && strcmp(raised, row->flags) == 0, got);
}

static void check_exact(const struct row *row)
{
    fpfmt_format format;
    uint64_t code;
    char text[800];
    if (!read_code(row, &format, &code))
        return;
    fpfmt_print_exact(text, sizeof text, fpfmt_decode(&format, code));
    holds(row, strcmp(text, row->expected) == 0, text);
}

static void check_shortest(const struct row *row)
{
    fpfmt_format format;
    uint64_t code;
    char text[64];
    if (!read_code(row, &format, &code))
        return;
    fpfmt_print_shortest(text, sizeof text, &format, code);
    holds(row, strcmp(text, row->expected) == 0, text);
}

static void check_class(const struct row *row)
{
    static const char *const names[] = {
        [FPFMT_CLASS_SIGNALING_NAN] = "signaling-nan",
        [FPFMT_CLASS_QUIET_NAN] = "quiet-nan",
        [FPFMT_CLASS_NEGATIVE_INFINITY] = "negative-infinity",
        [FPFMT_CLASS_NEGATIVE_NORMAL] = "negative-normal",
        [FPFMT_CLASS_NEGATIVE_SUBNORMAL] = "negative-subnormal",
        [FPFMT_CLASS_NEGATIVE_ZERO] = "negative-zero",
        [FPFMT_CLASS_POSITIVE_ZERO] = "positive-zero",
        [FPFMT_CLASS_POSITIVE_SUBNORMAL] = "positive-subnormal",
        [FPFMT_CLASS_POSITIVE_NORMAL] = "positive-normal",
        [FPFMT_CLASS_POSITIVE_INFINITY] = "positive-infinity",
    };
    fpfmt_format format;
    uint64_t code;
    if (!read_code(row, &format, &code))
        return;
    const char *got = names[fpfmt_classify(&format, code)];
    holds(row, strcmp(got, row->expected) == 0, got);
}

static void check_count(const struct row *row)
{
    static const struct {
        const char *word;
        bool (*is)(const fpfmt_format *format, uint64_t code);
    } tests[] = {
        { "nan", fpfmt_is_nan },         { "signaling", fpfmt_is_signaling },
        { "zero", fpfmt_is_zero },       { "infinite", fpfmt_is_infinite },
        { "normal", fpfmt_is_normal },   { "subnormal", fpfmt_is_subnormal },
        { "negative", fpfmt_is_negative },
    };
    fpfmt_format format;
    unsigned long codes = 0, i = 0;
    char got[32];
    if (!find_format(row, &format, row->format))
        return;
    while (i < sizeof tests / sizeof tests[0] && strcmp(tests[i].word, row->input) != 0)
        i++;
    if (!holds(row, i < sizeof tests / sizeof tests[0], "an unknown word"))
        return;
    for (uint64_t code = 0; code >> fpfmt_measure(&format).width == 0; code++)
        codes += tests[i].is(&format, code);
    snprintf(got, sizeof got, "%lu", codes);
    holds(row, codes == strtoul(row->expected, NULL, 10), got);
}

static void check_limit(const struct row *row)
{
    fpfmt_format format;
    char got[32];
    if (!find_format(row, &format, row->format))
        return;
    fpfmt_limits limits = fpfmt_measure(&format);
    const struct {
        const char *word;
        uint64_t code;
    } all[] = {
        { "max", limits.max },
        { "min_normal", limits.min_normal },
        { "min_positive", limits.min_positive },
        { "nan", limits.nan },
    };
    size_t i = 0;
    while (i < sizeof all / sizeof all[0] && strcmp(all[i].word, row->input) != 0)
        i++;
    if (!holds(row, i < sizeof all / sizeof all[0], "an unknown word"))
        return;
    snprintf(got, sizeof got, "0x%llX", (unsigned long long)all[i].code);
    holds(row, all[i].code == strtoull(row->expected, NULL, 16), got);
}

static void check_reject(const struct row *row)
{
    fpfmt_value value;
    const char *why = NULL;
    char got[32];
    size_t length = strlen(row->input), used = fpfmt_parse(&value, row->input, length, &why);
    snprintf(got, sizeof got, "%zu characters", used);
    holds(row, used == strtoul(row->expected, NULL, 10) && (used == 0 || used < length), got);
    holds(row, why != NULL, "no reason");
}

static void check_name(const struct row *row)
{
    static const char *const failures[] = { [FPFMT_UNKNOWN] = "unknown",
                                            [FPFMT_AMBIGUOUS] = "ambiguous",
                                            [FPFMT_UNSOUND] = "unsound" };
    fpfmt_format format;
    fpfmt_status status = fpfmt_find(&format, row->input);
    const char *got = status == FPFMT_FOUND ? format.name : failures[status];
    holds(row, strcmp(got, row->expected) == 0, got);
}

static const struct {
    const char *kind;
    void (*check)(const struct row *row);
} kinds[] = {
    { "encode", check_encode },     { "exact", check_exact }, { "shortest", check_shortest },
    { "class", check_class },       { "count", check_count }, { "limit", check_limit },
    { "reject", check_reject },     { "name", check_name },
};

static void check_row(const struct row *row)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].kind, row->kind) == 0) {
            kinds[i].check(row);
            return;
        }
    holds(row, false, "an unknown kind of row");
}

/* Splits a line at its tabs in place; false if it has not the fields of a row. */
static bool split(struct row *row, char *line, unsigned number)
{
    char *field[FIELDS], *tab;
    int n = 0;
    for (tab = line; tab != NULL && n < FIELDS; n++) {
        field[n] = tab;
        tab = strchr(tab, '\t');
        if (tab != NULL)
            *tab++ = '\0';
    }
    if (n != FIELDS || tab != NULL)
        return false;
    size_t length = strlen(field[1]);
    if (length > 1 && field[1][0] == '"' && field[1][length - 1] == '"') {
        field[1][length - 1] = '\0';
        field[1]++;
    }
    *row = (struct row){ number,   field[0], field[1], field[2],
                         field[3], field[4], field[5], field[6] };
    return true;
}

static void read_rows(void)
{
    static char text[1 << 17];
    const char *path = source_path("tests/data/faults.tsv");
    FILE *file = fopen(path, "r");
    unsigned number = 0;
    if (!CHECK(file != NULL, "%s cannot be read", path))
        return;
    size_t length = fread(text, 1, sizeof text - 1, file);
    CHECK(length < sizeof text - 1, "%s is too long for this test", path);
    fclose(file);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        number++;
        if (*line == '#' || *line == '\0' || row_count == MOST_ROWS)
            continue;
        row_count += CHECK(split(&rows[row_count], line, number), "%s:%u has not %d fields", path,
                           number, FIELDS);
    }
}

static void check_rows(void)
{
    for (size_t i = 0; i < row_count; i++)
        check_row(&rows[i]);
}

static void rows_come_out_right(void)
{
    read_rows();
    CHECK(row_count >= FEWEST_ROWS && row_count < MOST_ROWS, "%zu rows were read", row_count);
    check_rows();
}

static void rounding_mode_does_not_matter(void)
{
    static const int modes[] = {
#ifdef FE_DOWNWARD
        FE_DOWNWARD,
#endif
#ifdef FE_UPWARD
        FE_UPWARD,
#endif
#ifdef FE_TOWARDZERO
        FE_TOWARDZERO,
#endif
        FE_TONEAREST,
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        fesetround(modes[i]);
        check_rows();
    }
}

static void flushing_does_not_matter(void)
{
#if defined __SSE__
    enum { FLUSH_RESULTS = 0x8000, FLUSH_INPUTS = 0x40 };
    unsigned control = _mm_getcsr();
    _mm_setcsr(control | FLUSH_RESULTS | FLUSH_INPUTS);
    check_rows();
    _mm_setcsr(control);
#else
    skip_test("this test knows only how x86 is told to flush subnormals");
#endif
}

/* A locale with a decimal comma is set: one that is installed, or one made for this test. */
static bool set_comma_locale(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            return true;
    return system("mkdir -p faults.locale && localedef -i de_DE -f UTF-8 faults.locale/de_DE.UTF-8 "
                  ">faults.locale/log 2>&1") == 0 &&
           setenv("LOCPATH", "./faults.locale", 1) == 0 && setlocale(LC_ALL, names[0]) != NULL;
}

static void locale_does_not_matter(void)
{
    if (set_comma_locale()) {
        CHECK(strcmp(localeconv()->decimal_point, ",") == 0, "the locale has no decimal comma");
        check_rows();
    } else {
        skip_test("there is no locale with a decimal comma, and localedef cannot make one");
    }
    setlocale(LC_ALL, "C");
    CHECK(system("rm -rf faults.locale") == 0, "faults.locale is left behind");
}

int main(void)
{
    static const struct test tests[] = {
        { "faults met elsewhere come out right", rows_come_out_right },
        { "and under any rounding mode of the host", rounding_mode_does_not_matter },
        { "and when the host flushes subnormals", flushing_does_not_matter },
        { "and where the locale has a decimal comma", locale_does_not_matter },
    };
    return run_tests("faults", tests, sizeof tests / sizeof tests[0]);
}
