/* npy.c - arrays in files of NumPy
 * SPDX-License-Identifier: MIT
 *
 * The format is that of numpy.lib.format: the magic, two bytes of version, the length of a header,
 * and the header, which is a dictionary as Python writes it. Lengths that it claims are compared
 * with the size of the file before anything is done with them. */

#include "kit/npy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kit/files.h"
#include "kit/memory.h"
#include "kit/say.h"

enum { CHUNK = 65536, SHOWN = 60 };

static unsigned char *read_stream(FILE *file, size_t *size)
{
    unsigned char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    do {
        if (room - *size < CHUNK) {
            room = room * 2 + CHUNK + 1;
            bytes = resize(bytes, room, 1);
        }
        *size += fread(bytes + *size, 1, room - *size - 1, file);
    } while (!feof(file) && !ferror(file));
    if (ferror(file)) {
        release(bytes);
        return NULL;
    }
    bytes[*size] = '\0';
    return bytes;
}

unsigned char *read_whole_file(const char *path, size_t *size)
{
    unsigned char *bytes = NULL;
    errno = 0;
    FILE *file = open_file(path, "rb");
    if (file != NULL)
        bytes = read_stream(file, size);
    if (bytes == NULL)
        complain("%s: %s", quoted(path, strlen(path)), strerror(errno));
    if (file != NULL)
        close_file(file);
    return bytes;
}

/* ---- the header ---- */

/* What is left of the header. */
typedef struct {
    const char *at, *end;
} header;

static void skip_blanks(header *rest)
{
    while (rest->at < rest->end && strchr(" \t\n", *rest->at) != NULL && *rest->at != '\0')
        rest->at++;
}

/* Takes the text, and blanks before it, if it is next. */
static bool take(header *rest, const char *text)
{
    size_t length = strlen(text);
    skip_blanks(rest);
    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, text, length) != 0)
        return false;
    rest->at += length;
    return true;
}

static bool take_size(header *rest, size_t *size)
{
    skip_blanks(rest);
    const char *start = rest->at;
    *size = 0;
    for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
        size_t digit = (size_t)(*rest->at - '0');
        if (*size > (SIZE_MAX - digit) / 10)
            return false;
        *size = *size * 10 + digit;
    }
    return rest->at > start;
}

/* (), (5,), (150, 4) */
static bool take_shape(header *rest, npy_array *array)
{
    array->rank = 0;
    if (!take(rest, "("))
        return false;
    while (!take(rest, ")")) {
        if (array->rank == NPY_RANK || !take_size(rest, &array->shape[array->rank++]))
            return false;
        if (!take(rest, ","))
            return take(rest, ")");
    }
    return true;
}

static bool take_type(header *rest, npy_array *array)
{
    static const struct {
        const char *text;
        char kind;
        size_t bytes;
    } types[] = {
        { "'<f4'", 'f', 4 }, { "'<f8'", 'f', 8 }, { "'<i4'", 'i', 4 }, { "'<i8'", 'i', 8 }
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (take(rest, types[i].text)) {
            array->kind = types[i].kind;
            array->bytes = types[i].bytes;
            return true;
        }
    return false;
}

/* What is wrong with the header, NULL if nothing is. */
static const char *read_header(npy_array *array, header rest)
{
    bool type = false, order = false, shape = false;
    if (!take(&rest, "{"))
        return "its header is no dictionary";
    while (!take(&rest, "}")) {
        if (!type && take(&rest, "'descr'") && take(&rest, ":")) {
            if (!(type = take_type(&rest, array)))
                return "its elements are not of type <f4, <f8, <i4 or <i8";
        } else if (!order && take(&rest, "'fortran_order'") && take(&rest, ":")) {
            array->columns_first = take(&rest, "True");
            if (!(order = array->columns_first || take(&rest, "False")))
                return "its order is neither True nor False";
        } else if (!shape && take(&rest, "'shape'") && take(&rest, ":")) {
            if (!(shape = take_shape(&rest, array)))
                return "its shape is not one of at most two sizes";
        } else {
            return "its header is not understood";
        }
        if (!take(&rest, ",")) {
            if (!take(&rest, "}"))
                return "its header is not understood";
            break;
        }
    }
    skip_blanks(&rest);
    return rest.at != rest.end         ? "its header goes on behind the dictionary"
           : !type || !order || !shape ? "its header lacks descr, fortran_order or shape"
                                       : NULL;
}

/* Do so many elements take exactly so many bytes? */
static bool fills(const npy_array *array, size_t bytes)
{
    size_t count = 1;
    for (size_t i = 0; i < array->rank; i++) {
        if (array->shape[i] != 0 && count > SIZE_MAX / array->shape[i])
            return false;
        count *= array->shape[i];
    }
    return bytes % array->bytes == 0 && count == bytes / array->bytes;
}

/* What is wrong with the file, NULL if nothing is. */
static const char *parse(npy_array *array, size_t size)
{
    const unsigned char *file = array->file;
    if (size < 10 || memcmp(file, "\x93NUMPY", 6) != 0)
        return "it is no file of NumPy";
    size_t start = file[6] == 1 ? 10 : 12, length = file[8] + (size_t)file[9] * 256;
    if ((file[6] != 1 && file[6] != 2) || file[7] != 0)
        return "its version is neither 1.0 nor 2.0";
    if (size < start)
        return "it ends within its header";
    if (start == 12)
        length += ((size_t)file[10] << 16) + ((size_t)file[11] << 24);
    if (length > size - start)
        return "it ends within its header";
    const char *text = (const char *)file + start;
    const char *wrong = read_header(array, (header){ text, text + length });
    if (wrong != NULL)
        return wrong;
    array->data = file + start + length;
    return fills(array, size - start - length) ? NULL : "its data is not as long as its shape says";
}

bool read_npy(npy_array *array, const char *path)
{
    size_t size;
    *array = (npy_array){ .file = read_whole_file(path, &size) };
    if (array->file == NULL)
        return false;
    const char *wrong = parse(array, size);
    if (wrong == NULL)
        return true;
    complain("%s: %s", quoted(path, strlen(path)), wrong);
    release(array->file);
    return false;
}

uint64_t npy_element(const npy_array *array, size_t i, size_t k)
{
    size_t columns = array->rank == 2 ? array->shape[1] : 1;
    size_t at = array->columns_first ? k * array->shape[0] + i : i * columns + k;
    uint64_t bits = 0;
    for (size_t b = array->bytes; b-- > 0;)
        bits = bits << 8 | array->data[at * array->bytes + b];
    if (array->kind == 'i' && array->bytes == 4 && bits >> 31 != 0)
        bits |= UINT64_C(0xffffffff) << 32;
    return bits;
}
