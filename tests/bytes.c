/* bytes.c - the bytes of files that tests make
 * SPDX-License-Identifier: MIT */

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

void put(bytes *to, const void *from, size_t n)
{
    if (n == 0)
        return;
    to->at = realloc(to->at, to->size + n);
    memcpy(to->at + to->size, from, n);
    to->size += n;
}

void put_text(bytes *to, const char *text)
{
    put(to, text, strlen(text));
}

void put_number(bytes *to, uint64_t number, size_t width, bool big_endian)
{
    for (size_t i = 0; i < width; i++) {
        size_t place = big_endian ? width - 1 - i : i;
        put(to, &(unsigned char){ (unsigned char)(number >> 8 * place) }, 1);
    }
}

void put_floats(bytes *to, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t code;
        memcpy(&code, &values[i], sizeof code);
        put_number(to, code, sizeof code, false);
    }
}

void put_zeros(bytes *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(to, "", 1);
}

void drop(bytes *of)
{
    free(of->at);
    *of = (bytes){ NULL, 0 };
}

void put_npy(bytes *to, unsigned major, const char *header, const void *data, size_t n)
{
    put(to, "\x93NUMPY", 6);
    put_number(to, major, 1, false);
    put_number(to, 0, 1, false);
    put_number(to, strlen(header), major == 1 ? 2 : 4, false);
    put_text(to, header);
    put(to, data, n);
}

void put_safetensors(bytes *to, const char *header, const void *data, size_t n)
{
    put_number(to, strlen(header), 8, false);
    put_text(to, header);
    put(to, data, n);
}

/* The checksum of zip, bit by bit. */
static uint32_t checksum(const unsigned char *of, size_t n)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        sum ^= of[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (UINT32_C(0xedb88320) & (0 - (sum & 1)));
    }
    return ~sum;
}

/* What stands in both headers of a member, from the version on. */
static void put_about(bytes *to, const zip_member *of, size_t stored)
{
    put_number(to, of->vast != 0 ? 45 : 20, 2, false);
    put_number(to, of->is_locked, 2, false);
    put_number(to, of->method, 2, false);
    put_number(to, 0x0021, 4, false); /* 1980-01-01 00:00, as NumPy writes it */
    put_number(to, checksum(of->data.at, of->data.size) ^ of->damage, 4, false);
    put_number(to, stored, 4, false);
    put_number(to, of->vast != 0 ? UINT32_MAX : of->data.size, 4, false);
    put_number(to, strlen(of->name), 2, false);
    put_number(to, of->vast != 0 ? 12 : 0, 2, false);
}

static void put_name(bytes *to, const zip_member *of)
{
    put_text(to, of->name);
    if (of->vast == 0)
        return;
    put_number(to, 1, 2, false); /* a size that has 8 bytes */
    put_number(to, 8, 2, false);
    put_number(to, of->vast, 8, false);
}

/* The bytes of a member: as they are, or as blocks of deflate that are not compressed. */
static void put_packed(bytes *to, const zip_member *of)
{
    size_t most = 65535, n = of->data.size;
    if (of->method != ZIP_DEFLATED) {
        put(to, of->data.at, n);
        return;
    }
    for (size_t at = 0; at == 0 || at < n; at += most) {
        size_t some = n - at < most ? n - at : most;
        put_number(to, at + some == n, 1, false);
        put_number(to, some, 2, false);
        put_number(to, ~some & 0xffff, 2, false);
        put(to, of->data.at + at, some);
    }
}

void put_zip(bytes *to, const zip_member *members, size_t count)
{
    bytes ends = { 0 };
    for (size_t i = 0; i < count; i++) {
        const zip_member *of = &members[i];
        size_t at = to->size;
        bytes packed = { 0 };
        put_packed(&packed, of);
        put_text(to, "PK\3\4");
        put_about(to, of, packed.size);
        put_name(to, of);
        put(to, packed.at, packed.size);
        put_text(&ends, "PK\1\2");
        put_number(&ends, 45, 2, false);
        put_about(&ends, of, packed.size);
        put_zeros(&ends, 10);
        put_number(&ends, at, 4, false);
        put_name(&ends, of);
        drop(&packed);
    }
    size_t at = to->size;
    put(to, ends.at, ends.size);
    put_text(to, "PK\5\6");
    put_zeros(to, 4);
    put_number(to, count, 2, false);
    put_number(to, count, 2, false);
    put_number(to, ends.size, 4, false);
    put_number(to, at, 4, false);
    put_zeros(to, 2);
    drop(&ends);
}
