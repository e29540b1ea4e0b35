/* storage.c - how the elements of a tensor are kept: in a format of the library, or in blocks of
 * one SPDX-License-Identifier: MIT */

#include "facts/storage.h"

#include <stdlib.h>
#include <string.h>

#include "kit/formats.h"
#include "kit/say.h"
#include "kit/text.h"

/* Sources: OCP MX v1.0 table 7; NVIDIA's NVFP4, whose block scale leaves its sign unused;
 * DeepSeek-V3 (arXiv 2412.19437) 3.3. tf32 is a format of products: in memory it takes the word of
 * an fp32. */
static const block_row blocks[] = {
    { "mxfp8", "OCP MXFP8 with E4M3 elements", "e4m3:e8m0/32" },
    { "mxfp8-e4m3", "the same", "e4m3:e8m0/32" },
    { "mxfp8-e5m2", "OCP MXFP8 with E5M2 elements", "e5m2:e8m0/32" },
    { "mxfp6-e3m2", "OCP MXFP6 with E3M2 elements", "e3m2:e8m0/32" },
    { "mxfp6-e2m3", "OCP MXFP6 with E2M3 elements", "e2m3:e8m0/32" },
    { "mxfp4", "OCP MXFP4", "e2m1:e8m0/32" },
    { "mxint8", "OCP MXINT8", "int8f6:e8m0/32" },
    { "nvfp4", "NVFP4 and a scale a tensor", "e2m1:e4m3/16+fp32" },
    { "deepseek-1x128", "FP8 activations of DeepSeek-V3", "e4m3:fp32/128" },
    { "deepseek-128x128", "FP8 weights of DeepSeek-V3", "e4m3:fp32/16384" },
    { "tf32", "TF32, kept as FP32", "fp32" },
};
const row_table block_table = ROW_TABLE("block format", blocks, "");

/* The width of the format whose name is the first so many characters of a text. A name that is one
 * of a block format but for a slip is told so, since kit/formats.h knows no blocks. */
static bool width_by_name(int *width, const char *name, size_t length)
{
    char text[sizeof((storage *)0)->name] = "";
    fpfmt_format format;
    name_search search = { .typed = text };
    print_text(text, sizeof text, "%.*s", (int)length, name);
    consider_rows(&search, &block_table);
    bool is_slip = fpfmt_find(&format, text) == FPFMT_UNKNOWN && search.nearest != NULL;
    if (is_slip)
        complain("unknown format '%s'%s", quoted(name, length), hint_of(&search, ""));
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

bool find_storage(storage *kept, const char *name)
{
    const block_row *named = find_row(&block_table, name);
    const char *grammar = named != NULL ? named->grammar : name;
    size_t element = strcspn(grammar, ":");
    memset(kept, 0, sizeof *kept);
    print_text(kept->name, sizeof kept->name, "%s", named != NULL ? named->name : name);
    return width_by_name(&kept->width, grammar, element) &&
           (grammar[element] == '\0' || read_scales(kept, grammar + element + 1));
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
    if (kept->block == 0)
        return bits;
    exact scales = round_up(over(elements, exact_whole(kept->block)));
    bits = plus(bits, times(scales, exact_whole((uint64_t)kept->scale_width)));
    return plus(bits, times(tensors, exact_whole((uint64_t)kept->tensor_width)));
}
