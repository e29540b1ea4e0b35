/* checkpoint.h - training runs kept in files, so that they go on as if never interrupted
 * SPDX-License-Identifier: MIT
 *
 * A file is one of safetensors: the length of a header as 8 bytes, the lowest first, the header,
 * which is JSON, and the tensors' elements. Its metadata are the settings and numbers of the run,
 * and a checksum of the whole file in which the checksum's own digits count as 0. */

#ifndef FPLAB_CHECKPOINT_H
#define FPLAB_CHECKPOINT_H

#include "train.h"

enum { CHECKPOINT_TENSORS = 1 + 2 * MLP_LAYERS * (1 + OPTIMIZER_STATES) };

/* A tensor of a run: values of a format, or numbers. */
typedef struct {
    char name[40];
    const fpfmt_format *format; /* NULL for numbers */
    fpfmt_value *values;
    uint32_t *numbers;
    size_t rank, shape[2], count;
} checkpoint_tensor;

/* Those of a run, in the order of the file; returns their number. */
size_t list_tensors(checkpoint_tensor list[CHECKPOINT_TENSORS], train_run *run, bool with_states);

/* How safetensors calls a tensor's elements, and their bytes. Codes of formats it has no name for
 * are unsigned integers. */
const char *tensor_type(const checkpoint_tensor *tensor);
size_t tensor_bytes(const checkpoint_tensor *tensor);

/* The numbers among the metadata. */
enum { CHECKPOINT_NUMBERS = 6 };
typedef struct {
    const char *name;
    uint64_t *at;
} checkpoint_number;
void list_numbers(checkpoint_number list[CHECKPOINT_NUMBERS], train_run *run);

/* What the metadata "kind" says. */
#define CHECKPOINT_KIND "fplab train, version 1"

/* The name of the metadata that tells whether the states are in the file: "kept", "omitted". */
#define CHECKPOINT_STATES "optimizer-states"

/* The name of the metadata in the header. */
#define CHECKPOINT_METADATA "__metadata__"

/* The header begins with exactly these bytes, so that the checksum's digits have a place that is
 * known before any JSON is read. */
#define CHECKPOINT_OPENING "{\"" CHECKPOINT_METADATA "\":{\"checksum\":\""

/* Where the checksum's digits stand in the file, and the checksum of so many bytes with them. */
enum { CHECKPOINT_DIGITS = 16, CHECKPOINT_LENGTH = 8 };
size_t checksum_place(void);
void spell_checksum(char digits[CHECKPOINT_DIGITS + 1], const unsigned char *file, size_t size);

/* Can there be a file at the path? False after a complaint. */
bool can_write_checkpoint(const char *path);

/* Write the run; false after a complaint, and then what stood at the path still stands there. */
bool write_checkpoint(const char *path, train_run *run, bool with_states, size_t *size);

/* An open file; close_checkpoint gives its memory back. */
typedef struct {
    const char *path;
    unsigned char *file;
    size_t size, header_size;
    void *header; /* as JSON */
} checkpoint;

/* False after a complaint: it cannot be read, is damaged, or is no checkpoint. It is to be closed
 * in either case. */
bool open_checkpoint(checkpoint *from, const char *path);
void close_checkpoint(checkpoint *from);

/* A text of the metadata, NULL if there is none of that name. Lasts as long as the file is open. */
const char *checkpoint_word(const checkpoint *from, const char *name);

/* The seed of the run; false after a complaint. */
bool checkpoint_seed(const checkpoint *from, uint64_t *seed);

/* Was the run trained on these? False after a complaint. */
bool same_data(const checkpoint *from, const dataset *data);

/* The run goes on where the file says; without_states they stay 0. False after a complaint. */
bool restore_run(train_run *run, const checkpoint *from, bool without_states);

#endif
