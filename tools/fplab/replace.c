/* replace.c - files that are replaced whole, or not at all
 * SPDX-License-Identifier: MIT */

#define _XOPEN_SOURCE 700 /* realpath, sigprocmask */

#include "replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NEW_ROOM = 48 /* of what is put behind a path */, MOST_LINKS = 40, OPENING_ROOM = 64 };

/* ---- where a path leads ---- */

/* Where a link leads that leads to nothing yet; NULL, and errno. Frees link. */
static char *follow_once(char *link)
{
    char target[PATH_MAX], *made = NULL;
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length >= 0) {
        target[length] = '\0';
        const char *end = target[0] == '/' ? NULL : strrchr(link, '/');
        int folder = end == NULL ? 0 : (int)(end + 1 - link);
        size_t room = (size_t)folder + (size_t)length + 1;
        made = malloc(room);
        if (made != NULL)
            snprintf(made, room, "%.*s%s", folder, link, target);
    }
    free(link);
    return made;
}

/* A path where there is no file, or where it leads as a link, and its links. */
static char *resolve_missing(const char *path)
{
    struct stat found;
    char *made = strdup(path);
    for (int links = 0; made != NULL && lstat(made, &found) == 0 && S_ISLNK(found.st_mode);) {
        if (links++ == MOST_LINKS) {
            free(made);
            errno = ELOOP;
            return NULL;
        }
        made = follow_once(made);
    }
    return made;
}

/* The path itself, or where it leads as a link; NULL, and errno, if it is no place for a file. */
static char *resolve(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return errno == ENOENT ? resolve_missing(path) : NULL;
    if (S_ISREG(found.st_mode))
        return realpath(path, NULL);
    errno = S_ISDIR(found.st_mode) ? EISDIR : EINVAL;
    return NULL;
}

/* ---- new files ---- */

/* The lock of a program on its new file, which ends with the program. Record locks are those that
 * POSIX has, and reach over networks. */
static bool lock(int descriptor)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(descriptor, F_SETLK, &whole) == 0;
}

/* Is the file still the one of this name? Between its creation and its lock another program may
 * have taken it for one that was left. */
static bool is_named(int descriptor)
{
    struct stat found;
    return fstat(descriptor, &found) == 0 && found.st_nlink > 0;
}

/* A new file beside path, under a name that nothing has; -1 if there cannot be one. Where locks are
 * not known the file is used without. */
static int create_beside(const char *path, char *name, size_t room, mode_t mode)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(name, room, "%s.%ld-%d.new", path, (long)getpid(), attempt);
        int descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
        if (descriptor < 0)
            continue;
        bool locked = lock(descriptor), taken = !locked && (errno == EACCES || errno == EAGAIN);
        if (!taken && is_named(descriptor))
            return descriptor;
        close(descriptor);
    }
    return -1;
}

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return fsync(descriptor) == 0;
}

/* The new name is kept only when the folder is. */
static void keep_folder(const char *path)
{
    char *copy = strdup(path);
    int folder = copy == NULL ? -1 : open(dirname(copy), O_RDONLY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    free(copy);
}

/* The new file has the owner, the group and the mode of the old one, as far as that is allowed. Who
 * is of another group than that of the old file gets nothing by that. A mode is set last, as a new
 * owner takes some of its bits away. */
static void take_after(int descriptor, const struct stat *old)
{
    struct stat made;
    mode_t mode = old->st_mode & 0777;
    bool known = fstat(descriptor, &made) == 0;
    bool owned = known && made.st_uid == old->st_uid, grouped = known && made.st_gid == old->st_gid;
    if (!owned)
        owned = fchown(descriptor, old->st_uid, (gid_t)-1) == 0;
    if (!grouped)
        grouped = fchown(descriptor, (uid_t)-1, old->st_gid) == 0;
    if (!grouped)
        mode &= ~(mode_t)S_IRWXG;
    /* Where modes cannot be set the file stays its owner's alone, which harms nobody. */
    (void)fchmod(descriptor, mode);
}

/* The bytes get the name in one step, and not before they are on the disk. Nobody but the owner
 * reads them before the mode is that of the old file. name has room for what is put behind path. */
static bool write_beside(const char *path, char *name, size_t room, const char *bytes, size_t size)
{
    struct stat old;
    bool replaces = stat(path, &old) == 0;
    int descriptor = create_beside(path, name, room, replaces ? 0600 : 0666);
    if (descriptor < 0)
        return false;
    if (replaces)
        take_after(descriptor, &old);
    bool good = write_all(descriptor, bytes, size) && rename(name, path) == 0;
    int why = errno;
    if (!good)
        unlink(name);
    if (close(descriptor) != 0 && good) {
        good = false;
        why = errno;
    }
    errno = why;
    return good;
}

/* ---- what was left ---- */

/* Is a name that of a new file of this base: "BASE.PID-N.new"? */
static bool is_new_name(const char *name, const char *base)
{
    static const char digits[] = "0123456789";
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || name[length] != '.')
        return false;
    name += length + 1;
    size_t process = strspn(name, digits);
    if (process == 0 || name[process] != '-')
        return false;
    name += process + 1;
    size_t attempt = strspn(name, digits);
    return attempt > 0 && strcmp(name + attempt, ".new") == 0;
}

