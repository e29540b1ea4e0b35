/* records.c - rows of named fields for programs: TSV, CSV, blanks between, JSON
 * SPDX-License-Identifier: MIT */

#include "records.h"

#include <stdio.h>
#include <string.h>

/* RFC 4180: a field with a separator, a quote or a line break is quoted, its quotes doubled. */
static void put_csv(const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

void put_field(output_kind output, const char *text, size_t index)
{
    static const char separators[] = {
        [OUTPUT_PRINT] = '\t', [OUTPUT_TSV] = '\t', [OUTPUT_PLAIN] = ' ', [OUTPUT_CSV] = ','
    };
    if (index > 0)
        putchar(separators[output]);
    if (output == OUTPUT_CSV)
        put_csv(text);
    else
        fputs(text, stdout);
}

void json_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

void json_text_or_null(const char *text)
{
    if (strcmp(text, "-") == 0)
        fputs("null", stdout);
    else
        json_string(text);
}

void json_begin(const char *list)
{
    printf("{\"schema\": \"fpinspect/1\", \"%s\": [\n", list);
}

void json_end(void)
{
    fputs("\n]}\n", stdout);
}

void optional_ratio(number text, const fpfmt_ratio *ratio, bool exists, bool fraction)
{
    if (!exists)
        strcpy(text, "-");
    else if (fraction)
        fpfmt_print_fraction(text, NUMBER_SIZE, ratio);
    else
        fpfmt_print_ratio(text, NUMBER_SIZE, ratio);
}

static bool is_json(const records *made)
{
    return made->output == OUTPUT_JSON || made->output == OUTPUT_JSONL;
}

static void put_line(output_kind output, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_field(output, texts[i], i);
    putchar('\n');
}

static void put_object(const records *made, const char *const *texts)
{
    for (size_t i = 0; i < made->count; i++) {
        printf("%s\"%s\": ", i > 0 ? ", " : "{", made->names[i]);
        json_text_or_null(texts[i]);
    }
    putchar('}');
}

void records_begin(const records *made)
{
    if (made->output == OUTPUT_JSON)
        json_begin(made->list);
    else if (made->output == OUTPUT_TSV || made->output == OUTPUT_CSV)
        put_line(made->output, made->names, made->count);
}

void records_row(records *made, const char *const *texts)
{
    bool first = made->rows++ == 0;
    if (!is_json(made)) {
        put_line(made->output, texts, made->count);
        return;
    }
    if (made->output == OUTPUT_JSON)
        fputs(first ? "  " : ",\n  ", stdout);
    put_object(made, texts);
    if (made->output == OUTPUT_JSONL)
        putchar('\n');
}

void records_end(const records *made)
{
    if (made->output == OUTPUT_JSON)
        json_end();
}
