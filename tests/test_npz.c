/* test_npz.c - archives of arrays of NumPy: what is read of them, and what is refused
 * SPDX-License-Identifier: MIT
 *
 * The archives are written byte by byte, so that each of them may be wrong in one place. */

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "tensor_files.h"

#define HEADER(type, shape) "{'descr': '" type "', 'fortran_order': False, 'shape': " shape "}"

/* An array of two numbers of binary32, the second one is this. */
static bytes array_of(const char *header, float number)
{
    bytes made = { 0 }, data = { 0 };
    put_floats(&data, (float[]){ 1.5F, number }, 2);
    put_npy(&made, 1, header, data.at, data.size);
    drop(&data);
    return made;
}

/* Writes the archive, and drops its members. */
static void write_zip(const char *name, zip_member *members, size_t count)
{
    bytes made = { 0 };
    put_zip(&made, members, count);
    write_file(name, &made);
    drop(&made);
    for (size_t i = 0; i < count; i++)
        drop(&members[i].data);
}

static bytes plain(float number)
{
    return array_of(HEADER("<f4", "(2,)"), number);
}

#define A_TOLD "a <f4 fp32 [2]: 1.5 1\n"
#define B_TOLD "b <f4 fp32 [2]: 1.5 2\n"

/* ---- what is read ---- */

static void archives(void)
{
    bytes text = { 0 };
    put_text(&text, "no array");
    zip_member members[] = {
        { .name = "a.npy", .data = plain(1) },
        { .name = "README", .data = text },
        { .name = "layer/b.npy", .data = plain(2), .method = ZIP_DEFLATED },
        { .name = ".npy", .data = plain(3) },
        { .name = "columns.npy",
          .data = array_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1)}", 4) },
    };
    write_zip("a.npz", members, 5);
    tells("a.npz", NULL, A_TOLD "layer/b <f4 fp32 [2]: 1.5 2\ncolumns <f4 fp32 [2,1]F: 1.5 4\n");
    zip_member none[] = { { .name = "a.npy" } };
    write_zip("a.npz", none, 0);
    tells("a.npz", NULL, "! a.npz: there are no arrays of NumPy in it\n");
    zip_member coded[] = { { .name = "a.npy", .data = array_of(HEADER("<V2", "(4,)"), 2) } };
    write_zip("a.npz", coded, 1);
    tells("a.npz", &(file_reading){ .from = fpfmt_named("bf16"), .count = UINT64_MAX },
          "a <V2 bf16 [4]: 0 1.5 0 2\n");
}

/* More than fits in one piece, and in one block of deflate. */
static void long_arrays(void)
{
    enum { N = 100000 };
    bytes data = { 0 }, made = { 0 };
    for (int i = 0; i < N; i++)
        put_number(&data, (uint64_t)(i % 251), 1, false);
    put_npy(&made, 1, HEADER("|u1", "(100000,)"), data.at, data.size);
    zip_member members[] = { { .name = "a.npy", .data = made, .method = ZIP_DEFLATED } };
    write_zip("a.npz", members, 1);
    tells("a.npz", NULL,
          "a |u1 uint8 [100000]: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ...\n");
    drop(&data);
}

/* ---- what is refused ---- */

