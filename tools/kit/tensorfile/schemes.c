/* schemes.c - which tensors of a checkpoint are scales, and of what
 * SPDX-License-Identifier: MIT
 *
 * No field of a file says that one tensor scales another: names do. A rule is a row of a table: how
 * the names of the elements and of their scales end, and of what type they are. Where they lie in
 * relation to each other follows from their shapes. */

#include "kit/tensorfile/schemes.h"

#include <stdlib.h>
#include <string.h>

#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"

enum { ANY_SIZE = 0, PACKED_ROW = 16 };

typedef struct {
    const char *title;
    const char *elements, *scales, *whole; /* ends of names; whole NULL: there is none */
    const char *stored, *scale_stored;     /* types, separated by blanks */
    bool packed; /* two codes of e2m1 to a byte, the first in the low bits */
    bool whole_divides;
    const char *scale_format; /* NULL: that of the tensor */
    uint64_t columns;         /* elements of a row that share a scale; ANY_SIZE */
} rule;

#define FP8_TYPES "F8_E4M3 F8_E5M2 F8_E4M3FNUZ F8_E5M2FNUZ I8"
#define FLOAT_TYPES "F32 F16 BF16 F8_E8M0"

/* The first that fits counts: most tensors of elements are called weight, those of experts
 * otherwise. Where "_scale_inv" stands, values are multiplied by it all the same; "_global_scale"
 * is the inverse of what they are multiplied by. */
static const rule rules[] = {
    { "DeepSeek FP8", "", "_scale_inv", NULL, FP8_TYPES, FLOAT_TYPES, false, false, NULL,
      ANY_SIZE },
    { "compressed-tensors NVFP4", "_packed", "_scale", "_global_scale", "U8", "F8_E4M3", true, true,
      NULL, 16 },
    { "compressed-tensors MXFP4", "_packed", "_scale", NULL, "U8", "U8 F8_E8M0", true, false,
      "e8m0", 32 },
    { "ModelOpt NVFP4", "", "_scale", "_scale_2", "U8 F4", "F8_E4M3", true, false, NULL, 16 },
    { "ModelOpt MXFP4", "", "_scale", NULL, "U8 F4", "U8 F8_E8M0", true, false, "e8m0", 32 },
    { "FP8 with weight_scale", "", "_scale", NULL, FP8_TYPES, FLOAT_TYPES, false, false, NULL,
      ANY_SIZE },
    { "gpt-oss MXFP4", "_blocks", "_scales", NULL, "U8", "U8 F8_E8M0", true, false, "e8m0", 32 },
    { "gpt-oss MXFP4", ".blocks", ".scales", NULL, "U8", "U8 F8_E8M0", true, false, "e8m0", 32 },
};

/* What --scale-of says; names do not matter there. */
static const rule told[] = {
    { "--scale-of", "", "", NULL, FP8_TYPES, FLOAT_TYPES, false, false, NULL, ANY_SIZE },
    { "--scale-of", "", "", NULL, "U8 F4", "F8_E4M3", true, false, NULL, 16 },
    { "--scale-of", "", "", NULL, "U8 F4", "U8 F8_E8M0", true, false, "e8m0", 32 },
};

/* ---- names ---- */

typedef struct {
    const char *name;
    size_t number;
} named;

