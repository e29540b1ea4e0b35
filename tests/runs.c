/* runs.c - many runs of a tool in one process, against a process for each
 * SPDX-License-Identifier: MIT */

#define _POSIX_C_SOURCE 200809L

#include "runs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/run.h"
#include "runner.h"

/* What a run leaves behind. */
typedef struct {
    char *out, *err;
    int status;
} outcome;

static void release_outcome(outcome *made)
{
    free(made->out);
    free(made->err);
}

/* Copies of the words, as a program may change its arguments. */
static int copy_words(char *argv[MOST_WORDS + 2], const char *name, const command_line_words line)
{
    int argc = 0;
    argv[argc++] = strdup(name);
    for (int i = 0; i < MOST_WORDS && line[i] != NULL; i++)
        argv[argc++] = strdup(line[i]);
    argv[argc] = NULL;
    return argc;
}

static void free_words(char *argv[])
{
    for (int i = 0; argv[i] != NULL; i++)
        free(argv[i]);
}

static outcome run_here(const char *name, int (*tool)(int, char **), const command_line_words line)
{
    char *argv[MOST_WORDS + 2];
    outcome made = { NULL, NULL, 0 };
    size_t out_size, err_size;
    int argc = copy_words(argv, name, line);
    FILE *in = fopen("/dev/null", "r");
    FILE *out = open_memstream(&made.out, &out_size), *err = open_memstream(&made.err, &err_size);
    made.status = perform_run(name, tool, argc, argv, in, out, err);
    CHECK(fclose(in) == 0 && fclose(out) == 0 && fclose(err) == 0, "%s closed a stream", name);
    free_words(argv);
    return made;
}

static char *contents(FILE *from)
{
    char *text = NULL, buffer[4096];
    size_t size, n;
    FILE *to = open_memstream(&text, &size);
    rewind(from);
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, n, to);
    fclose(to);
    fclose(from);
    return text;
}

static outcome run_apart(const char *name, const command_line_words line)
{
    char *argv[MOST_WORDS + 2], path[100];
    outcome made = { NULL, NULL, -1 };
    FILE *out = tmpfile(), *err = tmpfile();
    int status;
    snprintf(path, sizeof path, "./%s", name);
    copy_words(argv, name, line);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int in = open("/dev/null", O_RDONLY);
        if (in >= 0 && dup2(in, 0) >= 0 && dup2(fileno(out), 1) >= 0 && dup2(fileno(err), 2) >= 0)
            execv(path, argv);
        _exit(127);
    }
    if (CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status),
              "%s did not end by itself", path))
        made.status = WEXITSTATUS(status);
    made.out = contents(out);
    made.err = contents(err);
    free_words(argv);
    return made;
}

static void compare(const char *name, int (*tool)(int, char **), const command_line_words line,
                    const outcome *expected)
{
    outcome got = run_here(name, tool, line);
    CHECK(got.status == expected->status, "%s %s...: exit status %d, not %d", name, line[0],
          got.status, expected->status);
    CHECK(strcmp(got.out, expected->out) == 0, "%s %s...: the output differs:\n%.200s", name,
          line[0], got.out);
    CHECK(strcmp(got.err, expected->err) == 0, "%s %s...: the messages differ:\n%.200s", name,
          line[0], got.err);
    release_outcome(&got);
}

void compare_runs(const char *name, int (*tool)(int argc, char **argv),
                  const command_line_words *lines, int count)
{
    outcome *expected = calloc((size_t)count, sizeof *expected);
    for (int i = 0; i < count; i++)
        expected[i] = run_apart(name, lines[i]);
    for (int i = 0; i < count; i++)
        compare(name, tool, lines[i], &expected[i]);
    for (int i = count; i-- > 0;)
        for (int twice = 0; twice < 2; twice++)
            compare(name, tool, lines[i], &expected[i]);
    for (int i = 0; i < count; i++)
        release_outcome(&expected[i]);
    free(expected);
}
