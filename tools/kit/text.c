/* text.c - text put together in memory, by the formats of printf
 * SPDX-License-Identifier: MIT */

#include "kit/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