static int compare_named(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static named *sort_names(const tensor_file *file)
{
    named *all = allocate(file->count + 1, sizeof *all);
    for (size_t i = 0; i < file->count; i++)
        all[i] = (named){ file->tensors[i].name, i };
    qsort(all, file->count, sizeof *all, compare_named);
    return all;
}

static long number_of(const named *all, size_t count, const char *name)
{
    const named wanted = { name, 0 };
    const named *found = bsearch(&wanted, all, count, sizeof *all, compare_named);
    return found == NULL ? NO_TENSOR : (long)found->number;
}

/* The tensor whose name ends otherwise than that of the elements. */
static long companion(const named *all, const tensor_file *file, const char *name, const char *end,
                      const char *other)
{
    size_t stem = strlen(name) - strlen(end), length = strlen(other);
    char *made = allocate(stem + length + 1, 1);
    memcpy(made, name, stem);
    memcpy(made + stem, other, length);
    long found = number_of(all, file->count, made);
    release(made);
    return found;
}

/* Does a name end like this, with something before it? */
static bool ends_as(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length > tail && strcmp(name + length - tail, end) == 0;
}

/* ---- shapes ---- */

static uint64_t blocks_in(uint64_t n, uint64_t size)
{
    return n / size + (n % size != 0);
}

/* The shape of the elements: of packed ones the last size is doubled, and where a row's blocks of
 * 16 bytes have a dimension of their own, that is joined with it. */
static void unpack_shape(file_tensor *of, const rule *by, const file_tensor *scales)
{
    int last = of->rank - 1;
    bool doubled = strcmp(of->type, "F4") == 0; /* its shape is that of the elements already */
    bool joined = of->rank == scales->rank + 1 && of->rank > 1 && of->shape[last] == PACKED_ROW &&
                  by->columns == 2 * PACKED_ROW;
    of->scheme.joined = joined;
    of->scheme.halved = !doubled;
    if (joined) {
        of->shape[last - 1] *= of->shape[last];
        of->rank = last--;
    }
    if (!doubled && last >= 0) {
        of->shape[last] *= 2;
        of->count *= 2;
    }
    of->format = fpfmt_named("e2m1");
    of->packed = true;
}

/* Scales of a size, in a grid over the last two dimensions? */
static bool is_grid(const file_tensor *of, const file_tensor *scales, uint64_t rows,
                    uint64_t columns)
{
    int last = of->rank - 1;
    if (of->rank != scales->rank || of->rank < 1 || columns == 0 ||
        scales->shape[last] != blocks_in(of->shape[last], columns))
        return false;
    if (last > 0 && scales->shape[last - 1] != blocks_in(of->shape[last - 1], rows))
        return false;
    for (int i = 0; i + 2 < of->rank; i++)
        if (scales->shape[i] != of->shape[i])
            return false;
    return true;
}

/* How the scales lie over the elements; false if in no way. */
static bool fit_shapes(tensor_scheme *to, const file_tensor *of, const file_tensor *scales,
                       uint64_t columns)
{
    static const uint64_t tiles[] = { 128, 64, 256, 32, 512, 16 };
    to->rows = to->columns = 0;
    if (columns != ANY_SIZE) {
        to->rows = 1;
        to->columns = columns;
        return is_grid(of, scales, 1, columns);
    }
    if (scales->count == 1)
        return true;
    int last = of->rank - 1;
    bool channel = of->rank == 2 && scales->shape[0] == of->shape[0] &&
                   (scales->rank == 1 || (scales->rank == 2 && scales->shape[1] == 1));
    if (channel || (of->rank > 0 && is_grid(of, scales, 1, of->shape[last]))) {
        to->rows = 1;
        to->columns = of->shape[last];
        return to->columns != 0;
    }
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++)
        for (int tile = 1; tile >= 0; tile--)
            if (is_grid(of, scales, tile ? tiles[i] : 1, tiles[i])) {
                to->rows = tile ? tiles[i] : 1;
                to->columns = tiles[i];
                return true;
            }
    return false;
}

/* ---- rules ---- */

static bool is_type(const file_tensor *of, const char *types)
{
    return !of->is_bad && is_word_of(types, of->type);
}

