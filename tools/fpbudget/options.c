/* options.c - the command line, read and checked
 * SPDX-License-Identifier: MIT */

#include "options.h"

#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../fpinspect/distance.h"
#include "../fpinspect/say.h"
#include "combinations.h"
#include "store.h"

/* How the argument is read. */
typedef enum {
    TAKES_NOTHING,
    TAKES_COUNT,
    TAKES_RATE,
    TAKES_SHARE,
    TAKES_BYTES,
    TAKES_ROW,
    TAKES_OTHER
} takes_kind;

/* Where the option goes is an offset in options: of an amount, of a pointer to a row, or of a bool;
 * or the option is a job. */
typedef struct {
    const char *name, *takes;
    takes_kind kind;
    unsigned jobs;
    size_t target;
    const row_table *table;
    const char *summary;
} option_row;

#define AT(member) offsetof(options, member)
#define AMOUNT(name, takes, kind, jobs, member, told)                                              \
    {                                                                                              \
        name, takes, kind, jobs, AT(member), NULL, told                                            \
    }
#define CHOICE(name, takes, jobs, member, told)                                                    \
    {                                                                                              \
        name, takes, TAKES_ROW, jobs, AT(member), &member##_table, told                            \
    }
#define OTHER(name, takes, jobs, other, told)                                                      \
    {                                                                                              \
        name, takes, TAKES_OTHER, jobs, other, NULL, told                                          \
    }
#define FLAG(name, jobs, member, told)                                                             \
    {                                                                                              \
        name, NULL, TAKES_NOTHING, jobs, AT(member), NULL, told                                    \
    }
#define JOB(name, job, told) OTHER(name, NULL, job, OTHER_JOB, told)
#define BOTH (JOB_MEMORY | JOB_FLOPS)

enum { OTHER_WEIGHTS, OTHER_STORE, OTHER_MATMUL, OTHER_COLOR, OTHER_ASCII, OTHER_WIDTH, OTHER_JOB };

/* A row a line: the completions read them. */
/* clang-format off */
static const option_row rows[] = {
    AMOUNT("params", "N", TAKES_COUNT, BOTH, parameters, "parameters of the model"),
    CHOICE("recipe", "NAME", JOB_MEMORY, recipe, "what training keeps (mixed-adamw)"),
    CHOICE("optimizer", "NAME", JOB_MEMORY, optimizer, "instead of that of the recipe"),
    OTHER("weights", "FORMAT", JOB_MEMORY, OTHER_WEIGHTS, "format of the parameters"),
    OTHER("store", "PART=FORMAT", JOB_MEMORY, OTHER_STORE, "formats of parts, with commas"),
    AMOUNT("tensors", "N", TAKES_COUNT, JOB_MEMORY, tensors, "tensors that the parameters are (1)"),
    AMOUNT("memory", "BYTES", TAKES_BYTES, JOB_MEMORY, memory, "what a device holds, as 80GiB"),
    AMOUNT("layers", "N", TAKES_COUNT, BOTH, layers, "layers of the model"),
    AMOUNT("hidden", "N", TAKES_COUNT, BOTH, hidden, "hidden size of the model"),
    AMOUNT("heads", "N", TAKES_COUNT, JOB_MEMORY, heads, "attention heads of the model"),
    AMOUNT("sequence", "N", TAKES_COUNT, BOTH, sequence, "tokens of a sequence"),
    AMOUNT("batch", "N", TAKES_COUNT, JOB_MEMORY, batch, "sequences at a time on a device (1)"),
    CHOICE("recompute", "HOW", BOTH, recompute, "none, selective or full"),
    AMOUNT("tokens", "N", TAKES_COUNT, JOB_FLOPS, tokens, "tokens of the training"),
    CHOICE("compute", "FORMAT", JOB_FLOPS, compute, "format of the products (bf16)"),
    AMOUNT("peak", "FLOPS", TAKES_RATE, JOB_FLOPS, peak, "peak of a device in FLOP/s, as 312e12"),
    AMOUNT("mfu", "SHARE", TAKES_SHARE, JOB_FLOPS, mfu, "share of the peak that is used (0.5)"),
    AMOUNT("tokens-per-second", "N", TAKES_RATE, JOB_FLOPS, speed, "measured, of all devices"),
    OTHER("matmul", "AXES", JOB_FLOPS, OTHER_MATMUL, "one product, as b=8 i=64, i j=32"),
    CHOICE("device", "NAME", BOTH, device, "an accelerator"),
    AMOUNT("devices", "N", TAKES_COUNT, BOTH, devices, "how many of them (1)"),
    FLAG("explain", BOTH, explain, "show the formulas with the numbers put in"),
    FLAG("json", BOTH, json, "print JSON"),
    OTHER("color", "WHEN", 0, OTHER_COLOR, "auto, always or never"),
    OTHER("ascii", NULL, 0, OTHER_ASCII, "use ASCII only"),
    OTHER("width", "N", 0, OTHER_WIDTH, "width of the screen (80)"),
    JOB("list-recipes", JOB_LIST_RECIPES, "list the recipes"),
    JOB("list-optimizers", JOB_LIST_OPTIMIZERS, "list the optimizers"),
    JOB("list-devices", JOB_LIST_DEVICES, "list the accelerators"),
    JOB("list-formats", JOB_LIST_FORMATS, "list formats with scales"),
    JOB("help", JOB_HELP, "print a summary"),
    JOB("version", JOB_VERSION, "print the version"),
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };

