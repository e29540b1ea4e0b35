/* test_shards.c - tensors in several files that belong together, by an index or a folder
 * SPDX-License-Identifier: MIT */

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "tensor_files.h"

#define INDEX "model.safetensors.index.json"

/* A shard with one tensor: name, [2] of U8, both elements the number. */
static void write_shard(const char *file, const char *name, unsigned char number)
{
    char header[200];
    bytes made = { 0 };
    snprintf(header, sizeof header,
             "{\"%s\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}", name);
    put_safetensors(&made, header, (unsigned char[]){ number, number }, 2);
    write_file(file, &made);
    drop(&made);
}

static void write_index(const char *text)
{
    bytes made = { 0 };
    put_text(&made, text);
    write_file(INDEX, &made);
    drop(&made);
}

static void begin(void)
{
    write_shard("1.safetensors", "a", 1);
    write_shard("2.safetensors", "b", 2);
}

#define A_TOLD "a U8 uint8 [2]: 1 1\n"
#define B_TOLD "b U8 uint8 [2]: 2 2\n"
#define MAP(entries) "{\"weight_map\":{" entries "}}"
#define A_MAP "\"a\":\"1.safetensors\""
#define B_MAP "\"b\":\"2.safetensors\""

static void indices(void)
{
    static const struct {
        const char *index, *expected;
    } rows[] = {
        { MAP(A_MAP "," B_MAP), A_TOLD B_TOLD },
        { MAP(B_MAP "," A_MAP), A_TOLD B_TOLD },
        { "{\"metadata\":{},\"weight_map\":{" A_MAP "," B_MAP "}}", A_TOLD B_TOLD },
        { "{\"metadata\":{\"total_size\":4,\"total_parameters\":4},"
          "\"weight_map\":{" A_MAP "}}\n",
          A_TOLD },
        { MAP(B_MAP), B_TOLD },
        { MAP(A_MAP ",\"c\":\"2.safetensors\""),
          A_TOLD B_TOLD "! 2.safetensors: tensor 'b': the index does not say that it is in this "
                        "file\n! " INDEX ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP ",\"b\":\"1.safetensors\""),
          A_TOLD "! " INDEX ": tensor 'b' is in no shard\n" },
        { MAP(A_MAP "," B_MAP ",\"c\":\"3.safetensors\""), A_TOLD B_TOLD
          "! 3.safetensors: No such file or directory\n! " INDEX ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP ",\"c\":\"../1.safetensors\""),
          A_TOLD "! " INDEX ": tensor 'c' is said to be in no file beside the index\n! " INDEX
                 ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP ",\"c\":\"/etc/passwd\""),
          A_TOLD "! " INDEX ": tensor 'c' is said to be in no file beside the index\n! " INDEX
                 ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP ",\"c\":\"..\\\\1.safetensors\""),
          A_TOLD "! " INDEX ": tensor 'c' is said to be in no file beside the index\n! " INDEX
                 ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP ",\"c\":\"..\""),
          A_TOLD "! " INDEX ": tensor 'c' is said to be in no file beside the index\n! " INDEX
                 ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP ",\"c\":\"\""),
          A_TOLD "! " INDEX ": tensor 'c' is said to be in no file beside the index\n! " INDEX
                 ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP ",\"c\":7"),
          A_TOLD "! " INDEX ": tensor 'c' is said to be in no file beside the index\n! " INDEX
                 ": tensor 'c' is in no shard\n" },
        { MAP(A_MAP "," A_MAP), "! " INDEX ": no JSON at byte 38: duplicate object key near "
                                "'\"a\"'\n" },
        { MAP(""), "! " INDEX ": its weight_map names no tensors\n" },
        { "{}", "! " INDEX ": it is no index of shards: it has no weight_map\n" },
        { "{\"weight_map\":[]}", "! " INDEX ": it is no index of shards: it has no weight_map\n" },
        { "[]", "! " INDEX ": its JSON is no object\n" },
        { "", "! " INDEX ": no JSON at byte 0: '[' or '{' expected near end of file\n" },
        { MAP("\"a\":\"" INDEX "\""),
          "! " INDEX ": its header has 8388068008349082235 bytes, and 100000000 are the most\n" },
    };
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_index(rows[i].index);
        if (!tells(INDEX, NULL, rows[i].expected) || !tells("", NULL, rows[i].expected))
            CHECK(false, "of %s", rows[i].index);
    }
    remove(file_path(INDEX));
}

/* Without an index, the shards of a folder belong together. */
static void folders(void)
{
    begin();
    tells("", NULL, A_TOLD B_TOLD);
    write_shard("3.safetensors", "a", 3);
    tells("", NULL,
          "a U8 uint8 [2]: bad\n" B_TOLD "a U8 uint8 [2]: bad\n! 3.safetensors: tensor "
          "'a': another tensor has this name\n");
    bytes cut = { 0 };
    put_text(&cut, "1234567");
    write_file("3.safetensors", &cut);
    tells("", NULL, A_TOLD B_TOLD "! 3.safetensors: it ends at byte 7, and 1 more belong to it\n");
    drop(&cut);
    write_file("3.safetensors", &(bytes){ 0 });
    write_file("1.safetensors", &(bytes){ 0 });
    write_file("2.safetensors", &(bytes){ 0 });
    tells("", NULL,
          "! 1.safetensors: it ends at byte 0, and 8 more belong to it\n"
          "! 2.safetensors: it ends at byte 0, and 8 more belong to it\n"
          "! 3.safetensors: it ends at byte 0, and 8 more belong to it\n");
    remove(file_path("1.safetensors"));
    remove(file_path("2.safetensors"));
    remove(file_path("3.safetensors"));
    tells("", NULL, "! : there are no files of safetensors in it\n");
}

int main(void)
{
    static const struct test tests[] = {
        { "an index and its shards say the same, or it is told where they do not", indices },
        { "shards of a folder belong together, and one that is cut leaves the others", folders },
    };
    begin_files();
    int status =
        skips_all("a.safetensors") ? 0 : run_tests("shards", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
