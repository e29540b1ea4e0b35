/* options.c - the command line, read and checked
 * SPDX-License-Identifier: MIT */

#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "columns.h"
#include "combinations.h"
#include "distance.h"
#include "expression.h"
#include "machine.h"
#include "report.h"
#include "say.h"
#include "targets.h"

typedef struct {
    options *chosen;
    column_lists lists;
    bool good;
} reading;

enum {
    LONG_ONLY = 256,
    OVERFLOW_,
    SATURATE,
    POLICY,
    FTZ,
    DAZ,
    TININESS,
    JSON,
    JSONL,
    CSV,
    TSV,
    PLAIN,
    DIFF,
    VIA,
    SEED,
    PLOT,
    ANALYZE,
    LIST_POLICIES,
    FAIL_ON,
    COLOR,
    ASCII,
    WIDTH,
    STEPWISE,
    DOT,
    ACCUMULATE,
    INIT,
    LIST_ACCUMULATORS
};

static const struct option long_options[] = {
    { "as", required_argument, NULL, 'a' },
    { "from", required_argument, NULL, 'f' },
    { "via", required_argument, NULL, VIA },
    { "analyze", no_argument, NULL, ANALYZE },
    { "round", required_argument, NULL, 'r' },
    { "overflow", required_argument, NULL, OVERFLOW_ },
    { "saturate", no_argument, NULL, SATURATE },
    { "policy", required_argument, NULL, POLICY },
    { "ftz", no_argument, NULL, FTZ },
    { "daz", no_argument, NULL, DAZ },
    { "seed", required_argument, NULL, SEED },
    { "tininess", required_argument, NULL, TININESS },
    { "explain", no_argument, NULL, 'e' },
    { "stepwise", no_argument, NULL, STEPWISE },
    { "neighbors", required_argument, NULL, 'n' },
    { "exact", no_argument, NULL, 'x' },
    { "quiet", no_argument, NULL, 'q' },
    { "json", no_argument, NULL, JSON },
    { "jsonl", no_argument, NULL, JSONL },
    { "csv", no_argument, NULL, CSV },
    { "tsv", no_argument, NULL, TSV },
    { "plain", no_argument, NULL, PLAIN },
    { "compare", no_argument, NULL, 'c' },
    { "table", required_argument, NULL, 'T' },
    { "info", required_argument, NULL, 'i' },
    { "diff", required_argument, NULL, DIFF },
    { "plot", required_argument, NULL, PLOT },
    { "dot", required_argument, NULL, DOT },
    { "accumulate", required_argument, NULL, ACCUMULATE },
    { "init", required_argument, NULL, INIT },
    { "print", required_argument, NULL, 'p' },
    { "fail-on", required_argument, NULL, FAIL_ON },
    { "list-formats", no_argument, NULL, 'l' },
    { "list-policies", no_argument, NULL, LIST_POLICIES },
    { "list-accumulators", no_argument, NULL, LIST_ACCUMULATORS },
    { "color", required_argument, NULL, COLOR },
    { "ascii", no_argument, NULL, ASCII },
    { "width", required_argument, NULL, WIDTH },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};
static const char short_options[] = "+:a:f:r:en:xqp:cT:i:lhV";

static bool read_fields(options *chosen, const char *list)
{
    char *name;
    bool good = true;
    chosen->field_count = 0;
    for (size_t i = 0; (name = list_item(list, i)) != NULL; i++) {
        const word *field = read_word(&field_words, name);
        if (chosen->field_count == MOST_FIELDS && good)
            complain("--print takes %d fields at the most", MOST_FIELDS);
        good &= field != NULL && chosen->field_count < MOST_FIELDS;
        if (good)
            chosen->fields[chosen->field_count++] = field->meaning;
        chosen->stepwise |= good && is_stepwise_field(field->meaning);
        free(name);
    }
    return good;
}

/* Words of --fail-on are flags or statuses; overflow and others are both. */
static bool read_conditions(options *chosen, const char *list)
{
    char *name;
    bool good = true;
    for (size_t i = 0; (name = list_item(list, i)) != NULL; i++) {
        const word *flag = find_word(&flag_words, name);
        const word *status = flag == NULL ? read_word(&status_words, name) : NULL;
        if (flag != NULL)
            chosen->fail_flags |= (unsigned)flag->meaning;
        else if (status != NULL)
            chosen->fail_statuses |= 1u << status->meaning;
        else
            good = false;
        free(name);
    }
    return good;
}

static const char *option_name(int value)
{
    for (const struct option *row = long_options; row->name != NULL; row++)
        if (row->val == value)
            return row->name;
    return "";
}

