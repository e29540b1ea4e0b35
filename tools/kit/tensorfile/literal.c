/* literal.c - the text of Python's literals, as headers of .npy files are written
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/literal.h"

#include <string.h>

static bool is_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static void skip_blanks(literal *rest)
{
    while (rest->at < rest->end && is_in(*rest->at, " \t\r\n\f#"))
        if (*rest->at++ == '#')
            while (rest->at < rest->end && *rest->at != '\n')
                rest->at++;
}

bool take_mark(literal *rest, char mark)
{
    skip_blanks(rest);
    if (rest->at == rest->end || *rest->at != mark)
        return false;
    rest->at++;
    return true;
}

static bool is_letter(char c)
{
    return is_in(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

bool take_word(literal *rest, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(rest);
    size_t left = (size_t)(rest->end - rest->at);
    if (left < length || memcmp(rest->at, word, length) != 0 ||
        (left > length && is_letter(rest->at[length])))
        return false;
    rest->at += length;
    return true;
}

bool is_at_end(literal *rest)
{
    skip_blanks(rest);
    return rest->at == rest->end;
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
    return found == NULL ? 16 : (int)(found - digits);
}

/* Digits in a base, single underscores between them, and behind what tells the base. */
static bool take_digits(literal *rest, uint64_t base, uint64_t *number)
{
    const char *start = rest->at;
    *number = 0;
    for (; rest->at < rest->end; rest->at++) {
        if (*rest->at == '_' && (rest->at > start ? rest->at[-1] != '_' : base != 10))
            continue;
        uint64_t digit = (uint64_t)digit_of(*rest->at);
        if (digit >= base)
            break;
        if (*number > (UINT64_MAX - digit) / base)
            return false;
        *number = *number * base + digit;
    }
    return rest->at > start && rest->at[-1] != '_';
}

bool take_integer(literal *rest, uint64_t *number)
{
    literal before;
    uint64_t base = 10;
    skip_blanks(rest);
    before = *rest;
    if (rest->end - rest->at > 2 && *rest->at == '0' && is_in(rest->at[1], "xXoObB")) {
        base = is_in(rest->at[1], "xX") ? 16 : is_in(rest->at[1], "oO") ? 8 : 2;
        rest->at += 2;
    }
    const char *start = rest->at;
    bool good = take_digits(rest, base, number);
    if (good && base == 10 && *start == '0' && *number != 0) /* 01 is no number of Python */
        good = false;
    if (good && rest->has_long_numbers)
        take_word(rest, "L"); /* which NumPy finds behind blanks, too */
    if (good && rest->at < rest->end && (is_letter(*rest->at) || *rest->at == '.'))
        good = false;
    if (!good)
        *rest = before;
    return good;
}

/* One escape behind its backslash, into *c. */
static bool take_escape(literal *rest, char *c)
{
    static const char names[] = "\\'\"abfnrtv", meant[] = "\\'\"\a\b\f\n\r\t\v";
    if (rest->at == rest->end)
        return false;
    char kind = *rest->at++;
    if (is_in(kind, names)) {
        *c = meant[strchr(names, kind) - names];
        return true;
    }
    if (kind != 'x' || rest->end - rest->at < 2)
        return false;
    int high = digit_of(rest->at[0]), low = digit_of(rest->at[1]);
    rest->at += 2;
    *c = (char)(high * 16 + low);
    return high < 8 && low < 16 && *c != '\0';
}

/* One string in quotation marks, behind what text has already. */
static bool take_part(literal *rest, char *text, size_t *length, size_t room)
{
    skip_blanks(rest);
    if (rest->end - rest->at > 1 && is_in(*rest->at, "uU") && is_in(rest->at[1], "'\""))
        rest->at++;
    if (rest->at == rest->end || !is_in(*rest->at, "'\""))
        return false;
    char quote = *rest->at++;
    while (rest->at < rest->end && *rest->at != quote) {
        char c = *rest->at++;
        bool good = c != '\n' && (unsigned char)c < 0x80 && c != '\0';
        if (c == '\\')
            good = take_escape(rest, &c);
        if (!good || *length + 1 >= room)
            return false;
        text[(*length)++] = c;
    }
    return rest->at < rest->end && rest->at++ != NULL;
}

bool take_string(literal *rest, char *text, size_t room)
{
    literal before = *rest;
    size_t length = 0;
    bool good = take_part(rest, text, &length, room);
    if (!good)
        *rest = before;
    while (good) {
        before = *rest;
        if (!take_part(rest, text, &length, room)) {
            *rest = before;
            break;
        }
    }
    text[good ? length : 0] = '\0';
    return good;
}
