/* replace.c - files that are replaced whole, or not at all
 * SPDX-License-Identifier: MIT */

#define _XOPEN_SOURCE 700 /* sigprocmask, sigaction */

#include "kit/replace.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kit/beside.h"
#include "kit/memory.h"
#include "kit/run.h"
#include "kit/say.h"

/* How signals were before the run had a new file. */
typedef struct {
    sigset_t held;
    struct sigaction at_limit;
} signals_before;

struct replacement {
    char *target, *name; /* which it will have, and which it has */
    int descriptor;
    uint64_t size;
    bool settled;
    signals_before before;
    replacement *next;
};

/* ---- signals ---- */

static const int held_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { HELD_SIGNALS = sizeof held_signals / sizeof held_signals[0] };

/* Signals that end a program wait from now on, and a write past the limit for files, as ulimit -f
 * sets it, fails instead of raising one; *before is what release_signals takes. */
static void hold_signals(signals_before *before)
{
    struct sigaction ignored = { .sa_handler = SIG_IGN };
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < HELD_SIGNALS; i++)
        sigaddset(&held, held_signals[i]);
    sigprocmask(SIG_BLOCK, &held, &before->held);
    sigaction(SIGXFSZ, &ignored, &before->at_limit);
}

static void release_signals(const signals_before *before)
{
    int why = errno;
    sigaction(SIGXFSZ, &before->at_limit, NULL);
    sigprocmask(SIG_SETMASK, &before->held, NULL);
    errno = why;
}

/* A signal that is ignored may wait as long as it is blocked, and ends nothing. */
bool is_interrupted(void)
{
    sigset_t waiting;
    if (this_run()->replacements == NULL || sigpending(&waiting) != 0)
        return false;
    for (int i = 0; i < HELD_SIGNALS; i++) {
        struct sigaction now;
        if (sigismember(&waiting, held_signals[i]) == 1 &&
            !sigismember(&this_run()->replacements->before.held, held_signals[i]) &&
            sigaction(held_signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            return true;
    }
    return false;
}

/* ---- one file ---- */

/* A place in the run for a new file, before there is one, so that no end of memory loses it. */
static replacement *add_replacement(char *target)
{
    kit_run *run = this_run();
    size_t room = strlen(target) + NEW_ROOM;
    replacement *made = allocate(1, sizeof *made);
    made->target = target;
    made->name = allocate(room, 1);
    made->descriptor = -1;
    made->next = run->replacements;
    if (made->next == NULL)
        hold_signals(&made->before);
    else
        made->before = made->next->before;
    return run->replacements = made;
}

/* The end of what is kept of it in memory. The last one lets signals come. */
static void forget(replacement *of)
{
    kit_run *run = this_run();
    replacement **at = &run->replacements;
    signals_before before = of->before;
    while (*at != of)
        at = &(*at)->next;
    *at = of->next;
    release(of->name);
    release(of->target);
    release(of);
    if (run->replacements == NULL)
        release_signals(&before);
}

void abandon_replacement(replacement *of)
{
    int why = errno;
    if (of->descriptor >= 0) {
        unlink(of->name);
        close(of->descriptor);
    }
    forget(of);
    errno = why;
}

void abandon_all_replacements(void)
{
    while (this_run()->replacements != NULL)
        abandon_replacement(this_run()->replacements);
}

/* Nobody but the owner reads it before its mode is that of the old file. */
replacement *begin_replacement(const char *path)
{
    struct stat old;
    char *target = resolve_path(path);
    if (target == NULL)
        return NULL;
    replacement *made = add_replacement(target);
    bool replaces = stat(target, &old) == 0;
    made->descriptor =
        create_beside(target, made->name, strlen(target) + NEW_ROOM, replaces ? 0600 : 0666);
    if (made->descriptor < 0) {
        abandon_replacement(made);
        return NULL;
    }
    if (replaces)
        take_after(made->descriptor, &old);
    return made;
}

bool can_replace_file(const char *path, const char *opening)
{
    char *target = resolve_path(path);
    if (target == NULL)
        return false;
    if (!remove_left(target, opening) && errno != ENOENT && errno != ENOTDIR)
        note("what an earlier run left beside %s may still be there: %s",
             quoted(target, strlen(target)), strerror(errno));
    replacement *made = add_replacement(target);
    made->descriptor = create_beside(target, made->name, strlen(target) + NEW_ROOM, 0600);
    bool good = made->descriptor >= 0;
    abandon_replacement(made);
    return good;
}

/* ---- its bytes ---- */

bool rewrite_replacement(replacement *to, uint64_t offset, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n > 0) {
        ssize_t written = pwrite(to->descriptor, from, n, (off_t)offset);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            from += written;
            offset += (uint64_t)written;
            n -= (size_t)written;
        }
    }
    to->settled = false;
    to->size = offset > to->size ? offset : to->size;
    return true;
}

bool write_replacement(replacement *to, const void *bytes, size_t n)
{
    return rewrite_replacement(to, to->size, bytes, n);
}

bool reread_replacement(replacement *from, uint64_t offset, void *bytes, size_t n)
{
    char *to = bytes;
    while (n > 0) {
        ssize_t got = pread(from->descriptor, to, n, (off_t)offset);
        if (got == 0)
            errno = EIO; /* what was written is not there */
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            to += got;
            offset += (uint64_t)got;
            n -= (size_t)got;
        }
    }
    return true;
}

uint64_t replacement_size(const replacement *of)
{
    return of->size;
}

bool settle_replacement(replacement *of)
{
    struct stat found;
    if (of->settled)
        return true;
    if (fsync(of->descriptor) != 0 || fstat(of->descriptor, &found) != 0)
        return false;
    if ((uint64_t)found.st_size != of->size) {
        errno = EIO;
        return false;
    }
    return of->settled = true;
}

replacement_end commit_replacement(replacement *of)
{
    if (!settle_replacement(of) || rename(of->name, of->target) != 0) {
        abandon_replacement(of);
        return NOT_REPLACED;
    }
    bool kept = keep_folder(of->target);
    int why = errno;
    close(of->descriptor); /* its bytes are on the disk */
    forget(of);
    errno = why;
    return kept ? REPLACED : REPLACED_FOR_NOW;
}
