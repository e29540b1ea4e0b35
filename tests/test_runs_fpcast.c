/* test_runs_fpcast.c - one process performs any number of command lines of fpcast
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/fpcast.h"
#include "memory_ends.h"
#include "runner.h"
#include "runs.h"

static const char raw[] = "runs_fpcast.bin", array[] = "runs_fpcast.npy",
                  model[] = "runs_fpcast.safetensors", blocks[] = "runs_fpcast.gguf";

/* None reads what another writes, as they run in any order. */
static const command_line_words lines[] = {
    { raw, array, "--from", "fp16", "--as", "e4m3" },
    { raw, model, "--from", "fp16", "--as", "bf16", "--report" },
    { raw, model, "--from", "fp16", "--as", "e4m3", "--fail-on", "inexact:1%", "--width", "60" },
    { raw, model, "--from", "fp32", "--tensor", "*=mxfp4", "--json" },
    { raw, array, "--from", "bf16", "--as", "fp32", "--tsv" },
    { raw, "-" },
    { raw, blocks, "--from", "fp16" },
    { raw, model, "--from", "fp16", "--as", "bf61" },
    { "nothing.npy", array, "--as", "bf16" },
    { raw, "nowhere/o.npy", "--from", "fp16", "--as", "bf16" },
    { "--complete", "--tensor", "*=mxf" },
    { "--help" },
    { "--version" },
};

static void make_input(void)
{
    FILE *to = fopen(raw, "wb");
    for (int i = 0; to != NULL && i < 4096; i++)
        fputc(i * 37 % 251, to);
    CHECK(to != NULL && fclose(to) == 0, "%s cannot be written", raw);
}

static void runs(void)
{
    make_input();
    compare_runs("fpcast", fpcast, lines, sizeof lines / sizeof lines[0]);
}

/* The old file, whose bytes are compared after each run that fails. */
static const char old[] = "what was there before";

static void put_old(void)
{
    FILE *to = fopen(model, "wb");
    CHECK(to != NULL && fputs(old, to) >= 0 && fclose(to) == 0, "%s cannot be written", model);
}

static void look(size_t fails_at)
{
    char found[sizeof old + 1] = "", command[200];
    FILE *from = fopen(model, "rb");
    size_t got = from == NULL ? 0 : fread(found, 1, sizeof found, from);
    if (from != NULL)
        fclose(from);
    bool whole = got == sizeof old - 1 && memcmp(found, old, got) == 0;
    CHECK(whole || (got > 8 && memchr(found, '{', got) != NULL), "allocation %zu leaves \"%.*s\"",
          fails_at, (int)got, found);
    snprintf(command, sizeof command, "ls %s.*.new >/dev/null 2>&1", model);
    CHECK(system(command) != 0, "allocation %zu leaves a new file", fails_at);
    put_old();
}

static void memory_ends(void)
{
    static const command_line_words one[] = {
        { raw, model, "--from", "fp32", "--tensor", "*=mxfp4", "--report" },
        { raw, model, "--from", "fp16", "--as", "bf16", "--json" },
    };
    make_input();
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
        put_old();
        end_memory_and_look("fpcast", fpcast, one[i], look);
    }
    end_memory_of("fpcast", fpcast, lines, sizeof lines / sizeof lines[0], "\n");
    remove(raw);
    remove(array);
    remove(model);
}

int main(void)
{
    static const struct test tests[] = {
        { "runs of fpcast in one process print what separate ones do, in any order", runs },
        { "a run of fpcast whose memory ends says so, and the old file stays whole", memory_ends },
    };
    return run_tests("runs of fpcast", tests, sizeof tests / sizeof tests[0]);
}
