/* train_data.c - data from files, checked, and the number that tells data apart
 * SPDX-License-Identifier: MIT */

#include "train_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/elements.h"
#include "kit/tensorfile/tensorfile.h"

enum { MOST_ROWS = 1000000, MOST_FEATURES = 4096, MOST_CLASSES = 1000 };

/* An array that is being read; complaints name its file. */
typedef struct {
    const char *name;
    const file_tensor *of;
    element_stream *elements;
    element_piece *piece;
} array;

/* Integers of 64 bits have no format; their codes are read as those of binary64. */
static bool is_integer(const file_tensor *of)
{
    const char *type = of->type + (*of->type != '\0' && strchr("<>=|", *of->type) != NULL);
    return *type == 'i' || *type == 'u';
}

static bool take_input(dataset *data, const array *from, size_t number, double value)
{
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    uint64_t *code = &data->inputs[number];
    memcpy(code, &value, sizeof value);
    if (fpfmt_is_finite(binary64, *code))
        return true;
    complain("%s: row %zu, feature %zu, both from 1, is %s", from->name,
             number / data->features + 1, number % data->features + 1,
             fpfmt_is_nan(binary64, *code) ? "NaN" : "infinite");
    return false;
}

static bool take_inputs(dataset *data, array *from)
{
    const file_tensor *of = from->of;
    element_piece *piece = from->piece;
    bool good;
    if (is_integer(of) || of->format->exponent_bits == 0 || of->rank != 2 || of->count == 0) {
        complain("%s: inputs are floats in two dimensions, rows and features", from->name);
        return false;
    }
    if (of->shape[0] > MOST_ROWS || of->shape[1] > MOST_FEATURES) {
        complain("%s: more than %d rows or %d features", from->name, MOST_ROWS, MOST_FEATURES);
        return false;
    }
    data->rows = (size_t)of->shape[0];
    data->features = (size_t)of->shape[1];
    data->inputs = allocate(data->rows * data->features, sizeof *data->inputs);
    keep_rows(from->elements, 1, false);
    while ((good = next_piece(from->elements, piece, true)) && piece->count > 0)
        for (size_t i = 0; i < piece->count; i++)
            if (!take_input(data, from, (size_t)piece->first + i,
                            piece->wide ? piece->doubles[i] : (double)piece->floats[i]))
                return false;
    return good;
}

/* An integer of a piece, its sign carried to the left. */
static uint64_t integer_at(const file_tensor *of, const void *codes, size_t i)
{
    size_t bytes = fpfmt_code_bytes(of->format);
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1), code;
    switch (bytes) {
    case 1: code = ((const uint8_t *)codes)[i]; break;
    case 2: code = ((const uint16_t *)codes)[i]; break;
    case 4: code = ((const uint32_t *)codes)[i]; break;
    default: code = ((const uint64_t *)codes)[i]; break;
    }
    return strchr(of->type, 'u') != NULL ? code : (code ^ sign) - sign;
}

static bool take_label(dataset *data, const array *from, size_t row, uint64_t label)
{
    if (label >= MOST_CLASSES) {
        complain("%s: row %zu, from 1, has the class %" PRId64 ", which is not from 0 to %d",
                 from->name, row + 1, (int64_t)label, MOST_CLASSES - 1);
        return false;
    }
    data->labels[row] = (uint32_t)label;
    data->classes = label >= data->classes ? (size_t)label + 1 : data->classes;
    return true;
}

static bool take_labels(dataset *data, array *from)
{
    const file_tensor *of = from->of;
    element_piece *piece = from->piece;
    bool good;
    if (!is_integer(of) || of->rank != 1) {
        complain("%s: classes are integers in one dimension", from->name);
        return false;
    }
    if (of->count != data->rows) {
        complain("%s: %" PRIu64 " classes for %zu rows of inputs", from->name, of->count,
                 data->rows);
        return false;
    }
    data->labels = allocate(data->rows, sizeof *data->labels);
    while ((good = next_piece(from->elements, piece, false)) && piece->count > 0)
        for (size_t i = 0; i < piece->count; i++)
            if (!take_label(data, from, (size_t)piece->first + i, integer_at(of, piece->codes, i)))
                return false;
    if (good && data->classes < 2)
        complain("%s: all rows are of one class", from->name);
    return good && data->classes >= 2;
}

static bool take_array(dataset *data, tensor_file *file, const char *name,
                       bool (*part)(dataset *data, array *from))
{
    array from = { .name = name, .of = &file->tensors[0] };
    if (file->kind != CONTAINER_NPY) {
        complain("%s: it is no file of NumPy", name);
        return false;
    }
    from.elements = open_elements(file, from.of);
    if (from.elements == NULL)
        return false;
    from.piece = new_piece();
    bool good = part(data, &from);
    release_piece(from.piece);
    return close_elements(from.elements) && good;
}

static bool take_file(dataset *data, const char *path, size_t length,
                      bool (*part)(dataset *data, array *from))
{
    const file_reading reading = { .from = fpfmt_named("fp64"), .count = UINT64_MAX };
    tensor_file file;
    char *name = copy_text(path, length);
    bool good = open_tensors(&file, name, &reading);
    if (good) {
        const char *quotation = quoted(name, length);
        char *shown = copy_text(quotation, strlen(quotation));
        good = take_array(data, &file, shown, part);
        release(shown);
        close_tensors(&file);
    }
    release(name);
    return good;
}

bool read_dataset(dataset *data, const char *files)
{
    const char *comma = strchr(files, ',');
    *data = (dataset){ .name = files };
    if (comma == NULL || comma == files || comma[1] == '\0' || strchr(comma + 1, ',') != NULL) {
        complain("--data takes two files of NumPy, as x.npy,y.npy, not '%s'",
                 quoted(files, strlen(files)));
        return false;
    }
    return take_file(data, files, (size_t)(comma - files), take_inputs) &&
           take_file(data, comma + 1, strlen(comma + 1), take_labels);
}

uint64_t fingerprint(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* A number, its low byte first on every machine. */
static uint64_t add_number(uint64_t hash, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    return fingerprint(hash, bytes, sizeof bytes);
}

uint64_t dataset_fingerprint(const dataset *data)
{
    uint64_t hash = add_number(FINGERPRINT_START, data->rows);
    hash = add_number(add_number(hash, data->features), data->classes);
    for (size_t i = 0; i < data->rows * data->features; i++)
        hash = add_number(hash, data->inputs[i]);
    for (size_t i = 0; i < data->rows; i++)
        hash = add_number(hash, data->labels[i]);
    return hash;
}
