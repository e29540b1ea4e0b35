/* containers.h - the readers of the kinds of tensor files
 * SPDX-License-Identifier: MIT
 *
 * Each adds the tensors of a file to what there is; false after a complaint if there are none to be
 * read. Part number part is open as from. */

#ifndef FPFMT_KIT_CONTAINERS_H
#define FPFMT_KIT_CONTAINERS_H

#include "kit/tensorfile/tensorfile.h"

bool read_npy(tensor_file *file, const source *from, const file_reading *reading);
bool read_npz(tensor_file *file, const source *from, const file_reading *reading);
bool read_safetensors(tensor_file *file, const source *from, size_t part,
                      const file_reading *reading);
bool read_gguf(tensor_file *file, const source *from);
bool read_raw(tensor_file *file, const source *from, const file_reading *reading);

/* Shards that an index names, or that are in a folder. */
bool read_index(tensor_file *file, const source *from, const file_reading *reading);
bool read_folder(tensor_file *file, const file_reading *reading);

/* What stands before the data of an array of NumPy: its bytes follow from a reader that returns how
 * many of n it has. Fills in the tensor, with offset as the length of all that. False: *why says
 * what is wrong. */
typedef size_t byte_reader(void *context, void *bytes, size_t n);
bool read_npy_header(file_tensor *to, byte_reader *next, void *context, const file_reading *reading,
                     const char **why);

/* The bytes of a member of an archive, one after the other; NULL after a complaint. */
void *open_member(tensor_file *file, const file_tensor *of);
size_t read_member(void *member, void *bytes, size_t n);
bool close_member(void *member); /* false: its checksum is another one */
void close_archive(tensor_file *file);

#endif
