/* json.c - JSON as it is written, member by member
 * SPDX-License-Identifier: MIT */

#include "kit/json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "kit/memory.h"

json_writer json_to(FILE *to)
{
    return (json_writer){ .to = to };
}

void json_gap(json_writer *writer, const char *gap)
{
    writer->gap = gap;
}

/* What stands before a value: nothing behind its name, else a comma behind the element before. The
 * first thing in an object or list has no blank before it, but it may have a gap. */
static void separate(json_writer *writer)
{
    bool *any = &writer->any[writer->depth];
    if (!writer->named) {
        if (*any)
            putc(',', writer->to);
        if (writer->gap != NULL)
            fputs(writer->gap, writer->to);
        else if (*any && !writer->compact && writer->depth > 0)
            putc(' ', writer->to);
        writer->gap = NULL;
        *any = true;
    }
    writer->named = false;
}

static void put_quoted(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < 0x20)
            fprintf(to, "\\u%04x", c);
        else
            putc(c, to);
    }
    putc('"', to);
}

void json_name(json_writer *writer, const char *name)
{
    separate(writer);
    put_quoted(writer->to, name);
    fputs(writer->compact ? ":" : ": ", writer->to);
    writer->named = true;
}

void json_text(json_writer *writer, const char *text)
{
    separate(writer);
    if (text == NULL)
        fputs("null", writer->to);
    else
        put_quoted(writer->to, text);
}

void json_bool(json_writer *writer, bool value)
{
    separate(writer);
    fputs(value ? "true" : "false", writer->to);
}

void json_count(json_writer *writer, uint64_t value)
{
    separate(writer);
    fprintf(writer->to, "%" PRIu64, value);
}

void json_raw(json_writer *writer, const char *json)
{
    separate(writer);
    fputs(json, writer->to);
}

static void open(json_writer *writer, char opening, char closing)
{
    separate(writer);
    putc(opening, writer->to);
    assert(writer->depth + 1 < JSON_DEPTH);
    writer->close[writer->depth++] = closing;
    writer->any[writer->depth] = false;
}

void json_members(json_writer *writer)
{
    open(writer, '{', '}');
}

void json_list(json_writer *writer)
{
    open(writer, '[', ']');
}

void json_end(json_writer *writer, const char *before)
{
    fputs(before, writer->to);
    putc(writer->close[--writer->depth], writer->to);
}

void json_member(json_writer *writer, const char *name, const char *text)
{
    json_name(writer, name);
    json_text(writer, text);
}

/* The length of what fitted into so much room; SIZE_MAX where it may have been too little. Streams
 * into memory that grow lose what they had no memory for and do not tell, so this one does not. */
static size_t compose_into(char *room, size_t size, void (*compose)(json_writer *, void *),
                           void *context)
{
    FILE *to = fmemopen(room, size, "w");
    if (to == NULL)
        return SIZE_MAX;
    json_writer writer = json_to(to);
    compose(&writer, context);
    bool good = fflush(to) == 0 && ferror(to) == 0;
    long length = ftell(to);
    good = fclose(to) == 0 && good && length >= 0 && (size_t)length + 1 < size;
    return good ? (size_t)length : SIZE_MAX;
}

char *json_in_memory(void (*compose)(json_writer *writer, void *context), void *context,
                     size_t *length)
{
    enum { LEAST_ROOM = 8192 };
    for (size_t size = LEAST_ROOM; size < SIZE_MAX / 2; size *= 2) {
        char *room = allocate(size, 1);
        *length = compose_into(room, size, compose, context);
        if (*length != SIZE_MAX)
            return room;
        release(room);
    }
    return NULL;
}
