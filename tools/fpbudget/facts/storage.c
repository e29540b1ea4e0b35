/* storage.c - how the elements of a tensor are kept: in a format of the library, or in blocks of
 * one SPDX-License-Identifier: MIT */

#include "facts/storage.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kit/blocks.h"
#include "kit/formats.h"
#include "kit/say.h"
#include "kit/text.h"

/* A format of products that takes the word of another in memory. */
static const struct {
    const char *name, *kept_as;
} carried[] = { { "tf32", "fp32" } };

/* The width of the format whose name is the first so many characters of a text. A name that is one
 * of a block format but for a slip is told so, since kit/formats.h knows no blocks. */
static bool width_by_name(int *width, const char *name, size_t length)
{
    char text[sizeof((storage *)0)->name] = "";
    fpfmt_format format;
    print_text(text, sizeof text, "%.*s", (int)length, name);
    const char *block = near_block(text);
    bool is_slip = fpfmt_find(&format, text) == FPFMT_UNKNOWN && block != NULL;
    if (is_slip)
        complain("unknown format '%s'; did you mean '%s'?", quoted(name, length), block);
    if (is_slip || !find_format(&format, text))
        return false;
    *width = fpfmt_measure(&format).width;
    return true;
}

/* The part of the grammar behind ELEMENT and its colon: SCALE/SIZE[+TENSOR]. */
static bool read_scales(storage *kept, const char *text)
{
    size_t scale = strcspn(text, "/"), digits;
    char *end;
    const char *size = text + scale + (text[scale] == '/');
    kept->block = strtoull(size, &end, 10);
    digits = (size_t)(end - size);
    if (digits == 0 || digits > 9 || strspn(size, "0123456789") != digits || kept->block == 0 ||
        (*end != '\0' && *end != '+')) {
        complain(
            "a format with scales is ELEMENT:SCALE/SIZE, as e4m3:e8m0/32, and '%s' is no scale "
            "and size",
            quoted(text, strlen(text)));
        return false;
    }
    return width_by_name(&kept->scale_width, text, scale) &&
           (*end == '\0' || width_by_name(&kept->tensor_width, end + 1, strlen(end + 1)));
}

/* By the library's row, or by its grammar. A scale of the whole tensor is one of the tensor here. */
static bool keep_block(storage *kept, const fpfmt_block *block)
{
    int scale = fpfmt_measure(&block->scale).width;
    kept->width = fpfmt_measure(&block->element).width;
    if (block->rows == FPFMT_BLOCK_ALL) {
        kept->tensor_width = scale;
        return true;
    }
    if (block->size == FPFMT_BLOCK_ALL) {
        complain("%s has a scale for each row, and a budget does not know the rows of its tensors",
                 block->name);
        return false;
    }
    kept->scale_width = scale;
    kept->block = (uint64_t)block->size * block->rows;
    if (block->levels == 2)
        kept->tensor_width = fpfmt_measure(&block->tensor).width;
    return true;
}

bool find_storage(storage *kept, const char *name)
{
    fpfmt_block block;
    memset(kept, 0, sizeof *kept);
    print_text(kept->name, sizeof kept->name, "%s", name);
    if (names_block(name) || strchr(name, '@') != NULL)
        return find_block(&block, name) && keep_block(kept, &block);
    for (size_t i = 0; i < sizeof carried / sizeof carried[0]; i++)
        if (strcasecmp(carried[i].name, name) == 0)
            name = carried[i].kept_as;
    size_t element = strcspn(name, ":");
    return width_by_name(&kept->width, name, element) &&
           (name[element] == '\0' || read_scales(kept, name + element + 1));
}

exact bits_per_element(const storage *kept)
{
    exact width = exact_whole((uint64_t)kept->width);
    if (kept->block == 0)
        return width;
    return plus(width, over(exact_whole((uint64_t)kept->scale_width), exact_whole(kept->block)));
}

exact bits_of(const storage *kept, exact elements, exact tensors)
{
    exact bits = times(elements, exact_whole((uint64_t)kept->width));
    if (kept->block != 0) {
        exact scales = round_up(over(elements, exact_whole(kept->block)));
        bits = plus(bits, times(scales, exact_whole((uint64_t)kept->scale_width)));
    }
    return plus(bits, times(tensors, exact_whole((uint64_t)kept->tensor_width)));
}
