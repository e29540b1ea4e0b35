/* rows.c - what an experiment prints: paragraphs and tables for people, records for programs
 * SPDX-License-Identifier: MIT
 *
 * The records of the kit are structs with a schema. Here the struct is an array of texts, one for
 * each column that programs see, and the schema follows from the columns. */

#include "rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kit/memory.h"

enum { TEXT_SIZE = 2048 };

struct lab_page {
    form how;
    const char *experiment;
    const uint64_t *seed;
    const lab_column *columns;
    size_t cell;          /* cells of the row so far, seen or not */
    const field **fields; /* for programs; NULL until rows begin */
    char **texts;         /* of the row, NULL for what does not exist */
    size_t field_count, filled;
    records records;
};

lab_page *lab_open(form how, const char *experiment, const uint64_t *seed)
{
    lab_page *page = allocate(1, sizeof *page);
    page->how = how;
    page->experiment = experiment;
    page->seed = seed;
    return page;
}

void lab_close(lab_page *page)
{
    if (page->fields != NULL)
        records_close(&page->records);
}

bool lab_on_screen(const lab_page *page)
{
    return page->how == FORM_SCREEN;
}

void lab_say(const lab_page *page, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    if (!lab_on_screen(page))
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    out_wrapped(0, text);
}

void lab_gap(const lab_page *page)
{
    if (lab_on_screen(page))
        out_gap();
}

/* ---- rows for people ---- */

/* What a narrow screen leaves out: first the codes of results, then what was expected beside what
 * came out; 0 for all others. */
static int rank_of(const lab_column *column)
{
    if (strncmp(column->name, "expected-", strlen("expected-")) == 0)
        return 2;
    return strcmp(column->name, "code") == 0 ? 1 : 0;
}

static void put_headings(const lab_column *columns)
{
    int column = 0;
    for (; columns->name != NULL; columns++) {
        if (columns->place == LAB_MACHINE)
            continue;
        table_drop(column, rank_of(columns));
        table_align(column++, columns->aligned);
        table_cell(STYLE_DIM, columns->heading != NULL ? columns->heading : columns->name);
    }
    table_row();
}

/* ---- rows for programs ---- */

/* The schema: a text for each column that programs see, one behind the other. */
static void make_fields(lab_page *page)
{
    for (const lab_column *column = page->columns; column->name != NULL; column++) {
        if (column->place == LAB_SCREEN)
            continue;
        field *made = allocate(1, sizeof *made);
        *made = (field){ .name = column->name,
                         .kind = FIELD_TEXT,
                         .offset = page->field_count * sizeof *page->texts };
        page->fields = more(page->fields, page->field_count, sizeof *page->fields);
        page->fields[page->field_count++] = made;
    }
    page->texts = allocate(page->field_count, sizeof *page->texts);
}

static void begin_records(lab_page *page)
{
    char seed[24];
    make_fields(page);
    snprintf(seed, sizeof seed, "%" PRIu64, *page->seed);
    records_open(&page->records, page->how, "fplab/1");
    records_about(&page->records, "experiment", page->experiment);
    records_about(&page->records, "seed", seed);
    records_begin(&page->records, "rows", page->fields, page->field_count);
}

static void end_record(lab_page *page)
{
    records_row(&page->records, page->texts);
    for (size_t i = 0; i < page->field_count; i++)
        release(page->texts[i]);
    memset(page->texts, 0, page->field_count * sizeof *page->texts);
    page->filled = 0;
}

/* ---- rows for both ---- */

void lab_rows(lab_page *page, const lab_column *columns)
{
    page->columns = columns;
    if (lab_on_screen(page)) {
        table_begin(0);
        put_headings(columns);
    } else if (page->fields == NULL) {
        begin_records(page);
    }
}

void lab_cell(lab_page *page, const char *text, const char *shown)
{
    const lab_column *column = &page->columns[page->cell++];
    bool exists = strcmp(text, "-") != 0;
    if (lab_on_screen(page) && column->place != LAB_MACHINE)
        table_cell(column->look, shown != NULL ? shown : text);
    else if (!lab_on_screen(page) && column->place != LAB_SCREEN)
        page->texts[page->filled++] = exists ? copy_text(text, strlen(text)) : NULL;
}

void lab_cellf(lab_page *page, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lab_cell(page, text, NULL);
}

void lab_end_row(lab_page *page)
{
    page->cell = 0;
    if (lab_on_screen(page))
        table_row();
    else
        end_record(page);
}

void lab_flush(const lab_page *page)
{
    if (lab_on_screen(page))
        table_flush();
}
