/* test_npy.c - arrays of NumPy, raw codes, and what no file of tensors is
 * SPDX-License-Identifier: MIT
 *
 * What NumPy reads and refuses was tried with NumPy 1.24 and 2.4; tests/check_files.sh tries it
 * again with the one that is there. */

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <fpfmt.h>

#include "runner.h"
#include "tensor_files.h"

/* 1.5, -2, 0.25, 8, 1/1024, -0 in binary32, the low byte first. */
static const unsigned char six[] = { 0, 0, 0xc0, 0x3f, 0, 0, 0,    0xc0, 0, 0, 0x80, 0x3e,
                                     0, 0, 0,    0x41, 0, 0, 0x80, 0x3a, 0, 0, 0,    0x80 };

static void write_npy(unsigned major, const char *header, const void *data, size_t n)
{
    bytes made = { 0 };
    put_npy(&made, major, header, data, n);
    write_file("a.npy", &made);
    drop(&made);
}

/* ---- headers ---- */

typedef struct {
    const char *text;
    unsigned major; /* 0: each of 1, 2 and 3 */
} header_row;

/* All of these are three numbers of binary32. */
static const header_row readable[] = {
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }            \n", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{\"shape\": (3,), \"fortran_order\": True, \"descr\": \"<f4\"}", 0 },
    { "  \n {'descr':'<f4','fortran_order':False,'shape':(3,)}  \n\n", 0 },
    { "{# of what\n'descr': '<f4', # and so on\n 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '>f8', 'fortran_order': False, 'shape': (3,), 'descr': '<f4'}", 0 },
    { "{'de' 'scr': '<' \"f4\", 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{u'descr': u'<f4', u'fortran_order': False, u'shape': (3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0x3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0b1_1,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0o_3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3L,)}", 1 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3 L,)}", 2 },
    { "{\n'descr':\n'<f4',\n'fortran_order':\nFalse,\n'shape':\n(\n3\n,\n)\n}\n", 0 },
    { "{'descr': 'f4', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '=f4', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '|f4', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': 'float32', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': 'f', 'fortran_order': False, 'shape': (3,)}", 0 },
};

static void headers_that_are_read(void)
{
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++)
        for (unsigned major = 1; major <= 3; major++) {
            if (readable[i].major != 0 && readable[i].major != major)
                continue;
            write_npy(major, readable[i].text, six, 12);
            const char *told = told_of("a.npy", NULL), *values = strstr(told, " fp32 [3]: ");
            CHECK(values != NULL && strcmp(values, " fp32 [3]: 1.5 -2 0.25\n") == 0, "%u.0: %s\n%s",
                  major, readable[i].text, told);
        }
}

static const header_row refused[] = {
    { "", 0 },
    { "{}", 0 },
    { "{'descr': '<f4', 'fortran_order': False}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': [3]}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': 3}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3.0,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (True,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': ('3',)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (03,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3_,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0_0__3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3l,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3L,)}", 3 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0x,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} {}", 0 },
    { "{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': false, 'shape': (3,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (3,)}", 0 },
    { "{'descr': b'<f4', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': None, 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': 4, 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '<', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '<ixy', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '<f3', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '<i5', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}", 0 },
    { "{'descr': [('a', '<f4'), ('b', '|O', {'x': <class 'bytes'>})], 'fortran_order': False, "
      "'shape': (3,)}",
      0 },
    { "dict(descr='<f4', fortran_order=False, shape=(3,))", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483648, 4294967296)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9223372036854775808)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4, 0)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905, 4)}", 0 },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", 0 },
};

static void headers_that_are_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        for (unsigned major = 1; major <= 3; major++) {
            if (refused[i].major != 0 && refused[i].major != major)
                continue;
            write_npy(major, refused[i].text, six, 12);
            if (!refuses("a.npy", NULL, "its "))
                CHECK(false, "of %s", refused[i].text);
        }
}

/* Lengths that a header claims, and what stands before it. */
static void openings(void)
{
    static const struct {
        const char *start;
        size_t n;
        const char *sentence;
    } rows[] = {
        { "\x93NUMPY\1\0\xf8\xff", 10, "its header is longer than 10000 characters" },
        { "\x93NUMPY\2\0\xff\xff\xff\xff", 12, "its header is longer than 10000 characters" },
        { "\x93NUMPY\1\0\x76\0{'descr'", 18, "it ends within its header" },
        { "\x93NUMPY\2\0\x76\0", 10, "it ends within its header" },
        { "\x93NUMPY\1\0", 8, "it ends within its header" },
        { "\x93NUMPY\1", 7, "it is no array of NumPy" },
        { "\x93NUMPY\0\0\x76\0{'descr'", 18, "its version is none of 1.0, 2.0 and 3.0" },
        { "\x93NUMPY\1\1\x76\0{'descr'", 18, "its version is none of 1.0, 2.0 and 3.0" },
        { "\x93NUMPY\4\0\x76\0{'descr'", 18, "its version is none of 1.0, 2.0 and 3.0" },
        { "\0\0\0\0\0\0\0\0\0\0", 10, "it is none of " },
        { "", 0, "it is none of " },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bytes made = { 0 };
        put(&made, rows[i].start, rows[i].n);
        write_file("a.npy", &made);
        refuses("a.npy", NULL, rows[i].sentence);
        drop(&made);
    }
    bytes made = { 0 };
    put_npy(&made, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,) \1}", six, 12);
    made.at[made.size - 14] = '\0';
    write_file("a.npy", &made);
    refuses("a.npy", NULL, "its header has a NUL");
    drop(&made);
}

