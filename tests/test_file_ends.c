/* test_file_ends.c - files that end while they are read, and files that are larger than memory
 * SPDX-License-Identifier: MIT */

#define _XOPEN_SOURCE 700

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fpfmt.h>

#include "kit/run.h"
#include "kit/tensorfile/elements.h"
#include "kit/tensorfile/tensorfile.h"
#include "runner.h"
#include "tensor_files.h"

enum { ROW = 1 << 16, ROWS = 4 };

/* ---- readers ---- */

/* What happens to the file at path between its first piece and the others. */
static const char *path;
static void (*between)(void);
static uint64_t values, wrong;

static void count_values(const element_piece *piece)
{
    values += piece->count;
    for (size_t i = 0; i < piece->count; i++)
        wrong += piece->floats[i] != 1;
}

/* The first tensor of the file, to what reads it. */
static int read_first_tensor(void (*read)(element_stream *from, element_piece *piece))
{
    tensor_file file;
    if (!open_tensors(&file, path, NULL))
        return this_run()->status;
    element_stream *from = open_elements(&file, &file.tensors[0]);
    element_piece *piece = new_piece();
    read(from, piece);
    release_piece(piece);
    close_elements(from);
    close_tensors(&file);
    return this_run()->status;
}

static void take_all(element_stream *from, element_piece *piece)
{
    while (next_piece(from, piece, true) && piece->count > 0) {
        if (values == 0)
            between();
        count_values(piece);
    }
}

static int read_pieces(int argc, char **argv)
{
    (void)argc, (void)argv;
    return read_first_tensor(take_all);
}

/* Of a file that is huge. */
static void take_one(element_stream *from, element_piece *piece)
{
    if (keep_rows(from, 1, false) == PIECE_ELEMENTS && next_piece(from, piece, true))
        values = piece->count;
}

static int read_first(int argc, char **argv)
{
    (void)argc, (void)argv;
    return read_first_tensor(take_one);
}

/* Runs a command; its status, and what it said in said. */
static int run(int (*command)(int argc, char **argv), const char *name, char *said, size_t room)
{
    static char full[300];
    char *argv[] = { "reader", NULL };
    FILE *nothing = fopen("/dev/null", "r"), *out = fopen("/dev/null", "w");
    FILE *err = fmemopen(said, room, "w");
    snprintf(full, sizeof full, "%s", file_path(name));
    path = full;
    values = wrong = 0;
    memset(said, 0, room);
    int status = perform_run("reader", command, 1, argv, nothing, out, err);
    fclose(err);
    fclose(out);
    fclose(nothing);
    return status;
}

/* ---- files that end ---- */

/* ROWS rows of ones. */
static void write_ones(const char *name)
{
    bytes made = { 0 }, data = { 0 };
    static float row[ROW];
    char header[200];
    for (size_t i = 0; i < ROW; i++)
        row[i] = 1;
    for (int i = 0; i < ROWS; i++)
        put_floats(&data, row, ROW);
    if (strstr(name, ".npy") != NULL)
        put_npy(&made, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 65536)}", data.at,
                data.size);
    else {
        snprintf(header, sizeof header,
                 "{\"w\":{\"dtype\":\"F32\",\"shape\":[4,65536],\"data_offsets\":[0,%zu]}}",
                 data.size);
        put_safetensors(&made, header, data.at, data.size);
    }
    write_file(name, &made);
    drop(&made);
    drop(&data);
}

static void cut_in_half(void)
{
    CHECK(truncate(path, ROW * ROWS / 2 * 4) == 0, "%s cannot be cut", path);
}

static void make_longer(void)
{
    FILE *to = fopen(path, "ab");
    CHECK(to != NULL && fputs("more", to) >= 0 && fclose(to) == 0, "%s cannot grow", path);
}

static void remove_it(void)
{
    remove(path);
}

static void leave_it(void)
{
}

static void files_that_change(void)
{
    static const struct {
        const char *name;
        void (*between)(void);
        uint64_t values;
        const char *said;
    } rows[] = {
        { "a.npy", leave_it, ROW * ROWS, "" },
        { "a.npy", cut_in_half, ROW, ": it ends at byte 524288, and 71 more belong to it\n" },
        { "a.npy", make_longer, ROW * ROWS, "" },
        { "a.npy", remove_it, ROW * ROWS, "" },
        { "a.safetensors", cut_in_half, ROW,
          ": it ends at byte 524288, and 74 more belong to it\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char said[1000];
        write_ones(rows[i].name);
        between = rows[i].between;
        int status = run(read_pieces, rows[i].name, said, sizeof said);
        if (strstr(said, "was built without") != NULL)
            continue;
        CHECK(status == (*rows[i].said == '\0' ? EXIT_DONE : EXIT_TROUBLE) &&
                  values == rows[i].values && wrong == 0 && strstr(said, rows[i].said) != NULL,
              "row %zu: status %d, %" PRIu64 " values, %" PRIu64 " of them wrong: %s", i, status,
              values, wrong, said);
    }
}

/* ---- files that are huge ---- */

/* A file of so many bytes, of which the first are these and the others take no room. */
static bool write_sparse(const char *name, const bytes *start, uint64_t size)
{
    write_file(name, start);
    return truncate(file_path(name), (off_t)size) == 0;
}

/* Instrumented programs have more address space than files have bytes. */
static bool limit_memory(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return false;
#else
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0)
        return false;
    limit.rlim_cur = (rlim_t)300 << 20;
    return setrlimit(RLIMIT_AS, &limit) == 0;
#endif
}

static void huge_files(void)
{
    static const char *const shapes[] = { "(2147483648,)", "(2147483648, 1)", "(1, 2147483648)",
                                          "(32768, 65536)" };
    bool limited = limit_memory();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int columns = 0; columns < 2; columns++) {
            char header[200], said[1000];
            bytes start = { 0 };
            snprintf(header, sizeof header, "{'descr': '<f4', 'fortran_order': %s, 'shape': %s}",
                     columns ? "True" : "False", shapes[i]);
            put_npy(&start, 1, header, NULL, 0);
            bool written = write_sparse("huge.npy", &start, start.size + (UINT64_C(8) << 30));
            drop(&start);
            if (!written) {
                skip_test("there is no room for a file of 8 GiB without blocks");
                return;
            }
            int status = run(read_first, "huge.npy", said, sizeof said);
            CHECK(status == EXIT_DONE && values > 0 && values <= PIECE_ELEMENTS,
                  "%s%s: status %d, %" PRIu64 " values: %s", shapes[i], limited ? "" : " unlimited",
                  status, values, said);
        }
    remove(file_path("huge.npy"));
}

int main(void)
{
    static const struct test tests[] = {
        { "a file that is cut while it is read gives a sentence, and what grows is not read",
          files_that_change },
        { "an array of 8 GiB is begun in 300 MB", huge_files },
    };
    begin_files();
    int status = run_tests("files that end", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
