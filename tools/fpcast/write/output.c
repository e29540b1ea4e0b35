/* output.c - the new files: begun, written into, and given their names
 * SPDX-License-Identifier: MIT */

#include "write/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/memory.h"
#include "kit/say.h"

static const char index_name[] = "/model.safetensors.index.json";

static bool complain_of(const char *path)
{
    complain("%s: it cannot be written: %s", quoted(path, strlen(path)),
             errno == EINVAL ? "it is no regular file" : strerror(errno));
    return false;
}

/* ---- beginning ---- */

/* The folder, which may be there already. */
static bool make_folder(cast_plan *plan)
{
    const char *path = plan->asked->out;
    struct stat found;
    if (mkdir(path, 0777) == 0)
        return plan->made_folder = true;
    if (errno == EEXIST && stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return true;
    return complain_of(path);
}

static bool begin_file(cast_plan *plan, new_file *file)
{
    size_t length = 0;
    char *header = NULL;
    if (plan->kind != OUT_CODES) {
        header = plan->kind == OUT_NPY ? npy_header(plan, file, &length)
                                       : safetensors_header(plan, file, &length);
        if (header == NULL)
            return false;
    }
    file->data = length;
    if (plan->asked->dry_run)
        return true;
    if (!can_replace_file(file->path, NULL) || (file->to = begin_replacement(file->path)) == NULL ||
        !write_replacement(file->to, header, length))
        return complain_of(file->path);
    release(header);
    return true;
}

bool begin_files(cast_plan *plan)
{
    if (plan->in_folder && !plan->asked->dry_run && !make_folder(plan))
        return false;
    for (size_t i = 0; i < plan->file_count; i++)
        if (!begin_file(plan, &plan->files[i]))
            return false;
    return true;
}

/* ---- writing ---- */

bool write_bytes(cast_plan *plan, const cast *of, int part, uint64_t at, const void *bytes,
                 size_t n)
{
    new_file *file = &plan->files[of->file];
    advance(&plan->bar, n);
    if (file->to == NULL)
        return true;
    if (is_interrupted())
        return false;
    return rewrite_replacement(file->to, file->data + of->parts[part].offset + at, bytes, n) ||
           complain_of(file->path);
}

/* ---- the end ---- */

void abandon_files(cast_plan *plan)
{
    for (size_t i = 0; i < plan->file_count; i++)
        plan->files[i].to = NULL;
    abandon_all_replacements();
    if (plan->made_folder)
        rmdir(plan->asked->out); /* only where nothing is in it */
}

static bool has_all_bytes(const new_file *file)
{
    if (replacement_size(file->to) == file->data + file->bytes)
        return true;
    complain("%s: it was not written whole", quoted(file->path, strlen(file->path)));
    return false;
}

/* The index is a new file like the others. */
static replacement *begin_index(cast_plan *plan, char **path)
{
    size_t length, folder = strlen(plan->asked->out);
    char *text = index_text(plan, &length);
    if (text == NULL)
        return NULL;
    *path = allocate(folder + sizeof index_name, 1);
    memcpy(*path, plan->asked->out, folder);
    memcpy(*path + folder, index_name, sizeof index_name);
    replacement *made = can_replace_file(*path, NULL) ? begin_replacement(*path) : NULL;
    if (made == NULL || !write_replacement(made, text, length) || !settle_replacement(made)) {
        complain_of(*path);
        return NULL;
    }
    release(text);
    return made;
}

static bool commit_one(replacement *it, const char *path)
{
    replacement_end end = commit_replacement(it);
    if (end == REPLACED_FOR_NOW)
        complain("%s: it is written, but its folder is not known to be on the disk: %s",
                 quoted(path, strlen(path)), strerror(errno));
    return end != NOT_REPLACED || complain_of(path);
}

/* All are on the disk before the first gets its name. */
bool commit_files(cast_plan *plan)
{
    char *index_path = NULL;
    replacement *index = NULL;
    bool wants_index = plan->in_folder && (plan->in->has_index || plan->file_count > 1);
    if (plan->asked->dry_run)
        return true;
    for (size_t i = 0; i < plan->file_count; i++) {
        if (!has_all_bytes(&plan->files[i]))
            return false;
        if (!settle_replacement(plan->files[i].to))
            return complain_of(plan->files[i].path);
    }
    if (is_interrupted() || (wants_index && (index = begin_index(plan, &index_path)) == NULL))
        return false;
    for (size_t i = 0; i < plan->file_count; i++) {
        replacement *it = plan->files[i].to;
        plan->files[i].to = NULL;
        if (!commit_one(it, plan->files[i].path))
            return false;
    }
    return index == NULL || commit_one(index, index_path);
}