/* A header of exactly as many characters as NumPy takes, and one more. */
static void longest_header(void)
{
    char text[10002];
    for (int more = 0; more < 2; more++) {
        memset(text, ' ', sizeof text);
        memcpy(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", 55);
        text[10000 + more] = '\0';
        write_npy(1, text, six, 12);
        if (more)
            refuses("a.npy", NULL, "its header is longer than 10000 characters");
        else
            tells("a.npy", NULL, "<f4 fp32 [3]: 1.5 -2 0.25\n");
    }
}

/* ---- elements ---- */

static void check_type(const char *descr, const char *shape, const void *data, size_t n,
                       const char *from, const char *expected)
{
    char header[200];
    file_reading reading = { .from = from == NULL ? NULL : fpfmt_named(from), .count = UINT64_MAX };
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s}", descr,
             shape);
    write_npy(1, header, data, n);
    const char *told = told_of("a.npy", &reading);
    CHECK(strncmp(told, expected, strlen(expected)) == 0, "%s %s tells\n%snot\n%s", descr, shape,
          told, expected);
}

static void types(void)
{
    static const struct {
        const char *descr, *shape, *data;
        size_t n;
        const char *from, *expected;
    } rows[] = {
        { "<f8", "()", "\0\0\0\0\0\0\x14\x40", 8, NULL, "<f8 fp64 []: 5\n" },
        { ">f8", "()", "\x40\x14\0\0\0\0\0\0", 8, NULL, ">f8 fp64 []: 5\n" },
        { ">f4", "(1,)", "\x3f\x80\0\0", 4, NULL, ">f4 fp32 [1]: 1\n" },
        { "<f2", "(2,)", "\0\x3c\0\xfc", 4, NULL, "<f2 fp16 [2]: 1 -inf\n" },
        { ">f2", "(1,1)", "\x3c\0", 2, NULL, ">f2 fp16 [1,1]: 1\n" },
        { "<f1", "(2,)", "\x3c\xbe", 2, NULL, "<f1 e5m2 [2]: 1 -1.5\n" },
        { "bfloat16", "(1,)", "\xc0\x3f", 2, NULL, "bfloat16 bf16 [1]: 1.5\n" },
        { "|i1", "(3,)", "\xff\x80\x7f", 3, NULL, "|i1 int8 [3]: -1 -128 127\n" },
        { "u1", "(2,)", "\xff\x80", 2, NULL, "u1 uint8 [2]: 255 128\n" },
        { ">i2", "(2,)", "\xff\xfe\1\0", 4, NULL, ">i2 int16 [2]: -2 256\n" },
        { "<u4", "(1,)", "\xff\xff\xff\xff", 4, NULL, "<u4 uint32 [1]: 4294967295\n" },
        { "<i4", "(0,)", "", 0, NULL, "<i4 int32 [0]:\n" },
        { "<f4", "(3, 0, 2)", "", 0, NULL, "<f4 fp32 [3,0,2]:\n" },
        { "|V2", "(2,)", "\xc0\x3f\0\xc0", 4, "bf16", "|V2 bf16 [2]: 1.5 -2\n" },
        { "V2", "(1,)", "\xc0\x3f", 2, "bf16", "V2 bf16 [1]: 1.5\n" },
        { "<V2", "(1,)", "\xc0\x3f", 2, "bf16", "<V2 bf16 [1]: 1.5\n" },
        { "<V1", "(2,)", "\x38\x7f", 2, "e4m3", "<V1 e4m3 [2]: 1 nan\n" },
        { "<V1", "(2,)", "\2\xd", 2, "e2m1", "<V1 e2m1 [2]: 1 -3\n" },
        { ">u2", "(1,)", "\x3f\xc0", 2, "bf16", ">u2 bf16 [1]: 1.5\n" },
        { "<u8", "(1,)", "\0\0\0\0\0\0\x14\x40", 8, "fp64", "<u8 fp64 [1]: 5\n" },
        { "<f2", "(1,)", "\0\x3c", 2, "bf16", "<f2 fp16 [1]: 1\n" }, /* it says what it is */
        { "<V2", "(1,)", "\xc0\x3f", 2, NULL, "! a.npy: its elements are of type <V2; say " },
        { "<V2", "(1,)", "\xc0\x3f", 2, "e4m3",
          "! a.npy: its elements are of type <V2, which is not read as e4m3\n" },
        { "<c8", "(1,)", "\0\0\0\0\0\0\x14\x40", 8, "fp64",
          "! a.npy: its elements are of type <c8, which is not read\n" },
        { "?", "(1,)", "\1", 1, "e4m3",
          "! a.npy: its elements are of type ?, which is not read\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_type(rows[i].descr, rows[i].shape, rows[i].data, rows[i].n, rows[i].from,
                   rows[i].expected);
}

static void orders_and_ends(void)
{
    write_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", six, 24);
    tells("a.npy", NULL, "<f4 fp32 [2,3]F: 1.5 -2 0.25 8 0.0009765625 -0\n");
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", six, 24);
    tells("a.npy", NULL, "<f4 fp32 [2,2]: 1.5 -2 0.25 8\n"); /* what is behind it is not its own */
    write_npy(1,
              "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
              "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
              six, 4);
    tells("a.npy", NULL,
          "<f4 fp32 [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
          "1]: 1.5\n");
    write_npy(1,
              "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
              "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
              six, 4);
    refuses("a.npy", NULL, "its shape is no tuple of up to 32 whole numbers");
    write_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", six, 23);
    refuses("a.npy", NULL, "its shape takes 24 bytes from byte 67 on, and the file has 90");
}

/* ---- raw codes ---- */

static void raw_codes(void)
{
    bytes made = { 0 };
    put(&made, "\xc0\x3f\0\xc0\0\x40\xff", 7);
    write_file("codes", &made);
    const fpfmt_format *bf16 = fpfmt_named("bf16"), *e4m3 = fpfmt_named("e4m3");
    tells("codes", &(file_reading){ .from = bf16, .count = 2 }, "bf16 bf16 [2]: 1.5 -2\n");
    tells("codes", &(file_reading){ .from = bf16, .count = UINT64_MAX, .offset = 3 },
          "bf16 bf16 [2]: 1.763241526e-38 -2.552117752e+38\n");
    tells("codes", &(file_reading){ .from = bf16, .count = 1, .big_endian = true, .offset = 5 },
          "bf16 bf16 [1]: 7.96875\n");
    refuses("codes", &(file_reading){ .from = bf16, .count = UINT64_MAX },
            "its 7 bytes are no whole number of codes of bf16, which take 2 each");
    refuses("codes", &(file_reading){ .from = bf16, .count = 4 },
            "--count 4 is more than the 3 codes of bf16 from byte 0 on");
    refuses("codes", &(file_reading){ .from = e4m3, .count = 1, .offset = 8 },
            "--offset 8 is past the end, which is at byte 7");
    refuses("codes", &(file_reading){ .from = e4m3, .count = 1, .offset = UINT64_MAX },
            "--offset 18446744073709551615 is past the end");
    tells("codes", &(file_reading){ .from = e4m3, .count = UINT64_MAX, .offset = 7 },
          "e4m3 e4m3 [0]:\n");
    const char *told = told_of_input(&made, &(file_reading){ .from = e4m3, .count = 1 });
    CHECK(strcmp(told, "e4m3 e4m3 [1]: -2\n") == 0, "of standard input: %s", told);
    drop(&made);
    /* A byte that begins a header of JSON elsewhere. */
    put(&made, "\x38\x38\x38\x38\x38\x38\x38\x38{\x38", 10);
    write_file("codes", &made);
    tells("codes", &(file_reading){ .from = e4m3, .count = UINT64_MAX },
          "e4m3 e4m3 [10]: 1 1 1 1 1 1 1 1 352 1\n");
    drop(&made);
}

/* ---- no files ---- */

static void no_files(void)
{
    CHECK(mkfifo(file_path("fifo"), 0600) == 0, "there are no FIFOs");
    refuses("fifo", NULL, "it is no regular file; what comes through a pipe is read as -");
    refuses("nowhere.npy", NULL, "No such file or directory");
    bytes nothing = { 0 };
    write_file("empty.npy", &nothing);
    refuses("empty.npy", NULL, "it is none of .npy, .npz, .safetensors, their index, and GGUF");
    tells("empty.npy", &(file_reading){ .from = fpfmt_named("bf16"), .count = UINT64_MAX },
          "bf16 bf16 [0]:\n");
}

int main(void)
{
    static const struct test tests[] = {
        { "a header that NumPy reads is read, in versions 1 to 3", headers_that_are_read },
        { "a header that NumPy refuses is refused with one sentence", headers_that_are_refused },
        { "a magic, a version and a length that are wrong are told", openings },
        { "a header may have 10000 characters", longest_header },
        { "elements have the type and the order of bytes that descr says", types },
        { "Fortran's order, 32 dimensions, bytes behind the data, and data cut short",
          orders_and_ends },
        { "raw codes begin and end where they are told to", raw_codes },
        { "a FIFO, an empty file and no file give one sentence", no_files },
    };
    begin_files();
    int status = run_tests("arrays of NumPy", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
