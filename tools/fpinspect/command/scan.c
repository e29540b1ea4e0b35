/* scan.c - tensors of files, and what formats would do to them
 * SPDX-License-Identifier: MIT */

#include "command/scan.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>

#include "command/scan_tensor.h"
#include "command/views.h"
#include "facts/scan_fields.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"
#include "kit/workers.h"
#include "screens/scan_screen.h"

enum { MOST_SCAN_FIELDS = 40 };

/* A scan, and what it printed so far. */
typedef struct {
    scan_plan plan;
    progress bar;
    scan_result *all;
    size_t scanned;
    records rows;
    const field *fields[MOST_SCAN_FIELDS];
    bool flat;
} session;

static file_reading reading_of(const request *chosen)
{
    return (file_reading){ .from = chosen->has_from ? &chosen->from : NULL,
                           .offset = chosen->file_offset,
                           .count = chosen->file_count,
                           .big_endian = chosen->endian != 0,
                           .scale_of = chosen->scale_of };
}

/* Does the name fit one of the patterns of --tensor? */
static bool is_wanted(const request *chosen, const file_tensor *of)
{
    bool wanted = chosen->tensors == NULL;
    char *pattern;
    for (size_t i = 0; !wanted && (pattern = list_item(chosen->tensors, i)) != NULL; i++) {
        wanted = fnmatch(pattern, of->name, 0) == 0;
        release(pattern);
    }
    return wanted;
}

static bool can_be_scanned(const file_tensor *of)
{
    return !of->is_bad && !of->is_scale && (of->format != NULL || of->block != NULL);
}

/* ---- output ---- */

static void begin_output(session *now)
{
    const request *chosen = now->plan.chosen;
    if (chosen->form == FORM_SCREEN)
        return;
    size_t count = 0;
    now->flat = chosen->form != FORM_JSON && chosen->form != FORM_JSONL;
    for (const field *here = now->flat ? scan_row_fields : tensor_fields; here->name != NULL; here++)
        now->fields[count++] = here;
    records_open(&now->rows, chosen->form, fpinspect_schema);
    records_begin(&now->rows, "tensors", now->fields, count);
}

static void put_result(session *now, const scan_result *of)
{
    const target_list *targets = &now->plan.targets;
    if (now->plan.chosen->form == FORM_SCREEN) {
        draw_scan(of, targets);
        return;
    }
    tensor_facts made;
    make_tensor_facts(&made, of, targets);
    const column_facts *columns = made.columns.rows;
    if (!now->flat)
        records_row(&now->rows, &made);
    for (size_t t = 0; t < targets->count && now->flat; t++)
        records_row(&now->rows, &columns[t]);
    release_tensor_facts(&made);
}

/* ---- conditions ---- */

/* Elements that a condition of --fail-on counts. Past the largest value is past it, whatever it
 * became. */
static uint64_t count_of(const fpfmt_stats *stats, unsigned outcome)
{
    switch ((fpfmt_outcome)outcome) {
    case FPFMT_OUTCOME_EXACT: return stats->exact;
    case FPFMT_OUTCOME_INEXACT: return stats->count - stats->exact;
    case FPFMT_OUTCOME_SUBNORMAL: return stats->subnormal;
    case FPFMT_OUTCOME_UNDERFLOW: return stats->underflow;
    case FPFMT_OUTCOME_OVERFLOW: return stats->overflow + stats->saturated;
    case FPFMT_OUTCOME_SATURATED: return stats->saturated;
    case FPFMT_OUTCOME_INVALID: return stats->invalid;
    default: return 0;
    }
}

static void judge(const session *now, const scan_result *of)
{
    const request *chosen = now->plan.chosen;
    for (size_t t = 0; t < now->plan.targets.count; t++)
        for (size_t i = 0; i < chosen->limit_count; i++) {
            const fail_limit *limit = &chosen->limits[i];
            uint64_t count = count_of(&of->columns[t].stats, limit->outcome);
            fpfmt_ratio share, all;
            fpfmt_ratio_from(&share, fpfmt_from_u64(count));
            fpfmt_ratio_from(&all, fpfmt_from_u64(of->values.count));
            fpfmt_ratio_multiply(&all, &all, &limit->share);
            fpfmt_ratio_subtract(&share, &share, &all);
            if (count > 0 && !share.negative && !fpfmt_ratio_is_zero(&share))
                fail_condition();
        }
}

