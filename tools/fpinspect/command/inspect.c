/* inspect.c - values one by one, as screens, as rows of one list, or as records
 * SPDX-License-Identifier: MIT */

#include "command/inspect.h"

#include <stdio.h>
#include <string.h>

#include "command/blocks.h"
#include "command/views.h"
#include "facts/explanation.h"
#include "facts/stepwise.h"
#include "kit/lines.h"
#include "kit/memory.h"
#include "kit/run.h"
#include "kit/say.h"
#include "screens/screen.h"

/* How the values of a request are shown, and how far that is. */
typedef struct {
    const request *chosen;
    bool screens, listed; /* a screen for each value, or a row each; else records */
    size_t count;         /* of values so far */
    bool drawn;           /* a screen, so that the next one keeps apart from it */
    input in;             /* the value at hand */
    report made;
    list_remarks remarks;
    records rows;
    const field *fields[MOST_FIELDS]; /* of the records */
    size_t field_count;
} session;

/* A bare 0x322c is an integer; whoever meant raw bits finds out here. */
static void hint_at_bits(const input *in, const request *chosen)
{
    const format_list *formats = &chosen->formats;
    const fpfmt_format *target = &formats->rows[0];
    size_t digits = strspn(in->text + 2 + (*in->text == '-'), "0123456789abcdefABCDEF");
    for (size_t i = 0; i < formats->count && !chosen->formats_given; i++)
        if ((size_t)(fpfmt_measure(&formats->rows[i]).width + 3) / 4 == digits) {
            target = &formats->rows[i];
            break;
        }
    hint_at_bits_of(in, target);
}

/* Without --as, raw bits are shown in the format they were written in. */
static format_list targets(input *in, const request *chosen)
{
    bool own = in->typed && !chosen->formats_given;
    return own ? (format_list){ &in->format, 1 } : chosen->formats;
}

/* ---- records ---- */

static void add_field(session *now, const char *name, field_kind kind)
{
    for (const field *here = report_fields; here->name != NULL; here++)
        if (strcmp(here->name, name) == 0 && (here->kind == FIELD_OBJECT) == (kind == FIELD_OBJECT))
            now->fields[now->field_count++] = here;
}

static void add_fields(session *now, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_field(now, names[i], FIELD_TEXT);
}

/* JSON has all there is; the flat forms what was asked for, or the usual and what varies from
 * column to column. */
static void choose_fields(session *now)
{
    static const char *const varying[] = {
        [VARIES_POLICY] = "policy", [VARIES_ROUNDING] = "round", [VARIES_OVERFLOW] = "overflow"
    };
    static const char *const first[] = { "input", "format" };
    static const char *const usual[] = { "code", "exact", "shortest", "ulps", "status" };
    static const char *const steps[] = { "stepwise", "stepwise-exact", "stepwise-ulps" };
    const request *chosen = now->chosen;
    bool whole = chosen->form == FORM_JSON || chosen->form == FORM_JSONL;
    if (whole) {
        for (const field *here = report_fields; here->name != NULL; here++)
            if (here->of != stepwise_fields && here->of != explanation_fields)
                now->fields[now->field_count++] = here;
        if (chosen->stepwise)
            add_field(now, "stepwise", FIELD_OBJECT);
    } else if (chosen->field_count > 0) {
        memcpy(now->fields, chosen->fields, chosen->field_count * sizeof *now->fields);
        now->field_count = chosen->field_count;
    } else {
        add_fields(now, first, sizeof first / sizeof first[0]);
        if (chosen->varies != VARIES_NOTHING)
            add_field(now, varying[chosen->varies], FIELD_TEXT);
        add_fields(now, usual, sizeof usual / sizeof usual[0]);
        if (chosen->stepwise)
            add_fields(now, steps, sizeof steps / sizeof steps[0]);
    }
    if (chosen->explain)
        add_field(now, "explanation", FIELD_OBJECT);
}

static void begin_records(session *now)
{
    choose_fields(now);
    records_open(&now->rows, now->chosen->form, fpinspect_schema);
    records_begin(&now->rows, "results", now->fields, now->field_count);
}

static void put_record(session *now)
{
    number text;
    if (now->chosen->form == FORM_QUIET) {
        fpfmt_print_exact(text, sizeof text, now->made.stored);
        fprintf(this_run()->out, "%s\n", text);
        return;
    }
    complete_report(&now->made, now->fields, now->field_count);
    records_row(&now->rows, &now->made);
    clear_report(&now->made);
}

/* ---- a value ---- */

