/* shards.c - tensors in several files of safetensors that belong together
 * SPDX-License-Identifier: MIT */

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/json_file.h"

enum { MOST_INDEX = 100000000 };
static const char index_name[] = "model.safetensors.index.json";

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* FOLDER/NAME, the folder as long as said. */
static char *join(const char *folder, size_t length, const char *name)
{
    size_t rest = strlen(name);
    char *made = allocate(length + rest + 2, 1);
    memcpy(made, folder, length);
    made[length] = '/';
    memcpy(made + length + 1, name, rest);
    return made;
}

/* Reads every part; false if none could be. */
static bool read_parts(tensor_file *file, const file_reading *reading)
{
    bool any = false;
    for (size_t part = 0; part < file->part_count; part++) {
        const source *from = open_part(file, part);
        any |= from != NULL && read_safetensors(file, from, part, reading);
    }
    return any;
}

static void add_part(tensor_file *file, char *path)
{
    file->parts = more(file->parts, file->part_count, sizeof *file->parts);
    file->parts[file->part_count++] = path;
}

/* ---- an index ---- */

/* Is it the name of a file beside the index? A path could lead anywhere. */
static bool is_plain_name(const char *name)
{
    return name != NULL && *name != '\0' && strpbrk(name, "/\\") == NULL &&
           strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* The shards that the map names, each once, sorted. */
static bool take_map(tensor_file *file, json_t *map)
{
    const char *path = file->path, *end = strrchr(path, '/'), *key;
    size_t length = end == NULL ? 1 : (size_t)(end - path);
    json_t *value;
    char **names = NULL;
    size_t count = 0;
    json_object_foreach(map, key, value) {
        const char *name = json_string_value(value);
        if (!is_plain_name(name)) {
            complain("%s: tensor '%s' is said to be in no file beside the index",
                     quoted(path, strlen(path)), quoted(key, strlen(key)));
            continue;
        }
        names = more(names, count, sizeof *names);
        names[count++] = copy_text(name, strlen(name));
    }
    if (count > 0)
        qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
            add_part(file, join(end == NULL ? "." : path, length, names[i]));
    if (count == 0)
        complain("%s: its weight_map names no tensors", quoted(path, strlen(path)));
    return count > 0;
}

static const char *name_in_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static int compare_tensors(const void *a, const void *b)
{
    return strcmp((*(const file_tensor *const *)a)->name, (*(const file_tensor *const *)b)->name);
}

/* Every tensor is in the shard that the map says, and every name of the map is there. */
static void check_map(tensor_file *file, json_t *map)
{
    const char *key;
    json_t *value;
    for (size_t i = 0; i < file->count; i++) {
        const file_tensor *here = &file->tensors[i];
        const char *said = json_string_value(json_object_get(map, here->name));
        const char *part = file->parts[here->part];
        if (said == NULL || strcmp(said, name_in_path(part)) != 0)
            complain_of_tensor(file, here, "the index does not say that it is in this file");
    }
    const file_tensor **all = allocate(file->count + 1, sizeof(const file_tensor *));
    for (size_t i = 0; i < file->count; i++)
        all[i] = &file->tensors[i];
    qsort(all, file->count, sizeof(const file_tensor *), compare_tensors);
    json_object_foreach(map, key, value) {
        const file_tensor wanted = { .name = key }, *const at = &wanted;
        if (bsearch(&at, all, file->count, sizeof(const file_tensor *), compare_tensors) == NULL)
            complain("%s: tensor '%s' is in no shard", quoted(file->path, strlen(file->path)),
                     quoted(key, strlen(key)));
    }
    release(all);
}

/* What the index says of the model, as it says it. */
static void take_index_notes(tensor_file *file, json_t *metadata)
{
    const char *key;
    json_t *value;
    json_object_foreach(metadata, key, value) {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        if (text == NULL)
            continue;
        file->index_notes = more(file->index_notes, file->index_note_count, sizeof(file_note));
        file->index_notes[file->index_note_count++] =
            (file_note){ copy_text(key, strlen(key)), text, 0 };
    }
}

bool read_index(tensor_file *file, const source *from, const file_reading *reading)
{
    if (from->size > MOST_INDEX) {
        complain("%s: an index of shards has 100000000 bytes at most",
                 quoted(file->path, strlen(file->path)));
        return false;
    }
    json_t *index = load_json(from, 0, (size_t)from->size);
    close_source(&file->open); /* its number is that of the first shard from now on */
    json_t *map = json_object_get(index, "weight_map");
    bool good = index != NULL;
    file->kind = CONTAINER_SHARDS;
    file->has_index = true;
    file->part_count = 0; /* the index itself has no tensors */
    if (good && !json_is_object(map)) {
        complain("%s: it is no index of shards: it has no weight_map",
                 quoted(file->path, strlen(file->path)));
        good = false;
    }
    good = good && take_map(file, map) && read_parts(file, reading);
    if (good) {
        check_map(file, map);
        take_index_notes(file, json_object_get(index, "metadata"));
    }
    if (index != NULL)
        json_decref(index);
    return good;
}

/* ---- a folder ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* The names of a folder that end like this, sorted; their number. */
static size_t list_folder(char ***names, const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);
    struct dirent *entry;
    *names = NULL;
    if (folder == NULL)
        return 0;
    while ((entry = readdir(folder)) != NULL) {
        if (!ends_with(entry->d_name, ".safetensors") && strcmp(entry->d_name, index_name) != 0)
            continue;
        *names = more(*names, count, sizeof **names);
        (*names)[count++] = copy_text(entry->d_name, strlen(entry->d_name));
    }
    closedir(folder);
    if (count > 0)
        qsort(*names, count, sizeof **names, compare_names);
    return count;
}

/* Where a folder has an index, that says which of its files belong together. */
static bool read_index_of_folder(tensor_file *file, char *path, const file_reading *reading)
{
    file->path = path;
    add_part(file, path);
    const source *from = open_part(file, 0);
    return from != NULL && read_index(file, from, reading);
}

bool read_folder(tensor_file *file, const file_reading *reading)
{
    const char *path = file->path;
    size_t length = strlen(path);
    char **names;
    size_t count = list_folder(&names, path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    file->kind = CONTAINER_SHARDS;
    file->part_count = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], index_name) == 0)
            return read_index_of_folder(file, join(path, length, index_name), reading);
    for (size_t i = 0; i < count; i++)
        add_part(file, join(path, length, names[i]));
    if (count == 0)
        complain("%s: there are no files of safetensors in it", quoted(path, strlen(path)));
    return count > 0 && read_parts(file, reading);
}
