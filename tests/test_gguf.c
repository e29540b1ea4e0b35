/* test_gguf.c - files of GGUF: what is read of them, and what is refused
 * SPDX-License-Identifier: MIT
 *
 * The rules are those of gguf.cpp; the blocks were made by ggml's own quantisers. */

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "tensor_files.h"

/* A file that is being written: what comes where follows from its version and order of bytes. */
typedef struct {
    bytes made;
    bool big_endian;
} gguf;

static void put_string(gguf *to, const char *text)
{
    put_number(&to->made, strlen(text), 8, to->big_endian);
    put_text(&to->made, text);
}

static void put_opening(gguf *to, uint64_t version, uint64_t tensors, uint64_t keys)
{
    put_text(&to->made, "GGUF");
    put_number(&to->made, version, 4, to->big_endian);
    put_number(&to->made, tensors, 8, to->big_endian);
    put_number(&to->made, keys, 8, to->big_endian);
}

static void put_key(gguf *to, const char *key, uint64_t type)
{
    put_string(to, key);
    put_number(&to->made, type, 4, to->big_endian);
}

/* A tensor of one dimension. */
static void put_tensor(gguf *to, const char *name, uint64_t size, uint64_t type, uint64_t offset)
{
    put_string(to, name);
    put_number(&to->made, 1, 4, to->big_endian);
    put_number(&to->made, size, 8, to->big_endian);
    put_number(&to->made, type, 4, to->big_endian);
    put_number(&to->made, offset, 8, to->big_endian);
}

static void pad_to(gguf *to, size_t alignment)
{
    put_zeros(&to->made, (alignment - to->made.size % alignment) % alignment);
}

/* Writes the file, begins a new one, and returns what is told of it. */
static void end_file(gguf *of)
{
    write_file("a.gguf", &of->made);
    drop(&of->made);
}

enum { F32 = 0, F16 = 1, Q4_0 = 2, Q4_1 = 3, Q8_0 = 8, I8 = 24, F64 = 28, BF16 = 30, MXFP4 = 39 };

/* ---- what is read ---- */

static void versions_and_orders(void)
{
    for (uint64_t version = 2; version <= 3; version++)
        for (int big = 0; big <= 1; big++) {
            gguf file = { .big_endian = big };
            put_opening(&file, version, 2, 0);
            put_string(&file, "w");
            put_number(&file.made, 2, 4, big);
            put_number(&file.made, 3, 8, big); /* the fastest index first */
            put_number(&file.made, 2, 8, big);
            put_number(&file.made, F16, 4, big);
            put_number(&file.made, 0, 8, big);
            put_tensor(&file, "v", 1, F64, 32);
            pad_to(&file, 32);
            for (uint64_t i = 0; i < 6; i++)
                put_number(&file.made, 0x3c00 + 0x400 * i, 2, big);
            pad_to(&file, 32);
            put_number(&file.made, 0x4014000000000000, 8, big);
            end_file(&file);
            tells("a.gguf", NULL, "w F16 fp16 [2,3]: 1 2 4 8 16 32\nv F64 fp64 [1]: 5\n");
        }
}

/* Values of keys, of every type, are passed by; the alignment is taken. */
static void keys(void)
{
    static const unsigned char value_bytes[] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };
    gguf file = { .big_endian = false };
    put_opening(&file, 3, 1, 28);
    for (uint64_t type = 0; type <= 12; type++) {
        char key[20];
        snprintf(key, sizeof key, "key %d", (int)type);
        put_key(&file, key, type);
        if (type == 8)
            put_string(&file, "text");
        else if (type == 9)
            put(&file.made, "\4\0\0\0\0\0\0\0\0\0\0\0", 12);
        else
            put_number(&file.made, 1, value_bytes[type], false);
        if (type == 9)
            continue;
        snprintf(key, sizeof key, "keys %d", (int)type);
        put_key(&file, key, 9);
        put_number(&file.made, type, 4, false);
        put_number(&file.made, 3, 8, false);
        for (int i = 0; i < 3; i++)
            if (type == 8)
                put_string(&file, "");
            else
                put_number(&file.made, 200, value_bytes[type], false);
    }
    put_key(&file, "general.alignment", 4);
    put_number(&file.made, 8, 4, false);
    put_key(&file, "\xff\n", 7); /* any bytes, and any truth */
    put_number(&file.made, 7, 1, false);
    put_key(&file, "no items", 9);
    put_number(&file.made, 6, 4, false);
    put_number(&file.made, 0, 8, false);
    put_tensor(&file, "w", 3, I8, 0);
    pad_to(&file, 8);
    put(&file.made, "\1\xff\x80", 3);
    end_file(&file);
    tells("a.gguf", NULL, "w I8 int8 [3]: 1 -1 -128\n");
}