/* Is an open file one that a program of this user began, and nobody works on? */
static bool is_left(int descriptor, const char *opening)
{
    struct stat found;
    char begun[REPLACE_BEFORE_OPENING + OPENING_ROOM];
    size_t length = strlen(opening);
    if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != geteuid() ||
        found.st_nlink != 1 || length > OPENING_ROOM || !lock(descriptor))
        return false;
    ssize_t got = pread(descriptor, begun, REPLACE_BEFORE_OPENING + length, 0);
    size_t before = REPLACE_BEFORE_OPENING;
    return got == 0 ||
           (got > (ssize_t)before && memcmp(begun + before, opening, (size_t)got - before) == 0);
}

static void remove_left(const char *path, const char *opening)
{
    char *folder_copy = strdup(path), *base_copy = strdup(path);
    char *folder_name = folder_copy != NULL ? dirname(folder_copy) : NULL;
    char *base = base_copy != NULL ? basename(base_copy) : NULL;
    DIR *folder = folder_name != NULL && base != NULL ? opendir(folder_name) : NULL;
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (!is_new_name(entry->d_name, base))
            continue;
        int descriptor =
            openat(dirfd(folder), entry->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0)
            continue;
        if (is_left(descriptor, opening))
            unlinkat(dirfd(folder), entry->d_name, 0);
        close(descriptor);
    }
    if (folder != NULL)
        closedir(folder);
    free(folder_copy);
    free(base_copy);
}

/* ---- signals ---- */

/* Signals that end a program wait from now on; *before is what release_signals takes. */
static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGQUIT);
    sigprocmask(SIG_BLOCK, &held, before);
}

static void release_signals(const sigset_t *before)
{
    int why = errno;
    sigprocmask(SIG_SETMASK, before, NULL);
    errno = why;
}

/* ---- both ---- */

/* Creates a new file and removes it again. */
static bool try_beside(const char *path, char *name, size_t room)
{
    int descriptor = create_beside(path, name, room, 0600);
    if (descriptor < 0)
        return false;
    unlink(name);
    close(descriptor);
    return true;
}

bool can_replace_file(const char *path, const char *opening)
{
    char *target = resolve(path);
    size_t room = target != NULL ? strlen(target) + NEW_ROOM : 0;
    char *name = target != NULL ? malloc(room) : NULL;
    bool good = false;
    if (name != NULL) {
        sigset_t before;
        remove_left(target, opening);
        hold_signals(&before);
        good = try_beside(target, name, room);
        release_signals(&before);
    }
    free(name);
    free(target);
    return good;
}

bool replace_file(const char *path, const char *bytes, size_t size)
{
    char *target = resolve(path);
    size_t room = target != NULL ? strlen(target) + NEW_ROOM : 0;
    char *name = target != NULL ? malloc(room) : NULL;
    bool good = false;
    if (name != NULL) {
        sigset_t before;
        hold_signals(&before);
        good = write_beside(target, name, room, bytes, size);
        release_signals(&before);
    }
    if (good)
        keep_folder(target);
    free(name);
    free(target);
    return good;
}
