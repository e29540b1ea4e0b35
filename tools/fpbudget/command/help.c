/* help.c - what fpbudget says of itself
 * SPDX-License-Identifier: MIT */

#include "command/help.h"

#include <fpfmt.h>
#include <stdio.h>

#include "command/options.h"
#include "kit/run.h"

static const char usage[] =
    "Usage: fpbudget memory [OPTION]...\n"
    "       fpbudget flops [OPTION]...\n"
    "What training a model keeps and computes, exactly.\n"
    "  fpbudget memory --params 7e9 --recipe mixed-adamw --device h100\n"
    "  fpbudget memory --device h100 --devices 8 --recipe zero-3\n"
    "  fpbudget flops --params 70e9 --tokens 15e12 --device h100 --devices 1024\n"
    "  fpbudget flops --matmul 'batch=8 seq=2048 hidden=4096, hidden out=11008'\n"
    "Numbers: 7e9, 7B, 15T, 4096, 2^20; K M B T are powers of 1000.\n";

void print_help(unsigned command)
{
    FILE *to = this_run()->out;
    fputs(usage, to);
    print_options(options_of(command));
    fputs("In parentheses: what holds without the option. Manual: fpbudget(1).\n", to);
}

void print_version(void)
{
    fprintf(this_run()->out, "fpbudget %s\n", fpfmt_version());
}
