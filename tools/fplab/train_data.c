/* train_data.c - data from files, checked, and the number that tells data apart
 * SPDX-License-Identifier: MIT */

#include "train_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "kit/memory.h"
#include "kit/npy.h"
#include "kit/say.h"

enum { MOST_ROWS = 1000000, MOST_FEATURES = 4096, MOST_CLASSES = 1000 };

/* Complaints name the file. */
typedef struct {
    const char *name;
    npy_array array;
} source;

static bool take_inputs(dataset *data, const source *from)
{
    const npy_array *array = &from->array;
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    const fpfmt_format *format = array->bytes == 4 ? fpfmt_named("fp32") : binary64;
    if (array->kind != 'f' || array->rank != 2 || array->shape[0] == 0 || array->shape[1] == 0) {
        complain("%s: inputs are floats in two dimensions, rows and features", from->name);
        return false;
    }
    data->rows = array->shape[0];
    data->features = array->shape[1];
    if (data->rows > MOST_ROWS || data->features > MOST_FEATURES) {
        complain("%s: more than %d rows or %d features", from->name, MOST_ROWS, MOST_FEATURES);
        return false;
    }
    data->inputs = allocate(data->rows * data->features, sizeof *data->inputs);
    for (size_t i = 0; i < data->rows; i++)
        for (size_t k = 0; k < data->features; k++) {
            uint64_t code = npy_element(array, i, k);
            if (!fpfmt_is_finite(format, code)) {
                complain("%s: row %zu, feature %zu, both from 1, is %s", from->name, i + 1, k + 1,
                         fpfmt_is_nan(format, code) ? "NaN" : "infinite");
                return false;
            }
            data->inputs[i * data->features + k] =
                fpfmt_convert(binary64, format, code, NULL, NULL);
        }
    return true;
}

static bool take_labels(dataset *data, const source *from)
{
    const npy_array *array = &from->array;
    if (array->kind != 'i' || array->rank != 1) {
        complain("%s: classes are integers in one dimension", from->name);
        return false;
    }
    if (array->shape[0] != data->rows) {
        complain("%s: %zu classes for %zu rows of inputs", from->name, array->shape[0], data->rows);
        return false;
    }
    data->labels = allocate(data->rows, sizeof *data->labels);
    for (size_t i = 0; i < data->rows; i++) {
        uint64_t label = npy_element(array, i, 0);
        if (label >= MOST_CLASSES) {
            complain("%s: row %zu, from 1, has the class %" PRId64 ", which is not from 0 to %d",
                     from->name, i + 1, (int64_t)label, MOST_CLASSES - 1);
            return false;
        }
        data->labels[i] = (uint32_t)label;
        data->classes = label >= data->classes ? (size_t)label + 1 : data->classes;
    }
    if (data->classes < 2)
        complain("%s: all rows are of one class", from->name);
    return data->classes >= 2;
}

static bool take_file(dataset *data, const char *path, size_t length,
                      bool (*part)(dataset *data, const source *from))
{
    char *name = copy_text(path, length);
    source from = { .name = name };
    bool good = read_npy(&from.array, name);
    from.name = quoted(name, length);
    if (good) {
        good = part(data, &from);
        release(from.array.file);
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
