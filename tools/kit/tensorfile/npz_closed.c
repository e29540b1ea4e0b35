/* npz_closed.c - archives of arrays of NumPy, in a build without libzip
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "kit/say.h"
#include "kit/tensorfile/containers.h"

bool read_npz(tensor_file *file, const source *from, const file_reading *reading)
{
    (void)from, (void)reading;
    complain("%s: this program was built without libzip, which reads .npz",
             quoted(file->path, strlen(file->path)));
    return false;
}

void *open_member(tensor_file *file, const file_tensor *of)
{
    (void)file, (void)of;
    return NULL;
}

size_t read_member(void *member, void *bytes, size_t n)
{
    (void)member, (void)bytes, (void)n;
    return 0;
}

bool close_member(void *member)
{
    (void)member;
    return true;
}

void close_archive(tensor_file *file)
{
    (void)file;
}
