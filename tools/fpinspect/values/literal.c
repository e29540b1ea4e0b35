/* literal.c - raw bits as people write them: 0x7f, 0b0111_1111, 0o177, or Verilog's 8'h7f
 * SPDX-License-Identifier: MIT */

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

bool read_literal(literal *bits, const char *text)
{
    static const struct {
        char letter;
        int per_digit;
    } bases[] = { { 'x', 4 }, { 'h', 4 }, { 'b', 1 }, { 'o', 3 } };
    const char *quote = strchr(text, '\'');
    char letter;
    memset(bits, 0, sizeof *bits);
    if (quote != NULL) {
        char *end;
        bits->size = (int)strtol(text, &end, 10);
        if (end != quote || bits->size < 1 || bits->size > 64)
            return false;
        letter = (char)tolower(quote[1]);
        if (letter == 'x')
            return false;
        text = quote + 1 + (letter != '\0');
    } else {
        letter = text[0] == '0' ? (char)tolower(text[1]) : '\0';
        if (letter == '\0' || letter == 'h')
            return false;
        text += 2;
    }
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        if (letter == bases[i].letter)
            bits->per_digit = bases[i].per_digit;
    if (bits->per_digit == 0)
        return false;
    for (; *text != '\0'; text++) {
        if (*text == '_' && bits->digits > 0 && text[1] != '\0')
            continue;
        int digit = digit_of(*text);
        if (digit >= 1 << bits->per_digit)
            return false;
        bits->too_long |= bits->code >> (64 - bits->per_digit) != 0;
        bits->code = bits->code << bits->per_digit | (uint64_t)digit;
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
