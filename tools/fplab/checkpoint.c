/* checkpoint.c - training runs to files: whole ones, or none
 * SPDX-License-Identifier: MIT */

#include "checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/json.h"
#include "kit/memory.h"
#include "kit/replace.h"
#include "kit/say.h"
#include "kit/tensorfile/new_safetensors.h"

/* ---- what a file holds ---- */

static checkpoint_tensor *add_tensor(checkpoint_tensor *list, size_t *n, const fpfmt_format *format,
                                     fpfmt_value *values, size_t rows, size_t columns)
{
    checkpoint_tensor *tensor = &list[(*n)++];
    *tensor = (checkpoint_tensor){ .format = format,
                                   .values = values,
                                   .rank = columns == 0 ? 1 : 2,
                                   .shape = { rows, columns },
                                   .count = columns == 0 ? rows : rows * columns };
    return tensor;
}

/* Weights and biases of each layer, of the parameters or of one of their states. */
static void add_layers(checkpoint_tensor *list, size_t *n, const mlp *net, const char *prefix,
                       const fpfmt_format *format, fpfmt_value *values)
{
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        size_t inputs = net->sizes[l], outputs = net->sizes[l + 1];
        checkpoint_tensor *weights =
            add_tensor(list, n, format, values + net->weights[l], inputs, outputs);
        checkpoint_tensor *biases =
            add_tensor(list, n, format, values + net->biases[l], outputs, 0);
        snprintf(weights->name, sizeof weights->name, "%slayer%zu.weight", prefix, l + 1);
        snprintf(biases->name, sizeof biases->name, "%slayer%zu.bias", prefix, l + 1);
    }
}

size_t list_tensors(checkpoint_tensor list[CHECKPOINT_TENSORS], train_run *run, bool with_states)
{
    size_t n = 0;
    add_layers(list, &n, &run->net, "", &run->policy->parameter, run->net.parameters);
    for (size_t s = 0; s < OPTIMIZER_STATES && with_states; s++) {
        const char *name = run->policy->rule->states[s];
        char prefix[24];
        if (name == NULL)
            break;
        snprintf(prefix, sizeof prefix, "optimizer.%s.", name);
        add_layers(list, &n, &run->net, prefix, &run->policy->state, run->states[s]);
    }
    checkpoint_tensor *order = add_tensor(list, &n, NULL, NULL, run->data->rows, 0);
    order->numbers = run->order;
    strcpy(order->name, "data.order");
    return n;
}

void list_numbers(checkpoint_number list[CHECKPOINT_NUMBERS], train_run *run)
{
    const checkpoint_number all[CHECKPOINT_NUMBERS] = {
        { "seed", &run->seed },         { "step", &run->step },
        { "moves", &run->moves },       { "good-steps", &run->good },
        { "position", &run->position }, { "random-counter", &run->net.counter },
    };
    memcpy(list, all, sizeof all);
}

const char *tensor_type(const checkpoint_tensor *tensor)
{
    static const char *const types[][2] = {
        { "fp64", "F64" },  { "fp32", "F32" },     { "fp16", "F16" },
        { "bf16", "BF16" }, { "e4m3", "F8_E4M3" }, { "e5m2", "F8_E5M2" },
    };
    static const char *const integers[] = { [1] = "U8", [2] = "U16", [4] = "U32", [8] = "U64" };
    for (size_t i = 0; tensor->format != NULL && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(tensor->format->name, types[i][0]) == 0)
            return types[i][1];
    return integers[tensor_bytes(tensor)];
}

size_t tensor_bytes(const checkpoint_tensor *tensor)
{
    return tensor->format == NULL ? sizeof *tensor->numbers : fpfmt_code_bytes(tensor->format);
}

/* What the digits of the checksum count as while it is computed. */
static const char no_checksum[CHECKPOINT_DIGITS + 1] = "0000000000000000";

size_t checksum_place(void)
{
    return CHECKPOINT_LENGTH + sizeof CHECKPOINT_OPENING - 1;
}

void spell_checksum(char digits[CHECKPOINT_DIGITS + 1], const unsigned char *file, size_t size)
{
    size_t place = checksum_place(), end = place + CHECKPOINT_DIGITS;
    uint64_t hash = fingerprint(FINGERPRINT_START, file, place);
    hash = fingerprint(hash, no_checksum, CHECKPOINT_DIGITS);
    hash = fingerprint(hash, file + end, size - end);
    snprintf(digits, CHECKPOINT_DIGITS + 1, "%016" PRIx64, hash);
}

/* ---- the bytes ---- */

static void put_number(json_writer *header, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    json_member(header, name, text);
}

