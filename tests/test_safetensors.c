/* test_safetensors.c - files of safetensors: what is read of them, and what is refused
 * SPDX-License-Identifier: MIT
 *
 * What is refused is what the format's own reader refuses, safetensors 0.8; tests/check_files.sh
 * writes and reads with that one. */

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "tensor_files.h"

/* 1.5, -2, 0.25, 8 in binary32. */
static const unsigned char four[] = { 0, 0, 0xc0, 0x3f, 0, 0, 0,    0xc0,
                                      0, 0, 0x80, 0x3e, 0, 0, 0x00, 0x41 };

static void write_header(const char *header, const void *data, size_t n)
{
    bytes made = { 0 };
    put_safetensors(&made, header, data, n);
    write_file("a.safetensors", &made);
    drop(&made);
}

typedef struct {
    const char *header;
    size_t data; /* bytes of four behind it */
    const char *expected;
} row;

static void check_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        write_header(rows[i].header, four, rows[i].data);
        if (!tells("a.safetensors", NULL, rows[i].expected))
            CHECK(false, "of %s", rows[i].header);
    }
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof rows / sizeof rows[0])

#define ONE(fields) "{\"w\":{" fields "}}"
#define W "\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}"
#define V "\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}"
#define W_TOLD "w F32 fp32 [2]: 1.5 -2\n"
#define V_TOLD "v F32 fp32 [2]: 0.25 8\n"

/* ---- what is read ---- */

static void headers(void)
{
    static const row rows[] = {
        { "{}", 0, "" },
        { "{\"__metadata__\":{}}", 0, "" },
        { "{" W "," V "}", 16, W_TOLD V_TOLD },
        { "{" V "," W "}", 16, W_TOLD V_TOLD },
        { "{" W "," V "}       ", 16, W_TOLD V_TOLD },
        { " \n\t\r{" W "," V "}\r\n", 16, W_TOLD V_TOLD },
        { "{\"__metadata__\":{\"format\":\"pt\"}," W "}", 8, W_TOLD },
        { ONE("\"data_offsets\":[0,8],\"shape\":[2],\"dtype\":\"F32\""), 8, W_TOLD },
        { ONE("\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"more\":{\"a\":[1e3]}"), 8,
          W_TOLD },
        { ONE("\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]"), 4, "w F32 fp32 []: 1.5\n" },
        { ONE("\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]"), 0, "w F32 fp32 [0]:\n" },
        { ONE("\"dtype\":\"F32\",\"shape\":[0,4611686018427387904,2],\"data_offsets\":[0,0]"), 0,
          "w F32 fp32 [0,4611686018427387904,2]:\n" },
        { "{" W ",\"none\":{\"dtype\":\"F16\",\"shape\":[3,0],\"data_offsets\":[8,8]}," V "}", 16,
          W_TOLD "none F16 fp16 [3,0]:\n" V_TOLD },
        { "{\"\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
          "F32 fp32 [1]: 1.5\n" },
        { "{\"\\u00e9/..\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
          "\xc3\xa9/.. F32 fp32 [1]: 1.5\n" },
        { ONE("\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
              "1,1,1,1,1],\"data_offsets\":[0,4]"),
          4,
          "w F32 fp32 [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]: 1.5\n" },
    };
    CHECK_ROWS(rows);
}