/* What is wrong with a member is told of it, and the others are read. */
static void wrong_members(void)
{
    static const struct {
        const char *header;
        unsigned method;
        uint32_t damage;
        uint64_t vast;
        bool is_locked;
        const char *type, *sentence;
    } rows[] = {
        { HEADER("<f4", "(2,)"), ZIP_STORED, 0, 0, false, "<f4 fp32 [2]: 1.5 1\n", NULL },
        { HEADER("<f4", "(2,)"), ZIP_STORED, 1, 0, false, "<f4 fp32 [2]: 1.5 1\n",
          "its data are damaged: the checksum is another one" },
        { HEADER("<f4", "(2,)"), ZIP_DEFLATED, 1, 0, false, "<f4 fp32 [2]: 1.5 1\n",
          "its data are damaged: the checksum is another one" },
        { HEADER("<f4", "(1,)"), ZIP_STORED, 0, 0, false, "<f4 fp32 [1]: bad\n",
          "its header and its shape take 69 bytes, and the archive has 73 of it" },
        { HEADER("<f4", "(3,)"), ZIP_STORED, 0, 0, false, "<f4 fp32 [3]: bad\n",
          "its header and its shape take 77 bytes, and the archive has 73 of it" },
        { HEADER("<f4", "(-2,)"), ZIP_STORED, 0, 0, false, " - []: bad\n",
          "its shape is no tuple of up to 32 whole numbers" },
        { HEADER("|O", "(1,)"), ZIP_STORED, 0, 0, false, "|O - []: bad\n", "its elements are of" },
        { HEADER("<f4", "(9223372036854775807,)"), ZIP_STORED, 0, 0, false,
          "<f4 fp32 [9223372036854775807]: bad\n", "its shape has more elements than any file" },
        { HEADER("<f4", "(2,)"), ZIP_STORED, 0, 0, true, " - []: bad\n", "" },
        { HEADER("<f4", "(2,)"), 97, 0, 0, false, " - []: bad\n", "" },
        { HEADER("|u1", "(10737418240,)"), ZIP_DEFLATED, 0, UINT64_C(10737418240) + 75, false,
          "|u1 uint8 [10737418240]:\n", "its data end early, or are damaged" },
        { HEADER("|u1", "(10737418240,)"), ZIP_DEFLATED, 0, UINT64_C(10737418240), false,
          "|u1 uint8 [10737418240]: bad\n",
          "its header and its shape take 10737418315 bytes, and the archive has 10737418240 of "
          "it" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char start[200], lead[100];
        zip_member members[] = {
            { "a.npy", array_of(rows[i].header, 1), rows[i].method, rows[i].damage, rows[i].vast,
              rows[i].is_locked },
            { .name = "b.npy", .data = plain(2) },
        };
        write_zip("a.npz", members, 2);
        const char *told = told_of("a.npz", NULL), *said = strchr(told, '!');
        snprintf(start, sizeof start, "a %s" B_TOLD, rows[i].type);
        snprintf(lead, sizeof lead, "! a.npz: tensor 'a': %s",
                 rows[i].sentence == NULL ? "" : rows[i].sentence);
        CHECK(strncmp(told, start, strlen(start)) == 0 &&
                  (rows[i].sentence == NULL
                       ? said == NULL
                       : said != NULL && strncmp(said, lead, strlen(lead)) == 0 &&
                             strchr(said, '\n')[1] == '\0'),
              "row %zu tells\n%s", i, told);
    }
}

static void wrong_archives(void)
{
    zip_member twins[] = { { .name = "a.npy", .data = plain(1) },
                           { .name = "a.npy", .data = plain(2) } };
    write_zip("a.npz", twins, 2);
    refuses("a.npz", NULL, "it cannot be read as an archive: ");
    /* Cut anywhere, an archive has no end, and nothing of it is read. */
    zip_member members[] = { { .name = "a.npy", .data = plain(1), .method = ZIP_DEFLATED },
                             { .name = "b.npy", .data = plain(2) } };
    bytes made = { 0 };
    put_zip(&made, members, 2);
    for (size_t n = 4; n < made.size; n++) {
        write_file("a.npz", &(bytes){ made.at, n });
        refuses("a.npz", NULL, "it cannot be read as an archive: ");
    }
    drop(&made);
    drop(&members[0].data);
    drop(&members[1].data);
}

int main(void)
{
    static const struct test tests[] = {
        { "stored and compressed arrays are read, and other members passed by", archives },
        { "an array may be longer than a piece of it that is read", long_arrays },
        { "what is wrong with a member is told of it, and the others are read", wrong_members },
        { "twins and archives that are cut are refused", wrong_archives },
    };
    begin_files();
    int status = skips_all("a.npz")
                     ? 0
                     : run_tests("archives of NumPy", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
