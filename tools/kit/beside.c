/* beside.c - new files beside old ones, and what is left of them
 * SPDX-License-Identifier: MIT */

#define _XOPEN_SOURCE 700 /* realpath */

#include "kit/beside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/memory.h"
#include "kit/replace.h"

enum { MOST_LINKS = 40, OPENING_ROOM = 64 };

/* ---- where a path leads ---- */

/* Where a link leads that leads to nothing yet; NULL, and errno. Releases link. */
static char *follow_once(char *link)
{
    char target[PATH_MAX], *made = NULL;
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length >= 0) {
        target[length] = '\0';
        const char *end = target[0] == '/' ? NULL : strrchr(link, '/');
        int folder = end == NULL ? 0 : (int)(end + 1 - link);
        size_t room = (size_t)folder + (size_t)length + 1;
        made = allocate(room, 1);
        snprintf(made, room, "%.*s%s", folder, link, target);
    }
    release(link);
    return made;
}

/* A path where there is no file, or where it leads as a link, and its links. */
static char *resolve_missing(const char *path)
{
    struct stat found;
    char *made = copy_text(path, strlen(path));
    for (int links = 0; made != NULL && lstat(made, &found) == 0 && S_ISLNK(found.st_mode);) {
        if (links++ == MOST_LINKS) {
            release(made);
            errno = ELOOP;
            return NULL;
        }
        made = follow_once(made);
    }
    return made;
}

char *resolve_path(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return errno == ENOENT ? resolve_missing(path) : NULL;
    if (S_ISREG(found.st_mode)) {
        char whole[PATH_MAX];
        return realpath(path, whole) == NULL ? NULL : copy_text(whole, strlen(whole));
    }
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

/* Where locks are not known the file is used without. */
int create_beside(const char *path, char *name, size_t room, mode_t mode)
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

/* The new name is kept only when the folder is. Some file systems know no such thing. */
bool keep_folder(const char *path)
{
    char *copy = copy_text(path, strlen(path));
    int folder = open(dirname(copy), O_RDONLY | O_CLOEXEC);
    bool good = folder >= 0 && (fsync(folder) == 0 || errno == EINVAL);
    int why = errno;
    if (folder >= 0)
        close(folder);
    release(copy);
    errno = why;
    return good || why == EACCES; /* a folder that may be written and not be read is none to open */
}

/* Who is of another group than that of the old file gets nothing by that. A mode is set last, as a
 * new owner takes some of its bits away. */
void take_after(int descriptor, const struct stat *old)
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
    size_t length = opening == NULL ? 0 : strlen(opening);
    if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != geteuid() ||
        found.st_nlink != 1 || length > OPENING_ROOM || !lock(descriptor))
        return false;
    if (opening == NULL)
        return true;
    ssize_t got = pread(descriptor, begun, REPLACE_BEFORE_OPENING + length, 0);
    size_t before = REPLACE_BEFORE_OPENING;
    return got == 0 ||
           (got > (ssize_t)before && memcmp(begun + before, opening, (size_t)got - before) == 0);
}

/* False, and errno, where it is one that was left and stays. */
static bool remove_if_left(int folder, const char *name, const char *opening)
{
    int descriptor = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return true;
    bool good = !is_left(descriptor, opening) || unlinkat(folder, name, 0) == 0 || errno == ENOENT;
    int why = errno;
    close(descriptor);
    errno = why;
    return good;
}

bool remove_left(const char *path, const char *opening)
{
    char *folder_copy = copy_text(path, strlen(path)), *base_copy = copy_text(path, strlen(path));
    const char *base = basename(base_copy);
    DIR *folder = opendir(dirname(folder_copy));
    bool good = folder != NULL;
    int why = errno;
    struct dirent *entry;
    while (folder != NULL && (errno = 0, entry = readdir(folder)) != NULL)
        if (is_new_name(entry->d_name, base) &&
            !remove_if_left(dirfd(folder), entry->d_name, opening)) {
            good = false;
            why = errno;
        }
    if (folder != NULL && errno != 0) {
        good = false;
        why = errno;
    }
    if (folder != NULL)
        closedir(folder);
    release(folder_copy);
    release(base_copy);
    errno = why;
    return good;
}