/* Codes of each type, the values by hand from the definitions of the formats. */
static void types(void)
{
    static const struct {
        const char *type, *shape, *data;
        size_t n;
        const char *told;
    } rows[] = {
        { "BOOL", "2", "\1\0", 2, "BOOL - [2]: not read" },
        { "F4", "4", "\x21\xfb", 2, "F4 e2m1 [4]: 0.5 1 -1.5 -6" },
        { "F4", "2,3", "\x21\x43\x65", 3, "F4 e2m1 [2,3]: 0.5 1 1.5 2 3 4" },
        { "F6_E2M3", "4", "\x08\x03\x7e", 3, "F6_E2M3 e2m3 [4]: 1 1.5 -0 7.5" },
        { "F6_E3M2", "4", "\x8c\x03\x7e", 3, "F6_E3M2 e3m2 [4]: 1 1.5 -0 28" },
        { "U8", "2", "\xff\x7f", 2, "U8 uint8 [2]: 255 127" },
        { "I8", "2", "\xff\x80", 2, "I8 int8 [2]: -1 -128" },
        { "F8_E5M2", "3", "\x3c\x7c\x7f", 3, "F8_E5M2 e5m2 [3]: 1 inf nan" },
        { "F8_E4M3", "3", "\x38\x7e\x7f", 3, "F8_E4M3 e4m3 [3]: 1 448 nan" },
        { "F8_E8M0", "3", "\x7f\x80\xff", 3, "F8_E8M0 e8m0 [3]: 1 2 nan" },
        { "F8_E4M3FNUZ", "3", "\x40\x7f\x80", 3, "F8_E4M3FNUZ e4m3fnuz [3]: 1 240 nan" },
        { "F8_E5M2FNUZ", "3", "\x40\x7f\x80", 3, "F8_E5M2FNUZ e5m2fnuz [3]: 1 57344 nan" },
        { "I16", "1", "\xfe\xff", 2, "I16 int16 [1]: -2" },
        { "U16", "1", "\xfe\xff", 2, "U16 uint16 [1]: 65534" },
        { "F16", "2", "\0\x3c\1\0", 4, "F16 fp16 [2]: 1 5.960464478e-08" },
        { "BF16", "1", "\xc0\x3f", 2, "BF16 bf16 [1]: 1.5" },
        { "I32", "1", "\xfe\xff\xff\xff", 4, "I32 int32 [1]: -2" },
        { "U32", "1", "\xfe\xff\xff\xff", 4, "U32 uint32 [1]: 4294967294" },
        { "F32", "1", "\0\0\xc0\x3f", 4, "F32 fp32 [1]: 1.5" },
        { "C64", "1", "\0\0\xc0\x3f\0\0\0\0", 8, "C64 - [1]: not read" },
        { "F64", "1", "\0\0\0\0\0\0\x14\x40", 8, "F64 fp64 [1]: 5" },
        { "I64", "1", "\1\0\0\0\0\0\0\0", 8, "I64 - [1]: not read" },
        { "U64", "1", "\1\0\0\0\0\0\0\0", 8, "U64 - [1]: not read" },
    };
    char header[200], expected[200];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(header, sizeof header,
                 "{\"w\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[0,%zu]}}", rows[i].type,
                 rows[i].shape, rows[i].n);
        snprintf(expected, sizeof expected, "w %s\n", rows[i].told);
        write_header(header, rows[i].data, rows[i].n);
        tells("a.safetensors", NULL, expected);
    }
    write_header(ONE("\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]"), "\x38\x7e", 2);
    tells("a.safetensors", &(file_reading){ .from = fpfmt_named("e4m3"), .count = UINT64_MAX },
          "w U8 e4m3 [2]: 1 448\n");
}

/* ---- what is refused ---- */