/* The elements get the scheme; false if the types or the shapes are not those of the rule. */
static bool apply(tensor_file *file, file_tensor *of, const rule *by, long scales, long whole)
{
    file_tensor *scale = &file->tensors[scales];
    file_tensor before = *of;
    if (of->scheme.rule != NULL || !is_type(of, by->stored) || !is_type(scale, by->scale_stored) ||
        scale->compressed || of->compressed)
        return false;
    if (by->packed)
        unpack_shape(of, by, scale);
    of->scheme =
        (tensor_scheme){ .rule = by->title,
                         .end = by->elements,
                         .halved = of->scheme.halved,
                         .joined = of->scheme.joined,
                         .scales = scales,
                         .whole = whole,
                         .whole_divides = by->whole_divides,
                         .scale_format = by->scale_format == NULL ? scale->format
                                                                  : fpfmt_named(by->scale_format) };
    bool good = fit_shapes(&of->scheme, of, scale, by->columns) &&
                (whole == NO_TENSOR ||
                 (file->tensors[whole].count == 1 && is_type(&file->tensors[whole], "F32")));
    if (!good) {
        *of = before;
        return false;
    }
    scale->is_scale = true;
    if (whole != NO_TENSOR)
        file->tensors[whole].is_scale = true;
    return true;
}

/* What is told of a tensor that a rule names, while its scales, or that of the whole, do not do. */
static const char *why_not(const tensor_file *file, const file_tensor *of, const rule *by,
                           long scales, long whole)
{
    if (!is_type(of, by->stored))
        return NULL;
    if (file->tensors[scales].is_bad || (whole != NO_TENSOR && file->tensors[whole].is_bad))
        return "the tensor of its scales is not read";
    return is_type(&file->tensors[scales], by->scale_stored)
               ? "its shape and that of its scales fit no way of scaling that is known"
               : NULL;
}

/* The first rule that the names, types and shapes of a tensor and its scales fit. Where names fit
 * and the rest does not, that is told: the values are not what the codes alone say. */
static void find_scheme(tensor_file *file, const named *all, size_t number)
{
    file_tensor *of = &file->tensors[number];
    const char *why = NULL;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const rule *by = &rules[i];
        if (!ends_as(of->name, by->elements))
            continue;
        long scales = companion(all, file, of->name, by->elements, by->scales), whole = NO_TENSOR;
        if (scales != NO_TENSOR && by->whole != NULL)
            whole = companion(all, file, of->name, by->elements, by->whole);
        if (scales == NO_TENSOR || (by->whole != NULL && whole == NO_TENSOR))
            continue;
        if (apply(file, of, by, scales, whole))
            return;
        if (why == NULL)
            why = why_not(file, of, by, scales, whole);
    }
    if (why != NULL)
        spoil(file, of, "%s", why);
}

static bool scale_by_hand(tensor_file *file, const named *all, const char *item)
{
    const char *equals = strchr(item, '=');
    long of = NO_TENSOR, scales = NO_TENSOR;
    if (equals != NULL) {
        char *name = copy_text(item, (size_t)(equals - item));
        of = number_of(all, file->count, name);
        scales = number_of(all, file->count, equals + 1);
        release(name);
    }
    if (of == NO_TENSOR || scales == NO_TENSOR || of == scales) {
        complain("--scale-of takes the names of two tensors, as a.weight=a.scale, not '%s'",
                 quoted(item, strlen(item)));
        return false;
    }
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        if (apply(file, &file->tensors[of], &told[i], scales, NO_TENSOR))
            return true;
    complain("--scale-of: the types or shapes of '%s' are not those of codes and their scales",
             quoted(item, strlen(item)));
    return false;
}

bool find_schemes(tensor_file *file, const file_reading *reading)
{
    named *all = sort_names(file);
    bool good = true;
    char *item;
    for (size_t i = 0;
         reading->scale_of != NULL && good && (item = list_item(reading->scale_of, i)) != NULL;
         i++) {
        good = scale_by_hand(file, all, item);
        release(item);
    }
    for (size_t i = 0; i < file->count && good; i++)
        if (file->tensors[i].scheme.rule == NULL && !file->tensors[i].is_scale)
            find_scheme(file, all, i);
    release(all);
    return good;
}
