/* rows.c - what experiments print: paragraphs, rows of named columns, progress
 * SPDX-License-Identifier: MIT */

#include "rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../fpinspect/records.h"

enum { TEXT_SIZE = 2048 };

static struct {
    const lab_column *columns;
    bool begun;          /* a list, for programs */
    size_t cell, fields; /* of the row: cells so far, and those that are printed */
    size_t rows;
    output_kind output;
    const char *name;
} now;

void rows_setup(bool json, bool tsv, const char *name)
{
    now.output = json ? OUTPUT_JSON : tsv ? OUTPUT_TSV : OUTPUT_SCREEN;
    now.name = name;
}

bool lab_on_screen(void)
{
    return now.output == OUTPUT_SCREEN;
}

void lab_say(const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    if (!lab_on_screen())
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    out_wrapped(0, text);
}

void lab_gap(void)
{
    if (lab_on_screen())
        out_line();
}

static bool is_seen(const lab_column *column)
{
    return column->place != (lab_on_screen() ? LAB_MACHINE : LAB_SCREEN);
}

static void put_headings(const lab_column *columns)
{
    size_t n = 0;
    for (; columns->name != NULL; columns++) {
        if (!is_seen(columns))
            continue;
        if (lab_on_screen()) {
            table_align((int)n++, columns->aligned);
            table_cell(STYLE_DIM, columns->heading != NULL ? columns->heading : columns->name);
        } else {
            put_field(now.output, columns->name, n++);
        }
    }
    if (lab_on_screen())
        table_row();
    else
        putchar('\n');
}

void lab_rows(const lab_column *columns)
{
    bool first = !now.begun;
    now.columns = columns;
    now.begun = true;
    if (lab_on_screen())
        table_begin(0);
    if (now.output != OUTPUT_JSON && (lab_on_screen() || first))
        put_headings(columns);
    if (now.output == OUTPUT_JSON && first)
        printf("{\"schema\": \"fplab/1\", \"experiment\": \"%s\", \"seed\": \"%" PRIu64
               "\", \"rows\": [\n",
               now.name, lab_seed);
}

static void put_json(const char *name, const char *text)
{
    if (now.fields == 0)
        fputs(now.rows == 0 ? "  {" : ",\n  {", stdout);
    printf("%s\"%s\": ", now.fields == 0 ? "" : ", ", name);
    json_text_or_null(text);
}

void lab_cell(const char *text, const char *shown)
{
    const lab_column *column = &now.columns[now.cell++];
    if (!is_seen(column))
        return;
    if (lab_on_screen())
        table_cell(column->look, shown != NULL ? shown : text);
    else if (now.output == OUTPUT_JSON)
        put_json(column->name, text);
    else
        put_field(now.output, text, now.fields);
    now.fields++;
}

void lab_cellf(const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lab_cell(text, NULL);
}

void lab_end_row(void)
{
    if (lab_on_screen())
        table_row();
    else
        fputs(now.output == OUTPUT_JSON ? "}" : "\n", stdout);
    now.cell = now.fields = 0;
    now.rows++;
}

void lab_flush(void)
{
    if (lab_on_screen())
        table_flush();
}

void rows_finish(void)
{
    if (now.begun && now.output == OUTPUT_JSON)
        fputs("\n]}\n", stdout);
}

void lab_progress(uint64_t done, uint64_t total)
{
    static time_t began;
    static bool told;
    static uint64_t percent;
    if (began == 0)
        began = time(NULL);
    uint64_t reached = total > 0 ? (uint64_t)(100.0L * (long double)done / (long double)total) : 0;
    if (!isatty(STDERR_FILENO) || (!told && time(NULL) - began < 2))
        return;
    if (done >= total)
        fputs("\r               \r", stderr);
    else if (!told || reached != percent)
        fprintf(stderr, "\rfplab: %3d %%", (int)reached);
    told = done < total;
    percent = reached;
}
