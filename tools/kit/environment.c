/* environment.c - what the environment and the terminal say about how a screen should look
 * SPDX-License-Identifier: MIT */

#include "kit/environment.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "kit/run.h"

display usual_display(int width)
{
    setlocale(LC_CTYPE, "");
    bool ascii = strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0;
    setlocale(LC_CTYPE, "C"); /* names are ASCII, whatever the environment */
    return (display){ .color = COLOR_AUTO, .ascii = ascii, .width = width };
}

void use_display(const display *wanted)
{
    kit_run *run = this_run();
    const char *term = getenv("TERM");
    bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    bool terminal = isatty(fileno(run->out));
    run->ascii = wanted->ascii;
    run->width = wanted->width;
    run->color =
        wanted->color == COLOR_ALWAYS || (wanted->color == COLOR_AUTO && terminal && !dumb);
}