/* ---- files ---- */

static void spell_shape(char text[200], const file_tensor *of)
{
    *text = '\0';
    for (int i = 0; i < of->rank; i++)
        append_text(text, 200, "%s%llu", i == 0 ? "" : " ", (unsigned long long)of->shape[i]);
}

static void scan_one(session *now, tensor_file *file, const file_tensor *of)
{
    scan_result *made = new_result(&now->plan.targets, now->plan.worst);
    made->file = file->path;
    made->tensor = of->name;
    made->type = of->type;
    made->format = of->block != NULL ? of->block->name : of->format->name;
    made->scheme = of->scheme.rule;
    spell_shape(made->shape, of);
    bool good = scan_tensor(made, &now->plan, file, of);
    end_progress(&now->bar);
    if (good) {
        put_result(now, made);
        add_result(now->all, made, now->plan.targets.count, 0);
        now->scanned++;
    }
    release_result(made, now->plan.targets.count);
}

static bool fits_blocks(const session *now, const tensor_file *file, const file_tensor *of)
{
    const target_list *targets = &now->plan.targets;
    for (size_t t = 0; t < targets->count && of->columns_first; t++)
        if (targets->rows[t].block != NULL) {
            complain("%s: its elements are in Fortran's order, and blocks of %s run along the last "
                     "index", quoted(file->path, strlen(file->path)), targets->rows[t].name);
            return false;
        }
    return true;
}

static void scan_file(session *now, const char *path)
{
    tensor_file file;
    const request *chosen = now->plan.chosen;
    file_reading reading = reading_of(chosen);
    size_t left_out = 0, wanted = 0;
    if (!open_tensors(&file, path, &reading))
        return;
    for (size_t i = 0; i < file.count; i++) {
        const file_tensor *of = &file.tensors[i];
        if (!is_wanted(chosen, of) || of->is_bad || of->is_scale)
            continue;
        wanted++;
        if (!can_be_scanned(of))
            left_out++;
        else if (fits_blocks(now, &file, of))
            scan_one(now, &file, of);
    }
    if (left_out > 0)
        note("%s: %zu %s not read, as %s: see --list", quoted(path, strlen(path)), left_out,
             left_out == 1 ? "tensor is" : "tensors are", "of types without a format here");
    if (wanted == 0 && chosen->tensors != NULL)
        complain("%s: no tensor has a name that fits --tensor %s", quoted(path, strlen(path)),
                 quoted(chosen->tensors, strlen(chosen->tensors)));
    close_tensors(&file);
}

/* How much there is to do, for who waits; what cannot be opened is told when it is scanned. */
static void measure_work(session *now)
{
    const request *chosen = now->plan.chosen;
    uint64_t passes = now->plan.targets.whole_first ? 2 : 1, elements = 0, bytes = 0;
    struct stat found;
    for (size_t i = 0; i < chosen->operand_count; i++)
        if (stat(chosen->operands[i], &found) == 0 && S_ISREG(found.st_mode))
            bytes += (uint64_t)found.st_size;
    elements = bytes / 4 * passes; /* a guess for what is no binary32 */
    begin_progress(&now->bar, elements, bytes);
    now->plan.bar = &now->bar;
}

void run_scan(const request *chosen)
{
    session *now = allocate(1, sizeof *now);
    now->plan.chosen = chosen;
    now->plan.worst = (size_t)chosen->worst;
    now->plan.workers = chosen->jobs == 0 ? processors() : (unsigned)chosen->jobs;
    if (chosen->operand_count == 0) {
        complain("--scan takes files, as w.npy or model.safetensors");
        return;
    }
    if (!make_targets(&now->plan.targets, chosen))
        return;
    now->all = new_result(&now->plan.targets, 0);
    measure_work(now);
    begin_output(now);
    for (size_t i = 0; i < chosen->operand_count; i++)
        scan_file(now, chosen->operands[i]);
    if (now->scanned > 1)
        put_result(now, now->all);
    if (now->scanned > 0)
        judge(now, now->all);
    if (chosen->form != FORM_SCREEN)
        records_close(&now->rows);
    release_result(now->all, now->plan.targets.count);
    release(now);
}
