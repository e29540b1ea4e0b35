/* npy.c - arrays of NumPy
 * SPDX-License-Identifier: MIT
 *
 * The format is that of numpy.lib.format: a magic, two bytes of version, the length of a header,
 * and the header, which is a dictionary of three members as Python writes it. What is read and what
 * is refused is what NumPy reads and refuses, but for a negative dimension, which it reads from
 * some files. */

#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/byte_order.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/literal.h"
#include "kit/tensorfile/types.h"

enum {
    OPENING = 8,         /* bytes of magic and version */
    MOST_HEADER = 10000, /* characters that NumPy reads of a header that it does not trust */
    DESCR_ROOM = 64
};

typedef struct {
    char descr[DESCR_ROOM];
    bool columns_first;
    int rank;
    uint64_t shape[TENSOR_RANK];
} header;

/* (), (5,), (150, 4): a tuple, for which one number in parentheses is none. */
static bool take_shape(literal *rest, header *to)
{
    bool comma = true;
    to->rank = 0;
    if (!take_mark(rest, '('))
        return false;
    while (!take_mark(rest, ')')) {
        if (!comma || to->rank == TENSOR_RANK || !take_integer(rest, &to->shape[to->rank++]))
            return false;
        comma = take_mark(rest, ',');
    }
    return to->rank != 1 || comma;
}

/* One member; what is wrong with it, NULL if nothing is. Of members of one name the last counts. */
static const char *take_member(literal *rest, header *to, bool found[3])
{
    char key[DESCR_ROOM];
    if (!take_string(rest, key, sizeof key) || !take_mark(rest, ':'))
        return "its header is no dictionary of texts";
    if (strcmp(key, "descr") == 0) {
        found[0] = true;
        return take_string(rest, to->descr, sizeof to->descr)
                   ? NULL
                   : "its elements are of no plain type, as '<f4' is one";
    }
    if (strcmp(key, "fortran_order") == 0) {
        found[1] = true;
        to->columns_first = take_word(rest, "True");
        return to->columns_first || take_word(rest, "False")
                   ? NULL
                   : "its fortran_order is neither True nor False";
    }
    if (strcmp(key, "shape") == 0) {
        found[2] = true;
        return take_shape(rest, to) ? NULL : "its shape is no tuple of up to 32 whole numbers";
    }
    return "its header has a member that is none of descr, fortran_order and shape";
}

static const char *take_header(literal rest, header *to)
{
    bool found[3] = { false };
    const char *wrong = take_mark(&rest, '{') ? NULL : "its header is no dictionary";
    bool comma = true;
    while (wrong == NULL && !take_mark(&rest, '}')) {
        wrong = comma ? take_member(&rest, to, found) : "its header is no dictionary";
        comma = take_mark(&rest, ',');
    }
    if (wrong == NULL && !is_at_end(&rest))
        wrong = "its header goes on behind the dictionary";
    if (wrong == NULL && !(found[0] && found[1] && found[2]))
        wrong = "its header lacks descr, fortran_order or shape";
    return wrong;
}

/* The magic, the major version and the length of the header; *length counts what was read. */
static const char *take_opening(byte_reader *next, void *context, unsigned *major, size_t *length,
                                size_t *size)
{
    unsigned char bytes[OPENING + 4];
    size_t got = next(context, bytes, OPENING);
    if (got < OPENING || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return "it is no array of NumPy";
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return "its version is none of 1.0, 2.0 and 3.0";
    *major = bytes[6];
    size_t wide = *major == 1 ? 2 : 4;
    if (next(context, bytes + OPENING, wide) < wide)
        return "it ends within its header";
    *size = 0;
    for (size_t i = wide; i-- > 0;)
        *size = *size << 8 | bytes[OPENING + i];
    *length = OPENING + wide;
    return *size <= MOST_HEADER ? NULL : "its header is longer than 10000 characters";
}

/* The type that descr tells, or where it tells but a size, --from. */
static const char *settle_type(file_tensor *to, const header *from, const file_reading *reading)
{
    const file_type *type = numpy_type(from->descr);
    to->type = copy_text(from->descr, strlen(from->descr));
    if (type == NULL)
        return "its elements are of a type that is not read; f2, f4, f8, i1 to i4 and u1 to u4 are";
    to->big_endian = from->descr[0] == '>' || (from->descr[0] != '<' && is_host_big());
    to->bytes = type->bits / 8;
    settle_format(to, type, reading);
    return NULL;
}

bool read_npy_header(file_tensor *to, byte_reader *next, void *context, const file_reading *reading,
                     const char **why)
{
    char text[MOST_HEADER];
    header made = { .rank = 0 };
    size_t length, size;
    unsigned major;
    *why = take_opening(next, context, &major, &length, &size);
    if (*why == NULL && next(context, text, size) < size)
        *why = "it ends within its header";
    if (*why == NULL && memchr(text, '\0', size) != NULL)
        *why = "its header has a NUL";
    if (*why == NULL)
        *why = take_header((literal){ text, text + size, major < 3 }, &made);
    if (*why == NULL)
        *why = settle_type(to, &made, reading);
    if (*why != NULL)
        return false;
    to->columns_first = made.columns_first && made.rank > 1;
    to->rank = made.rank;
    memcpy(to->shape, made.shape, sizeof made.shape);
    to->offset = length + size;
    uint64_t each = to->bytes;
    if (!count_elements(to) || to->count > INT64_MAX / each)
        *why = "its shape has more elements than any file";
    to->bytes = to->count * each;
    return *why == NULL;
}

static size_t next_of_file(void *context, void *bytes, size_t n)
{
    return take_bytes(context, bytes, n) ? n : 0;
}

/* Elements of no format: what they are may be for who has the file to say. */
static void refuse_type(tensor_file *file, file_tensor *of, const file_reading *reading)
{
    const char *type = quoted(of->type, strlen(of->type));
    if (numpy_type(of->type)->is_other)
        spoil(file, of, "its elements are of type %s, which is not read", type);
    else if (reading->from == NULL)
        spoil(file, of, "its elements are of type %s; say what they are by --from", type);
    else
        spoil(file, of, "its elements are of type %s, which is not read as %s", type,
              reading->from->name);
}

bool read_npy(tensor_file *file, const source *from, const file_reading *reading)
{
    cursor *at = allocate(1, sizeof *at);
    const char *why;
    *at = (cursor){ .from = from, .end = from->size };
    file_tensor *made = add_tensor(file, "");
    bool good = read_npy_header(made, next_of_file, at, reading, &why);
    release(at);
    if (!good)
        spoil(file, made, "%s", why);
    else if (made->bytes > from->size - made->offset) /* more than that NumPy does not mind */
        spoil(file, made, "its shape takes %llu bytes from byte %llu on, and the file has %llu",
              (unsigned long long)made->bytes, (unsigned long long)made->offset,
              (unsigned long long)from->size);
    else if (made->format == NULL && (reading->from != NULL || strchr(made->type, 'V') != NULL))
        refuse_type(file, made, reading);
    return !made->is_bad;
}
