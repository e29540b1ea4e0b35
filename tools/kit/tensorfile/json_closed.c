/* json_closed.c - files whose headers are JSON, in a build without jansson
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "kit/say.h"
#include "kit/tensorfile/containers.h"

static bool refuse(const tensor_file *file)
{
    complain("%s: this program was built without jansson, which reads headers of safetensors",
             quoted(file->path, strlen(file->path)));
    return false;
}

bool read_safetensors(tensor_file *file, const source *from, size_t part,
                      const file_reading *reading)
{
    (void)from, (void)part, (void)reading;
    return refuse(file);
}

bool read_index(tensor_file *file, const source *from, const file_reading *reading)
{
    (void)from, (void)reading;
    return refuse(file);
}

bool read_folder(tensor_file *file, const file_reading *reading)
{
    (void)reading;
    return refuse(file);
}
