/* test_runs_fpinspect.c - one process performs any number of command lines of fpinspect
 * SPDX-License-Identifier: MIT */

#include "command/fpinspect.h"
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

int main(void)
{
    static const struct test tests[] = {
        { "runs of fpinspect in one process print what separate ones do, in any order", runs },
    };
    return run_tests("runs of fpinspect", tests, sizeof tests / sizeof tests[0]);
}
