/* tensorfile.h - tensors in files: .npy, .npz, .safetensors, GGUF and raw codes
 * SPDX-License-Identifier: MIT
 *
 * A file is opened, which reads what it says of its tensors and none of their elements, and checks
 * all of it against the size of the file: nothing is allocated by a length that a file claims.
 * Elements are read as a stream (elements.h). */

#ifndef FPFMT_KIT_TENSORFILE_H
#define FPFMT_KIT_TENSORFILE_H

#include <fpfmt.h>

#include "kit/tensorfile/source.h"

enum { TENSOR_RANK = 32, NO_TENSOR = -1 };

typedef enum {
    CONTAINER_RAW,
    CONTAINER_NPY,
    CONTAINER_NPZ,
    CONTAINER_SAFETENSORS,
    CONTAINER_SHARDS, /* several of these that belong together */
    CONTAINER_GGUF
} container;

/* How quantised elements of a tensor get their values: element (o, i) of the last two dimensions by
 * the scale at row o / rows and column i / columns of another tensor, and by one more of the whole.
 * The shape is that of the values. */
typedef struct {
    const char *rule;   /* by which they were recognised, as "DeepSeek: weight_scale_inv" */
    const char *end;    /* of the tensor's name, which it had not if it were not quantised */
    long scales, whole; /* tensors by number; NO_TENSOR: there is none */
    bool whole_divides; /* the scale of the whole is a divisor */
    const fpfmt_format *scale_format; /* of the scales' codes, which may be stored as integers */
    uint64_t rows, columns;           /* elements that share a scale; 0: all of them */
    bool halved; /* the last size in the file is that of bytes, of two elements each, */
    bool joined; /* and of 16 of them, which are joined with the size before it */
} tensor_scheme;

/* A tensor, as its file has it. The last index of the shape is the fastest, or the first one. */
typedef struct {
    const char *name;           /* "" where a file has one tensor without a name */
    const char *type;           /* as the file names it: "F8_E4M3", "<f4", "Q8_0" */
    const fpfmt_format *format; /* of its codes; NULL where they are not read */
    const fpfmt_block *block;   /* stored blocks, each with its scale; else NULL */
    bool packed;                /* codes without gaps, the first in the low bits */
    bool big_endian, columns_first;
    int rank;
    uint64_t shape[TENSOR_RANK];
    uint64_t count, bytes;   /* elements, and what they take in the file */
    size_t part;             /* which of the files */
    uint64_t offset, member; /* where it begins; in an archive, in this member */
    bool compressed;         /* its bytes come one after the other only */
    bool is_scale;           /* it belongs to another tensor */
    bool is_bad;             /* what the file says of it is wrong, as a complaint told */
    tensor_scheme scheme;    /* rule NULL: none */
} file_tensor;

/* One text of a part about itself: safetensors' __metadata__. */
typedef struct {
    const char *key, *value;
    size_t part;
} file_note;

typedef struct {
    const char *path; /* as it was given */
    container kind;
    char **parts; /* paths of the files, of which there is one but in shards */
    size_t part_count;
    file_tensor *tensors; /* in the order of their bytes */
    size_t count;
    file_note *notes;
    size_t note_count;
    file_note *index_notes; /* what an index of shards says besides: each value is JSON */
    size_t index_note_count;
    bool has_index;
    void *archive; /* of npz: what its library has */
    source open;   /* the part that is open now */
    size_t open_part;
} tensor_file;

/* What files do not say themselves. */
typedef struct {
    const fpfmt_format *from; /* of codes whose file has no name for them; NULL: not told */
    uint64_t offset, count;   /* of raw codes; count UINT64_MAX: to the end */
    bool big_endian;
    const char *scale_of; /* "WEIGHT=SCALE,...": tensors that belong together; NULL: none */
} file_reading;

/* Opens a file, a folder of shards, or their index; NULL reading is what files say themselves.
 * False after a complaint: nothing of it can be read. Where some tensors can, the result is true,
 * and a complaint tells of the others. */
bool open_tensors(tensor_file *made, const char *path, const file_reading *reading);

void close_tensors(tensor_file *made);

/* The tensor of that name; NULL if there is none. */
const file_tensor *tensor_named(const tensor_file *file, const char *name);

/* The part of a file that a tensor is in, opened; NULL after a complaint. One part is open at a
 * time. */
const source *open_part(tensor_file *file, size_t part);

/* A part opened once more, so that several streams may be open, and its end. Standard input is
 * there once: what it was kept in serves all. False after a complaint. */
bool open_again(source *made, tensor_file *file, size_t part);
void close_again(source *made, const tensor_file *file);

/* Elements whose last index alone differs, and rows whose last index but one does; never 0, so that
 * one may divide by them. */
uint64_t row_length(const file_tensor *of);
uint64_t rows_of(const file_tensor *of);

/* ---- for the readers of containers ---- */

/* A new tensor behind the others. */
file_tensor *add_tensor(tensor_file *file, const char *name);

/* Fills in count from the shape; false where a product passes 2^63 - 1. */
bool count_elements(file_tensor *of);

/* A complaint that names the file, and the tensor where it has a name. */
void complain_of_tensor(const tensor_file *file, const file_tensor *of, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, after which the tensor is not read. */
void spoil(tensor_file *file, file_tensor *of, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
