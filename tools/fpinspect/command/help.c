/* help.c - what fpinspect says of itself
 * SPDX-License-Identifier: MIT */

#include "command/help.h"

#include <stdio.h>

#include "kit/run.h"

static const char usage[] =
    "Usage: fpinspect [OPTION]... VALUE...   VALUE: 1e-8 1/3 0x1p-3 bf16:0x322c pi*2\n"
    "Show what a number becomes in a floating-point format, exactly.\n"
    "Expressions: + - * / ^ ( ) sqrt(x) fma(a,b,c) rem(a,b) min(a,b) max(a,b) abs(x)\n"
    "  floor(x) ceil(x) trunc(x) round(x) scalb(x,n) nextup(x) nextdown(x).\n"
    "  fpinspect 1e-8 --as bf16             one value, one format\n"
    "  fpinspect 1e-8                       the usual formats side by side\n"
    "  fpinspect 1e-8 --as fp16 --explain   the rounding step by step\n"
    "  fpinspect bf16:0x322c                decode raw bits\n"
    "  fpinspect --scan w.npy --as e4m3     what a format would do to tensors\n";
static const char manuals[] =
    "Manual: fpinspect(1), fpfmt_formats(7). VALUE may be negative; '-' reads stdin.\n";

void print_help(option_tables tables)
{
    FILE *to = this_run()->out;
    fputs(usage, to);
    print_options_packed(tables);
    fputs(manuals, to);
}

void print_version(void)
{
    fprintf(this_run()->out, "fpinspect %s\n", fpfmt_version());
}
