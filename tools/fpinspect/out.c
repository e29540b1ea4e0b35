/* out.c - standard output: colour, ASCII instead of drawing characters, aligned tables
 * SPDX-License-Identifier: MIT */

#include "out.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static bool ascii, color;
static int width = 100;

/* Sixteen colours only, so that the terminal's theme decides. */
static const char *const codes[] = {
    [STYLE_PLAIN] = "",  [STYLE_SIGN] = "35", [STYLE_EXPONENT] = "32", [STYLE_FRACTION] = "36",
    [STYLE_GOOD] = "32", [STYLE_WARN] = "33", [STYLE_LOST] = "1;31",   [STYLE_INPUT] = "1;34",
    [STYLE_NAME] = "1",  [STYLE_DIM] = "2",
};

static const struct {
    const char *drawn, *plain;
} replacements[] = {
    { "→", "->" }, { "≈", "~" },  { "−", "-" },   { "×", "*" }, { "₂", "_2" }, { "…", "..." },
    { "≤", "<=" }, { "≥", ">=" }, { "½", "1/2" }, { "─", "-" }, { "┬", "+" },  { "│", "|" },
    { "┄", "." },  { "━", "=" },  { "●", "o" },   { "▼", "v" }, { "├", "|" },  { "┤", "|" },
    { "╎", ":" },  { "█", "#" },  { "░", ":" },   { "┃", "|" }, { "┗", "^" },  { "▪", "=" },
    { "○", "x" },  { "▲", "A" },  { "■", "#" },   { "◆", "%" }, { "△", "v" },  { "□", "@" },
    { "◇", "+" },  { "└", "+" },  { "◂", "<" },   { "▸", ">" }, { "±", "+-" },
};

void out_setup(bool use_ascii, bool use_color, int use_width)
{
    ascii = use_ascii;
    color = use_color;
    width = use_width;
}

int out_width(void)
{
    return width;
}

/* The length of the character at text, and what stands for it in ASCII if it needs that. */
static size_t character(const char *text, const char **plain)
{
    unsigned char lead = (unsigned char)*text;
    size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    *plain = NULL;
    for (size_t i = 0; length > 1 && i < sizeof replacements / sizeof replacements[0]; i++)
        if (strncmp(text, replacements[i].drawn, length) == 0)
            *plain = replacements[i].plain;
    return length;
}

int width_of(const char *text)
{
    int columns = 0;
    const char *plain;
    for (; *text != '\0'; text += character(text, &plain)) {
        character(text, &plain);
        columns += ascii && plain != NULL ? (int)strlen(plain) : 1;
    }
    return columns;
}

static void write_text(const char *text)
{
    const char *plain;
    if (!ascii) {
        fputs(text, stdout);
        return;
    }
    for (size_t length; *text != '\0'; text += length) {
        length = character(text, &plain);
        if (plain != NULL)
            fputs(plain, stdout);
        else
            fwrite(text, 1, length, stdout);
    }
}

void out(style how, const char *text)
{
    bool styled = color && how != STYLE_PLAIN && *text != '\0';
    if (styled)
        printf("\033[%sm", codes[how]);
    write_text(text);
    if (styled)
        fputs("\033[0m", stdout);
}

void outf(style how, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    out(how, text);
}

void out_repeat(style how, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        out(how, text);
}

void out_line(void)
{
    putchar('\n');
}

void out_wrapped(int indent, const char *text)
{
    out_wrapped_from(0, indent, text);
}

void out_wrapped_from(int at, int indent, const char *text)
{
    bool first = at > 0;
    while (*text != '\0') {
        char word[256];
        size_t n = strcspn(text, " \n");
        if (strncmp(text + n, " %", 2) == 0) /* the unit stays with its number */
            n += 1 + strcspn(text + n + 1, " \n");
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        int columns = width_of(word);
        if (at > 0 && n > 0 && at + 1 + columns > width) {
            out_line();
            at = 0;
        }
        if (n > 0) {
            at += at == 0 ? printf("%*s", indent, "") : first ? 0 : printf(" ");
            first = false;
            out(STYLE_PLAIN, word);
            at += columns;
        }
        text += n;
        if (*text == '\n') {
            out_line();
            at = 0;
        }
        text += *text != '\0';
    }
    if (at > 0)
        out_line();
}

