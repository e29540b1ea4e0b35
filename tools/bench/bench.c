/* bench.c - fpbench: how fast arrays are converted, beside what memory allows
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <math.h>
#include <regex.h>
#include <sched.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/options.h"
#include "kit/run.h"
#include "kit/say.h"

enum { MOST_SETS = 8, MOST_CONTENDERS = 24, ATTEMPTS = 3 };

typedef struct {
    bool tsv, quick, all, help;
    const char *only; /* NULL: everything */
    regex_t pattern;  /* of only */
} options;

/* ---- the machine ---- */

/* Where the program is now, it stays. */
static void stay_on_this_processor(void)
{
#if defined __linux__
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
#endif
}

static void print_processor(FILE *out)
{
    char line[256];
    FILE *about = fopen("/proc/cpuinfo", "r");
    while (about != NULL && fgets(line, sizeof line, about) != NULL)
        if (strncmp(line, "model name", 10) == 0) {
            fprintf(out, "processor  %s", line + strcspn(line, ":") + 2);
            break;
        }
    if (about != NULL)
        fclose(about);
}

static void print_machine(FILE *out)
{
    const fpfmt_kernels *set;
#if defined __clang__
    fprintf(out, "compiler   %s\n", __VERSION__);
#else
    fprintf(out, "compiler   gcc %s\n", __VERSION__);
#endif
    fprintf(out, "flags      %s\n", BENCH_FLAGS);
    print_processor(out);
    fputs("sets      ", out);
    for (size_t i = 0; (set = fpfmt_kernels_at(i)) != NULL; i++)
        if (fpfmt_kernels_run_here(set))
            fprintf(out, " %s", fpfmt_kernels_name(set));
    fputs("\npeers     ", out);
    name_peers(out);
    fprintf(out, "\nlimit      vectors of %zu bytes\n", limit_vector());
}

/* ---- one measurement ---- */

/* Who takes part, and the plans they use. The first two are what the others are compared with. */
typedef struct {
    contender each[MOST_CONTENDERS];
    size_t count;
    fpfmt_plan plans[MOST_SETS], source;
    result_list results;
} field;

enum { MEMCPY, LIMIT, FIRST };

static bool copy_same_bytes(const contender *it, void *to, const void *from, size_t n)
{
    memcpy(to, from, n * (it->read + it->write) / 2);
    return true;
}

static result describe(const trial *it, const contender *who)
{
    result line = { .operation = who->operation,
                    .set = who->set,
                    .mode = it->mode->name,
                    .size = it->size->name,
                    .ours = who->plan != NULL };
    snprintf(line.data, sizeof line.data, "%s", it->data);
    snprintf(line.format, sizeof line.format, "%s", it->format_name);
    return line;
}

static bool is_wanted(const options *chosen, const trial *it, const contender *who)
{
    char line[200];
    result of = describe(it, who);
    snprintf(line, sizeof line, "%s %s %s %s %s %s", of.operation, of.format, of.mode, of.set,
             of.size, of.data);
    if (chosen->only != NULL && regexec(&chosen->pattern, line, 0, NULL, 0) != 0)
        return false;
    return !chosen->quick || it->size->elements != 0 || strcmp(of.size, "L2") == 0 ||
           (it->size->side != 0 && who->plan == NULL) || ratio_bar(&of) > 0;
}

static void add(field *all, const options *chosen, const trial *it, contender who)
{
    who.read = it->read;
    who.write = it->write;
    who.operands = it->operation->operands;
    who.format = &it->format;
    if (all->count < FIRST || (all->count < MOST_CONTENDERS && is_wanted(chosen, it, &who)))
        all->each[all->count++] = who;
}

