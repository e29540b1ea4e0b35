/* lines.c - values as text: one a line, of a file or of standard input
 * SPDX-License-Identifier: MIT */

#include "kit/lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kit/files.h"
#include "kit/memory.h"
#include "kit/run.h"
#include "kit/say.h"

/* People's minus, U+2212, which the screens print for errors, as the one of ASCII. */
static void simplify_minus(char *text)
{
    static const char minus[] = "\xe2\x88\x92";
    size_t n = sizeof minus - 1;
    for (char *at = text; (at = strstr(at, minus)) != NULL; at++) {
        *at = '-';
        memmove(at + 1, at + n, strlen(at + n) + 1);
    }
}

char *stripped(char *text, size_t *length)
{
    char *end = text + *length;
    while (end > text && end[-1] != '\0' && strchr(" \t\r\n", end[-1]) != NULL)
        end--;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    *end = '\0';
    *length = (size_t)(end - text);
    for (char *tab = text; tab < end; tab++)
        if (*tab == '\t')
            *tab = ' ';
    if (memchr(text, '\0', *length) == NULL) {
        simplify_minus(text);
        *length = strlen(text);
    }
    return text;
}

/* The line that is being read; its memory is the run's, so that a line for which there is none ends
 * the run with a sentence. getline would only say that there are no more lines. */
typedef struct {
    char *text;
    size_t room;
} line_buffer;

/* The next line with its newline, if it has one, and a NUL; false at the end. */
static bool read_line(line_buffer *line, size_t *length, FILE *from)
{
    enum { USUAL = 128 };
    size_t n = 0;
    for (int c = 0; c != '\n' && (c = getc_unlocked(from)) != EOF;) {
        if (n + 2 > line->room) {
            line->room = line->room == 0 ? USUAL : 2 * line->room;
            line->text = resize(line->text, line->room, 1);
        }
        line->text[n++] = (char)c;
    }
    if (n > 0)
        line->text[n] = '\0';
    *length = n;
    return n > 0;
}

static bool read_stream(FILE *from, const char *name, take_line take, void *context)
{
    line_buffer line = { NULL, 0 };
    char where[120];
    size_t number = 0, n;
    bool good = true;
    errno = 0;
    while (good && read_line(&line, &n, from)) {
        size_t mark = number == 0 && strncmp(line.text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        n -= mark;
        char *text = stripped(line.text + mark, &n);
        snprintf(where, sizeof where, "%s%sline %zu: ", name, *name != '\0' ? ": " : "", ++number);
        if (n > 0)
            good = take(context, text, n, where);
    }
    if (ferror(from))
        complain("%s: %s", *name != '\0' ? name : "standard input", strerror(errno));
    good &= !ferror(from);
    release(line.text);
    return good;
}

bool for_each_line(const char *path, take_line take, void *context)
{
    if (strcmp(path, "-") == 0)
        return read_stream(this_run()->in, "", take, context);
    const char *name = quoted(path, strlen(path));
    FILE *file = open_file(path, "r");
    if (file == NULL) {
        complain("%s: %s", name, strerror(errno));
        return false;
    }
    char shown[100];
    snprintf(shown, sizeof shown, "%s", name);
    bool good = read_stream(file, shown, take, context);
    close_file(file);
    return good;
}
