/* tensor_files.c - files of tensors, written for a test, and what the reader tells of them
 * SPDX-License-Identifier: MIT */

#define _XOPEN_SOURCE 700

#include "tensor_files.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/run.h"
#include "kit/tensorfile/elements.h"
#include "runner.h"

enum { SHOWN = 20 };

/* ---- files ---- */

static char folder[] = "tensors.XXXXXX";

void begin_files(void)
{
    if (mkdtemp(folder) == NULL) {
        puts("Bail out! there is no folder to write in");
        exit(1);
    }
}

const char *file_path(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void end_files(void)
{
    DIR *all = opendir(folder);
    struct dirent *entry;
    while (all != NULL && (entry = readdir(all)) != NULL)
        if (entry->d_name[0] != '.')
            remove(file_path(entry->d_name));
    if (all != NULL)
        closedir(all);
    rmdir(folder);
}

/* The file is a new one each time: some file systems write at once what replaces an old one. */
void write_file(const char *name, const bytes *content)
{
    remove(file_path(name));
    FILE *to = fopen(file_path(name), "wb");
    size_t n = to == NULL || content->size == 0 ? 0 : fwrite(content->at, 1, content->size, to);
    CHECK(to != NULL && n == content->size && fclose(to) == 0, "%s cannot be written", name);
}

/* ---- what is told ---- */

/* How values are shown. */
typedef struct {
    const file_reading *reading;
    bool in_runs;
} told_how;

typedef struct {
    FILE *out;
    bool in_runs;
    char last[40];   /* the value of the run that goes on */
    uint64_t length; /* of the run; 0: there is none */
} shown_values;

static void end_run(shown_values *to)
{
    if (to->length > 0)
        fprintf(to->out, " %s", to->last);
    if (to->length > 1)
        fprintf(to->out, " x%" PRIu64, to->length);
    to->length = 0;
}

static void show_values(shown_values *to, const element_piece *piece)
{
    for (size_t i = 0; i < piece->count; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.10g",
                 piece->wide ? piece->doubles[i] : (double)piece->floats[i]);
        if (!to->in_runs && piece->first + i >= SHOWN) {
            fputs(piece->first + i == SHOWN ? " ..." : "", to->out);
            continue;
        }
        if (!to->in_runs || to->length == 0 || strcmp(text, to->last) != 0)
            end_run(to);
        memcpy(to->last, text, sizeof text);
        to->length++;
        if (!to->in_runs)
            end_run(to);
    }
}

/* Reads to the end; false after a complaint. */
static bool show_elements(FILE *out, tensor_file *file, const file_tensor *of, bool in_runs)
{
    shown_values shown = { .out = out, .in_runs = in_runs };
    element_stream *from = open_elements(file, of);
    element_piece *piece;
    bool good = from != NULL;
    if (!good)
        return false;
    piece = new_piece();
    while ((good = next_piece(from, piece, true)) && piece->count > 0)
        show_values(&shown, piece);
    end_run(&shown);
    release_piece(piece);
    return close_elements(from) && good;
}

static void show_tensor(FILE *out, tensor_file *file, const file_tensor *of, bool in_runs)
{
    fprintf(out, "%s%s%s %s [", of->name, *of->name == '\0' ? "" : " ", of->type,
            of->format != NULL  ? of->format->name
            : of->block != NULL ? of->block->name
                                : "-");
    for (int i = 0; i < of->rank; i++)
        fprintf(out, "%s%" PRIu64, i == 0 ? "" : ",", of->shape[i]);
    fprintf(out, "]%s%s%s%s:", of->columns_first ? "F" : "", of->is_scale ? " (scale)" : "",
            of->scheme.rule == NULL ? "" : " as ", of->scheme.rule == NULL ? "" : of->scheme.rule);
    if (of->is_bad)
        fputs(" bad", out);
    else if (of->format == NULL && of->block == NULL)
        fputs(" not read", out);
    else
        show_elements(out, file, of, in_runs);
    fputc('\n', out);
}

/* What the command is told besides its words. */
static told_how how;

static int tell(int argc, char **argv)
{
    tensor_file file;
    (void)argc;
    if (!open_tensors(&file, argv[1], how.reading))
        return this_run()->status;
    for (size_t i = 0; i < file.count; i++)
        show_tensor(this_run()->out, &file, &file.tensors[i], how.in_runs);
    close_tensors(&file);
    return this_run()->status;
}