bool option_at(option_help *told, size_t index)
{
    if (index >= ROWS)
        return false;
    *told = (option_help){ rows[index].name, rows[index].takes, rows[index].jobs & BOTH,
                           rows[index].summary };
    return true;
}

/* A choice of --color. */
typedef struct {
    const char *name;
    bool always, never;
} color_row;
static const color_row colors[] = { { "auto", false, false },
                                    { "always", true, false },
                                    { "never", false, true } };
static const row_table color_table = ROW_TABLE("value of --color", colors, "");

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

/* The environment's wishes, which options override. */
static void default_display(options *chosen)
{
    const char *columns = getenv("COLUMNS"), *term = getenv("TERM");
    int width = columns == NULL ? 0 : atoi(columns);
    bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    setlocale(LC_CTYPE, "");
    chosen->ascii = strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0;
    setlocale(LC_CTYPE, "C");
    chosen->width = width >= 40 && width <= 10000 ? width : 80;
    chosen->color = !is_set("NO_COLOR") && (is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR") ||
                                            (isatty(STDOUT_FILENO) && !dumb));
}

static bool read_width(options *chosen, const char *text)
{
    char *end;
    long width = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || width < 40 || width > 10000) {
        complain("--width takes a whole number from 40 to 10000, not '%s'",
                 quoted(text, strlen(text)));
        return false;
    }
    chosen->width = (int)width;
    return true;
}

static bool read_color(options *chosen, const char *text)
{
    const color_row *found = require_row(&color_table, text);
    if (found != NULL && (found->always || found->never))
        chosen->color = found->always;
    return found != NULL;
}

static bool set_job(options *chosen, job_kind job)
{
    if (chosen->job != 0 && chosen->job != job) {
        complain("only one of memory, flops, the lists, --help and --version at a time");
        return false;
    }
    chosen->job = job;
    return true;
}

static bool read_other(options *chosen, const option_row *row, const char *text)
{
    switch (row->target) {
    case OTHER_WEIGHTS: return read_weights(chosen, text);
    case OTHER_STORE: return read_store(chosen, text);
    case OTHER_MATMUL: chosen->matmul = text; return true;
    case OTHER_COLOR: return read_color(chosen, text);
    case OTHER_ASCII: return chosen->ascii = true;
    case OTHER_WIDTH: return read_width(chosen, text);
    default: return set_job(chosen, (job_kind)row->jobs);
    }
}