/* The settings and numbers. The checksum comes first, in its place and not computed yet. */
static void put_metadata(json_writer *header, train_run *run, bool with_states)
{
    checkpoint_number numbers[CHECKPOINT_NUMBERS];
    char text[SETTING_ROOM];
    list_numbers(numbers, run);
    json_member(header, "checksum", no_checksum);
    json_member(header, "kind", CHECKPOINT_KIND);
    for (setting s = 0; s < SETTINGS; s++) {
        spell_setting(text, run->policy, s);
        json_member(header, setting_rows[s].name, text);
    }
    for (size_t i = 0; i < CHECKPOINT_NUMBERS; i++)
        put_number(header, numbers[i].name, *numbers[i].at);
    snprintf(text, sizeof text, "%" PRId32, run->loss_scale);
    json_member(header, "loss-scale-log2", text);
    snprintf(text, sizeof text, "%016" PRIx64, dataset_fingerprint(run->data));
    json_member(header, "data", text);
    json_member(header, CHECKPOINT_STATES, with_states ? "kept" : "omitted");
}

/* The entry of a tensor whose elements begin at start; where they end. */
static size_t put_entry(json_writer *header, const checkpoint_tensor *tensor, size_t start)
{
    size_t end = start + tensor->count * tensor_bytes(tensor);
    const uint64_t shape[] = { tensor->shape[0], tensor->shape[1] };
    const safetensors_entry entry = { .name = tensor->name,
                                      .type = tensor_type(tensor),
                                      .shape = shape,
                                      .rank = tensor->rank,
                                      .begin = start,
                                      .end = end };
    put_safetensors_entry(header, &entry);
    return end;
}

/* What a file is made of. */
typedef struct {
    train_run *run;
    checkpoint_tensor list[CHECKPOINT_TENSORS];
    size_t count;
    bool with_states;
} contents;

/* JSON without blanks. */
static void put_header(json_writer *header, void *context)
{
    const contents *all = context;
    size_t start = 0;
    header->compact = true;
    json_members(header);
    json_name(header, CHECKPOINT_METADATA);
    json_members(header);
    put_metadata(header, all->run, all->with_states);
    json_end(header, "");
    for (size_t i = 0; i < all->count; i++)
        start = put_entry(header, &all->list[i], start);
    json_end(header, "");
}

static void put_little_endian(unsigned char *to, uint64_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> 8 * i & 0xff);
}

static bool write_header(replacement *to, contents *all)
{
    size_t size;
    char *header = compose_safetensors(put_header, all, &size);
    bool good = header != NULL && write_replacement(to, header, size);
    release(header);
    return good;
}

static bool write_tensor(replacement *to, const checkpoint_tensor *tensor)
{
    size_t bytes = tensor_bytes(tensor), size = tensor->count * bytes;
    unsigned char *made = allocate(size, 1);
    for (size_t i = 0; i < tensor->count; i++)
        put_little_endian(made + i * bytes,
                          tensor->format == NULL
                              ? tensor->numbers[i]
                              : fpfmt_encode(tensor->format, tensor->values[i], NULL, NULL),
                          bytes);
    bool good = write_replacement(to, made, size);
    release(made);
    return good;
}

/* The checksum of what is in the file, where its own digits are still those of none. */
static bool write_checksum(replacement *to)
{
    unsigned char piece[4096];
    char digits[CHECKPOINT_DIGITS + 1];
    uint64_t hash = FINGERPRINT_START, size = replacement_size(to);
    for (uint64_t at = 0; at < size;) {
        size_t n = size - at < sizeof piece ? (size_t)(size - at) : sizeof piece;
        if (!reread_replacement(to, at, piece, n))
            return false;
        hash = fingerprint(hash, piece, n);
        at += n;
    }
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    return rewrite_replacement(to, checksum_place(), digits, CHECKPOINT_DIGITS);
}

static bool write_contents(replacement *to, contents *all)
{
    bool good = write_header(to, all);
    for (size_t i = 0; good && i < all->count; i++)
        good = write_tensor(to, &all->list[i]);
    return good && write_checksum(to);
}

/* ---- the file ---- */

static bool complain_of(const char *path)
{
    complain("%s: no checkpoint can be written: %s", quoted(path, strlen(path)),
             errno == EINVAL ? "it is no regular file" : strerror(errno));
    return false;
}

bool can_write_checkpoint(const char *path)
{
    return can_replace_file(path, CHECKPOINT_OPENING) || complain_of(path);
}

bool write_checkpoint(const char *path, train_run *run, bool with_states, size_t *size)
{
    replacement *to = begin_replacement(path);
    if (to == NULL)
        return complain_of(path);
    contents *all = allocate(1, sizeof *all);
    all->run = run;
    all->with_states = with_states;
    all->count = list_tensors(all->list, run, with_states);
    bool good = write_contents(to, all);
    *size = (size_t)replacement_size(to);
    release(all);
    if (!good) {
        abandon_replacement(to);
        return complain_of(path);
    }
    replacement_end end = commit_replacement(to);
    if (end == REPLACED_FOR_NOW)
        complain("%s: the checkpoint is written, but its folder is not known to be on the disk: %s",
                 quoted(path, strlen(path)), strerror(errno));
    return end == NOT_REPLACED ? complain_of(path) : end == REPLACED;
}