/* Cells are pieces in one growing buffer: a style byte, the text, a NUL; a cell ends with '\1',
 * a row with '\2'. The style byte of a label has a bit more. */
enum { LABEL = 0x40 };

static struct {
    char *text;
    size_t length, room;
    int indent, gutter, rows, column;
    int widths[TABLE_COLUMNS];
    align aligned[TABLE_COLUMNS];
} table;

static void keep(const char *bytes, size_t n)
{
    if (table.length + n > table.room) {
        size_t room = table.room * 2 + n + 4096;
        char *grown = realloc(table.text, room);
        if (grown == NULL) {
            fputs(PROGRAM ": out of memory\n", stderr);
            exit(2);
        }
        table.text = grown;
        table.room = room;
    }
    memcpy(table.text + table.length, bytes, n);
    table.length += n;
}

void table_begin(int indent)
{
    memset(table.widths, 0, sizeof table.widths);
    memset(table.aligned, 0, sizeof table.aligned);
    table.indent = indent;
    table.gutter = 2;
    table.rows = table.column = 0;
    table.length = 0;
}

void table_gutter(int blanks)
{
    table.gutter = blanks;
}

void table_align(int column, align how)
{
    table.aligned[column] = how;
}

void table_piece(style how, const char *text)
{
    char lead = (char)(how + 3); /* beyond the marks */
    keep(&lead, 1);
    keep(text, strlen(text) + 1);
}

void table_cell(style how, const char *text)
{
    if (table.column++ > 0)
        keep("\1", 1);
    table_piece(how, text);
}

void table_label(style how, const char *text)
{
    table_cell((style)(how | LABEL), text);
}

void table_row(void)
{
    keep("\2", 1);
    table.column = 0;
    if (++table.rows == TABLE_ROWS)
        table_flush();
}

/* The columns of the pieces of a cell; *end is the mark after them. */
static int cell_width(const char *cell, const char **end)
{
    int columns = 0;
    while (*cell != '\1' && *cell != '\2') {
        columns += width_of(cell + 1);
        cell += strlen(cell) + 1;
    }
    *end = cell;
    return columns;
}

static bool is_label(const char *cell)
{
    return ((*cell - 3) & LABEL) != 0;
}

/* Blanks are owed until something follows, so that no line ends in them. What is wider than its
 * column takes from the next ones, down to the gutter. */
static void print_row(const char **at)
{
    const char *end;
    int owed = table.indent;
    for (int column = 0;; column++) {
        int columns = cell_width(*at, &end), pad = table.widths[column] - columns;
        if (table.aligned[column] == ALIGN_RIGHT)
            owed += pad;
        if (column > 0 && owed < table.gutter && columns > 0)
            owed = table.gutter;
        for (const char *piece = *at; piece < end; piece += strlen(piece) + 1) {
            if (piece[1] == '\0')
                continue;
            printf("%*s", owed, "");
            owed = 0;
            out((style)((*piece - 3) & ~LABEL), piece + 1);
        }
        if (table.aligned[column] == ALIGN_LEFT)
            owed += pad;
        owed += table.gutter;
        *at = end + 1;
        if (*end == '\2')
            break;
    }
    out_line();
}

void table_flush(void)
{
    enum { WIDEST = 72 };
    const char *limit = table.text + table.length, *end;
    int column = 0;
    for (const char *cell = table.text; cell < limit; cell = end + 1) {
        int columns = cell_width(cell, &end);
        if (columns > table.widths[column] && columns <= WIDEST && !is_label(cell))
            table.widths[column] = columns;
        column = *end == '\2' || column == TABLE_COLUMNS - 1 ? 0 : column + 1;
    }
    for (const char *at = table.text; at < limit;)
        print_row(&at);
    table.rows = 0;
    table.length = 0;
}
