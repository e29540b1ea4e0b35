/* literal.c - raw bits as people write them: 0x7f, 0b0111_1111, 0o177, or Verilog's 8'h7f and
 * 8'd127 SPDX-License-Identifier: MIT */

#include "values/literal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kit/say.h"

static int digit_of(char c)
{
    return isdigit((unsigned char)c)   ? c - '0'
           : isalpha((unsigned char)c) ? tolower(c) - 'a' + 10
                                       : 99;
}

/* The letter of a literal's base, and its digits: behind 0 and the letter or, as Verilog has it,
 * behind a size, a quote and the letter. NULL if there is neither. */
static const char *read_prefix(literal *bits, const char *text, char *letter)
{
    const char *quote = strchr(text, '\'');
    char *end;
    if (quote == NULL) {
        *letter = text[0] == '0' ? (char)tolower(text[1]) : '\0';
        return *letter == '\0' || strchr("xbo", *letter) == NULL ? NULL : text + 2;
    }
    bits->size = (int)strtol(text, &end, 10);
    *letter = (char)tolower(quote[1]);
    if (end != quote || bits->size < 1 || bits->size > 64 || *letter == '\0' || *letter == 'x')
        return NULL;
    return quote + 2;
}

/* Of a decimal one digit counts for one bit: it has a size, and that is what must fit. */
bool read_literal(literal *bits, const char *text)
{
    static const struct {
        char letter;
        int base, per_digit;
    } bases[] = { { 'x', 16, 4 }, { 'h', 16, 4 }, { 'b', 2, 1 }, { 'o', 8, 3 }, { 'd', 10, 1 } };
    char letter;
    int base = 0;
    memset(bits, 0, sizeof *bits);
    text = read_prefix(bits, text, &letter);
    for (size_t i = 0; text != NULL && i < sizeof bases / sizeof bases[0]; i++)
        if (letter == bases[i].letter) {
            base = bases[i].base;
            bits->per_digit = bases[i].per_digit;
        }
    if (base == 0)
        return false;
    for (; *text != '\0'; text++) {
        if (*text == '_' && bits->digits > 0 && text[1] != '\0')
            continue;
        int digit = digit_of(*text);
        if (digit >= base)
            return false;
        bits->too_long |= bits->code > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base;
        bits->code = bits->code * (uint64_t)base + (uint64_t)digit;
        bits->digits++;
    }
    return bits->digits > 0;
}

/* The row of this width that holds the format: a long literal may be a pattern of it. */
static const fpfmt_format *wider_row(const fpfmt_format *format, int width)
{
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const fpfmt_format *row = fpfmt_at(i);
        if (fpfmt_measure(row).width == width && row->exponent_bits == format->exponent_bits &&
            fpfmt_contains(row, format))
            return row;
    }
    return NULL;
}

bool literal_fits(const literal *bits, const fpfmt_format *format, const char *shown,
                  const char *where)
{
    int width = fpfmt_measure(format).width, bytes = (width + 7) / 8 * 8;
    int written = bits->size > 0 ? bits->size : bits->digits * bits->per_digit;
    int room = (width + bits->per_digit - 1) / bits->per_digit * bits->per_digit;
    bool sized = bits->size > 0 ? bits->size == width || bits->size == bytes
                                : written <= (room > bytes ? room : bytes);
    bool high = bits->too_long || (width < 64 && bits->code >> width != 0);
    if (sized && !high)
        return true;
    const fpfmt_format *wider = written > bytes ? wider_row(format, written) : NULL;
    if (wider != NULL)
        complain("%s'%s' does not fit: %s has %d bits; a %d-bit pattern of that range is one of "
                 "%s, write %s:0x%llx",
                 where, shown, format->name, width, written, wider->name, wider->name,
                 (unsigned long long)bits->code);
    else
        complain("%s'%s' does not fit: %s has %d bits", where, shown, format->name, width);
    return false;
}
