/* test_runs_fplab.c - one process performs any number of command lines of fplab
 * SPDX-License-Identifier: MIT */

#define _POSIX_C_SOURCE 200809L /* glob */

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fplab.h"
#include "kit/run.h"
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

/* ---- checkpoints ---- */

static const char kept[] = "memory-ends.ckpt";

typedef struct {
    char *bytes; /* NULL: there is no file */
    long size;
} whole_file;

static whole_file read_file(const char *path)
{
    whole_file made = { NULL, 0 };
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return made;
    CHECK(fseek(file, 0, SEEK_END) == 0 && (made.size = ftell(file)) >= 0, "%s has no end", path);
    rewind(file);
    made.bytes = malloc((size_t)made.size + 1);
    CHECK(made.bytes != NULL && fread(made.bytes, 1, (size_t)made.size, file) == (size_t)made.size,
          "%s is not read", path);
    fclose(file);
    return made;
}

static bool is_same(whole_file a, whole_file b)
{
    return (a.bytes == NULL) == (b.bytes == NULL) && a.size == b.size &&
           (a.bytes == NULL || memcmp(a.bytes, b.bytes, (size_t)a.size) == 0);
}

/* What stood there before a run, and what stands there after one that has memory. */
static whole_file old, new;

static void put_old(void)
{
    FILE *file;
    if (old.bytes == NULL) {
        remove(kept);
        return;
    }
    file = fopen(kept, "wb");
    CHECK(file != NULL && fwrite(old.bytes, 1, (size_t)old.size, file) == (size_t)old.size &&
              fclose(file) == 0,
          "%s is not written", kept);
}

/* All of the old bytes, or all of the new ones, and nothing beside them. */
static void look(size_t fails_at)
{
    whole_file now = read_file(kept);
    glob_t left;
    CHECK(is_same(now, new) || (fails_at != 0 && is_same(now, old)),
          "without allocation %zu there are %ld other bytes", fails_at, now.size);
    CHECK(glob("memory-ends.ckpt.*", 0, NULL, &left) == GLOB_NOMATCH,
          "without allocation %zu there is a file beside it", fails_at);
    free(now.bytes);
    put_old();
}

/* A run that has all the memory it wants. */
static void run_once(const command_line_words line)
{
    char *argv[MOST_WORDS + 1] = { (char *)(size_t)"fplab" };
    int argc = 1;
    FILE *null = fopen("/dev/null", "r+");
    for (; argc <= MOST_WORDS && line[argc - 1] != NULL; argc++)
        argv[argc] = (char *)(size_t)line[argc - 1];
    CHECK(perform_run("fplab", fplab, argc, argv, null, null, null) == EXIT_DONE, "no such run");
    fclose(null);
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
        run_once(written[i]);
        new = read_file(kept);
        CHECK(new.size > 1000, "line %d wrote no checkpoint", i);
        put_old();
        end_memory_and_look("fplab", fplab, written[i], look);
        free(old.bytes);
        old = new;
        put_old();
    }
    free(old.bytes);
    remove(kept);
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
