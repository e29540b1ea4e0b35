/* main.c - fpinspect: what a number becomes in a floating-point format, exactly
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "machine.h"
#include "options.h"
#include "say.h"
#include "screen.h"
#include "view.h"

/* A bare 0x322c is an integer; whoever meant raw bits finds out here. */
static void hint_at_bits(const input *in, const options *chosen)
{
    const fpfmt_format *target = &chosen->formats[0];
    size_t digits = strspn(in->text + 2 + (*in->text == '-'), "0123456789abcdefABCDEF");
    for (size_t i = 0; i < chosen->format_count && !chosen->formats_given; i++)
        if ((size_t)(fpfmt_measure(&chosen->formats[i]).width + 3) / 4 == digits) {
            target = &chosen->formats[i];
            break;
        }
    hint_at_bits_of(in, target);
}

/* Without --as, raw bits are shown in the format they were written in. */
static const fpfmt_format *targets(const input *in, const options *chosen, size_t *count)
{
    bool own = in->typed && !chosen->formats_given;
    *count = own ? 1 : chosen->format_count;
    return own ? &in->format : chosen->formats;
}

static void for_machine(input *in, const options *chosen)
{
    static report made;
    size_t count;
    const fpfmt_format *formats = targets(in, chosen, &count);
    for (size_t f = 0; f < count; f++)
        for (size_t c = 0; c < chosen->column_count; c++) {
            make_report(&made, chosen, in, &formats[f], &chosen->columns[c]);
            machine_row(&made, chosen);
            if (meets_condition(&made, chosen))
                fail_condition();
        }
}

/* A screen of its own for each format and policy. */
static void in_detail(input *in, const fpfmt_format *formats, size_t count, const options *chosen)
{
    static report made;
    static bool any;
    for (size_t f = 0; f < count; f++)
        for (size_t c = 0; c < chosen->column_count; c++) {
            if (any)
                out_line();
            any = true;
            make_report(&made, chosen, in, &formats[f], &chosen->columns[c]);
            if (chosen->via_count > 0)
                screen_chain(&made, chosen);
            else if (chosen->explain)
                screen_explain(&made);
            else if (!chosen->stepwise || chosen->neighbors > 0)
                screen_one(&made, chosen);
            if (chosen->stepwise && (chosen->explain || chosen->neighbors > 0))
                out_line();
            if (chosen->stepwise)
                screen_stepwise(&made);
            if (meets_condition(&made, chosen))
                fail_condition();
        }
}

static void for_people(input *in, const options *chosen)
{
    size_t count;
    const fpfmt_format *formats = targets(in, chosen, &count);
    bool detail =
        chosen->explain || chosen->via_count > 0 || chosen->neighbors > 0 || chosen->stepwise;
    fpfmt_policy policy = column_policy(chosen, &chosen->columns[0], &formats[0]);
    settle_input(in, &policy);
    if (in->value.kind >= FPFMT_KIND_QUIET_NAN && !detail)
        screen_nan(in, formats, count, chosen);
    else if (count == 1 || detail)
        in_detail(in, formats, count, chosen);
    else
        screen_all(in, chosen);
}

/* --compare: the marker is the one value, if there is any. */
static void compare(const options *chosen)
{
    static input in;
    bool marked = chosen->operand_count > 0;
    if (marked && !read_input(&in, chosen, chosen->operands[0], strlen(chosen->operands[0]), ""))
        return;
    view_compare(chosen, marked ? &in : NULL);
}

/* One value at a time, or a row each in one list. */
typedef struct {
    const options *chosen;
    bool screens, listed;
    size_t count;
} session;

static void take(session *now, input *in, bool operand)
{
    const options *chosen = now->chosen;
    if (operand && in->hexadecimal_integer)
        hint_at_bits(in, chosen);
    in->index = now->count;
    if (now->count++ == 0 && !now->screens) {
        if (now->listed)
            list_begin(chosen);
        else
            machine_begin(chosen);
    }
    if (now->screens)
        for_people(in, chosen);
    else if (now->listed)
        list_row(in, chosen);
    else
        for_machine(in, chosen);
}

static void take_text(session *now, char *text, size_t length, const char *where, bool operand)
{
    static input in;
    if (read_input(&in, now->chosen, text, length, where))
        take(now, &in, operand);
}

static bool take_stdin_line(void *context, char *text, size_t length, const char *where)
{
    take_text(context, text, length, where, false);
    return !ferror(stdout);
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

static void inspect(const options *chosen)
{
    bool lines = chosen->operand_count == 0;
    for (size_t i = 0; i < chosen->operand_count; i++)
        lines |= strcmp(chosen->operands[i], "-") == 0;
    bool screen = chosen->output == OUTPUT_SCREEN;
    bool one = !lines && chosen->operand_count == 1 && chosen->varies == VARIES_NOTHING;
    session now = { .chosen = chosen };
    now.screens = screen && (one || chosen->explain || chosen->stepwise || chosen->neighbors > 0);
    now.listed = screen && !now.screens;
    if (chosen->operand_count == 0)
        for_each_line("-", take_stdin_line, &now);
    for (size_t i = 0; i < chosen->operand_count; i++)
        take_operand(&now, chosen->operands[i]);
    if (now.listed && now.count > 0)
        list_end(chosen);
    if (screen)
        return;
    if (now.count == 0)
        machine_begin(chosen);
    machine_end(chosen);
}

int main(int argc, char **argv)
{
    static options chosen;
    read_options(&chosen, argc, argv);
    bool terminal = isatty(STDOUT_FILENO);
    const char *term = getenv("TERM");
    bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    out_setup(chosen.ascii,
              chosen.color == COLOR_ALWAYS || (chosen.color == COLOR_AUTO && terminal && !dumb),
              chosen.width);
    if (chosen.job == JOB_INSPECT && chosen.operand_count == 0 && isatty(STDIN_FILENO))
        chosen.job = JOB_HELP;
    switch (chosen.job) {
    case JOB_INSPECT: inspect(&chosen); break;
    case JOB_HELP: print_help(); break;
    case JOB_VERSION: printf("fpinspect %s\n", fpfmt_version()); break;
    case JOB_LIST_FORMATS: list_formats(); break;
    case JOB_LIST_POLICIES: list_policies(); break;
    case JOB_LIST_ACCUMULATORS: list_accumulators(&chosen); break;
    case JOB_COMPARE: compare(&chosen); break;
    case JOB_TABLE: view_table(&chosen, &chosen.shown[0]); break;
    case JOB_INFO: view_info(&chosen.shown[0]); break;
    case JOB_DIFF: view_diff(&chosen.shown[0], &chosen.shown[1]); break;
    case JOB_ANALYZE: analyze(&chosen); break;
    case JOB_PLOT: view_plot(&chosen); break;
    case JOB_DOT: view_dot(&chosen); break;
    case JOB_NONE: break;
    }
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0)
        complain("standard output: %s", errno != 0 ? strerror(errno) : "write error");
    return exit_status();
}