static void complain_about_option(const char *argument, int kind)
{
    const char *best = long_options[0].name;
    size_t length = strcspn(argument, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length,
             argument[1] == '-' ? argument + 2 : argument + 1);
    name[strcspn(name, "=")] = '\0';
    for (const struct option *row = long_options; row->name != NULL; row++)
        if (kit_distance(row->name, name) < kit_distance(best, name))
            best = row->name;
    if (kind == ':')
        complain("option --%s needs an argument", option_name(optopt));
    else if (optopt != 0 && argument[1] == '-')
        complain("option --%s takes no argument", option_name(optopt));
    else if (argument[1] != '-')
        complain("unknown option '-%c'; try 'fpinspect --help'", isprint(optopt) ? optopt : '?');
    else if (kit_distance(best, name) <= strlen(name) / 2)
        complain("unknown or ambiguous option '%s'; did you mean '--%s'?",
                 quoted(argument, strlen(argument)), best);
    else
        complain("unknown option '%s'; try 'fpinspect --help'", quoted(argument, strlen(argument)));
}

static bool read_pair(options *chosen, const char *list)
{
    bool good = list_length(list) == 2;
    for (size_t i = 0; good && i < 2; i++) {
        char *name = list_item(list, i);
        good = find_format(&chosen->shown[i], name);
        free(name);
    }
    if (list_length(list) != 2)
        complain("--diff takes two formats, as e4m3,e4m3fnuz, not '%s'",
                 quoted(list, strlen(list)));
    return good;
}

/* Two views at once are refused later, when all options are known. */
static void set_job(options *chosen, job_kind job)
{
    chosen->several_jobs |= chosen->job != JOB_INSPECT && chosen->job != job;
    chosen->job = job;
}

static bool read_display(options *chosen, int option)
{
    const word *found;
    switch (option) {
    case 'e': chosen->explain = true; return true;
    case STEPWISE: chosen->stepwise = true; return true;
    case 'n': return read_count(&chosen->neighbors, optarg, "--neighbors", 1, 1000);
    case 'x': chosen->full = true; return true;
    case 'q': chosen->output = OUTPUT_QUIET; return true;
    case JSON: chosen->output = OUTPUT_JSON; return true;
    case JSONL: chosen->output = OUTPUT_JSONL; return true;
    case CSV: chosen->output = OUTPUT_CSV; return true;
    case TSV: chosen->output = OUTPUT_TSV; return true;
    case PLAIN: chosen->output = OUTPUT_PLAIN; return true;
    case 'p':
        if (chosen->output <=
            OUTPUT_QUIET) /* --tsv and its like keep their form, with these fields */
            chosen->output = OUTPUT_PRINT;
        return read_fields(chosen, optarg);
    case COLOR:
        found = read_word(&color_words, optarg);
        if (found != NULL && found->meaning != COLOR_AUTO) /* auto leaves it to the environment */
            chosen->color = found->meaning;
        return found != NULL;
    case ASCII: chosen->ascii = true; return true;
    case WIDTH: return read_count(&chosen->width, optarg, "--width", 40, 10000);
    case 'c': set_job(chosen, JOB_COMPARE); return true;
    case 'T': set_job(chosen, JOB_TABLE); return find_format(&chosen->shown[0], optarg);
    case 'i': set_job(chosen, JOB_INFO); return find_format(&chosen->shown[0], optarg);
    case ANALYZE: set_job(chosen, JOB_ANALYZE); return true;
    case PLOT:
        set_job(chosen, JOB_PLOT);
        found = read_word(&plot_words, optarg);
        chosen->plot = found == NULL ? PLOT_DENSITY : found->meaning;
        return found != NULL;
    case DIFF: set_job(chosen, JOB_DIFF); return read_pair(chosen, optarg);
    case DOT:
        set_job(chosen, JOB_DOT);
        chosen->dot = optarg;
        return true;
    case ACCUMULATE: chosen->accumulators = optarg; return true;
    case INIT: chosen->start = optarg; return true;
    case 'l': set_job(chosen, JOB_LIST_FORMATS); return true;
    case LIST_POLICIES: set_job(chosen, JOB_LIST_POLICIES); return true;
    case LIST_ACCUMULATORS: set_job(chosen, JOB_LIST_ACCUMULATORS); return true;
    case 'h': set_job(chosen, JOB_HELP); return true;
    case 'V': set_job(chosen, JOB_VERSION); return true;
    default: return false;
    }
}

