/* fields.c - the text of one field of facts
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/records.h"

const char *class_name(fpfmt_value value)
{
    return fpfmt_word_for(FPFMT_WORDS_CLASS, value.kind)->name;
}

void name_flags(char text[FLAGS_SIZE], unsigned flags, const char *between)
{
    *text = '\0';
    const fpfmt_word *flag;
    for (size_t i = 0; (flag = word_at(&flag_words, i)) != NULL; i++)
        if (flags & flag->meaning)
            sprintf(text + strlen(text), "%s%s", *text != '\0' ? between : "", flag->name);
}

/* Words separated by blanks, with commas in their place. */
static bool names_text(number text, const char *list)
{
    if (list == NULL || *list == '\0')
        return false;
    snprintf(text, NUMBER_SIZE, "%s", list);
    for (char *at = text; *at != '\0'; at++)
        *at = (char)(*at == ' ' ? ',' : *at);
    return true;
}

static bool decimal_text(number text, const maybe_ratio *of)
{
    if (of->exists)
        fpfmt_print_ratio(text, NUMBER_SIZE, &of->ratio);
    return of->exists;
}

static bool fraction_text(number text, const maybe_ratio *of)
{
    if (of->exists)
        fpfmt_print_fraction(text, NUMBER_SIZE, &of->ratio);
    return of->exists;
}

/* Bits of one of the fields of a code. */
static bool part_text(number text, coded of, field_kind part)
{
    int mantissa = of.format->fraction_bits, exponent = of.format->exponent_bits;
    int sign = of.format->sign_bits;
    const struct {
        int position, count;
    } places[] = {
        [FIELD_BITS - FIELD_BITS] = { 0, sign + exponent + mantissa },
        [FIELD_SIGN - FIELD_BITS] = { exponent + mantissa, sign },
        [FIELD_EXPONENT - FIELD_BITS] = { mantissa, exponent },
        [FIELD_MANTISSA - FIELD_BITS] = { 0, mantissa },
    };
    show_bits(text, of.code, places[part - FIELD_BITS].position, places[part - FIELD_BITS].count);
    return *text != '\0';
}

static bool coded_text(number text, coded of, field_kind kind)
{
    if (of.format == NULL)
        return false;
    fpfmt_value value = fpfmt_decode(of.format, of.code);
    switch (kind) {
    case FIELD_FORMAT: strcpy(text, of.format->name); return true;
    case FIELD_CODE: show_code(text, of.format, of.code); return true;
    case FIELD_CLASS: strcpy(text, class_name(value)); return true;
    case FIELD_EXACT: fpfmt_print_exact(text, NUMBER_SIZE, value); return true;
    case FIELD_SHORTEST: fpfmt_print_shortest(text, NUMBER_SIZE, of.format, of.code); return true;
    case FIELD_HEXFLOAT: fpfmt_print_hex(text, NUMBER_SIZE, value); return true;
    default: return part_text(text, of, kind);
    }
}

static bool maybe_text(number text, const maybe_value *value)
{
    if (value->exists)
        fpfmt_print_exact(text, NUMBER_SIZE, value->value);
    return value->exists;
}

bool field_text(number text, const field *of, const void *facts)
{
    const char *at = (const char *)facts + of->offset;
    switch (of->kind) {
    case FIELD_TEXT:
        if (*(const char *const *)at == NULL)
            return false;
        snprintf(text, NUMBER_SIZE, "%s", *(const char *const *)at);
        return true;
    case FIELD_STRING: snprintf(text, NUMBER_SIZE, "%s", at); return *at != '\0';
    case FIELD_NAMES: return names_text(text, *(const char *const *)at);
    case FIELD_POSITIVE: sprintf(text, "%d", *(const int *)at); return *(const int *)at != 0;
    case FIELD_INTEGER:
        sprintf(text, "%d", *(const int *)at);
        return *(const int *)at != NO_INTEGER;
    case FIELD_COUNT: sprintf(text, "%" PRIu64, *(const uint64_t *)at); return true;
    case FIELD_BOOL: strcpy(text, *(const bool *)at ? "true" : "false"); return true;
    case FIELD_WORD: strcpy(text, word_for(of->words, *(const unsigned *)at)); return *text != '\0';
    case FIELD_FLAGS: name_flags(text, *(const unsigned *)at, ","); return *text != '\0';
    case FIELD_VALUE: fpfmt_print_exact(text, NUMBER_SIZE, *(const fpfmt_value *)at); return true;
    case FIELD_MAYBE: return maybe_text(text, (const maybe_value *)at);
    case FIELD_RATIO: fpfmt_print_ratio(text, NUMBER_SIZE, (const fpfmt_ratio *)at); return true;
    case FIELD_DECIMAL: return decimal_text(text, (const maybe_ratio *)at);
    case FIELD_FRACTION: return fraction_text(text, (const maybe_ratio *)at);
    case FIELD_OBJECT:
    case FIELD_LIST: return false;
    default: return coded_text(text, *(const coded *)at, of->kind);
    }
}
