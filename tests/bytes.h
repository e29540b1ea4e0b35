/* bytes.h - the bytes of files that tests make
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_BYTES_H
#define FPFMT_TESTS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow; those of one begin with { 0 }. */
typedef struct {
    unsigned char *at;
    size_t size;
} bytes;

void put(bytes *to, const void *from, size_t n);
void put_text(bytes *to, const char *text);
void put_number(bytes *to, uint64_t number, size_t width, bool big_endian);
void put_floats(bytes *to, const float *values, size_t n);
void put_zeros(bytes *to, size_t n);
void drop(bytes *of);

/* An array of NumPy: the header is text, and data may be NULL. */
void put_npy(bytes *to, unsigned major, const char *header, const void *data, size_t n);

/* A file of safetensors, or one of a header alone. */
void put_safetensors(bytes *to, const char *header, const void *data, size_t n);

/* A member of a zip archive. What is not asked for is as it should be. */
enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };
typedef struct {
    const char *name;
    bytes data;
    unsigned method;
    uint32_t damage; /* of the checksum: bits that are wrong */
    uint64_t vast;   /* a size that is claimed in place of the right one */
    bool is_locked;  /* it says that it is encrypted */
} zip_member;

void put_zip(bytes *to, const zip_member *members, size_t count);

#endif
