/* headers.c - what stands before the data of new files, and the index of shards
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "kit/json.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/new_safetensors.h"
#include "kit/text.h"
#include "write/output.h"

typedef struct {
    const cast_plan *plan;
    const new_file *file;
} composed;

/* ---- safetensors ---- */

/* Of notes of several shards that come into one file, the first of each key. */
static bool is_first_note(const tensor_file *in, size_t note)
{
    for (size_t i = 0; i < note; i++)
        if (strcmp(in->notes[i].key, in->notes[note].key) == 0)
            return false;
    return true;
}

static void put_notes(json_writer *to, const tensor_file *in, const new_file *file)
{
    bool any = false;
    for (size_t i = 0; i < in->note_count; i++) {
        if (file->part == SIZE_MAX ? !is_first_note(in, i) : in->notes[i].part != file->part)
            continue;
        if (!any) {
            json_name(to, "__metadata__");
            json_members(to);
        }
        any = true;
        json_member(to, in->notes[i].key, in->notes[i].value);
    }
    if (any)
        json_end(to, "");
}

static void put_tensor(json_writer *to, const new_tensor *it)
{
    const safetensors_entry entry = { .name = it->name,
                                      .type = it->how.type,
                                      .shape = it->shape,
                                      .rank = (size_t)it->rank,
                                      .begin = it->offset,
                                      .end = it->offset + it->bytes };
    put_safetensors_entry(to, &entry);
}

static void put_header(json_writer *to, void *context)
{
    const composed *it = context;
    to->compact = true;
    json_members(to);
    put_notes(to, it->plan->in, it->file);
    for (size_t i = 0; i < it->file->count; i++)
        put_tensor(to, it->file->tensors[i]);
    json_end(to, "");
}

char *safetensors_header(const cast_plan *plan, const new_file *file, size_t *length)
{
    composed it = { plan, file };
    char *made = compose_safetensors(put_header, &it, length);
    if (made == NULL)
        complain("%s: its header has no room: %s", quoted(file->path, strlen(file->path)),
                 strerror(errno));
    return made;
}

/* ---- NumPy ---- */

/* As NumPy writes it: the room behind the dictionary lets the first dimension grow to 21 digits,
 * and the data begin at a multiple of 64. */
char *npy_header(const cast_plan *plan, const new_file *file, size_t *length)
{
    enum { OPENING = 10, MULTIPLE = 64, GROWTH = 21, ROOM = 128 + TENSOR_RANK * 24 };
    const new_tensor *it = file->tensors[0];
    bool columns_first = false;
    for (size_t i = 0; i < plan->count; i++)
        columns_first |= plan->casts[i].part_count > 0 && plan->casts[i].from->columns_first;
    char *made = allocate(ROOM + 2 * MULTIPLE, 1), *text = made + OPENING, first[24] = "";
    print_text(text, ROOM, "{'descr': '%s', 'fortran_order': %s, 'shape': (", it->how.type,
               columns_first ? "True" : "False");
    for (int i = 0; i < it->rank; i++)
        append_text(text, ROOM, "%s%" PRIu64, i > 0 ? ", " : "", it->shape[i]);
    append_text(text, ROOM, "%s), }", it->rank == 1 ? "," : "");
    size_t size = strlen(text);
    if (it->rank > 0) {
        print_text(first, sizeof first, "%" PRIu64, it->shape[columns_first ? it->rank - 1 : 0]);
        size += GROWTH - strlen(first);
    }
    size_t whole = OPENING + size + 1;
    whole += (0 - whole) % MULTIPLE;
    memset(text + strlen(text), ' ', whole - OPENING - strlen(text));
    made[whole - 1] = '\n';
    memcpy(made, "\x93NUMPY\x01\x00", 8);
    made[8] = (char)((whole - OPENING) & 0xff);
    made[9] = (char)((whole - OPENING) >> 8);
    *length = whole;
    return made;
}

/* ---- the index ---- */

/* The other members are as they were; their values are JSON already. */
static void put_index_notes(json_writer *to, const cast_plan *plan)
{
    uint64_t total = 0;
    for (size_t i = 0; i < plan->file_count; i++)
        total += plan->files[i].bytes;
    json_gap(to, "\n  ");
    json_name(to, "metadata");
    json_members(to);
    for (size_t i = 0; i < plan->in->index_note_count; i++) {
        const file_note *here = &plan->in->index_notes[i];
        if (strcmp(here->key, "total_size") == 0)
            continue;
        json_gap(to, "\n    ");
        json_name(to, here->key);
        json_raw(to, here->value);
    }
    json_gap(to, "\n    ");
    json_name(to, "total_size");
    json_count(to, total);
    json_end(to, "\n  ");
}

static void put_index(json_writer *to, void *context)
{
    const cast_plan *plan = context;
    json_members(to);
    put_index_notes(to, plan);
    json_gap(to, "\n  ");
    json_name(to, "weight_map");
    json_members(to);
    for (size_t i = 0; i < plan->file_count; i++)
        for (size_t k = 0; k < plan->files[i].count; k++) {
            json_gap(to, "\n    ");
            json_member(to, plan->files[i].tensors[k]->name, strrchr(plan->files[i].path, '/') + 1);
        }
    json_end(to, "\n  ");
    json_end(to, "\n");
    putc('\n', to->to);
}

char *index_text(cast_plan *plan, size_t *length)
{
    char *made = json_in_memory(put_index, plan, length);
    if (made == NULL)
        complain("the index has no room: %s", strerror(errno));
    return made;
}