static void write_blocks(uint64_t type, const char *block, size_t n)
{
    gguf file = { .big_endian = false };
    put_opening(&file, 3, 1, 0);
    put_tensor(&file, "w", 32, type, 0);
    pad_to(&file, 32);
    put(&file.made, block, n);
    end_file(&file);
}

/* Blocks of x_k = k / 10, or (k - 16) / 10, as ggml's quantisers make them: values are d q,
 * d (q - 8) and 2^(e - 128) times a code of the table, by hand. */
static void blocks(void)
{
    write_blocks(Q8_0,
                 "\x73\x22\x81\x89\x91\x99\xa1\xa9\xb1\xb9\xc0\xc8\xd0\xd8\xe0\xe8\xf0\xf8\0\x08"
                 "\x10\x18\x20\x28\x30\x38\x40\x47\x4f\x57\x5f\x67\x6f\x77",
                 34);
    /* d = 0x2273 = 1651 x 2^-17 */
    tells("a.gguf", NULL,
          "w Q8_0 q8_0 [32]: -1.599708557 -1.498939514 -1.398170471 -1.297401428 "
          "-1.196632385 -1.095863342 -0.9950942993 -0.8943252563 -0.8061523438 "
          "-0.7053833008 -0.6046142578 -0.5038452148 -0.4030761719 -0.3023071289 "
          "-0.2015380859 -0.100769043 0 0.100769043 0.2015380859 0.3023071289 ...\n");
    write_blocks(Q4_0, "\x33\xb6\x48\x48\x37\x37\x37\x37\x26\x26\x26\x26\x15\x15\x15\x15\x04\x04",
                 18);
    /* d = 0xb633 = -1587 x 2^-12 */
    tells("a.gguf", NULL,
          "w Q4_0 q4_0 [32]: -0 -0 0.3874511719 0.3874511719 0.3874511719 "
          "0.3874511719 0.7749023438 0.7749023438 0.7749023438 0.7749023438 "
          "1.162353516 1.162353516 1.162353516 1.162353516 1.549804688 1.549804688 "
          "1.549804688 1.549804688 1.937255859 1.937255859 ...\n");
    write_blocks(MXFP4, "\x7e\x50\x50\x61\x61\x62\x62\x62\x63\x63\x64\x74\x74\x74\x75\x75\x75", 17);
    tells("a.gguf", NULL,
          "w MXFP4 mxfp4 [32]: 0 0 0.25 0.25 0.5 0.5 0.5 0.75 0.75 1 1 1 1 1.5 1.5 "
          "1.5 1.5 1.5 2 2 ...\n");
    write_blocks(Q4_1, "\0\x3c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
    tells("a.gguf", NULL, "w Q4_1 - [32]: not read\n");
}

/* ---- what ends the reading ---- */

static void openings(void)
{
    static const struct {
        uint64_t version, tensors, keys;
        const char *sentence;
    } rows[] = {
        { 0, 0, 0, "its version is neither 2 nor 3, at byte 8" },
        { 1, 0, 0, "its version is neither 2 nor 3, at byte 8" },
        { 4, 0, 0, "its version is neither 2 nor 3, at byte 8" },
        { 0x01000000, 0, 0, "its version is neither 2 nor 3, at byte 8" },
        { 0x00030000, 0, 0, "its version is neither 2 nor 3, at byte 8" },
        { 3, 1, 0, "the file ends within its header, at byte 24" },
        { 3, 0, 1, "the file ends within its header, at byte 24" },
        { 3, UINT64_C(1) << 60, 0, "the file ends within its header, at byte 24" },
        { 3, 0, UINT64_C(1) << 60, "the file ends within its header, at byte 24" },
        { 3, UINT64_MAX, UINT64_MAX, "the file ends within its header, at byte 24" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gguf file = { .big_endian = false };
        put_opening(&file, rows[i].version, rows[i].tensors, rows[i].keys);
        end_file(&file);
        refuses("a.gguf", NULL, rows[i].sentence);
    }
    gguf file = { .big_endian = false };
    put_opening(&file, 3, 0, 0);
    end_file(&file);
    tells("a.gguf", NULL, "");
}

static void wrong_keys(void)
{
    static const struct {
        const char *key;
        uint64_t type;
        const char *value;
        size_t n;
        const char *sentence;
    } rows[] = {
        { "", 4, "\1\0\0\0", 4, "a key is empty, at byte 36" },
        { "k", 13, "", 0, "a value is of a type that GGUF does not have, at byte 37" },
        { "k", UINT32_MAX, "", 0, "a value is of a type that GGUF does not have, at byte 37" },
        { "k", 8, "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
          "the file ends within its header, at byte 45" },
        { "k", 8, "\1\0\0\0\0\0\0\0", 8, "the file ends within its header, at byte 45" },
        { "k", 10, "\1\0\0\0", 4, "the file ends within its header, at byte 37" },
        { "k", 9, "\x09\0\0\0\1\0\0\0\0\0\0\0", 12,
          "a value is an array of a type that GGUF has none of, at byte 49" },
        { "k", 9, "\x0d\0\0\0\1\0\0\0\0\0\0\0", 12,
          "a value is an array of a type that GGUF has none of, at byte 49" },
        { "k", 9, "\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 12,
          "the file ends within its header, at byte 49" },
        { "k", 9, "\xc\0\0\0\0\0\0\0\0\0\0\x20", 12,
          "the file ends within its header, at byte 49" },
        { "k", 9, "\x8\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 12,
          "the file ends within its header, at byte 49" },
        { "general.alignment", 5, "\x20\0\0\0", 4,
          "general.alignment is no power of two of 32 bits, at byte 53" },
        { "general.alignment", 4, "\0\0\0\0", 4,
          "general.alignment is no power of two of 32 bits, at byte 57" },
        { "general.alignment", 4, "\x18\0\0\0", 4,
          "general.alignment is no power of two of 32 bits, at byte 57" },
        { "general.alignment", 4, "\x18\0", 2, "the file ends within its header, at byte 53" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gguf file = { .big_endian = false };
        put_opening(&file, 3, 0, 1);
        put_key(&file, rows[i].key, rows[i].type);
        put(&file.made, rows[i].value, rows[i].n);
        end_file(&file);
        refuses("a.gguf", NULL, rows[i].sentence);
    }
    gguf file = { .big_endian = false };
    put_opening(&file, 3, 0, 2);
    for (int i = 0; i < 2; i++) {
        put_key(&file, "k", 0);
        put_number(&file.made, 1, 1, false);
    }
    end_file(&file);
    refuses("a.gguf", NULL, "a key comes twice, at byte 52");
    put_opening(&file, 3, 0, 1);
    put_number(&file.made, UINT64_C(1) << 63, 8, false);
    put_text(&file.made, "some bytes that are no key");
    end_file(&file);
    refuses("a.gguf", NULL, "a key has more than 65535 bytes, at byte 32");
}

/* ---- what is wrong with a tensor ---- */

/* A tensor of one element or a block, and behind it "v" with two numbers. */
static void wrong_tensors(void)
{
#define BAD "! a.gguf: tensor 'w': "
    static const struct {
        uint64_t size, type, offset;
        const char *told, *sentence;
    } rows[] = {
        { 2, F32, 0, "w F32 fp32 [2]: 0 1\nv I8 int8 [2]: 1 2\n", NULL },
        { 2, 4, 0, "w  - [2]: bad\n", "its type is number 4, whose size is not known" },
        { 2, 33, 0, "w  - [2]: bad\n", "its type is number 33, whose size is not known" },
        { 2, 255, 0, "w  - [2]: bad\n", "its type is number 255, whose size is not known" },
        { 2, UINT32_MAX, 0, "w  - [2]: bad\n",
          "its type is number 4294967295, whose size is not known" },
        { 2, Q8_0, 0, "w Q8_0 q8_0 [2]: bad\n",
          "its rows of 2 elements are no whole blocks of 32" },
        { UINT64_C(1) << 63, I8, 0, "w I8 int8 [9223372036854775808]: bad\n",
          "its shape has more elements than any file" },
        { INT64_MAX, F64, 0, "w F64 fp64 [9223372036854775807]: bad\n",
          "its shape has more elements than any file" },
        { 2, F32, 32, "w F32 fp32 [2]: bad\n",
          "it is said to begin at byte 32 of the data, and the one before it ends at 0" },
        { 2, F32, UINT64_MAX - 31, "w F32 fp32 [2]: bad\n",
          "it is said to begin at byte 18446744073709551584 of the data, and the one before it "
          "ends at 0" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gguf file = { .big_endian = false };
        char expected[400];
        put_opening(&file, 3, 2, 0);
        put_tensor(&file, "w", rows[i].size, rows[i].type, rows[i].offset);
        put_tensor(&file, "v", 2, I8, 32);
        pad_to(&file, 32);
        put_floats(&file.made, (float[]){ 0, 1 }, 2);
        pad_to(&file, 32);
        put(&file.made, "\1\2", 2);
        end_file(&file);
        snprintf(expected, sizeof expected, "%s%s%s%s%s", rows[i].told,
                 rows[i].sentence == NULL ? "" : "v I8 int8 [2]: 1 2\n",
                 rows[i].sentence == NULL ? "" : BAD,
                 rows[i].sentence == NULL ? "" : rows[i].sentence,
                 rows[i].sentence == NULL ? "" : "\n");
        tells("a.gguf", NULL, expected);
    }
}

/* Names and shapes that end the reading, as what comes behind them cannot be found. */
static void wrong_infos(void)
{
    static char long_name[80];
    gguf file = { .big_endian = false };
    memset(long_name, 'n', 65);
    put_opening(&file, 3, 1, 0);
    put_tensor(&file, long_name, 2, I8, 0);
    end_file(&file);
    refuses("a.gguf", NULL, "the name of a tensor has more than 64 bytes, at byte 32");
    put_opening(&file, 3, 1, 0);
    put_string(&file, "w");
    put_number(&file.made, 5, 4, false);
    put_zeros(&file.made, 60);
    end_file(&file);
    refuses("a.gguf", NULL, "a tensor has more than 4 dimensions, at byte 37");
    put_opening(&file, 3, 1, 0);
    put_string(&file, "w");
    put_number(&file.made, 0, 4, false); /* of no dimension: one element */
    put_number(&file.made, I8, 4, false);
    put_number(&file.made, 0, 8, false);
    pad_to(&file, 32);
    put_number(&file.made, 5, 1, false);
    end_file(&file);
    tells("a.gguf", NULL, "w I8 int8 []: 5\n");
    put_opening(&file, 3, 2, 0);
    put_tensor(&file, "w", 1, I8, 0);
    put_tensor(&file, "w", 1, I8, 32);
    pad_to(&file, 32);
    put_zeros(&file.made, 33);
    end_file(&file);
    tells("a.gguf", NULL,
          "w I8 int8 [1]: bad\nw I8 int8 [1]: bad\n! a.gguf: tensor 'w': another "
          "tensor has this name\n");
}

/* The data end early: each tensor that is there whole is read. */
static void short_data(void)
{
    gguf file = { .big_endian = false };
    put_opening(&file, 3, 2, 0);
    put_tensor(&file, "w", 2, I8, 0);
    put_tensor(&file, "v", 3, I8, 32);
    pad_to(&file, 32);
    put(&file.made, "\1\2", 2);
    pad_to(&file, 32);
    put(&file.made, "\3\4", 2);
    end_file(&file);
    tells("a.gguf", NULL,
          "w I8 int8 [2]: 1 2\nv I8 int8 [3]: bad\n! a.gguf: tensor 'v': it has 3 "
          "bytes from byte 32 of the data on, of which the file has 34\n");
}

int main(void)
{
    static const struct test tests[] = {
        { "versions 2 and 3 are read, in either order of bytes", versions_and_orders },
        { "values of keys of every type are passed by", keys },
        { "blocks have the values that ggml gives them", blocks },
        { "other versions, and counts past the end of the file, are refused", openings },
        { "what is wrong with a key ends the reading, with its byte", wrong_keys },
        { "what is wrong with a tensor is told of it, and the others are read", wrong_tensors },
        { "names of 65 bytes, 5 dimensions and twins are refused", wrong_infos },
        { "data that end early leave the tensors before the end", short_data },
    };
    begin_files();
    int status = run_tests("files of GGUF", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
