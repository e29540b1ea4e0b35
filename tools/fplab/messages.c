/* messages.c - messages on standard error under the name of this program: say.h
 * SPDX-License-Identifier: MIT */

#include "../fpinspect/say.h"

#include <stdarg.h>
#include <stdio.h>

static int status = EXIT_DONE;

static void say(const char *lead, const char *format, va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "fplab: %s", lead);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    status = EXIT_TROUBLE;
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("note: ", format, arguments);
    va_end(arguments);
}

int exit_status(void)
{
    return status;
}

/* What is not printable shows as \xNN, and long text is cut; see say.h. */
const char *quoted(const char *text, unsigned long length)
{
    enum { SHOWN = 60 };
    static char buffers[2][4 * SHOWN + 8];
    static int turn;
    char *start = buffers[turn ^= 1], *end = start;
    for (unsigned long i = 0; i < length && i < SHOWN; i++) {
        unsigned char c = (unsigned char)text[i];
        end += sprintf(end, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
    }
    if (length > SHOWN)
        end += sprintf(end, "...");
    *end = '\0';
    return start;
}
