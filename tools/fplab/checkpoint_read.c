/* checkpoint_read.c - training runs from files, which are taken whole or not at all
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "checkpoint.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/whole_file.h"

/* So far from the end of uint64_t that no run comes there. */
#define MOST_KEPT_STEPS (UINT64_C(1) << 53)

static bool refuse(const checkpoint *from, const char *why)
{
    complain("%s: %s", quoted(from->path, strlen(from->path)), why);
    return false;
}

/* ---- opening ---- */

/* What jansson takes belongs to the run, like everything that a file makes it take. */
static void *room_for_json(size_t size)
{
    return resize(NULL, size, 1);
}

/* What is wrong with the file, NULL if nothing is. */
static const char *parse(checkpoint *from)
{
    static const char opening[] = CHECKPOINT_OPENING;
    char digits[CHECKPOINT_DIGITS + 1];
    size_t place = checksum_place();
    uint64_t length = 0;
    if (from->size < place + CHECKPOINT_DIGITS ||
        memcmp(from->file + CHECKPOINT_LENGTH, opening, sizeof opening - 1) != 0)
        return "it is no checkpoint of fplab train";
    spell_checksum(digits, from->file, from->size);
    if (memcmp(digits, from->file + place, CHECKPOINT_DIGITS) != 0)
        return "the checkpoint is damaged: its checksum does not fit";
    for (size_t i = CHECKPOINT_LENGTH; i-- > 0;)
        length = length << 8 | from->file[i];
    if (length > from->size - CHECKPOINT_LENGTH)
        return "the checkpoint is damaged: it ends within its header";
    from->header_size = (size_t)length;
    json_set_alloc_funcs(room_for_json, release);
    from->header = json_loadb((const char *)from->file + CHECKPOINT_LENGTH, from->header_size,
                              JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object((json_t *)from->header))
        return "the checkpoint is damaged: its header is no JSON";
    const char *kind = checkpoint_word(from, "kind");
    return kind == NULL || strcmp(kind, CHECKPOINT_KIND) != 0
               ? "it is a checkpoint of another kind than \"" CHECKPOINT_KIND "\""
               : NULL;
}

bool open_checkpoint(checkpoint *from, const char *path)
{
    *from = (checkpoint){ .path = path };
    from->file = read_whole_file(path, &from->size);
    if (from->file == NULL)
        return false;
    const char *wrong = parse(from);
    return wrong == NULL || refuse(from, wrong);
}

void close_checkpoint(checkpoint *from)
{
    json_decref(from->header);
    release(from->file);
    *from = (checkpoint){ .path = NULL };
}

const char *checkpoint_word(const checkpoint *from, const char *name)
{
    return json_string_value(
        json_object_get(json_object_get(from->header, CHECKPOINT_METADATA), name));
}

/* ---- the settings and numbers ---- */

bool same_data(const checkpoint *from, const dataset *data)
{
    const char *kept = checkpoint_word(from, "data");
    char own[20];
    snprintf(own, sizeof own, "%016" PRIx64, dataset_fingerprint(data));
    if (kept != NULL && strcmp(kept, own) == 0)
        return true;
    complain("%s was trained on other data than %s", quoted(from->path, strlen(from->path)),
             quoted(data->name, strlen(data->name)));
    return false;
}

static bool same_settings(const checkpoint *from, const train_policy *policy)
{
    for (setting s = 0; s < SETTINGS; s++) {
        char word[SETTING_ROOM];
        const char *kept = checkpoint_word(from, setting_rows[s].name);
        spell_setting(word, policy, s);
        if (kept == NULL)
            return refuse(from, "the checkpoint lacks a setting");
        if (!setting_rows[s].may_change && s != SETTING_HIDDEN && strcmp(kept, word) != 0) {
            complain("%s was written with --%s %s, not %s", quoted(from->path, strlen(from->path)),
                     setting_rows[s].name, quoted(kept, strlen(kept)), word);
            return false;
        }
    }
    return true;
}

/* Decimal digits without leading zeros. */
static bool read_number(uint64_t *number, const char *text)
{
    if (text == NULL || *text < '0' || *text > '9' || (*text == '0' && text[1] != '\0'))
        return false;
    for (*number = 0; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return *text == '\0';
}

bool checkpoint_seed(const checkpoint *from, uint64_t *seed)
{
    return read_number(seed, checkpoint_word(from, "seed")) ||
           refuse(from, "the checkpoint's seed is no whole number below 2^64");
}

static bool take_numbers(const checkpoint *from, train_run *run)
{
    checkpoint_number numbers[CHECKPOINT_NUMBERS];
    const char *scale = checkpoint_word(from, "loss-scale-log2");
    bool negative = scale != NULL && *scale == '-';
    uint64_t magnitude;
    bool good =
        read_number(&magnitude, negative ? scale + 1 : scale) && magnitude <= LOSS_SCALE_MOST;
    list_numbers(numbers, run);
    for (size_t i = 0; good && i < CHECKPOINT_NUMBERS; i++)
        good = read_number(numbers[i].at, checkpoint_word(from, numbers[i].name));
    if (!good || run->moves > run->step || run->step > MOST_KEPT_STEPS)
        return refuse(from, "the checkpoint has a number that is none, or out of range");
    if (strcmp(checkpoint_word(from, setting_rows[SETTING_LOSS_SCALE].name),
               run->policy->text[SETTING_LOSS_SCALE]) == 0)
        run->loss_scale = negative ? -(int32_t)magnitude : (int32_t)magnitude;
    return true;
}

/* ---- the tensors ---- */

static bool is_number(const json_t *value, size_t number)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 &&
           (uint64_t)json_integer_value(value) == number;
}

