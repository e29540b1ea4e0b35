/* parts.c - the tensors that a cast makes: names, types, shapes and bytes
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "plan/plan.h"

enum { PACKED_ROW = 16 /* bytes of a block of 32 elements of 4 bits */ };

/* ---- names ---- */

static const char *with_end(const char *name, const char *end)
{
    size_t stem = strlen(name), length = strlen(end);
    char *made = allocate(stem + length + 1, 1);
    memcpy(made, name, stem);
    memcpy(made + stem, end, length);
    return made;
}

/* The name of a tensor without scales. A file with one tensor that has no name gives its own. */
static const char *plain_name(const cast_plan *made, const file_tensor *of)
{
    const char *path = made->in->path, *slash = strrchr(path, '/');
    if (of->scheme.rule != NULL)
        return copy_text(of->name, strlen(of->name) - strlen(of->scheme.end));
    if (*of->name != '\0')
        return of->name;
    path = slash == NULL ? path : slash + 1;
    if (strcmp(path, "-") == 0)
        return "data";
    const char *dot = strrchr(path, '.');
    return copy_text(path, dot == NULL || dot == path ? strlen(path) : (size_t)(dot - path));
}

/* ---- shapes ---- */

static void take_shape(new_tensor *to, const file_tensor *of)
{
    to->rank = of->rank;
    memcpy(to->shape, of->shape, sizeof to->shape);
}

/* The shape as it is in the file, where packed elements were counted. */
static void take_stored_shape(new_tensor *to, const file_tensor *of)
{
    take_shape(to, of);
    if (of->scheme.rule == NULL || of->rank == 0)
        return;
    if (of->scheme.halved)
        to->shape[of->rank - 1] /= 2;
    if (of->scheme.joined) {
        to->shape[of->rank - 1] /= PACKED_ROW;
        to->shape[to->rank++] = PACKED_ROW;
    }
}

static uint64_t blocks_in(uint64_t n, uint32_t size)
{
    return size == FPFMT_BLOCK_ALL ? 1 : n / size + (n % size != 0);
}

static void count_bytes(new_tensor *it)
{
    uint64_t n = 1;
    for (int i = 0; i < it->rank; i++)
        n *= it->shape[i];
    it->bytes = it->how.packed ? n * it->how.bits / 8 : n * (it->how.bits / 8);
}

/* ---- quantised tensors ---- */

static void shape_elements(new_tensor *it, const file_tensor *of, const layout *how)
{
    take_shape(it, of);
    if (!how->packed)
        return;
    it->how = (stored){ .type = "U8", .bits = 8 };
    it->shape[it->rank - 1] /= 2;
    if (how->rows_of_blocks) {
        it->shape[it->rank - 1] /= PACKED_ROW;
        it->shape[it->rank++] = PACKED_ROW;
    }
}

static void shape_scales(new_tensor *it, const file_tensor *of, const target *to)
{
    const fpfmt_block *block = &to->block;
    if (block->rows == FPFMT_BLOCK_ALL) {
        it->rank = 0;
        return;
    }
    take_shape(it, of);
    it->shape[it->rank - 1] = blocks_in(of->shape[of->rank - 1], block->size);
    if (of->rank > 1)
        it->shape[of->rank - 2] = blocks_in(of->shape[of->rank - 2], block->rows);
    if (to->layout->packed && strcmp(block->scale.name, "e8m0") == 0)
        it->how = (stored){ .type = "U8", .bits = 8 };
}

static bool shape_quantised(const cast_plan *made, cast *it)
{
    const target *to = it->to;
    const layout *how = to->layout;
    new_tensor *parts = it->parts;
    const char *name = plain_name(made, it->from);
    bool named = store_format(&parts[0].how, made->kind, &to->block.element, false) &&
                 store_format(&parts[1].how, made->kind, &to->block.scale, false);
    parts[PART_ELEMENTS].name = with_end(name, how->element_end);
    parts[PART_SCALES].name = with_end(name, how->scale_end);
    shape_elements(&parts[PART_ELEMENTS], it->from, how);
    shape_scales(&parts[PART_SCALES], it->from, to);
    it->part_count = 2;
    if (to->block.levels == 2) {
        parts[PART_WHOLE].name = with_end(name, how->whole_end);
        parts[PART_WHOLE].how = (stored){ .type = "F32", .bits = 32 };
        parts[PART_WHOLE].rank = how->whole_inverse ? 1 : 0;
        parts[PART_WHOLE].shape[0] = 1;
        it->part_count = CAST_PARTS;
    }
    if (!named)
        complain("%s has no name in files of safetensors", to->name);
    return named;
}

/* ---- others ---- */

static bool shape_copied(const cast_plan *made, cast *it)
{
    const file_tensor *of = it->from;
    new_tensor *part = &it->parts[PART_ELEMENTS];
    part->name = of->scheme.rule == NULL ? plain_name(made, of) : of->name;
    if (!store_as_is(&part->how, &it->turned, made->kind, of, made->in->kind)) {
        complain_of_tensor(made->in, of, "the new file has no name for its type, %s%s",
                           quoted(of->type, strlen(of->type)),
                           of->format != NULL || of->block != NULL
                               ? "; give it another with --as or --tensor"
                               : "");
        return false;
    }
    take_stored_shape(part, of);
    it->part_count = 1;
    if (part->how.packed == of->packed || of->scheme.rule != NULL)
        return true;
    it->to = same_format(of->format); /* gaps between its codes come, or go */
    it->does = DEED_CONVERT;
    return true;
}

static void shape_converted(const cast_plan *made, cast *it)
{
    new_tensor *part = &it->parts[PART_ELEMENTS];
    part->name = plain_name(made, it->from);
    take_shape(part, it->from);
    it->part_count = 1;
    store_format(&part->how, made->kind, &it->to->format, made->asked->codes);
}

bool shape_parts(cast_plan *made)
{
    for (size_t i = 0; i < made->count; i++) {
        cast *it = &made->casts[i];
        if (it->does == DEED_LEAVE_OUT)
            continue;
        if (it->does == DEED_CONVERT)
            shape_converted(made, it);
        else if (!(it->does == DEED_COPY ? shape_copied : shape_quantised)(made, it))
            return false;
        for (int part = 0; part < it->part_count; part++)
            count_bytes(&it->parts[part]);
        if (made->asked->counts && it->does != DEED_COPY)
            it->stats = allocate(1, sizeof *it->stats);
    }
    return true;
}
