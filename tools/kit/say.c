/* say.c - messages on standard error, and the exit status they lead to
 * SPDX-License-Identifier: MIT */

#include "kit/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "kit/run.h"

/* What was printed before comes first, also where both streams lead to one terminal. */
static void say(const char *lead, const char *format, va_list arguments)
{
    kit_run *run = this_run();
    fflush(run->out);
    fprintf(run->err, "%s: %s", run->program, lead);
    vfprintf(run->err, format, arguments);
    fputc('\n', run->err);
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    this_run()->status = EXIT_TROUBLE;
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("note: ", format, arguments);
    va_end(arguments);
}

void fail_condition(void)
{
    if (this_run()->status == EXIT_DONE)
        this_run()->status = EXIT_CONDITION;
}

const char *quoted(const char *text, size_t length)
{
    enum { SHOWN = 60, TAIL = 12 };
    _Static_assert(QUOTED_SIZE >= 4 * SHOWN + 4, "each character shown may take four, as \\x1b");
    kit_run *run = this_run();
    char *made = run->quoted[run->quotes++ % 2];
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (length > SHOWN && i == SHOWN - TAIL) {
            n += (size_t)sprintf(made + n, "...");
            i = length - TAIL;
        }
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x7f)
            made[n++] = (char)c;
        else
            n += (size_t)sprintf(made + n, "\\x%02x", c);
    }
    made[n] = '\0';
    return made;
}