/* "4 x 16", and an empty text for what is no shape. */
static void spell_shape(char text[64], const json_t *shape)
{
    size_t n = 0;
    *text = '\0';
    for (size_t i = 0; i < json_array_size(shape) && n < 40; i++)
        n += (size_t)snprintf(text + n, 64 - n, "%s%" JSON_INTEGER_FORMAT, i > 0 ? " x " : "",
                              json_integer_value(json_array_get(shape, i)));
}

static bool same_shape(const checkpoint *from, const checkpoint_tensor *tensor, const json_t *shape)
{
    char here[64], there[64];
    bool good = json_array_size(shape) == tensor->rank;
    json_t *wanted = json_array();
    for (size_t i = 0; i < tensor->rank; i++) {
        good = good && is_number(json_array_get(shape, i), tensor->shape[i]);
        json_array_append_new(wanted, json_integer((json_int_t)tensor->shape[i]));
    }
    spell_shape(here, wanted);
    spell_shape(there, shape);
    json_decref(wanted);
    if (!good)
        complain("%s: the checkpoint is of another shape: its %s is %s, not %s",
                 quoted(from->path, strlen(from->path)), tensor->name,
                 *there == '\0' ? "nothing" : there, here);
    return good;
}

static bool take_elements(const checkpoint *from, const checkpoint_tensor *tensor, size_t start)
{
    size_t bytes = tensor_bytes(tensor);
    int width = tensor->format == NULL ? 32 : fpfmt_measure(tensor->format).width;
    const unsigned char *at = from->file + CHECKPOINT_LENGTH + from->header_size + start;
    for (size_t i = 0; i < tensor->count; i++, at += bytes) {
        uint64_t code = 0;
        for (size_t b = bytes; b-- > 0;)
            code = code << 8 | at[b];
        if (width < 64 && code >> width != 0)
            return refuse(from, "the checkpoint has a code with bits above its width");
        if (tensor->format != NULL)
            tensor->values[i] = fpfmt_decode(tensor->format, code);
        else
            tensor->numbers[i] = (uint32_t)code;
    }
    return true;
}

/* The tensor, which begins at *start of the data, and moves it to its end. */
static bool take_tensor(const checkpoint *from, const checkpoint_tensor *tensor, size_t *start)
{
    size_t data = from->size - CHECKPOINT_LENGTH - from->header_size;
    size_t bytes = tensor->count * tensor_bytes(tensor);
    const json_t *entry = json_object_get(from->header, tensor->name);
    const json_t *offsets = json_object_get(entry, "data_offsets");
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    if (!same_shape(from, tensor, json_object_get(entry, "shape")))
        return false;
    if (type == NULL || strcmp(type, tensor_type(tensor)) != 0 || json_object_size(entry) != 3 ||
        json_array_size(offsets) != 2 || !is_number(json_array_get(offsets, 0), *start) ||
        !is_number(json_array_get(offsets, 1), *start + bytes) || bytes > data - *start)
        return refuse(from, "the checkpoint has a tensor of another type or place");
    if (!take_elements(from, tensor, *start))
        return false;
    *start += bytes;
    return true;
}

/* Is each row of the data in the order once? */
static bool is_order(const train_run *run)
{
    size_t rows = run->data->rows;
    bool *seen = allocate(rows, sizeof *seen), good = true;
    for (size_t i = 0; i < rows && good; i++) {
        good = run->order[i] < rows && !seen[run->order[i]];
        if (good)
            seen[run->order[i]] = true;
    }
    release(seen);
    return good;
}

static bool take_tensors(const checkpoint *from, train_run *run, bool with_states)
{
    checkpoint_tensor list[CHECKPOINT_TENSORS];
    size_t count = list_tensors(list, run, with_states), start = 0;
    for (size_t i = 0; i < count; i++)
        if (!take_tensor(from, &list[i], &start))
            return false;
    if (json_object_size(from->header) != count + 1 ||
        start != from->size - CHECKPOINT_LENGTH - from->header_size)
        return refuse(from, "the checkpoint holds more than it should");
    return (run->position <= run->data->rows && is_order(run)) ||
           refuse(from, "the checkpoint's order of the data is none");
}

/* ---- the run ---- */

bool restore_run(train_run *run, const checkpoint *from, bool without_states)
{
    const char *states = checkpoint_word(from, CHECKPOINT_STATES);
    bool kept = states != NULL && strcmp(states, "kept") == 0;
    if (!same_settings(from, run->policy) || !take_numbers(from, run))
        return false;
    if (!kept && !without_states && run->policy->rule->states[0] != NULL)
        return refuse(from, "the checkpoint holds no optimizer states; with "
                            "--omit-optimizer-state they begin at 0");
    if (!take_tensors(from, run, kept))
        return false;
    if (without_states)
        forget_states(run);
    return true;
}
