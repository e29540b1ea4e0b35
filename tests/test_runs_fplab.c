/* test_runs_fplab.c - one process performs any number of command lines of fplab
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "fplab.h"
#include "memory_ends.h"
#include "runner.h"
#include "runs.h"

static const command_line_words lines[] = {
    { "update", "1.0", "1e-3", "1000", "--as", "fp32,bf16,fp16" },
    { "update", "1.0", "1e-3", "100", "--as", "bf16", "--json" },
    { "sum", "0.1", "1000", "--as", "fp16,bf16" },
    { "sum", "0.1", "1000", "--as", "fp16", "--tsv", "--seed", "3" },
    { "dot", "--length", "100", "--as", "bf16", "--seed", "5" },
    { "scale", "3", "--as", "e2m1" },
    { "init", "--fan-in", "64", "--layers", "2", "--outputs", "64" },
    { "view", "2,3", "transpose", "0,1" },
    { "train", "--steps", "3", "--as", "bf16", "--csv" },
    { "train", "--steps", "3", "--optimizer", "adamw", "--width", "60" },
    { "sum", "1", "--as", "fp16" },
    { "summ", "1" },
    { "sum", "1", "2", "--sead", "1" },
    { "--complete", "sum", "--as", "bf" },
    { "--complete", "tr" },
    { "sum", "--help" },
    { "--help" },
    { "--version" },
};

static void runs(void)
{
    compare_runs("fplab", fplab, lines, sizeof lines / sizeof lines[0]);
}

static void memory_ends(void)
{
    end_memory_of("fplab", fplab, lines, sizeof lines / sizeof lines[0], "\n");
}

/* A checkpoint: whether it is there whole, and what a run that failed would leave beside it. */
static bool is_whole(const char *path, const char *leftover)
{
    FILE *file = fopen(path, "rb"), *other = fopen(leftover, "rb");
    bool there = file != NULL && fseek(file, 0, SEEK_END) == 0 && ftell(file) > 1000;
    bool left = other != NULL;
    if (file != NULL)
        fclose(file);
    if (other != NULL)
        fclose(other);
    return there && !left;
}

static void checkpoints(void)
{
    static const command_line_words written[] = {
        { "train", "--steps", "2", "--checkpoint", "memory-ends.ckpt" },
        { "train", "--steps", "2", "--resume", "memory-ends.ckpt" },
        { "train", "--steps", "2", "--resume", "memory-ends.ckpt", "--checkpoint",
          "memory-ends.ckpt" },
    };
    for (int i = 0; i < 3; i++) {
        end_memory_of("fplab", fplab, written + i, 1, "\n");
        CHECK(is_whole("memory-ends.ckpt", "memory-ends.ckpt.new"), "after line %d", i);
    }
    remove("memory-ends.ckpt");
}

int main(void)
{
    static const struct test tests[] = {
        { "runs of fplab in one process print what separate ones do, in any order", runs },
        { "a run of fplab whose memory ends says so and has exit status 2", memory_ends },
        { "so does one that writes or reads a checkpoint, which stays whole", checkpoints },
    };
    return run_tests("runs of fplab", tests, sizeof tests / sizeof tests[0]);
}