/* Complaints without the name of the program and of the folder. */
static void add_complaints(char *told, size_t room, const char *said)
{
    const char lead[] = "reader: ";
    while (*said != '\0' && strlen(told) + 4 < room) {
        size_t line = strcspn(said, "\n");
        const char *from = strncmp(said, lead, strlen(lead)) == 0 ? said + strlen(lead) : said;
        if (strncmp(from, folder, strlen(folder)) == 0)
            from += strlen(folder) + (from[strlen(folder)] == '/');
        snprintf(told + strlen(told), room - strlen(told), "! %.*s\n", (int)(said + line - from),
                 from);
        said += line + (said[line] == '\n');
    }
}

static const char *perform(const char *path, FILE *in, told_how told_so, int *status)
{
    static char told[1 << 16];
    char *out = NULL, *err = NULL, *argv[] = { "reader", (char *)(size_t)path, NULL };
    size_t out_size, err_size;
    FILE *to = open_memstream(&out, &out_size), *said = open_memstream(&err, &err_size);
    how = told_so;
    *status = perform_run("reader", tell, 2, argv, in, to, said);
    fclose(to);
    fclose(said);
    CHECK((*status == EXIT_TROUBLE) == (*err != '\0') || strstr(err, ": note: ") != NULL,
          "%s: exit status %d with \"%s\"", path, *status, err);
    snprintf(told, sizeof told, "%s", out);
    add_complaints(told, sizeof told, err);
    free(out);
    free(err);
    return told;
}

static const char *tell_with(const char *path, const bytes *input, told_how told_so, int *status)
{
    FILE *in = input == NULL || input->size == 0 ? fopen("/dev/null", "rb")
                                                 : fmemopen(input->at, input->size, "rb");
    const char *told = perform(path, in, told_so, status);
    fclose(in);
    return told;
}

const char *told_of(const char *name, const file_reading *reading)
{
    int status;
    return tell_with(file_path(name), NULL, (told_how){ reading, false }, &status);
}

const char *told_of_input(const bytes *input, const file_reading *reading)
{
    int status;
    return tell_with("-", input, (told_how){ reading, false }, &status);
}

bool skips_all(const char *name)
{
    bytes made = { 0 };
    if (strcmp(name, "a.npz") == 0)
        put_zip(&made, NULL, 0);
    else
        put_safetensors(&made, "{}", NULL, 0);
    write_file(name, &made);
    drop(&made);
    const char *told = told_of(name, NULL), *library = strstr(told, "was built without ");
    remove(file_path(name));
    if (library == NULL)
        return false;
    printf("1..0 # SKIP the reader %.*s\n", (int)strcspn(library, ","), library);
    return true;
}

int read_all_of(const char *name, const file_reading *reading)
{
    int status;
    const char *told = tell_with(file_path(name), NULL, (told_how){ reading, false }, &status);
    CHECK(strstr(told, "out of memory") == NULL, "%s: a length that it claims was allocated", name);
    for (const char *line = strchr(told, '!'); line != NULL; line = strchr(line + 1, '!'))
        for (const char *c = line; (line == told || line[-1] == '\n') && *c != '\n'; c++)
            if (!CHECK((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f,
                       "%s: a message has the byte %02x", name, (unsigned char)*c))
                break;
    return status;
}

bool tells(const char *name, const file_reading *reading, const char *expected)
{
    const char *told = told_of(name, reading);
    return CHECK(strcmp(told, expected) == 0, "%s tells\n%snot\n%s", name, told, expected);
}

bool tells_runs(const char *name, const file_reading *reading, const char *expected)
{
    int status;
    const char *told = tell_with(file_path(name), NULL, (told_how){ reading, true }, &status);
    return CHECK(strcmp(told, expected) == 0, "%s tells\n%snot\n%s", name, told, expected);
}

bool refuses(const char *name, const file_reading *reading, const char *sentence)
{
    const char *told = told_of(name, reading);
    size_t lead = strlen("! ") + strlen(name) + strlen(": "), end = strcspn(told, "\n");
    return CHECK(told[0] == '!' && strlen(told) >= lead &&
                     strncmp(told + lead, sentence, strlen(sentence)) == 0 && told[end + 1] == '\0',
                 "%s tells\n%snot\n%s", name, told, sentence);
}
