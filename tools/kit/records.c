/* records.c - facts as records of named fields, for programs: TSV, CSV, JSON and their like
 * SPDX-License-Identifier: MIT */

#include "kit/records.h"

#include <stdio.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/run.h"

/* ---- flat forms ---- */

/* RFC 4180: a field with a separator, a quote or a line break is quoted, its quotes doubled. */
static void put_csv(FILE *to, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

void put_field(form how, const char *text, size_t index)
{
    static const char separators[] = {
        [FORM_PRINT] = '\t', [FORM_TSV] = '\t', [FORM_PLAIN] = ' ', [FORM_CSV] = ','
    };
    FILE *to = this_run()->out;
    if (index > 0)
        putc(separators[how], to);
    if (how == FORM_CSV)
        put_csv(to, text);
    else
        fputs(text, to);
}

/* The facts of an object in these facts; NULL if it does not exist. */
static const void *object_of(const field *of, const void *facts)
{
    const char *bytes = facts;
    bool exists = of->exists == 0 || *(const bool *)(bytes + of->exists - 1);
    return exists ? bytes + of->offset : NULL;
}

/* The names of a field's columns; an object has one for each of its members, behind its own name.
 */
static void put_names_of(form how, const field *of, const char *outer, size_t *index)
{
    char name[80];
    snprintf(name, sizeof name, "%s%s%s", outer, *outer != '\0' ? "_" : "", of->name);
    if (of->kind == FIELD_LIST)
        return;
    if (of->kind != FIELD_OBJECT)
        put_field(how, name, (*index)++);
    else
        for (const field *member = of->of; member->name != NULL; member++)
            put_names_of(how, member, name, index);
}

/* What stands in these columns; facts NULL: nothing exists. Texts may be longer than a number. */
static void put_flat(form how, const field *of, const void *facts, size_t *index)
{
    number text;
    const char *at = facts == NULL ? NULL : (const char *)facts + of->offset;
    if (of->kind == FIELD_LIST)
        return;
    if (of->kind == FIELD_OBJECT) {
        const void *inner = facts == NULL ? NULL : object_of(of, facts);
        for (const field *member = of->of; member->name != NULL; member++)
            put_flat(how, member, inner, index);
    } else if (of->kind == FIELD_TEXT && at != NULL && *(const char *const *)at != NULL) {
        put_field(how, *(const char *const *)at, (*index)++);
    } else {
        put_field(how, at != NULL && field_text(text, of, facts) ? text : "-", (*index)++);
    }
}

static void put_header(const records *made)
{
    size_t index = 0;
    for (size_t i = 0; i < made->count; i++)
        put_names_of(made->how, made->fields[i], "", &index);
    putc('\n', this_run()->out);
}

static void put_line(const records *made, const void *facts)
{
    size_t index = 0;
    for (size_t i = 0; i < made->count; i++)
        put_flat(made->how, made->fields[i], facts, &index);
    putc('\n', this_run()->out);
}

/* ---- JSON ---- */

static void put_object(json_writer *to, const field *const *fields, size_t count, const void *facts,
                       const char *line);

static const field **pointers_to(const field *schema, size_t *count)
{
    const field **made = NULL;
    for (*count = 0; schema[*count].name != NULL; ++*count) {
        made = more(made, *count, sizeof *made);
        made[*count] = &schema[*count];
    }
    return made;
}

void json_facts(json_writer *to, const field *schema, const void *facts)
{
    size_t count;
    const field **fields = pointers_to(schema, &count);
    put_object(to, fields, count, facts, NULL);
    release(fields);
}

static void put_names(json_writer *to, const char *list)
{
    json_list(to);
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, " ");
        char *name = copy_text(list, length);
        json_text(to, name);
        release(name);
        list += length + strspn(list + length, " ");
    }
    json_end(to, "");
}

static void put_flags(json_writer *to, unsigned flags)
{
    json_list(to);
    const fpfmt_word *flag;
    for (size_t i = 0; (flag = word_at(&flag_words, i)) != NULL; i++)
        if (flags & flag->meaning)
            json_text(to, flag->name);
    json_end(to, "");
}

