/* option_readers.c - the ways of reading an argument that tools share
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/environment.h"
#include "kit/formats.h"
#include "kit/options.h"
#include "kit/say.h"

static const fpfmt_word colors[] = {
    { "auto", "tty if-tty", NULL, COLOR_AUTO },
    { "always", "yes force", NULL, COLOR_ALWAYS },
    { "never", "no none", NULL, COLOR_NEVER },
};
const word_table color_words = OWN_WORDS("value of --color", colors);

/* Where in the settings the row's result goes. */
static void *target_of(void *settings, const option_row *row)
{
    return (char *)settings + row->target;
}

bool parse_whole(uint64_t *number, const char *text, uint64_t least, uint64_t most)
{
    uint64_t n = 0;
    size_t digits = strspn(text, "0123456789");
    bool good = digits > 0 && text[digits] == '\0';
    for (size_t i = 0; good && i < digits; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        good = n <= (UINT64_MAX - digit) / 10;
        n = 10 * n + digit;
    }
    *number = n;
    return good && n >= least && n <= most;
}

bool read_whole(uint64_t *number, const char *text, const char *what, uint64_t least, uint64_t most)
{
    uint64_t n;
    bool good = parse_whole(&n, text, least, most);
    if (good)
        *number = n;
    else if (most == UINT64_MAX && least == 0)
        complain("%s takes a decimal integer below 2^64, not '%s'", what,
                 quoted(text, strlen(text)));
    else
        complain("%s takes a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", what, least,
                 most, quoted(text, strlen(text)));
    return good;
}

/* The number that an option takes. */
static bool read_number(uint64_t *number, const option_row *row, const char *text, uint64_t least,
                        uint64_t most)
{
    char what[40];
    snprintf(what, sizeof what, "--%s", row->name);
    return read_whole(number, text, what, least, most);
}

bool set_true(void *settings, const option_row *row, const char *text)
{
    (void)text;
    return *(bool *)target_of(settings, row) = true;
}

bool set_value(void *settings, const option_row *row, const char *text)
{
    (void)text;
    *(int *)target_of(settings, row) = row->value;
    return true;
}

bool set_text(void *settings, const option_row *row, const char *text)
{
    *(const char **)target_of(settings, row) = text;
    return true;
}

bool set_whole(void *settings, const option_row *row, const char *text)
{
    return read_number(target_of(settings, row), row, text, row->least, row->most);
}

bool set_int(void *settings, const option_row *row, const char *text)
{
    uint64_t number;
    if (!read_number(&number, row, text, row->least, row->most))
        return false;
    *(int *)target_of(settings, row) = (int)number;
    return true;
}

bool set_word(void *settings, const option_row *row, const char *text)
{
    const fpfmt_word *found = read_word(row->of, text);
    if (found != NULL)
        *(int *)target_of(settings, row) = (int)found->meaning;
    return found != NULL;
}

bool set_color(void *settings, const option_row *row, const char *text)
{
    const fpfmt_word *found = read_word(&color_words, text);
    if (found != NULL && found->meaning != COLOR_AUTO)
        *(int *)target_of(settings, row) = (int)found->meaning;
    return found != NULL;
}

bool set_format(void *settings, const option_row *row, const char *text)
{
    return find_format(target_of(settings, row), text);
}

bool set_formats(void *settings, const option_row *row, const char *text)
{
    return read_formats(target_of(settings, row), text);
}
