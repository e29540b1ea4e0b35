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
    { "◇", "+" },  { "└", "+" },  { "◂", "<" },   { "▸", ">" }, { "±", "+-" },
};

int out_width(void)
{
    return this_run()->width;
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
        columns += this_run()->ascii && plain != NULL ? (int)strlen(plain) : 1;
    }
    return columns;
}

static void write_text(const char *text)
{
    const char *plain;
    FILE *to = this_run()->out;
    if (!this_run()->ascii) {
        fputs(text, to);
        return;
    }
    for (size_t length; *text != '\0'; text += length) {
        length = character(text, &plain);
        if (plain != NULL)
            fputs(plain, to);
        else
            fwrite(text, 1, length, to);
    }
}

void out(style how, const char *text)
{
    const kit_run *run = this_run();
    bool styled = run->color && how != STYLE_PLAIN && *text != '\0';
    if (styled)
        fprintf(run->out, "\033[%sm", codes[how]);
    write_text(text);
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
    putc('\n', this_run()->out);
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
            at += at == 0 ? fprintf(run->out, "%*s", indent, "")
                  : first ? 0
                          : fprintf(run->out, " ");
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