static void add_our_sets(field *all, const options *chosen, const trial *it)
{
    const array_operation *what = it->operation;
    const fpfmt_plan *plan = NULL;
    const fpfmt_kernels *set;
    if (!fpfmt_prepare(&all->source, &it->source, NULL, NULL)) {
        complain("%s cannot be prepared", it->format_name);
        stop_run();
    }
    for (size_t i = 0; i < MOST_SETS && (set = fpfmt_kernels_at(i)) != NULL; i++) {
        if (!fpfmt_kernels_run_here(set))
            continue;
        if (what->is_product && strcmp(fpfmt_kernels_name(set), "scalar") == 0)
            continue; /* by fpfmt_dot: minutes */
        plan = &all->plans[i];
        if (!fpfmt_prepare(&all->plans[i], &it->format, &it->mode->policy, set)) {
            complain("%s %s cannot be prepared", it->format_name, it->mode->name);
            stop_run();
        }
        add(all, chosen, it,
            (contender){ .operation = what->name,
                         .set = fpfmt_kernels_name(set),
                         .run = what->run,
                         .plan = plan,
                         .source = &all->source });
        if (what->is_call)
            return;
    }
    if (it->size->elements == ONE_SHOT_ELEMENTS && strcmp(what->name, "encode_f32") == 0)
        add(all, chosen, it,
            (contender){ .operation = ONE_SHOT,
                         .set = fpfmt_kernels_name(plan->set),
                         .run = one_shot,
                         .plan = plan });
}

/* What is compared with; NULL: nothing that is here. */
static pass *limit_of(const trial *it)
{
    if (it->operation->limit != NULL)
        return it->operation->limit;
    return it->operation->is_product ? gemm_limit() : limit_pass(it->read, it->write);
}

static void gather(field *all, const options *chosen, const trial *it)
{
    contender who;
    all->count = 0;
    pass *limit = limit_of(it);
    add(all, chosen, it,
        (contender){ .run = it->operation->is_product ? plain_gemm : copy_same_bytes });
    add(all, chosen, it, (contender){ .run = limit != NULL ? limit : plain_gemm });
    add_our_sets(all, chosen, it);
    for (size_t i = 0; it->size->elements == 0 && peer_at(i, it, &who); i++)
        add(all, chosen, it, who);
}

static result summary(const field *all, const trial *it, const contender *who)
{
    result line = describe(it, who);
    line.ns = median_ns(who);
    bool limited = it->size->elements == 0 && !it->operation->is_call && limit_of(it) != NULL;
    bool copies = it->operation->operands == 1 && !it->operation->is_call;
    line.to_limit = limited ? median_ratio(&all->each[LIMIT], who) : (double)NAN;
    line.to_memcpy = copies ? median_ratio(&all->each[MEMCPY], who) : (double)NAN;
    return line;
}

/* What falls short is given more chances: another load on the machine is not the code's fault. */
static void run(field *all, const options *chosen, const trial *it)
{
    result best[MOST_CONTENDERS];
    bool short_of = true;
    fill_source(it);
    for (int attempt = 0; short_of && attempt < (chosen->quick ? 1 : ATTEMPTS); attempt++) {
        const contender *refused = measure(all->each, all->count, it, chosen->quick);
        if (refused != NULL) {
            complain("%s %s was refused", it->operation->name, it->format_name);
            stop_run();
        }
        short_of = false;
        for (size_t i = FIRST; i < all->count; i++) {
            result line = summary(all, it, &all->each[i]);
            if (attempt == 0 || smaller_ratio(&line) > smaller_ratio(&best[i]))
                best[i] = line;
            short_of |= smaller_ratio(&best[i]) < ratio_bar(&best[i]) ||
                        1e9 / best[i].ns < rate_bar(&best[i]);
        }
    }
    for (size_t i = FIRST; i < all->count; i++) {
        print_result(&best[i], chosen->tsv);
        keep_result(&all->results, &best[i]);
    }
}

/* ---- all of them ---- */

static void find_formats(trial *it)
{
    char source[FPFMT_NAME_SIZE];
    const char *arrow = strstr(it->format_name, "->");
    const char *name = arrow == NULL ? it->format_name : arrow + 2;
    size_t length = arrow == NULL ? strlen(name) : (size_t)(arrow - it->format_name);
    snprintf(source, sizeof source, "%.*s", (int)length, it->format_name);
    if (fpfmt_find(&it->format, name) != FPFMT_FOUND ||
        fpfmt_find(&it->source, source) != FPFMT_FOUND) {
        complain("there is no format %s", it->format_name);
        stop_run();
    }
}

/* Returns how many lines it has; dry: without measuring them. */
static size_t one_trial(field *all, const options *chosen, trial *it, bool dry)
{
    const array_operation *what = it->operation;
    size_t width = what->reads != 0 ? what->reads : fpfmt_code_bytes(&it->source);
    it->read = width * what->operands;
    it->write = what->writes != 0 ? what->writes : fpfmt_code_bytes(&it->format);
    it->n = count_elements(it->size, width > it->write ? width : it->write, what->operands);
    gather(all, chosen, it);
    if (!dry && all->count > FIRST)
        run(all, chosen, it);
    return all->count - FIRST;
}

