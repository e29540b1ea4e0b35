/* test_faults.c - faults met in other software, held as rows of data/faults.tsv
 * SPDX-License-Identifier: MIT */

#include "faults.h"

#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __SSE__
#include <xmmintrin.h>
#endif

#include "comma.h"
#include "runner.h"

enum { FEWEST_ROWS = 600, MOST_ROWS = 2000, MOST_OPERANDS = 3 };

static struct row rows[MOST_ROWS];
static size_t row_count;

/* The code and the words of flags that are expected. */
static void holds_code(const struct row *row, uint64_t code, unsigned flags)
{
    char raised[64], got[128];
    name_flags(raised, flags);
    snprintf(got, sizeof got, "0x%llX %s", (unsigned long long)code, raised);
    bool told = strcmp(row->flags, "*") != 0;
    row_holds(row,
              code == strtoull(row->expected, NULL, 16) &&
                  (!told || strcmp(raised, row->flags) == 0),
              got);
}

typedef uint64_t rounding_call(const fpfmt_format *to, fpfmt_value value,
                               const fpfmt_policy *policy, unsigned *flags);

/* The row's input rounded to its format by this call; false after a complaint. */
static bool round_input(const struct row *row, rounding_call *call, fpfmt_format *format,
                        uint64_t *code, unsigned *flags)
{
    fpfmt_policy policy;
    fpfmt_value value;
    if (!find_format(row, format, row->format) || !find_policy(row, &policy, format) ||
        !read_value(row, row->input, &value))
        return false;
    *code = call(format, value, &policy, flags);
    return true;
}

static void check_rounding(const struct row *row, rounding_call *call)
{
    fpfmt_format format;
    uint64_t code;
    unsigned flags = 0;
    if (round_input(row, call, &format, &code, &flags))
        holds_code(row, code, flags);
}

static void check_encode(const struct row *row)
{
    check_rounding(row, fpfmt_encode);
}

/* The integral value next to it in the policy's direction, as a code of the format. */
static void check_integral(const struct row *row)
{
    check_rounding(row, fpfmt_round_to_integral);
}

/* The integer of 64 bits, signed or not. */
static void check_integer(const struct row *row, bool is_signed)
{
    fpfmt_policy policy;
    fpfmt_value value;
    unsigned flags = 0;
    char got[128], raised[64];
    if (!find_policy(row, &policy, fpfmt_at(0)) || !read_value(row, row->input, &value))
        return;
    int length = is_signed ? sprintf(got, "%" PRId64, fpfmt_to_i64(value, &policy, &flags))
                           : sprintf(got, "%" PRIu64, fpfmt_to_u64(value, &policy, &flags));
    bool right = strcmp(got, row->expected) == 0;
    name_flags(raised, flags);
    sprintf(got + length, " %s", raised);
    row_holds(row, right && strcmp(raised, row->flags) == 0, got);
}

static void check_to_i64(const struct row *row)
{
    check_integer(row, true);
}

static void check_to_u64(const struct row *row)
{
    check_integer(row, false);
}

/* What the input becomes in the format: as an exact or the shortest decimal, or in hexadecimal. */
static void check_shown(const struct row *row)
{
    fpfmt_format format;
    uint64_t code;
    char text[800];
    if (!round_input(row, fpfmt_encode, &format, &code, NULL))
        return;
    if (strcmp(row->kind, "rounded") == 0)
        fpfmt_print_exact(text, sizeof text, fpfmt_decode(&format, code));
    else if (strcmp(row->kind, "hexfloat") == 0)
        fpfmt_print_hex(text, sizeof text, fpfmt_decode(&format, code));
    else
        fpfmt_print_shortest(text, sizeof text, &format, code);
    row_holds(row, strcmp(text, row->expected) == 0, text);
}

static const struct {
    const char *word;
    int operation;
} operations[] = {
    { "add", FPFMT_OPERATION_ADD },           { "subtract", FPFMT_OPERATION_SUBTRACT },
    { "multiply", FPFMT_OPERATION_MULTIPLY }, { "divide", FPFMT_OPERATION_DIVIDE },
    { "sqrt", FPFMT_OPERATION_SQRT },         { "remainder", FPFMT_OPERATION_REMAINDER },
    { "fma", FPFMT_OPERATION_FMA },
};

/* The operation that is the row's kind; -1 if none is. */
static int operation_of(const struct row *row)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (strcmp(operations[i].word, row->kind) == 0)
            return operations[i].operation;
    return -1;
}

