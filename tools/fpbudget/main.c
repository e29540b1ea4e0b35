/* main.c - fpbudget: what training a model keeps in memory and computes, exactly
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../fpinspect/say.h"
#include "view.h"

static void memory(const options *chosen)
{
    static memory_budget made;
    if (!count_memory(&made, chosen))
        return;
    if (chosen->json)
        json_memory(&made, chosen);
    else
        view_memory(&made, chosen);
}

static void flops(const options *chosen)
{
    static flops_budget made;
    if (!count_flops(&made, chosen))
        return;
    if (chosen->json)
        json_flops(&made, chosen);
    else
        view_flops(&made, chosen);
}

int main(int argc, char **argv)
{
    static options chosen;
    if (!read_options(&chosen, argc, argv))
        return exit_status();
    out_setup(chosen.ascii, chosen.color, chosen.width);
    switch (chosen.job) {
    case JOB_MEMORY: memory(&chosen); break;
    case JOB_FLOPS: flops(&chosen); break;
    case JOB_LIST_RECIPES: list_recipes(); break;
    case JOB_LIST_OPTIMIZERS: list_optimizers(); break;
    case JOB_LIST_DEVICES: list_devices(); break;
    case JOB_LIST_FORMATS: list_formats(); break;
    case JOB_HELP: print_help(); break;
    case JOB_VERSION: printf("fpbudget %s\n", fpfmt_version()); break;
    }
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0)
        complain("standard output: %s", errno != 0 ? strerror(errno) : "write error");
    return exit_status();
}
