/* fpcast.c - one command line, from its words to new files
 * SPDX-License-Identifier: MIT */

#include "command/fpcast.h"

#include <stdio.h>
#include <string.h>

#include "command/options.h"
#include "kit/memory.h"
#include "kit/records.h"
#include "kit/run.h"
#include "report/report.h"
#include "write/casting.h"
#include "write/output.h"

static const char usage[] =
    "Usage: fpcast [OPTION]... IN OUT\n"
    "A checkpoint into other formats, and back.\n"
    "  fpcast in.safetensors out.safetensors --as bf16\n"
    "  fpcast model/ out/ --tensor 'model.layers.*=e4m3' --keep '*norm*' --report\n"
    "  fpcast in.safetensors out.safetensors --as nvfp4 --keep 'lm_head*'\n"
    "  fpcast deepseek/ out/ --as bf16\n"
    "  fpcast weights.bin w.npy --from bf16 --as fp32\n"
    "IN: .safetensors, a folder of shards or their index, .npy, .npz, GGUF, or raw codes.\n"
    "OUT: .safetensors, a folder for shards, .npy, or .bin for codes alone. It may be IN.\n";

static void print_help(void)
{
    fputs(usage, this_run()->out);
    print_options(all_options());
    fputs("In parentheses: what holds without the option. Manual: fpcast(1).\n", this_run()->out);
}

static void report(const cast_plan *plan, const command_line *line, bool written)
{
    if (line->form == FORM_SCREEN)
        draw_report(plan, line->report, written);
    else
        print_report(plan, (form)line->form, written);
}

/* What fails the conditions is reported, so that it is known why. */
static void perform(cast_plan *plan, const command_line *line)
{
    bool good = begin_files(plan) && cast_tensors(plan);
    bool failed = good && fails(plan);
    if (good && !failed && commit_files(plan)) {
        report(plan, line, !line->asked.dry_run);
        return;
    }
    abandon_files(plan);
    if (failed)
        report(plan, line, false);
}

static void run(command_line *line)
{
    const request *asked = &line->asked;
    file_reading reading = { .from = asked->has_from ? &asked->from : NULL,
                             .offset = asked->offset,
                             .count = asked->count,
                             .big_endian = asked->big_endian != 0,
                             .scale_of = asked->scale_of };
    tensor_file *in = allocate(1, sizeof *in);
    cast_plan *plan = allocate(1, sizeof *plan);
    if (!open_tensors(in, asked->in, &reading))
        return;
    if (make_plan(plan, asked, in))
        perform(plan, line);
    close_tensors(in);
}

/* Help and the version go before all else that was asked for, so that both can be put behind any
 * command line. */
int fpcast(int argc, char **argv)
{
    command_line *line = allocate(1, sizeof *line);
    if (completes(all_options(), argc, argv) || !read_command_line(line, argc - 1, argv + 1))
        return this_run()->status;
    line->display.screen = line->form == FORM_SCREEN && !line->help && !line->version;
    use_display(&line->display);
    if (line->help)
        print_help();
    else if (line->version)
        fprintf(this_run()->out, "fpcast %s\n", fpfmt_version());
    else if (go_together(line))
        run(line);
    return this_run()->status;
}