static bool read_option(reading *now, int option, const char *argument)
{
    options *chosen = now->chosen;
    const word *found;
    switch (option) {
    case 'a': return read_formats(chosen, optarg);
    case 'f': return chosen->has_from = find_format(&chosen->from, optarg);
    case VIA: return read_via(chosen, optarg);
    case 'r': use_list(&now->lists.round, optarg); return true;
    case OVERFLOW_: use_list(&now->lists.overflow, optarg); return true;
    case SATURATE: use_list(&now->lists.overflow, "max"); return true;
    case POLICY: use_list(&now->lists.policy, optarg); return true;
    case FTZ: chosen->subnormal |= FPFMT_SUBNORMAL_FLUSH_RESULTS; return true;
    case DAZ: chosen->subnormal |= FPFMT_SUBNORMAL_FLUSH_INPUTS; return true;
    case TININESS:
        found = read_word(&tininess_words, optarg);
        chosen->tininess = found == NULL ? 0 : (uint8_t)found->meaning;
        return found != NULL;
    case SEED: return read_seed(chosen, optarg);
    case FAIL_ON: return read_conditions(chosen, optarg);
    case '?':
    case ':': complain_about_option(argument, option); return false;
    default: return read_display(chosen, option);
    }
}

/* A negative number is never an option: -1.5, -.5, -inf, -(1/3), -nan(1), -fp16:max, -sqrt(2). */
static bool is_negative_number(const char *argument)
{
    const char *rest = argument + 1;
    char name[FPFMT_NAME_SIZE];
    fpfmt_format format;
    size_t length = strcspn(rest, ":");
    if (argument[0] != '-' || *rest == '\0' || *rest == '-')
        return false;
    if (isdigit((unsigned char)*rest) || *rest == '.' || *rest == '(')
        return true;
    if (strncasecmp(rest, "inf", 3) == 0 || strncasecmp(rest, "nan", 3) == 0 ||
        strncasecmp(rest, "snan", 4) == 0)
        return true;
    size_t letters = strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789");
    bool ends = strchr(" +-*/^", rest[letters]) != NULL;
    if (letters > 1 && ends && constant_digits(rest, letters) != NULL) /* not -e */
        return true;
    if (is_call(rest))
        return true;
    if (rest[length] == '\0' || length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, rest);
    return fpfmt_find(&format, name) == FPFMT_FOUND;
}

static void read_arguments(reading *now, int argc, char **argv)
{
    options *chosen = now->chosen;
    bool only_operands = false;
    opterr = 0;
    while (optind < argc) {
        char *argument = argv[optind];
        if (!only_operands && strcmp(argument, "--") == 0) {
            only_operands = true;
            optind++;
        } else if (only_operands || argument[0] != '-' || argument[1] == '\0' ||
                   is_negative_number(argument)) {
            chosen->operands = more(chosen->operands, chosen->operand_count, sizeof argument);
            chosen->operands[chosen->operand_count++] = argument;
            optind++;
        } else {
            optopt = 0;
            int option = getopt_long(argc, argv, short_options, long_options, NULL);
            now->good &= read_option(now, option, argument);
        }
    }
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

static void default_display(options *chosen)
{
    const char *columns = getenv("COLUMNS");
    int width = columns == NULL ? 0 : atoi(columns);
    setlocale(LC_CTYPE, "");
    chosen->ascii = strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0;
    setlocale(LC_CTYPE, "C"); /* names are ASCII, whatever the environment */
    chosen->width = width >= 40 && width <= 10000 ? width : 100;
    chosen->color = is_set("NO_COLOR")                                  ? COLOR_NEVER
                    : is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR") ? COLOR_ALWAYS
                                                                        : COLOR_AUTO;
}

/* A format alone asks for its limits: fpinspect bf16. */
static void prefer_info(options *chosen)
{
    if (chosen->job == JOB_INSPECT && chosen->operand_count == 1 && !chosen->formats_given &&
        strlen(chosen->operands[0]) < FPFMT_NAME_SIZE &&
        fpfmt_find(&chosen->shown[0], chosen->operands[0]) == FPFMT_FOUND)
        chosen->job = JOB_INFO;
}

void read_options(options *chosen, int argc, char **argv)
{
    reading now = { .chosen = chosen, .lists = { .policy = { "default", 1 } }, .good = true };
    memset(chosen, 0, sizeof *chosen);
    default_display(chosen);
    read_arguments(&now, argc, argv);
    now.good &= read_columns(chosen, &now.lists);
    if (!chosen->formats_given)
        add_set(chosen, "default");
    now.good = now.good && go_together(chosen);
    prefer_info(chosen);
    if (!now.good)
        chosen->job = JOB_NONE;
}
