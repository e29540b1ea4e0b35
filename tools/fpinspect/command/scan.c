/* scan.c - tensors of files, and what formats would do to them
 * SPDX-License-Identifier: MIT */

#include "command/scan.h"

#include <string.h>
#include <sys/stat.h>

#include "command/scan_axis.h"
#include "command/scan_report.h"
#include "command/scan_tensor.h"
#include "facts/tensor_list.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/workers.h"
#include "screens/scan_screen.h"

typedef struct {
    scan_plan plan;
    progress bar;
    scan_report report;
} session;

static bool can_be_scanned(const file_tensor *of)
{
    return !of->is_bad && !of->is_scale && (of->format != NULL || of->block != NULL);
}

/* ---- files ---- */

static void scan_one(session *now, tensor_file *file, const file_tensor *of)
{
    if (now->plan.chosen->axis >= 0) {
        scan_channels(&now->report, &now->plan, file, of);
        end_progress(&now->bar);
        return;
    }
    scan_result *made = new_result(&now->plan.targets, now->plan.worst);
    name_result(made, file, of);
    bool good = scan_tensor(made, &now->plan, file, of);
    end_progress(&now->bar);
    if (good)
        put_result(&now->report, made);
    release_result(made, now->plan.targets.count);
}

static bool fits_blocks(const session *now, const tensor_file *file, const file_tensor *of)
{
    const target_list *targets = &now->plan.targets;
    for (size_t t = 0; t < targets->count && of->columns_first && !can_turn(of); t++)
        if (targets->rows[t].block != NULL) {
            complain("%s: its elements are in Fortran's order, of which %s, and blocks of %s run "
                     "along the last index",
                     quoted(file->path, strlen(file->path)),
                     of->compressed ? "an archive is read forward only"
                                    : "matrices alone are turned",
                     targets->rows[t].name);
            return false;
        }
    return true;
}

static void scan_file(session *now, const char *path)
{
    tensor_file file;
    const request *chosen = now->plan.chosen;
    file_reading reading;
    size_t left_out = 0, wanted = 0;
    read_files_as(&reading, chosen);
    if (!open_tensors(&file, path, &reading))
        return;
    if (chosen->form == FORM_SCREEN && chosen->operand_count > 1 && file.kind != CONTAINER_NPY)
        draw_file_name(path);
    for (size_t i = 0; i < file.count; i++) {
        const file_tensor *of = &file.tensors[i];
        if (!is_wanted_tensor(chosen, of->name))
            continue;
        wanted++;
        if (of->is_bad || of->is_scale)
            continue;
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
    measure_work(now);
    begin_report(&now->report, chosen, &now->plan.targets);
    for (size_t i = 0; i < chosen->operand_count; i++)
        scan_file(now, chosen->operands[i]);
    end_report(&now->report);
    release(now);
}
