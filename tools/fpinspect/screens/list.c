/* list.c - several values, or several policies: a row for each value and format
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "kit/say.h"
#include "screens/screen.h"

static void title(const fpfmt_format *format)
{
    number max;
    fpfmt_limits limits = fpfmt_measure(format);
    show_value(max, format, fpfmt_decode(format, limits.max), false, LEAD_NONE);
    out(STYLE_NAME, format->name);
    out(STYLE_PLAIN, "   ");
    char alias[40] = "";
    if (format->aliases != NULL)
        snprintf(alias, sizeof alias, "%.*s", (int)strcspn(format->aliases, " "), format->aliases);
    if (*alias != '\0' && strstr(format->title, alias) == NULL)
        outf(STYLE_PLAIN, "%s, also %s: ", format->title, alias);
    else if (format->title != NULL)
        outf(STYLE_PLAIN, "%s: ", format->title);
    outf(STYLE_PLAIN, "max %.40s, %s, %s", max,
         limits.has_infinity ? "infinities" : "no infinities",
         format->nans == FPFMT_NANS_IEEE                                      ? "NaNs with payload"
         : format->nans == FPFMT_NANS_NONE                                    ? "no NaN"
         : format->nans == FPFMT_NANS_NEGATIVE_ZERO || format->sign_bits == 0 ? "one NaN"
                                                                              : "one NaN per sign");
    out_line();
    out_line();
}

static void tell_chain(const request *chosen)
{
    out(STYLE_PLAIN, "  via");
    for (size_t i = 0; i < chosen->via_count; i++)
        outf(STYLE_NAME, "%s %s", i > 0 ? "," : "", chosen->via[i].format.name);
    out(STYLE_DIM, "; status and flags are those of all steps");
    out_line();
    out_line();
}

/* Is there room for the results and statuses of all policies side by side, if not for the codes? */
static bool side_by_side(const request *chosen)
{
    enum { INPUT = 10, FORMAT = 8, AROUND_DIGITS = 8, STATUS = 9, GAPS = 4 };
    int digits = 0;
    for (size_t f = 0; f < chosen->formats.count; f++)
        if (max_digits10(&chosen->formats.rows[f]) > digits)
            digits = max_digits10(&chosen->formats.rows[f]);
    int each = digits + AROUND_DIGITS + STATUS + GAPS;
    int named = INPUT + (chosen->formats.count > 1 ? FORMAT : 0);
    return named + each * (int)chosen->column_count <= out_width();
}

static void result_headings(int column, const char *label)
{
    bool named = label != NULL;
    table_drop(column, 1); /* what is stored tells what the code does */
    if (named)
        table_label(STYLE_NAME, label);
    else
        table_cell(STYLE_DIM, "code");
    table_cell(STYLE_DIM, named ? "" : " stored");
    table_cell(STYLE_DIM, named ? "" : "status");
}

void list_begin(list_remarks *seen, const request *chosen)
{
    static const char *const ways[] = {
        [VARIES_POLICY] = "policy", [VARIES_OVERFLOW] = "overflow", [VARIES_ROUNDING] = "round"
    };
    bool varied = chosen->varies != VARIES_NOTHING;
    int column = 1;
    *seen = (list_remarks){ .stacked = varied && !side_by_side(chosen) };
    if (chosen->formats.count == 1)
        title(&chosen->formats.rows[0]);
    if (chosen->via_count > 0)
        tell_chain(chosen);
    table_begin(2);
    table_cell(STYLE_DIM, "input");
    if (chosen->formats.count > 1) {
        table_cell(STYLE_DIM, "format");
        column++;
    }
    if (seen->stacked) {
        table_cell(STYLE_DIM, ways[chosen->varies]);
        column++;
    }
    for (size_t i = 0; i < (seen->stacked ? 1 : chosen->column_count); i++, column += 3)
        result_headings(column, varied && !seen->stacked ? chosen->columns[i].label : NULL);
    table_row();
}