/* Of a header that is none, nothing is read. */
static void no_headers(void)
{
    static const struct {
        const char *header, *sentence;
    } rows[] = {
        { "", "no JSON at byte 8: " },
        { "[]", "its JSON is no object" },
        { "\"text\"", "no JSON at byte " },
        { "7", "no JSON at byte " },
        { "null", "no JSON at byte " },
        { "{", "no JSON at byte 9: " },
        { "{\"w\":}", "no JSON at byte 14: " },
        { "{\"w\":{},}", "no JSON at byte 17: " },
        { "{} {}", "no JSON at byte 12: " },
        { "{}x", "no JSON at byte 11: " },
        { "{'w':{}}", "no JSON at byte 10: " },
        { "{\"w\":{}}\xff", "no JSON at byte 16: " },
        { "{\"\xff\":{}}", "no JSON at byte 10: " },
        { "{\"\xc0\x80\":{}}", "no JSON at byte 10: " },
        { "{\"\xed\xa0\x80\":{}}", "no JSON at byte 10: " },
        { "{\"\\ud800\":{}}", "no JSON at byte " },
        { "{" W "," W "}", "no JSON at byte " },
        { ONE("\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]"),
          "no JSON at byte " },
        { "{\"__metadata__\":{},\"__metadata__\":{}}", "no JSON at byte " },
        { ONE("\"dtype\":\"F32\",\"shape\":[18446744073709551616],\"data_offsets\":[0,8]"),
          "no JSON at byte " },
        { ONE("\"dtype\":\"F32\",\"shape\":[02],\"data_offsets\":[0,8]"), "no JSON at byte " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_header(rows[i].header, four, 8);
        if (!refuses("a.safetensors", NULL, rows[i].sentence))
            CHECK(false, "of %s", rows[i].header);
    }
    bytes made = { 0 };
    put_number(&made, 4, 8, false);
    put(&made, "{}\0\0", 4); /* blanks may follow, and no NUL */
    write_file("a.safetensors", &made);
    refuses("a.safetensors", NULL, "its JSON has a NUL at byte 10");
    drop(&made);
}

/* What is wrong with one tensor leaves the others. */
static void wrong_entries(void)
{
#define BAD "! a.safetensors: tensor 'v': "
#define TENSOR(fields) "{" W ",\"v\":{" fields "}}"
    static const row rows[] = {
        { "{" W ",\"v\":[]}", 16,
          W_TOLD "v  - []: bad\n" BAD "it is no object with dtype, shape and data_offsets\n" },
        { TENSOR("\"shape\":[2],\"data_offsets\":[8,16]"), 16,
          W_TOLD "v  - [2]: bad\n" BAD "its dtype is no text, which is none of safetensors'\n" },
        { TENSOR("\"dtype\":\"F33\",\"shape\":[2],\"data_offsets\":[8,16]"), 16,
          W_TOLD "v  - [2]: bad\n" BAD "its dtype is F33, which is none of safetensors'\n" },
    };
    static const struct {
        const char *shape, *offsets, *sentence;
    } fields[] = {
        { "2", "[8,16]", "its shape is no list of up to 32 whole numbers" },
        { "[-2]", "[8,16]", "its shape is no list of up to 32 whole numbers" },
        { "[2.0]", "[8,16]", "its shape is no list of up to 32 whole numbers" },
        { "[2.5]", "[8,16]", "its shape is no list of up to 32 whole numbers" },
        { "[\"2\"]", "[8,16]", "its shape is no list of up to 32 whole numbers" },
        { "[[2]]", "[8,16]", "its shape is no list of up to 32 whole numbers" },
        { "null", "[8,16]", "its shape is no list of up to 32 whole numbers" },
        { "[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[8,16]",
          "its shape is no list of up to 32 whole numbers" },
        { "[2]", "[8]", "its data_offsets are not the begin and the end of its bytes" },
        { "[2]", "[8,12,16]", "its data_offsets are not the begin and the end of its bytes" },
        { "[2]", "[16,8]", "its data_offsets are not the begin and the end of its bytes" },
        { "[2]", "[-8,16]", "its data_offsets are not the begin and the end of its bytes" },
        { "[2]", "[8,\"16\"]", "its data_offsets are not the begin and the end of its bytes" },
        { "[2]", "8", "its data_offsets are not the begin and the end of its bytes" },
        { "[2]", "[8,24]", "it ends at byte 140, and the file at byte 132" },
        { "[2]", "[8,9223372036854775807]",
          "it ends at byte 9223372036854775940, and the file at "
          "byte 149" },
        { "[3]", "[8,16]", "it has 8 bytes from byte 124 on, and its shape takes 12" },
        { "[1]", "[8,16]", "it has 8 bytes from byte 124 on, and its shape takes 4" },
        { "[4611686018427387904,4,0]", "[8,16]", "its shape has more elements than any file" },
        { "[4611686018427387904,4]", "[8,16]", "its shape has more elements than any file" },
        { "[4611686018427387904]", "[8,16]", "its shape has more elements than any file" },
        { "[9223372036854775807]", "[8,16]", "its shape has more elements than any file" },
    };
    CHECK_ROWS(rows);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char header[300];
        snprintf(header, sizeof header,
                 TENSOR("\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":%s"), fields[i].shape,
                 fields[i].offsets);
        write_header(header, four, 16);
        const char *told = told_of("a.safetensors", NULL), *said = strstr(told, BAD);
        CHECK(strncmp(told, W_TOLD "v ", strlen(W_TOLD "v ")) == 0 && said != NULL &&
                  strncmp(said + strlen(BAD), fields[i].sentence, strlen(fields[i].sentence)) ==
                      0 &&
                  strchr(said, '\n')[1] == '\0',
              "%s tells\n%snot\n%s", header, told, fields[i].sentence);
    }
}

/* Tensors lie one behind the other, and fill the file. */
static void places(void)
{
#define AT(name, begin, end)                                                                       \
    "\"" name "\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[" begin "," end "]}"
#define A_TOLD "a U8 uint8 [2]: 0 0\n"
    static const row rows[] = {
        { "{" AT("a", "1", "3") "}", 3,
          "a U8 uint8 [2]: bad\n! a.safetensors: tensor 'a': it begins at byte 62, and nothing has "
          "the bytes from 61 on\n" },
        { "{" AT("a", "0", "2") "," AT("b", "3", "5") "}", 5,
          A_TOLD "b U8 uint8 [2]: bad\n! a.safetensors: tensor 'b': it begins at byte 116, and "
                 "nothing has the bytes from 115 on\n" },
        { "{" AT("a", "0", "2") "," AT("b", "1", "3") "}", 3,
          A_TOLD "b U8 uint8 [2]: bad\n! a.safetensors: tensor 'b': it begins at byte 114, within "
                 "the tensor before it\n" },
        { "{" AT("a", "0", "2") "," AT("b", "0", "2") "}", 2,
          A_TOLD "b U8 uint8 [2]: bad\n! a.safetensors: tensor 'b': it begins at byte 113, within "
                 "the tensor before it\n" },
        { "{" AT("a", "0", "2") "}", 5,
          A_TOLD "! a.safetensors: it has 3 bytes behind its last tensor\n" },
        { "{" AT("a", "0", "2") "," AT("b", "2", "4") "}", 3,
          A_TOLD "b U8 uint8 [2]: bad\n! a.safetensors: tensor 'b': it ends at byte 117, and the "
                 "file at byte 116\n" },
        { "{}", 4, "! a.safetensors: it has 4 bytes behind its last tensor\n" },
    };
    CHECK_ROWS(rows);
}

/* Elements of fewer bits than a byte end where one does. */
static void ends_within_bytes(void)
{
    static const row rows[] = {
        { ONE("\"dtype\":\"F4\",\"shape\":[3,3],\"data_offsets\":[0,5]"), 5,
          "w F4 e2m1 [3,3]: bad\n! a.safetensors: tensor 'w': its 9 elements of 4 bits end within "
          "a byte\n" },
        { ONE("\"dtype\":\"F6_E2M3\",\"shape\":[2],\"data_offsets\":[0,2]"), 2,
          "w F6_E2M3 e2m3 [2]: bad\n! a.safetensors: tensor 'w': its 2 elements of 6 bits end "
          "within a byte\n" },
    };
    CHECK_ROWS(rows);
}

static void metadata(void)
{
    static const row rows[] = {
        { "{\"__metadata__\":{\"a\":1}," W "}", 8,
          W_TOLD "! a.safetensors: its __metadata__ are not texts by name\n" },
        { "{\"__metadata__\":[]," W "}", 8,
          W_TOLD "! a.safetensors: its __metadata__ are not texts by name\n" },
        { "{\"__metadata__\":{\"a\":null}," W "}", 8,
          W_TOLD "! a.safetensors: its __metadata__ are not texts by name\n" },
    };
    CHECK_ROWS(rows);
}

/* Lengths of a header, and files without one. */
static void lengths(void)
{
    static const struct {
        const char *start;
        size_t n;
        const char *sentence;
    } rows[] = {
        { "", 0, "it ends at byte 0, and 8 more belong to it" },
        { "\2\0\0\0\0\0\0", 7, "it ends at byte 7, and 1 more belong to it" },
        { "\2\0\0\0\0\0\0\0", 8, "its header has 2 bytes, and the file is shorter" },
        { "\3\0\0\0\0\0\0\0{}", 10, "its header has 3 bytes, and the file is shorter" },
        { "\0\0\0\0\0\0\0\0{}", 10, "no JSON at byte 8: " },
        { "\0\xe1\xf5\5\0\0\0\0{}", 10, "its header has 100000000 bytes, and the file is shorter" },
        { "\1\xe1\xf5\5\0\0\0\0{}", 10,
          "its header has 100000001 bytes, and 100000000 are the most" },
        { "\0\0\0\0\0\0\0\x80{}", 10,
          "its header has 9223372036854775808 bytes, and 100000000 are the most" },
        { "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10,
          "its header has 18446744073709551615 bytes, and 100000000 are the most" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bytes made = { 0 };
        put(&made, rows[i].start, rows[i].n);
        write_file("a.safetensors", &made);
        refuses("a.safetensors", NULL, rows[i].sentence);
        drop(&made);
    }
}

/* A million brackets are one sentence, and no stack that ends. */
static void deep_json(void)
{
    static const char *const turns[] = { "[", "{\"a\":" };
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        bytes text = { 0 };
        put_text(&text, "{\"w\":");
        while (text.size < 1000000)
            put_text(&text, turns[i]);
        put(&text, "", 1);
        write_header((const char *)text.at, NULL, 0);
        refuses("a.safetensors", NULL, "no JSON at byte ");
        drop(&text);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "headers are read in any order, with blanks and with fields that are new", headers },
        { "each type has its format, or is listed and not read", types },
        { "a header that is no JSON is one sentence with its byte", no_headers },
        { "what is wrong with one tensor is told of it, and the others are read", wrong_entries },
        { "gaps, overlaps and bytes behind the last tensor are told", places },
        { "elements do not end within a byte", ends_within_bytes },
        { "__metadata__ are texts by name", metadata },
        { "a header has as many bytes as it says, and no more than the format allows", lengths },
        { "JSON of a million levels is refused", deep_json },
    };
    begin_files();
    int status = skips_all("a.safetensors")
                     ? 0
                     : run_tests("files of safetensors", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
