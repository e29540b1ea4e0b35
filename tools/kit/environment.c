/* environment.c - what the environment and the terminal say about how a screen should look
 * SPDX-License-Identifier: MIT */

#include "kit/environment.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kit/run.h"
#include "kit/say.h"

display usual_display(void)
{
    setlocale(LC_CTYPE, "");
    bool ascii = strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0;
    setlocale(LC_CTYPE, "C"); /* names are ASCII, whatever the environment */
    return (display){ .color = COLOR_AUTO, .ascii = ascii };
}

/* The columns of the terminal that a stream goes to; 0 where that is no terminal, or one that does
 * not say. What a build without terminals needs is a body that answers 0. */
static int terminal_columns(FILE *to)
{
#ifdef TIOCGWINSZ
    struct winsize size;
    if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0)
        return size.ws_col;
#else
    (void)to;
#endif
    return 0;
}

/* The columns that the environment gives, then those of the terminal; 0 where neither knows. The
 * option table has read a COLUMNS that screens can have, and so the one looked at here is no number
 * or too small a one. */
static int known_columns(FILE *to)
{
    const char *variable = getenv("COLUMNS");
    char *end = NULL;
    long columns = variable != NULL ? strtol(variable, &end, 10) : 0;
    return columns > 0 && columns < WIDTH_LEAST && *end == '\0' ? (int)columns
                                                                : terminal_columns(to);
}

static int choose_width(const display *wanted, FILE *to)
{
    enum { USUAL_WIDTH = 80 };
    int columns = wanted->width > 0 ? wanted->width : known_columns(to);
    if (columns == 0)
        return USUAL_WIDTH;
    if (columns < WIDTH_LEAST && wanted->screen)
        note("there are %d columns and screens need %d: lines will be longer than there is room",
             columns, WIDTH_LEAST);
    return columns < WIDTH_LEAST ? WIDTH_LEAST : columns > WIDTH_MOST ? WIDTH_MOST : columns;
}

void use_display(const display *wanted)
{
    kit_run *run = this_run();
    const char *term = getenv("TERM");
    bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    bool terminal = isatty(fileno(run->out));
    run->ascii = wanted->ascii;
    run->width = choose_width(wanted, run->out);
    run->color =
        wanted->color == COLOR_ALWAYS || (wanted->color == COLOR_AUTO && terminal && !dumb);
}
