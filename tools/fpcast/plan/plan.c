/* plan.c - what becomes of every tensor, and in which file it will be
 * SPDX-License-Identifier: MIT */

#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/run.h"
#include "kit/say.h"

/* ---- files ---- */

static const char *name_in_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static const char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder), rest = strlen(name);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    char *made = allocate(length + rest + 2, 1);
    memcpy(made, folder, length);
    made[length] = '/';
    memcpy(made + length + 1, name, rest);
    return made;
}

/* A file for each shard, or one for all. */
static void name_files(cast_plan *made)
{
    const char *out = made->asked->out;
    made->file_count = made->in_folder ? made->in->part_count : 1;
    made->files = allocate(made->file_count, sizeof *made->files);
    for (size_t i = 0; i < made->file_count; i++) {
        made->files[i].path = made->in_folder ? join(out, name_in_path(made->in->parts[i])) : out;
        made->files[i].part = made->in_folder ? i : SIZE_MAX;
    }
}

/* ---- the order of tensors ---- */

static unsigned alignment_of(const new_tensor *it)
{
    return it->how.bits < 8 ? 1 : it->how.bits / 8;
}

static bool places_fit(new_file *file)
{
    bool fit = true;
    file->bytes = 0;
    for (size_t i = 0; i < file->count; i++) {
        file->tensors[i]->offset = file->bytes;
        fit = fit && file->bytes % alignment_of(file->tensors[i]) == 0;
        file->bytes += file->tensors[i]->bytes;
    }
    return fit;
}

/* Tensors stay in the order of the input. Where one would lie at no multiple of the size of its
 * elements, as programs that map files want it to, those of larger elements go first, as they do
 * in what the format's own program writes. */
static void order_tensors(new_file *file)
{
    if (places_fit(file))
        return;
    new_tensor **sorted = allocate(file->count + 1, sizeof(new_tensor *));
    size_t n = 0;
    for (unsigned size = 16; size > 0; size /= 2)
        for (size_t i = 0; i < file->count; i++)
            if (alignment_of(file->tensors[i]) == size)
                sorted[n++] = file->tensors[i];
    file->tensors = sorted;
    places_fit(file);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(new_tensor *const *)a)->name, (*(new_tensor *const *)b)->name);
}

/* A name that scales get may be another tensor's already. */
static bool are_names_apart(const cast_plan *made)
{
    size_t count = 0;
    for (size_t i = 0; i < made->file_count; i++)
        count += made->files[i].count;
    new_tensor **all = allocate(count + 1, sizeof(new_tensor *));
    count = 0;
    for (size_t i = 0; i < made->file_count; i++) {
        for (size_t k = 0; k < made->files[i].count; k++)
            all[count++] = made->files[i].tensors[k];
    }
    qsort(all, count, sizeof(new_tensor *), compare_names);
    bool good = true;
    for (size_t i = 1; i < count && good; i++) {
        good = strcmp(all[i]->name, all[i - 1]->name) != 0;
        if (!good)
            complain("%s: two of the new tensors would have the name '%s'",
                     quoted(made->asked->out, strlen(made->asked->out)),
                     quoted(all[i]->name, strlen(all[i]->name)));
    }
    release(all);
    return good;
}

bool lay_out_files(cast_plan *made)
{
    name_files(made);
    for (size_t i = 0; i < made->count; i++) {
        cast *it = &made->casts[i];
        new_file *file = &made->files[made->in_folder ? it->from->part : 0];
        it->file = (size_t)(file - made->files);
        for (int part = 0; part < it->part_count; part++) {
            file->tensors = more(file->tensors, file->count, sizeof(new_tensor *));
            file->tensors[file->count++] = &it->parts[part];
        }
    }
    for (size_t i = 0; i < made->file_count; i++)
        order_tensors(&made->files[i]);
    if (made->kind != OUT_SAFETENSORS && made->files[0].count != 1) {
        complain("%s: such a file has one tensor, and %s has %zu",
                 quoted(made->asked->out, strlen(made->asked->out)),
                 quoted(made->in->path, strlen(made->in->path)), made->files[0].count);
        return false;
    }
    return are_names_apart(made);
}

/* ---- the plan ---- */

static bool choose_kind(cast_plan *made)
{
    const char *out = made->asked->out;
    if (kind_of_name(&made->kind, out))
        return true;
    if (made->in->kind == CONTAINER_SHARDS) {
        made->kind = OUT_SAFETENSORS;
        return made->in_folder = true;
    }
    complain("%s: what is written is told by the end of the name: .safetensors, .npy, or .bin for "
             "codes alone",
             quoted(out, strlen(out)));
    return false;
}

bool make_plan(cast_plan *made, const request *asked, tensor_file *in)
{
    *made = (cast_plan){ .asked = asked, .in = in };
    return this_run()->status == EXIT_DONE && choose_kind(made) && choose_targets(made) &&
           shape_parts(made) && lay_out_files(made);
}
