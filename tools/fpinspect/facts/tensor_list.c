/* tensor_list.c - what files say of their tensors
 * SPDX-License-Identifier: MIT */

#include "facts/tensor_list.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/tensorfile.h"
#include "kit/text.h"

const field listed_tensor_fields[] = {
    FIELD("file", FIELD_TEXT, listed_tensor, file),
    FIELD("tensor", FIELD_TEXT, listed_tensor, tensor),
    FIELD("type", FIELD_TEXT, listed_tensor, type),
    FIELD("format", FIELD_TEXT, listed_tensor, format),
    FIELD("shape", FIELD_STRING, listed_tensor, shape),
    FIELD("count", FIELD_COUNT, listed_tensor, count),
    FIELD("bytes", FIELD_COUNT, listed_tensor, bytes),
    FIELD("offset", FIELD_COUNT, listed_tensor, offset),
    FIELD("scheme", FIELD_TEXT, listed_tensor, scheme),
    FIELD("scales", FIELD_TEXT, listed_tensor, scales),
    { .name = NULL },
};

void read_files_as(file_reading *made, const request *chosen)
{
    *made = (file_reading){ .from = chosen->has_from ? &chosen->from : NULL,
                            .offset = chosen->file_offset,
                            .count = chosen->file_count,
                            .big_endian = chosen->endian != 0,
                            .scale_of = chosen->scale_of };
}

bool is_wanted_tensor(const request *chosen, const char *name)
{
    bool wanted = chosen->tensors == NULL;
    char *pattern;
    for (size_t i = 0; !wanted && (pattern = list_item(chosen->tensors, i)) != NULL; i++) {
        wanted = fnmatch(pattern, name, 0) == 0;
        release(pattern);
    }
    return wanted;
}

void spell_sizes(char text[200], const uint64_t *shape, int rank)
{
    *text = '\0';
    for (int i = 0; i < rank; i++)
        append_text(text, 200, "%s%" PRIu64, i == 0 ? "" : " ", shape[i]);
}

static void list_tensor(listed_tensor *made, const tensor_file *file, const file_tensor *of)
{
    *made = (listed_tensor){ .file = file->path,
                             .tensor = of->name,
                             .type = of->type,
                             .format = of->block != NULL    ? of->block->name
                                       : of->format != NULL ? of->format->name
                                                            : NULL,
                             .count = of->count,
                             .bytes = of->bytes,
                             .offset = of->offset,
                             .scheme = of->scheme.rule,
                             .is_scale = of->is_scale };
    if (of->scheme.rule != NULL)
        made->scales = file->tensors[of->scheme.scales].name;
    spell_sizes(made->shape, of->shape, of->rank);
}

bool gather_tensors(fact_list *facts, const request *chosen)
{
    listed_tensor *rows = NULL;
    size_t count = 0;
    file_reading reading;
    read_files_as(&reading, chosen);
    if (chosen->operand_count == 0)
        complain("--list takes files, as w.npy or model.safetensors");
    for (size_t i = 0; i < chosen->operand_count; i++) {
        tensor_file file;
        if (!open_tensors(&file, chosen->operands[i], &reading))
            continue;
        for (size_t t = 0; t < file.count; t++)
            if (!file.tensors[t].is_bad && is_wanted_tensor(chosen, file.tensors[t].name)) {
                rows = more(rows, count, sizeof *rows);
                list_tensor(&rows[count++], &file, &file.tensors[t]);
            }
        close_tensors(&file);
    }
    *facts = (fact_list){ rows, count };
    return count > 0;
}
