/* test_runs_fpinspect.c - one process performs any number of command lines of fpinspect
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "command/fpinspect.h"
#include "memory_ends.h"
#include "runner.h"
#include "runs.h"

static const command_line_words lines[] = {
    { "1e-8" },
    { "1e-8", "--as", "bf16" },
    { "1e-8", "--as", "bf16,fp16", "--explain", "--ascii" },
    { "464", "465", "inf", "--as", "e4m3", "--overflow", "spec,max" },
    { "464.5", "--as", "e4m3", "--policy", "torch,onnx-saturate", "--width", "60" },
    { "0x322c", "--as", "fp16", "--color", "always" },
    { "0.1 + 0.2", "--as", "fp64,fp16", "--stepwise" },
    { "0.1 + 0.2", "--as", "fp64", "--stepwise", "--json" },
    { "1.001", "--as", "bf16", "--round", "sr", "--seed", "7" },
    { "1.0626", "--via", "fp32,bf16", "--as", "e4m3" },
    { "nan(7)", "--as", "fp16,e4m3" },
    { "1", "x", "(2", "4/0", "5", "--as", "fp16", "--tsv" },
    { "1e-8", "--as", "fp16", "--fail-on", "underflow", "-q" },
    { "--table", "e2m1" },
    { "--table", "e2m1", "--csv" },
    { "--info", "fp16" },
    { "--info", "bf16", "--json" },
    { "--diff", "e4m3,e4m3fnuz" },
    { "--diff", "e4m3,e4m3fnuz", "--jsonl" },
    { "1e-8", "--compare", "--as", "fp32,bf16,fp16" },
    { "--plot", "density", "--as", "bf16,fp16" },
    { "--plot", "staircase", "--as", "e2m1", "--round", "rne,rtz", "--tsv" },
    { "--analyze", "--via", "fp32,bf16", "--as", "e4m3" },
    { "--list-formats" },
    { "--list-modes" },
    { "--list-accumulators", "--json" },
    { "--bogus" },
    { "1", "--as", "bf61" },
    { "--seed" },
    { "-qx", "1/3", "--as", "fp16" },
    { "--complete", "--as", "bf" },
    { "--help" },
    { "--version" },
};

static void runs(void)
{
    compare_runs("fpinspect", fpinspect, lines, sizeof lines / sizeof lines[0]);
}

/* Those that read: what stands in standard input, one value twice as long as the room that a line
 * begins with, and files. */
static const char input[] =
    "1e-8\n0.1 + 0.2\nnan\n"
    "1.00000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000001";
static const command_line_words reading[] = {
    { "-", "--as", "bf16", "--print", "code" },
    { "-", "--as", "bf16,fp16" },
    { "--dot", "-,-", "--from", "e4m3" },
    { "--dot", "memory_ends.txt,memory_ends.txt", "--from", "e4m3", "--explain" },
};

static void memory_ends(void)
{
    FILE *file = fopen("memory_ends.txt", "w");
    if (!CHECK(file != NULL, "memory_ends.txt cannot be written"))
        return;
    for (int i = 0; i < 40; i++)
        fprintf(file, "%d\n", i);
    fclose(file);
    end_memory_of("fpinspect", fpinspect, lines, sizeof lines / sizeof lines[0], input);
    end_memory_of("fpinspect", fpinspect, reading, sizeof reading / sizeof reading[0], input);
    remove("memory_ends.txt");
}

int main(void)
{
    static const struct test tests[] = {
        { "runs of fpinspect in one process print what separate ones do, in any order", runs },
        { "a run of fpinspect whose memory ends says so and has exit status 2", memory_ends },
    };
    return run_tests("runs of fpinspect", tests, sizeof tests / sizeof tests[0]);
}