static void cells(list_remarks *seen, report *made, const request *chosen)
{
    number stored;
    char code[24], status[64];
    describe_status(status, made);
    show_value(stored, made->format, made->stored, chosen->full, LEAD_HANG);
    table_cell(STYLE_PLAIN, show_code(code, made->format, made->code));
    table_cell(STYLE_PLAIN, stored);
    table_cell(style_of(made), status);
    bool infinite = made->in->value.kind == FPFMT_KIND_INFINITE;
    if (made->flags & FPFMT_FLAG_OVERFLOW) {
        seen->infinite_overflow |= infinite;
        seen->finite_overflow |= !infinite;
    }
    fpfmt_limits limits = fpfmt_measure(made->format);
    seen->near_end |= made->code == limits.max && (made->flags & FPFMT_FLAG_INEXACT);
    if (meets_condition(made, chosen))
        fail_condition();
}

/* The label of a row of its own says what varies, which the heading has told. */
static const char *short_label(const policy_choice *column)
{
    const char *blank = strchr(column->label, ' ');
    return blank != NULL ? blank + 1 : column->label;
}

void list_row(list_remarks *seen, input *in, format_list targets, const request *chosen)
{
    report made;
    for (size_t f = 0; f < targets.count; f++)
        for (size_t i = 0; i < chosen->column_count; i++) {
            if (i == 0 || seen->stacked) {
                table_cell(STYLE_INPUT, i == 0 ? input_name(in) : "");
                if (chosen->formats.count > 1)
                    table_cell(STYLE_NAME, i == 0 ? targets.rows[f].name : "");
            }
            if (seen->stacked)
                table_cell(STYLE_NAME, short_label(&chosen->columns[i]));
            make_report(&made, chosen, in, &targets.rows[f], &chosen->columns[i]);
            cells(seen, &made, chosen);
            if (seen->stacked || i + 1 == chosen->column_count)
                table_row();
        }
}

/* "After 448 would come 480: 464 is the tie": the end of a format, in nearest-even. */
static void tell_end(const fpfmt_format *format)
{
    number max, next, tie;
    fpfmt_limits limits = fpfmt_measure(format);
    fpfmt_value last = fpfmt_decode(format, limits.max), step = fpfmt_ulp(format, last);
    fpfmt_ratio end, half, sum;
    unsigned flags = 0;
    step.exponent--;
    if (!fpfmt_ratio_from(&end, last) || !fpfmt_ratio_from(&half, step) ||
        !fpfmt_ratio_add(&sum, &end, &half))
        return;
    show_ratio(max, &end, max_digits10(format), LEAD_NONE);
    show_ratio(tie, &sum,
               max_digits10(format) < SHOWN_DIGITS ? max_digits10(format) + 1 : SHOWN_DIGITS,
               LEAD_NONE);
    fpfmt_value middle = fpfmt_ratio_value(&sum);
    fpfmt_ratio_add(&sum, &sum, &half);
    show_ratio(next, &sum, max_digits10(format), LEAD_NONE);
    fpfmt_encode(format, middle, NULL, &flags);
    char text[512];
    if (flags & FPFMT_FLAG_OVERFLOW)
        snprintf(text, sizeof text,
                 "After %.40s would come %.40s: %.40s is the tie, and from it on all overflows.",
                 max, next, tie);
    else
        snprintf(text, sizeof text,
                 "After %.40s would come %.40s: %.40s is the tie and still rounds to %.40s; "
                 "anything above overflows.",
                 max, next, tie, max);
    out_wrapped(2, text);
}

static const char *specified(const fpfmt_format *format)
{
    if (format->overflow == FPFMT_OVERFLOW_INF)
        return "Inf";
    return format->overflow == FPFMT_OVERFLOW_NAN ? "NaN" : "the largest value";
}

/* The first named policy that overflows by the same rule. */
static const char *policy_like(int overflow)
{
    for (size_t i = 1; fpfmt_policy_at(i) != NULL; i++) {
        const fpfmt_policy *policy = &fpfmt_policy_at(i)->policy;
        if (policy->overflow == overflow && policy->overflow_test == 0 &&
            strcmp(fpfmt_policy_at(i)->name, "ieee") != 0)
            return fpfmt_policy_at(i)->name;
    }
    return NULL;
}

