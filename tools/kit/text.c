/* text.c - text put together in memory, by the formats of printf
 * SPDX-License-Identifier: MIT */

#include "kit/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kit/memory.h"

void print_text(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
}

void append_text(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* The bytes of the character at the text; 0 if it is none that is to be shown. */
static size_t shown_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    bool control = text[0] < 0x20 || text[0] == 0x7f || (text[0] == 0xc2 && text[1] < 0xa0);
    if (control || (text[0] >= 0x80 && text[0] < 0xc2) || text[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

char *as_line(const char *name)
{
    char *made = copy_text(name, strlen(name));
    for (size_t at = 0; made[at] != '\0';) {
        size_t length = shown_length((const unsigned char *)made + at);
        if (length == 0)
            made[at++] = '?';
        at += length;
    }
    return made;
}
