/* fuzz_tensors.c - the reader of tensor files under libFuzzer, which ./dev fuzz builds
 * SPDX-License-Identifier: MIT
 *
 * Each input is a file; its first bytes tell of which kind. Every tensor that opens is read. */

#define _XOPEN_SOURCE 700

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fpfmt.h>

#include "kit/run.h"
#include "kit/tensorfile/elements.h"
#include "kit/tensorfile/tensorfile.h"
#include "sound_files.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[] = "fuzzed.XXXXXX";
static FILE *file, *nothing;

static void remove_file(void)
{
    remove(path);
}

/* The folder "seeds" gets a sound file of each kind, for libFuzzer to begin with. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    mkdir("seeds", 0700);
    for (size_t i = 0; i < sound_file_count; i++) {
        char name[100];
        bytes made = { 0 };
        snprintf(name, sizeof name, "seeds/%s", sound_files[i].name);
        sound_files[i].make(&made);
        FILE *to = fopen(name, "wb");
        if (to == NULL || fwrite(made.at, 1, made.size, to) != made.size || fclose(to) != 0)
            exit(1);
        drop(&made);
    }
    int made = mkstemp(path);
    file = made < 0 ? NULL : fdopen(made, "wb");
    nothing = fopen("/dev/null", "r+");
    if (file == NULL || nothing == NULL)
        exit(1);
    return atexit(remove_file);
}

static void read_elements(tensor_file *from, const file_tensor *of)
{
    element_stream *elements = open_elements(from, of);
    if (elements == NULL)
        return;
    element_piece *piece = new_piece();
    while (next_piece(elements, piece, true) && piece->count > 0)
        continue;
    release_piece(piece);
    close_elements(elements);
}

static int read_all(int argc, char **argv)
{
    const file_reading reading = { .from = fpfmt_named("bf16"), .count = UINT64_MAX };
    tensor_file made;
    (void)argc, (void)argv;
    if (!open_tensors(&made, path, &reading))
        return this_run()->status;
    for (size_t i = 0; i < made.count; i++)
        if (!made.tensors[i].is_bad &&
            (made.tensors[i].format != NULL || made.tensors[i].block != NULL))
            read_elements(&made, &made.tensors[i]);
    close_tensors(&made);
    return this_run()->status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[] = { "fuzz", NULL };
    rewind(file);
    if (ftruncate(fileno(file), 0) != 0 || fwrite(data, 1, size, file) != size || fflush(file) != 0)
        abort();
    perform_run("fuzz", read_all, 1, argv, nothing, nothing, nothing);
    return 0;
}