static size_t one_case(field *all, const options *chosen, const bench_case *it, bool dry)
{
    char format[2 * FPFMT_NAME_SIZE], mode[16], size[16], data[16];
    const char *formats = it->formats;
    size_t lines = 0;
    while (next_word(format, sizeof format, &formats))
        for (const char *modes = it->modes; next_word(mode, sizeof mode, &modes);)
            for (const char *sizes = it->sizes; next_word(size, sizeof size, &sizes);)
                for (const char *both = it->data; next_word(data, sizeof data, &both);) {
                    trial one = { .operation = operation_named(it->operation),
                                  .mode = mode_named(mode),
                                  .size = size_named(size),
                                  .format_name = format,
                                  .data = data };
                    find_formats(&one);
                    lines += one_trial(all, chosen, &one, dry);
                }
    return lines;
}

static size_t all_of(field *all, const options *chosen, bool dry)
{
    size_t lines = 0;
    for (const bench_case *it = chosen->all ? all_cases : chosen_cases; it->operation != NULL; it++)
        lines += one_case(all, chosen, it, dry);
    return lines;
}

static bool set_pattern(void *settings, const option_row *row, const char *text)
{
    options *chosen = settings;
    (void)row;
    if (chosen->only != NULL)
        regfree(&chosen->pattern);
    bool good = regcomp(&chosen->pattern, text, REG_EXTENDED | REG_NOSUB) == 0;
    chosen->only = good ? text : NULL;
    if (!good)
        complain("%s is no extended regular expression", quoted(text, strlen(text)));
    return good;
}

static const option_row rows[] = {
    { .name = "quick",
      .summary = "fewer rounds; without L1, and memory only at bars",
      .read = set_true,
      .target = offsetof(options, quick) },
    { .name = "all",
      .summary = "every format, mode and size; for use with --only",
      .read = set_true,
      .target = offsetof(options, all) },
    { .name = "only",
      .takes = "PATTERN",
      .summary = "lines in which the regular expression is found",
      .read = set_pattern },
    { .name = "tsv",
      .summary = "tabs between columns; the rest to standard error",
      .read = set_true,
      .target = offsetof(options, tsv) },
    { .name = "help",
      .letter = 'h',
      .summary = "print a summary",
      .read = set_true,
      .target = offsetof(options, help) },
    { .name = NULL },
};
static const option_row *const tables[] = { rows, NULL };

static void print_help(void)
{
    fputs("Usage: fpbench [OPTION]...\n"
          "How fast arrays are converted, beside what memory allows.\n",
          this_run()->out);
    print_options(tables);
    fputs("A line that PATTERN is looked for in reads \"operation format mode set size data\", as\n"
          "\"encode_f32 e4m3 rne scalar L2 mixed\".\n",
          this_run()->out);
}

static bool read_options(options *chosen, int argc, char **argv)
{
    const option_reading how = { .name = "fpbench", .tables = tables, .settings = chosen };
    arguments read = read_arguments(&how, argc - 1, argv + 1);
    if (read.count > 0)
        complain("%s is no option; --help lists them",
                 quoted(read.operands[0], strlen(read.operands[0])));
    return read.good && read.count == 0;
}

static void bench(const options *chosen)
{
    FILE *remarks = chosen->tsv ? this_run()->err : this_run()->out;
    field *all = allocate(1, sizeof *all);
    if (all_of(all, chosen, true) == 0) {
        complain("no line matches %s; one reads \"encode_f32 e4m3 rne scalar L2 mixed\"",
                 quoted(chosen->only, strlen(chosen->only)));
        return;
    }
    stay_on_this_processor();
    prepare_arrays();
    print_machine(remarks);
    print_heading(chosen->tsv);
    all_of(all, chosen, false);
    judge_results(remarks, &all->results);
}

static int fpbench(int argc, char **argv)
{
    options *chosen = allocate(1, sizeof *chosen);
    if (read_options(chosen, argc, argv)) {
        if (chosen->help)
            print_help();
        else
            bench(chosen);
    }
    if (chosen->only != NULL)
        regfree(&chosen->pattern);
    return this_run()->status;
}

int main(int argc, char **argv)
{
    return perform_run("fpbench", fpbench, argc, argv, stdin, stdout, stderr);
}