static bool read_option(options *chosen, const option_row *row, const char *text)
{
    static const amount_kind kinds[] = { [TAKES_COUNT] = AMOUNT_COUNT,
                                         [TAKES_RATE] = AMOUNT_RATE,
                                         [TAKES_SHARE] = AMOUNT_SHARE,
                                         [TAKES_BYTES] = AMOUNT_BYTES };
    void *target = (char *)chosen + row->target;
    const void *found;
    switch (row->kind) {
    case TAKES_NOTHING: return *(bool *)target = true;
    case TAKES_ROW:
        found = require_row(row->table, text);
        memcpy(target, &found, sizeof found);
        return found != NULL;
    case TAKES_OTHER: return read_other(chosen, row, text);
    default: return read_amount(target, row->name, text, kinds[row->kind]);
    }
}

/* Of what getopt_long did not take; kind is its answer. */
static void complain_about_option(const char *argument, int kind)
{
    size_t best = 0;
    char name[64];
    snprintf(name, sizeof name, "%s", argument + strspn(argument, "-"));
    name[strcspn(name, "=")] = '\0';
    for (size_t i = 1; i < ROWS; i++)
        if (kit_distance(rows[i].name, name) < kit_distance(rows[best].name, name))
            best = i;
    const char *shown = quoted(argument, strlen(argument));
    if (argument[1] != '-')
        complain("unknown option '%s'; try 'fpbudget --help'", shown);
    else if (kind == ':')
        complain("option --%s needs an argument", rows[optopt - 1].name);
    else if (optopt > 0 && optopt <= ROWS && argument[1] == '-')
        complain("option --%s takes no argument", rows[optopt - 1].name);
    else
        complain("unknown or ambiguous option '%s'; did you mean '--%s'?", shown, rows[best].name);
}

/* Is the option one of this command? */
static bool belongs(const options *chosen, const option_row *row)
{
    if ((row->jobs & BOTH) == 0 || chosen->job == 0 || (row->jobs & chosen->job) != 0)
        return true;
    if (chosen->job == JOB_MEMORY || chosen->job == JOB_FLOPS)
        complain("--%s is an option of 'fpbudget %s'", row->name,
                 row->jobs == JOB_MEMORY ? "memory" : "flops");
    else
        complain("--%s goes with 'fpbudget memory' and 'fpbudget flops' alone", row->name);
    return false;
}

static bool read_word(options *chosen, const char *text)
{
    if (strcmp(text, "memory") == 0)
        return set_job(chosen, JOB_MEMORY);
    if (strcmp(text, "flops") == 0)
        return set_job(chosen, JOB_FLOPS);
    complain("'%s' is neither 'memory' nor 'flops'; numbers follow an option, as --params 7e9",
             quoted(text, strlen(text)));
    return false;
}

bool read_options(options *chosen, int argc, char **argv)
{
    struct option known[ROWS + 1] = { { NULL, 0, NULL, 0 } };
    bool good = true, given[ROWS] = { false };
    memset(chosen, 0, sizeof *chosen);
    default_display(chosen);
    for (int i = 0; i < ROWS; i++)
        known[i] =
            (struct option){ rows[i].name, rows[i].takes != NULL ? required_argument : no_argument,
                             NULL, i + 1 };
    opterr = 0;
    while (good && optind < argc) {
        const char *argument = argv[optind];
        optopt = 0;
        int option = getopt_long(argc, argv, "+:", known, NULL);
        if (option == -1) {
            if (optind < argc)
                good = read_word(chosen, argv[optind++]);
        } else if (option > 0 && option <= ROWS) {
            given[option - 1] = true;
            good = read_option(chosen, &rows[option - 1], optarg);
        } else {
            complain_about_option(argument, option);
            good = false;
        }
    }
    if (good && chosen->job == 0)
        set_job(chosen, JOB_HELP);
    for (int i = 0; good && i < ROWS; i++)
        good = !given[i] || belongs(chosen, &rows[i]);
    return good && go_together(chosen);
}
