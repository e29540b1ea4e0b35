/* memory_ends.c - runs of a tool whose memory ends at each allocation in turn
 * SPDX-License-Identifier: MIT */

#define _POSIX_C_SOURCE 200809L

#include "memory_ends.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/run.h"
#include "runner.h"

/* A host of its own, as only a host can make memory end. */
typedef struct {
    kit_run run; /* first, so that the run leads here */
    jmp_buf start;
} performance;

_Noreturn static void leave(kit_run *run)
{
    longjmp(((performance *)run)->start, 1);
}

static const char *last_line(char *text)
{
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '\n')
        text[length - 1] = '\0';
    char *newline = strrchr(text, '\n');
    return newline == NULL ? text : newline + 1;
}

static void perform(performance *now, int (*tool)(int, char **), int argc, char **argv)
{
    start_run(&now->run);
    if (setjmp(now->start) == 0)
        tool(argc, argv);
    finish_run(&now->run);
}

/* Whether the run had memory for all that it asked for. */
static bool run_with(const char *name, int (*tool)(int, char **), const command_line_words line,
                     const char *input, size_t fails_at)
{
    performance now;
    char *argv[MOST_WORDS + 2], *said = NULL, *shown = NULL, expected[64];
    size_t said_size, shown_size;
    int argc = 0;
    argv[argc++] = strdup(name);
    for (int i = 0; i < MOST_WORDS && line[i] != NULL; i++)
        argv[argc++] = strdup(line[i]);
    argv[argc] = NULL;
    now = (performance){ .run = { .program = name, .stop = leave, .fails_at = fails_at } };
    now.run.in = fmemopen((void *)(size_t)input, strlen(input), "r");
    now.run.out = open_memstream(&shown, &shown_size);
    now.run.err = open_memstream(&said, &said_size);
    perform(&now, tool, argc, argv);
    CHECK(fclose(now.run.in) == 0 && fclose(now.run.out) == 0 && fclose(now.run.err) == 0,
          "%s closed a stream", name);
    snprintf(expected, sizeof expected, "%s: out of memory", name);
    bool enough = now.run.allocations < fails_at;
    if (!enough)
        CHECK(now.run.status == EXIT_TROUBLE && strcmp(last_line(said), expected) == 0,
              "%s %s %s... without allocation %zu: exit status %d, \"%s\"", name, line[0],
              line[1] == NULL ? "" : line[1], fails_at, now.run.status, last_line(said));
    for (int i = 0; i < argc; i++)
        free(argv[i]);
    free(said);
    free(shown);
    return enough;
}

enum { ALL = 40, FEWER = 4 };

static size_t next_of(size_t n)
{
    return n + (n < ALL ? SAMPLE : n / FEWER);
}

void end_memory_of(const char *name, int (*tool)(int argc, char **argv),
                   const command_line_words *lines, int count, const char *input)
{
    for (int i = 0; i < count; i++)
        for (size_t n = 1; !run_with(name, tool, lines[i], input, n);)
            n = next_of(n);
}

void end_memory_and_look(const char *name, int (*tool)(int argc, char **argv),
                         const command_line_words line, void (*look)(size_t fails_at))
{
    for (size_t n = 1; !run_with(name, tool, line, "\n", n);) {
        look(n);
        n = next_of(n);
    }
    look(0);
}
