/* json_file.c - JSON that stands in files
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/json_file.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"

/* What jansson takes belongs to the run, like everything that a file makes it take. */
static void *room_for_json(size_t size)
{
    return resize(NULL, size, 1);
}

json_t *load_json(const source *from, uint64_t offset, size_t length)
{
    json_error_t why;
    char *text = allocate(length + 1, 1);
    json_t *made = NULL;
    if (read_source(from, offset, text, length)) {
        json_set_alloc_funcs(room_for_json, release);
        made = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
        if (made == NULL)
            complain("%s: no JSON at byte %llu: %s", quoted(from->path, strlen(from->path)),
                     (unsigned long long)offset + (unsigned long long)why.position, why.text);
        else if (!json_is_object(made))
            complain("%s: its JSON is no object", quoted(from->path, strlen(from->path)));
    }
    release(text);
    if (made != NULL && !json_is_object(made)) {
        json_decref(made);
        made = NULL;
    }
    return made;
}
