/* source.c - the bytes of a file, read where they are asked for
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/source.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "kit/files.h"
#include "kit/run.h"
#include "kit/say.h"

enum { COPIED = 65536 };

static bool complain_of(const char *path, const char *why)
{
    complain("%s: %s", quoted(path, strlen(path)), why);
    return false;
}

/* Standard input as a file that has no name. */
static bool keep_stdin(source *made)
{
    char bytes[COPIED];
    size_t n;
    FILE *in = this_run()->in;
    made->path = "standard input";
    made->file = open_scratch();
    if (made->file == NULL)
        return complain_of(made->path, strerror(errno));
    while ((n = fread(bytes, 1, sizeof bytes, in)) > 0)
        if (fwrite(bytes, 1, n, made->file) != n)
            break;
    if (ferror(in) || ferror(made->file) || fflush(made->file) != 0) {
        complain("standard input: no copy could be kept: %s", strerror(errno));
        return false;
    }
    made->size = (uint64_t)ftello(made->file);
    return true;
}

bool open_source(source *made, const char *path)
{
    struct stat found;
    *made = (source){ .path = path };
    if (strcmp(path, "-") == 0)
        return keep_stdin(made);
    /* Before it is opened, as opening a FIFO waits for who writes into it. */
    if (stat(path, &found) != 0)
        return complain_of(path, strerror(errno));
    if (!S_ISREG(found.st_mode))
        return complain_of(path, S_ISDIR(found.st_mode) ? strerror(EISDIR)
                                                        : "it is no regular file; what comes "
                                                          "through a pipe is read as -");
    made->file = open_file(path, "rb");
    if (made->file == NULL || fstat(fileno(made->file), &found) != 0)
        return complain_of(path, strerror(errno));
    made->size = (uint64_t)found.st_size;
    return true;
}

/* Bytes that were not there when the file was checked do not count. */
bool read_source(const source *from, uint64_t offset, void *bytes, size_t n)
{
    char *to = bytes;
    while (n > 0) {
        bool within = offset < from->size;
        ssize_t got = within ? pread(fileno(from->file), to, n, (off_t)offset) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return complain_of(from->path, strerror(errno));
        if (got == 0) {
            complain("%s: it ends at byte %" PRIu64 ", and %zu more belong to it",
                     quoted(from->path, strlen(from->path)), offset, n);
            return false;
        }
        to += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

void close_source(source *made)
{
    if (made->file != NULL)
        close_file(made->file);
    made->file = NULL;
}

bool take_bytes(cursor *from, void *bytes, size_t n)
{
    char *to = bytes;
    if (n > from->end - from->at)
        return false;
    while (n > 0) {
        uint64_t into = from->at - from->buffered, left = from->end - from->at;
        if (from->at < from->buffered || into >= from->filled) {
            from->buffered = from->at;
            from->filled = left < CURSOR_BUFFER ? (size_t)left : CURSOR_BUFFER;
            into = 0;
            if (!read_source(from->from, from->at, from->buffer, from->filled)) {
                from->filled = 0;
                return false;
            }
        }
        size_t some = from->filled - (size_t)into < n ? from->filled - (size_t)into : n;
        memcpy(to, from->buffer + into, some);
        to += some;
        from->at += some;
        n -= some;
    }
    return true;
}

bool skip_bytes(cursor *from, uint64_t n)
{
    if (n > from->end - from->at)
        return false;
    from->at += n;
    return true;
}