static void explain_rules(const request *chosen)
{
    char text[1024] = "";
    for (size_t i = 0; i < chosen->column_count; i++) {
        int rule = chosen->columns[i].overflow;
        const char *name = word_for(&overflow_words, (unsigned)rule), *like = policy_like(rule);
        size_t length = strlen(text);
        if (rule == FPFMT_OVERFLOW_SPEC && chosen->formats.count == 1)
            snprintf(text + length, sizeof text - length,
                     "%s: what the format itself says, here %s%s%s. ", name,
                     specified(&chosen->formats.rows[0]), like != NULL ? ", as --policy " : "",
                     like != NULL ? like : "");
        else if (like != NULL)
            snprintf(text + length, sizeof text - length, "%s: as --policy %s. ", name, like);
    }
    out_wrapped(2, text);
}

/* What a policy does at the end of one format, tried out. */
static void tell_policy(char text[256], const fpfmt_format *format, const fpfmt_policy *policy)
{
    number max, over;
    fpfmt_value huge = { .kind = FPFMT_KIND_NORMAL,
                         .exponent = 2000,
                         .significand = UINT64_C(1) << 63 };
    fpfmt_value infinity = { .kind = FPFMT_KIND_INFINITE };
    uint64_t beyond = fpfmt_encode(format, huge, policy, NULL);
    bool same = fpfmt_encode(format, infinity, policy, NULL) == beyond;
    bool before = policy->overflow_test == FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING;
    show_value(max, format, fpfmt_decode(format, fpfmt_measure(format).max), false, LEAD_NONE);
    show_value(over, format, fpfmt_decode(format, beyond), false, LEAD_NONE);
    snprintf(text, 256, "What %s %.30s becomes %.30s, %s.", before ? "exceeds" : "rounds past", max,
             over, same ? "as does Inf" : "Inf stays Inf");
    if (policy->rounding != FPFMT_ROUND_NEAREST_EVEN)
        sprintf(text + strlen(text), " Rounds by %s, %s.",
                rounding_name((char[ROUNDING_SIZE]){ 0 }, policy), mode_in_words(policy->rounding));
    if (policy->subnormal != FPFMT_SUBNORMAL_KEEP)
        strcat(text, " Subnormals become zero.");
}

static void explain_policies(const request *chosen)
{
    bool nearest = true, single = chosen->formats.count == 1;
    for (size_t i = 0; i < chosen->column_count; i++) {
        const fpfmt_format *format = &chosen->formats.rows[0];
        fpfmt_policy policy = column_policy(chosen, &chosen->columns[i], format);
        char text[256];
        tell_policy(text, format, &policy);
        nearest &= policy.rounding == FPFMT_ROUND_NEAREST_EVEN;
        table_cell(STYLE_NAME, chosen->columns[i].row->name);
        table_cell(STYLE_PLAIN, single ? text : chosen->columns[i].row->summary);
        table_row();
    }
    table_flush();
    out_wrapped(2, nearest && single ? "All round to nearest even. See fpinspect --list-policies"
                                     : "See fpinspect --list-policies");
}

/* What the modes of the columns mean. */
static void explain_modes(const request *chosen)
{
    for (size_t i = 0; i < chosen->column_count; i++) {
        int rounding = chosen->columns[i].rounding;
        const fpfmt_word *mode = fpfmt_word_for(FPFMT_WORDS_ROUNDING, (unsigned)rounding);
        table_cell(STYLE_NAME, short_label(&chosen->columns[i]));
        table_cell(STYLE_PLAIN, mode != NULL ? mode->summary : "");
        table_row();
    }
    table_flush();
}

void list_end(const list_remarks *seen, const request *chosen)
{
    table_flush();
    bool columns = chosen->varies != VARIES_NOTHING;
    bool finite = (seen->finite_overflow || seen->near_end) && chosen->formats.count == 1 &&
                  chosen->via_count == 0 && chosen->columns[0].rounding <= 0 &&
                  chosen->varies != VARIES_POLICY;
    bool infinite = seen->infinite_overflow && chosen->varies != VARIES_POLICY;
    if (finite || infinite || columns)
        out_line();
    if (finite)
        tell_end(&chosen->formats.rows[0]);
    if (infinite)
        out_wrapped(2, "Inf into a format without Inf, or saturated, counts as overflow.");
    table_begin(2);
    if (chosen->varies == VARIES_OVERFLOW)
        explain_rules(chosen);
    else if (chosen->varies == VARIES_POLICY)
        explain_policies(chosen);
    else if (chosen->varies == VARIES_ROUNDING)
        explain_modes(chosen);
}
