/* whole_file.c - a file that fits into memory
 * SPDX-License-Identifier: MIT */

#include "kit/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kit/files.h"
#include "kit/memory.h"
#include "kit/say.h"

enum { CHUNK = 65536 };

static unsigned char *read_stream(FILE *file, size_t *size)
{
    unsigned char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    do {
        if (room - *size < CHUNK) {
            room = room * 2 + CHUNK + 1;
            bytes = resize(bytes, room, 1);
        }
        *size += fread(bytes + *size, 1, room - *size - 1, file);
    } while (!feof(file) && !ferror(file));
    if (ferror(file)) {
        release(bytes);
        return NULL;
    }
    bytes[*size] = '\0';
    return bytes;
}

unsigned char *read_whole_file(const char *path, size_t *size)
{
    unsigned char *bytes = NULL;
    errno = 0;
    FILE *file = open_file(path, "rb");
    if (file != NULL)
        bytes = read_stream(file, size);
    if (bytes == NULL)
        complain("%s: %s", quoted(path, strlen(path)), strerror(errno));
    if (file != NULL)
        close_file(file);
    return bytes;
}