/* As many operands as it takes, separated by blanks. */
static void check_operation(const struct row *row, int operation)
{
    fpfmt_format format;
    fpfmt_policy policy;
    fpfmt_value x[MOST_OPERANDS] = { { .kind = FPFMT_KIND_ZERO } };
    char text[256], *at = text;
    unsigned flags = 0, count = 0;
    if (!find_format(row, &format, row->format) || !find_policy(row, &policy, &format))
        return;
    snprintf(text, sizeof text, "%s", row->input);
    for (char *word; count < MOST_OPERANDS && (word = strtok(at, " ")) != NULL; at = NULL)
        if (!read_value(row, word, &x[count++]))
            return;
    if (!row_holds(row, count == fpfmt_operands(operation), "another number of operands"))
        return;
    uint64_t code = fpfmt_operate(&format, operation, x[0], x[1], x[2], &policy, &flags);
    holds_code(row, code, flags);
}

static void check_exact(const struct row *row)
{
    fpfmt_format format;
    uint64_t code;
    char text[800];
    if (!read_code(row, row->input, &format, &code))
        return;
    fpfmt_print_exact(text, sizeof text, fpfmt_decode(&format, code));
    row_holds(row, strcmp(text, row->expected) == 0, text);
}

static void check_shortest(const struct row *row)
{
    fpfmt_format format;
    uint64_t code;
    char text[64];
    if (!read_code(row, row->input, &format, &code))
        return;
    fpfmt_print_shortest(text, sizeof text, &format, code);
    row_holds(row, strcmp(text, row->expected) == 0, text);
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
    if (!read_code(row, row->input, &format, &code))
        return;
    const char *got = names[fpfmt_classify(&format, code)];
    row_holds(row, strcmp(got, row->expected) == 0, got);
}

static void check_count(const struct row *row)
{
    static const struct {
        const char *word;
        bool (*is)(const fpfmt_format *format, uint64_t code);
    } tests[] = {
        { "nan", fpfmt_is_nan },           { "signaling", fpfmt_is_signaling },
        { "zero", fpfmt_is_zero },         { "infinite", fpfmt_is_infinite },
        { "normal", fpfmt_is_normal },     { "subnormal", fpfmt_is_subnormal },
        { "negative", fpfmt_is_negative },
    };
    fpfmt_format format;
    unsigned long codes = 0, i = 0;
    char got[32];
    if (!find_format(row, &format, row->format))
        return;
    while (i < sizeof tests / sizeof tests[0] && strcmp(tests[i].word, row->input) != 0)
        i++;
    if (!row_holds(row, i < sizeof tests / sizeof tests[0], "an unknown word"))
        return;
    for (uint64_t code = 0; code >> fpfmt_measure(&format).width == 0; code++)
        codes += tests[i].is(&format, code);
    snprintf(got, sizeof got, "%lu", codes);
    row_holds(row, codes == strtoul(row->expected, NULL, 10), got);
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
    if (!row_holds(row, i < sizeof all / sizeof all[0], "an unknown word"))
        return;
    snprintf(got, sizeof got, "0x%llX", (unsigned long long)all[i].code);
    row_holds(row, all[i].code == strtoull(row->expected, NULL, 16), got);
}

static void check_reject(const struct row *row)
{
    fpfmt_value value;
    const char *why = NULL;
    char got[32];
    size_t length = strlen(row->input), used = fpfmt_parse(&value, row->input, length, &why);
    snprintf(got, sizeof got, "%zu characters", used);
    row_holds(row, used == strtoul(row->expected, NULL, 10) && (used == 0 || used < length), got);
    row_holds(row, why != NULL, "no reason");
}

static void check_name(const struct row *row)
{
    static const char *const failures[] = {
        [FPFMT_UNKNOWN] = "unknown", [FPFMT_AMBIGUOUS] = "ambiguous", [FPFMT_UNSOUND] = "unsound"
    };
    fpfmt_format format;
    fpfmt_status status = fpfmt_find(&format, row->input);
    const char *got = status == FPFMT_FOUND ? format.name : failures[status];
    row_holds(row, strcmp(got, row->expected) == 0, got);
}

static const struct {
    const char *kind;
    void (*check)(const struct row *row);
} kinds[] = {
    { "encode", check_encode }, { "to_i64", check_to_i64 },     { "to_u64", check_to_u64 },
    { "exact", check_exact },   { "shortest", check_shortest }, { "class", check_class },
    { "count", check_count },   { "limit", check_limit },       { "reject", check_reject },
    { "name", check_name },     { "integral", check_integral }, { "rounded", check_shown },
    { "shown", check_shown },   { "hexfloat", check_shown },
};

static void check_row(const struct row *row)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].kind, row->kind) == 0) {
            kinds[i].check(row);
            return;
        }
    if (row_holds(row, operation_of(row) >= 0, "an unknown kind of row"))
        check_operation(row, operation_of(row));
}

static void check_rows(void)
{
    for (size_t i = 0; i < row_count; i++)
        check_row(&rows[i]);
}

static void rows_come_out_right(void)
{
    row_count = read_rows(rows, MOST_ROWS);
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

static void locale_does_not_matter(void)
{
    if (!enter_comma_locale())
        return;
    check_rows();
    leave_comma_locale();
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
