/* say.c - messages on standard error, and the exit status they lead to
 * SPDX-License-Identifier: MIT */

#include "say.h"

#include <stdarg.h>
#include <stdio.h>

static int status = EXIT_DONE;

static void say(const char *lead, const char *format, va_list arguments)
{
    fflush(stdout);
    fputs(lead, stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(PROGRAM ": ", format, arguments);
    va_end(arguments);
    status = EXIT_TROUBLE;
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(PROGRAM ": note: ", format, arguments);
    va_end(arguments);
}

void fail_condition(void)
{
    if (status == EXIT_DONE)
        status = EXIT_CONDITION;
}

int exit_status(void)
{
    return status;
}

const char *quoted(const char *text, unsigned long length)
{
    enum { SHOWN = 60, TAIL = 12 };
    static char buffers[2][4 * SHOWN + 16];
    static int turn;
    char *out = buffers[turn ^= 1];
    size_t n = 0;
    for (unsigned long i = 0; i < length; i++) {
        if (length > SHOWN && i == SHOWN - TAIL) {
            n += (size_t)sprintf(out + n, "...");
            i = length - TAIL;
        }
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x7f)
            out[n++] = (char)c;
        else
            n += (size_t)sprintf(out + n, "\\x%02x", c);
    }
    out[n] = '\0';
    return out;
}
