/* stops.c - a call in a process of its own, and how that ended
 * SPDX-License-Identifier: MIT */

#include "stops.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool stops(void (*call)(void))
{
    char said[256] = "";
    int status = 0, ends[2];
    size_t length = 0;
    fflush(stdout);
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        dup2(ends[1], STDERR_FILENO);
        call();
        _exit(EXIT_SUCCESS);
    }
    close(ends[1]);
    for (ssize_t more = 1; more > 0; length += more > 0 ? (size_t)more : 0)
        more = read(ends[0], said + length, sizeof said - 1 - length);
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT && length > 0 && strncmp(said, "fpfmt: ", 7) == 0 &&
           strchr(said, '\n') == said + length - 1;
}
