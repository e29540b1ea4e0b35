/* show_tensors.c - writes what the reader of tensor files reads, for programs in other languages
 * SPDX-License-Identifier: MIT
 *
 *     show_tensors [--from FORMAT] FILE...
 *
 * Of each file comes a line "file PATH", then of each tensor a line of fields separated by tabs:
 * "tensor", its name, its type, the sizes of its shape separated by commas, C or F for the index
 * that is the slowest or the fastest, and how many elements follow; "-" where they are not read.
 * Elements are binary64 numbers in the order of the file and of this machine. A last line "end"
 * follows, or "refused". */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "kit/run.h"
#include "kit/tensorfile/elements.h"
#include "kit/tensorfile/tensorfile.h"

static void show_elements(tensor_file *file, const file_tensor *of)
{
    FILE *out = this_run()->out;
    element_stream *from = open_elements(file, of);
    if (from == NULL)
        return;
    element_piece *piece = new_piece();
    while (next_piece(from, piece, true) && piece->count > 0)
        for (size_t i = 0; i < piece->count; i++) {
            double value = piece->wide ? piece->doubles[i] : (double)piece->floats[i];
            fwrite(&value, sizeof value, 1, out);
        }
    release_piece(piece);
    close_elements(from);
}

static void show_tensor(tensor_file *file, const file_tensor *of)
{
    FILE *out = this_run()->out;
    fprintf(out, "tensor\t%s\t%s\t", of->name, of->type);
    for (int i = 0; i < of->rank; i++)
        fprintf(out, "%s%" PRIu64, i == 0 ? "" : ",", of->shape[i]);
    fprintf(out, "\t%c\t", of->columns_first ? 'F' : 'C');
    if (of->is_bad || (of->format == NULL && of->block == NULL)) {
        fputs("-\n", out);
        return;
    }
    fprintf(out, "%" PRIu64 "\n", of->count);
    show_elements(file, of);
}

static int show_tensors(int argc, char **argv)
{
    FILE *out = this_run()->out;
    file_reading reading = { .count = UINT64_MAX };
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--from") == 0) {
        reading.from = fpfmt_named(argv[2]);
        first = 3;
    }
    for (int i = first; i < argc; i++) {
        tensor_file file;
        fprintf(out, "file\t%s\n", argv[i]);
        bool good = open_tensors(&file, argv[i], &reading);
        for (size_t k = 0; good && k < file.count; k++)
            show_tensor(&file, &file.tensors[k]);
        if (good)
            close_tensors(&file);
        fputs(good ? "end\n" : "refused\n", out);
    }
    return this_run()->status;
}

int main(int argc, char **argv)
{
    return perform_run("show_tensors", show_tensors, argc, argv, stdin, stdout, stderr);
}
