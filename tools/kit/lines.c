/* lines.c - values as text: one a line, of a file or of standard input
 * SPDX-License-Identifier: MIT */

#include "kit/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/run.h"
#include "kit/say.h"

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
    return text;
}

static bool read_stream(FILE *from, const char *name, take_line take, void *context)
{
    char *line = NULL, where[120];
    size_t room = 0, number = 0;
    ssize_t length;
    bool good = true;
    errno = 0;
    while (good && (length = getline(&line, &room, from)) >= 0) {
        size_t n = (size_t)length;
        char *text = stripped(line, &n);
        snprintf(where, sizeof where, "%s%sline %zu: ", name, *name != '\0' ? ": " : "", ++number);
        if (n > 0)
            good = take(context, text, n, where);
    }
    if (ferror(from))
        complain("%s: %s", *name != '\0' ? name : "standard input", strerror(errno));
    good &= !ferror(from);
    free(line);
    return good;
}

bool for_each_line(const char *path, take_line take, void *context)
{
    if (strcmp(path, "-") == 0)
        return read_stream(this_run()->in, "", take, context);
    const char *name = quoted(path, strlen(path));
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        complain("%s: %s", name, strerror(errno));
        return false;
    }
    char shown[100];
    snprintf(shown, sizeof shown, "%s", name);
    bool good = read_stream(file, shown, take, context);
    fclose(file);
    return good;
}
