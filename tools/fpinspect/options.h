/* options.h - the command line, read and checked
 * SPDX-License-Identifier: MIT */

#ifndef OPTIONS_H
#define OPTIONS_H

#include <fpfmt.h>

#include "words.h"

/* One way of rounding: a named policy, and what overrides it (-1 where nothing does). */
typedef struct {
    char label[48];
    const fpfmt_policy_row *row;
    int rounding, random_bits, overflow;
} policy_choice;

typedef enum {
    OUTPUT_SCREEN,
    OUTPUT_QUIET,
    OUTPUT_PRINT,
    OUTPUT_PLAIN,
    OUTPUT_TSV,
    OUTPUT_CSV,
    OUTPUT_JSON,
    OUTPUT_JSONL
} output_kind;
typedef enum {
    JOB_INSPECT,
    JOB_HELP,
    JOB_VERSION,
    JOB_LIST_FORMATS,
    JOB_LIST_POLICIES,
    JOB_LIST_ACCUMULATORS,
    JOB_COMPARE,
    JOB_TABLE,
    JOB_INFO,
    JOB_DIFF,
    JOB_ANALYZE,
    JOB_PLOT,
    JOB_DOT,
    JOB_NONE
} job_kind;
typedef enum { VARIES_NOTHING, VARIES_POLICY, VARIES_OVERFLOW, VARIES_ROUNDING } varies_kind;

/* A step of --via: a format, and the rounding into it (-1: the column's). */
typedef struct {
    fpfmt_format format;
    int rounding, random_bits;
} via_step;

enum { MOST_COLUMNS = 16, MOST_FIELDS = 32, MOST_STEPS = 8 };

typedef struct {
    job_kind job;
    bool several_jobs;
    fpfmt_format *formats;
    size_t format_count;
    bool formats_given, has_from;
    fpfmt_format from;
    fpfmt_format shown[2]; /* of --table, --info and --diff */
    policy_choice columns[MOST_COLUMNS];
    size_t column_count;
    varies_kind varies;
    via_step via[MOST_STEPS];
    size_t via_count;
    int plot;                               /* PLOT_... */
    const char *dot, *accumulators, *start; /* of --dot, --accumulate and --init; NULL without */
    uint8_t subnormal, tininess;
    uint64_t seed;
    output_kind output;
    int fields[MOST_FIELDS];
    size_t field_count;
    bool explain, stepwise, full, ascii;
    int neighbors, color, width;
    unsigned fail_flags, fail_statuses; /* bits of FPFMT_FLAG_..., of 1 << STATUS_... */
    char **operands;
    size_t operand_count;
} options;

/* Fills in *chosen; what is wrong was said, and the job is JOB_NONE. */
void read_options(options *chosen, int argc, char **argv);

/* The policy of a column for one target. */
fpfmt_policy column_policy(const options *chosen, const policy_choice *column,
                           const fpfmt_format *format);

/* The name of the rounding mode of a policy, as "rne" or "sr-a:8". */
const char *rounding_name(const fpfmt_policy *policy);

void print_help(void);
void list_formats(void);
void list_policies(void);
void list_accumulators(const options *chosen);

#endif
