/* test_runs_fpbudget.c - one process performs any number of command lines of fpbudget
 * SPDX-License-Identifier: MIT */

#include "command/fpbudget.h"
#include "memory_ends.h"
#include "runner.h"
#include "runs.h"

static const command_line_words lines[] = {
    { "memory", "--params", "7e9", "--recipe", "mixed-adamw", "--explain" },
    { "memory", "--params", "7e9", "--json" },
    { "memory", "--device", "h100", "--devices", "8", "--recipe", "zero-3" },
    { "memory", "--params", "7e9", "--width", "60", "--ascii" },
    { "flops", "--params", "70e9", "--tokens", "15e12", "--device", "h100", "--mfu", "0.5" },
    { "flops", "--matmul", "batch=8 seq=2048 hidden=4096, hidden out=11008" },
    { "flops", "--params", "7B", "--tokens", "1T", "--tsv" },
    { "memory" },
    { "memory", "--bogus" },
    { "flops", "--mfu", "0.5" },
    { "--list-devices" },
    { "--list-recipes", "--json" },
    { "--complete", "memory", "--recipe", "mixed" },
    { "memory", "--help" },
    { "--help" },
    { "--version" },
};

static void runs(void)
{
    compare_runs("fpbudget", fpbudget, lines, sizeof lines / sizeof lines[0]);
}

static void memory_ends(void)
{
    end_memory_of("fpbudget", fpbudget, lines, sizeof lines / sizeof lines[0], "\n");
}

int main(void)
{
    static const struct test tests[] = {
        { "runs of fpbudget in one process print what separate ones do, in any order", runs },
        { "a run of fpbudget whose memory ends says so and has exit status 2", memory_ends },
    };
    return run_tests("runs of fpbudget", tests, sizeof tests / sizeof tests[0]);
}
