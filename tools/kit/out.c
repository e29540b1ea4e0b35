/* out.c - text for people: colour, ASCII instead of drawing characters, paragraphs
 * SPDX-License-Identifier: MIT */

#include "kit/out.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kit/run.h"

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
    { "◇", "+" },  { "▁", "." },  { "▂", ":" },   { "▃", "-" }, { "▄", "=" },  { "▅", "+" },
    { "▆", "*" },  { "▇", "%" },  { "÷", "/" },   { "└", "+" }, { "◂", "<" },  { "▸", ">" },
    { "±", "+-" },
};

int out_width(void)
{
    return this_run()->width;
}

int out_left(void)
{
    const kit_run *run = this_run();
    return run->width - run->at - run->owed;
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

size_t character_at(const char *text, int *columns)
{
    const char *plain;
    size_t length = character(text, &plain);
    *columns = this_run()->ascii && plain != NULL ? (int)strlen(plain) : 1;
    return length;
}

int width_of(const char *text)
{
    int total = 0, columns;
    for (; *text != '\0'; total += columns)
        text += character_at(text, &columns);
    return total;
}

static void pay_blanks(kit_run *run)
{
    if (run->owed > 0)
        fprintf(run->out, "%*s", run->owed, "");
    run->at += run->owed;
    run->owed = 0;
}

static void write_character(kit_run *run, const char *text, size_t length, int columns)
{
    const char *plain;
    pay_blanks(run);
    character(text, &plain);
    if (run->ascii && plain != NULL)
        fputs(plain, run->out);
    else
        fwrite(text, 1, length, run->out);
    run->at += columns;
}

/* A new line within the one that out_line will end. */
static void go_on_below(kit_run *run)
{
    putc('\n', run->out);
    run->at = 0;
    run->owed = run->hang;
}

/* The columns up to the next blank or the end. */
static int word_columns(const char *text)
{
    int total = 0, columns;
    for (; *text != '\0' && *text != ' ' && *text != '\n'; total += columns)
        text += character_at(text, &columns);
    return total;
}

/* A word that no line could hold fills the rest of this one, unless that is hardly anything. */
static void write_text(kit_run *run, const char *text)
{
    enum { HARDLY_ANYTHING = 8 };
    bool inside = false;
    int columns;
    for (size_t length; *text != '\0'; text += length) {
        length = character_at(text, &columns);
        int at = run->at + run->owed, left = run->width - at;
        int word = inside ? 0 : word_columns(text);
        bool whole = !inside && word > left && at > run->hang;
        if (*text == '\n') {
            out_line();
            continue;
        }
        inside = *text != ' ';
        if (!inside) {
            run->owed++;
            continue;
        }
        if (columns > left || (whole && (word <= run->width - run->hang || left < HARDLY_ANYTHING)))
            go_on_below(run);
        write_character(run, text, length, columns);
    }
}

static void pay_gap(kit_run *run)
{
    if (run->gap)
        putc('\n', run->out);
    run->gap = false;
}

void out(style how, const char *text)
{
    kit_run *run = this_run();
    if (*text != '\0')
        pay_gap(run);
    bool styled = run->color && how != STYLE_PLAIN && *text != '\0';
    if (styled)
        fprintf(run->out, "\033[%sm", codes[how]);
    write_text(run, text);
    if (styled)
        fputs("\033[0m", run->out);
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
    kit_run *run = this_run();
    pay_gap(run);
    putc('\n', run->out);
    run->at = run->owed = 0;
    run->hang = USUAL_HANG;
}

void out_gap(void)
{
    this_run()->gap = true;
}

void out_blanks(int count)
{
    this_run()->owed += count;
}

void out_hang(int column)
{
    this_run()->hang = column;
}

void out_wrapped(int indent, const char *text)
{
    out_wrapped_from(0, indent, text);
}

void out_wrapped_from(int at, int indent, const char *text)
{
    const kit_run *run = this_run();
    bool first = at > 0;
    while (*text != '\0') {
        char word[256];
        size_t n = strcspn(text, " \n");
        if (strncmp(text + n, " %", 2) == 0) /* the unit stays with its number */
            n += 1 + strcspn(text + n + 1, " \n");
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        int columns = width_of(word);
        if (at > 0 && n > 0 && at + 1 + columns > run->width) {
            out_line();
            at = 0;
        }
        if (n > 0) {
            int blanks = at == 0 ? indent : first ? 0 : 1;
            out_blanks(blanks);
            out_hang(indent);
            out(STYLE_PLAIN, word);
            at += blanks + columns;
            first = false;
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