static void judge(session *now)
{
    if (meets_condition(&now->made, now->chosen))
        fail_condition();
}

static void as_records(session *now)
{
    const request *chosen = now->chosen;
    format_list formats = targets(&now->in, chosen);
    for (size_t f = 0; f < formats.count; f++)
        for (size_t c = 0; c < chosen->column_count; c++) {
            make_report(&now->made, chosen, &now->in, &formats.rows[f], &chosen->columns[c]);
            put_record(now);
            judge(now);
        }
}

static void draw_detail(session *now)
{
    const request *chosen = now->chosen;
    report *made = &now->made;
    if (now->drawn)
        out_line();
    now->drawn = true;
    if (chosen->via_count > 0)
        screen_chain(made, chosen);
    else if (chosen->explain)
        screen_explain(made);
    else if (!chosen->stepwise || chosen->neighbors > 0)
        screen_one(made, chosen);
    if (chosen->stepwise && (chosen->explain || chosen->neighbors > 0))
        out_line();
    if (chosen->stepwise)
        screen_stepwise(made);
}

/* A screen of its own for each format and policy. */
static void in_detail(session *now, format_list formats)
{
    const request *chosen = now->chosen;
    for (size_t f = 0; f < formats.count; f++)
        for (size_t c = 0; c < chosen->column_count; c++) {
            make_report(&now->made, chosen, &now->in, &formats.rows[f], &chosen->columns[c]);
            draw_detail(now);
            judge(now);
        }
}

static void as_screens(session *now)
{
    const request *chosen = now->chosen;
    format_list formats = targets(&now->in, chosen);
    bool detail =
        chosen->explain || chosen->via_count > 0 || chosen->neighbors > 0 || chosen->stepwise;
    fpfmt_policy policy = column_policy(chosen, &chosen->columns[0], &formats.rows[0]);
    settle_input(&now->in, &policy);
    if (now->in.value.kind >= FPFMT_KIND_QUIET_NAN && !detail)
        screen_nan(&now->in, formats.rows, formats.count, chosen);
    else if (formats.count == 1 || detail)
        in_detail(now, formats);
    else
        screen_all(&now->in, chosen);
}

static void take_text(session *now, const char *text, size_t length, const char *where,
                      bool operand)
{
    const request *chosen = now->chosen;
    input *in = &now->in;
    if (!read_input(in, chosen->has_from ? &chosen->from : NULL, chosen->stepwise, text, length,
                    where))
        return;
    if (operand && in->looks_like_bits)
        hint_at_bits(in, chosen);
    in->index = now->count;
    in->has_random = chosen->has_random;
    in->random = chosen->random;
    if (now->count++ == 0 && now->listed)
        list_begin(&now->remarks, chosen);
    if (now->screens)
        as_screens(now);
    else if (now->listed)
        list_row(&now->remarks, in, targets(in, chosen), chosen);
    else
        as_records(now);
}

/* ---- all values ---- */

static bool take_stdin_line(void *context, char *text, size_t length, const char *where)
{
    take_text(context, text, length, where, false);
    return !ferror(this_run()->out);
}

static void take_operand(session *now, char *operand)
{
    size_t length = strlen(operand);
    if (strcmp(operand, "-") == 0) {
        for_each_line("-", take_stdin_line, now);
        return;
    }
    char *text = stripped(operand, &length);
    take_text(now, text, length, "", true);
}

void inspect(const request *chosen)
{
    if (chosen->from_block) {
        dequantise(chosen);
        return;
    }
    if (chosen->blocks.count > 0) {
        quantise(chosen);
        return;
    }
    session *now = allocate(1, sizeof *now);
    bool lines = chosen->operand_count == 0, screen = chosen->form == FORM_SCREEN;
    for (size_t i = 0; i < chosen->operand_count; i++)
        lines |= strcmp(chosen->operands[i], "-") == 0;
    bool one = !lines && chosen->operand_count == 1 && chosen->varies == VARIES_NOTHING;
    bool detail = chosen->explain || chosen->stepwise || chosen->neighbors > 0;
    now->chosen = chosen;
    now->screens = screen && (one || detail);
    now->listed = screen && !now->screens;
    if (!screen)
        begin_records(now);
    if (chosen->operand_count == 0)
        for_each_line("-", take_stdin_line, now);
    for (size_t i = 0; i < chosen->operand_count; i++)
        take_operand(now, chosen->operands[i]);
    if (now->listed && now->count > 0)
        list_end(&now->remarks, chosen);
    if (!screen)
        records_close(&now->rows);
    release_input(&now->in);
    release(now);
}
