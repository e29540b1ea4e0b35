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

/* The object in a text; NULL after a complaint. jansson tells of a NUL as if the text ended there.
 */
static json_t *parse(const source *from, uint64_t offset, const char *text, size_t length)
{
    json_error_t why;
    const char *path = quoted(from->path, strlen(from->path)), *nul = memchr(text, '\0', length);
    if (nul != NULL) {
        complain("%s: its JSON has a NUL at byte %llu", path,
                 (unsigned long long)offset + (unsigned long long)(nul - text));
        return NULL;
    }
    json_set_alloc_funcs(room_for_json, release);
    json_t *made = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (made == NULL) {
        complain("%s: no JSON at byte %llu: %s", path,
                 (unsigned long long)offset + (unsigned long long)why.position,
                 quoted(why.text, strlen(why.text)));
    } else if (!json_is_object(made)) {
        complain("%s: its JSON is no object", path);
        json_decref(made);
        made = NULL;
    }
    return made;
}

json_t *load_json(const source *from, uint64_t offset, size_t length)
{
    char *text = allocate(length + 1, 1);
    json_t *made = NULL;
    if (read_source(from, offset, text, length))
        made = parse(from, offset, text, length);
    release(text);
    return made;
}