static void put_value(json_writer *to, const field *of, const void *facts, const char *line)
{
    number text;
    const char *at = (const char *)facts + of->offset;
    const fact_list *list = (const fact_list *)at;
    const void *inner;
    switch (of->kind) {
    case FIELD_TEXT: json_text(to, *(const char *const *)at); break;
    case FIELD_NAMES: put_names(to, *(const char *const *)at); break;
    case FIELD_BOOL: json_bool(to, *(const bool *)at); break;
    case FIELD_FLAGS: put_flags(to, *(const unsigned *)at); break;
    case FIELD_OBJECT:
        inner = object_of(of, facts);
        if (inner == NULL)
            json_text(to, NULL);
        else
            json_facts(to, of->of, inner);
        break;
    case FIELD_LIST:
        json_list(to);
        for (size_t i = 0; i < list->count; i++) {
            json_gap(to, line);
            json_facts(to, of->of, (const char *)list->rows + i * of->size);
        }
        json_end(to, "");
        break;
    default: json_text(to, field_text(text, of, facts) ? text : NULL); break;
    }
}

/* line is what stands before members that begin a line, NULL where all are in one line. */
static void put_object(json_writer *to, const field *const *fields, size_t count, const void *facts,
                       const char *line)
{
    json_members(to);
    for (size_t i = 0; i < count; i++) {
        if (fields[i]->flat)
            continue;
        if (fields[i]->line)
            json_gap(to, line);
        json_name(to, fields[i]->name);
        put_value(to, fields[i], facts, line);
    }
    json_end(to, "");
}

/* ---- all forms ---- */

void records_open(records *made, form how, const char *schema)
{
    *made = (records){ .how = how, .writer = json_to(this_run()->out) };
    if (how != FORM_JSON)
        return;
    json_members(&made->writer);
    json_member(&made->writer, "schema", schema);
}

void records_about(records *made, const char *name, const char *text)
{
    if (made->how == FORM_JSON)
        json_member(&made->writer, name, text);
}

void records_begin(records *made, const char *list, const field *const *fields, size_t count)
{
    made->fields = fields;
    made->count = count;
    if (made->how == FORM_JSON) {
        json_name(&made->writer, list);
        json_list(&made->writer);
    } else if (made->how == FORM_TSV || made->how == FORM_CSV) {
        put_header(made);
    }
}

void records_row(records *made, const void *facts)
{
    made->rows++;
    if (made->how == FORM_JSON) {
        json_gap(&made->writer, "\n  ");
        put_object(&made->writer, made->fields, made->count, facts, "\n   ");
    } else if (made->how == FORM_JSONL) {
        json_writer line = json_to(this_run()->out);
        put_object(&line, made->fields, made->count, facts, NULL);
        putc('\n', line.to);
    } else {
        put_line(made, facts);
    }
}

/* The list that has no rows is closed on a line of its own too. */
void records_close(records *made)
{
    if (made->how != FORM_JSON)
        return;
    if (made->rows == 0)
        putc('\n', made->writer.to);
    json_end(&made->writer, "\n");
    json_end(&made->writer, "");
    putc('\n', made->writer.to);
}

void print_records_about(form how, const char *schema, const char *format, const char *list,
                         const field *fields, fact_list facts, size_t size)
{
    records made;
    size_t count;
    const field **all = pointers_to(fields, &count);
    records_open(&made, how, schema);
    if (format != NULL)
        records_about(&made, "format", format);
    records_begin(&made, list, all, count);
    for (size_t i = 0; i < facts.count; i++)
        records_row(&made, (const char *)facts.rows + i * size);
    records_close(&made);
    release(all);
}

void print_records(form how, const char *schema, const char *list, const field *fields,
                   fact_list facts, size_t size)
{
    print_records_about(how, schema, NULL, list, fields, facts, size);
}
