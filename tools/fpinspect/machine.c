/* machine.c - output for programs: fields, JSON, bare values
 * SPDX-License-Identifier: MIT */

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "records.h"
#include "stepwise.h"
#include "targets.h"

typedef enum {
    FIELD_INPUT,
    FIELD_FORMAT,
    FIELD_POLICY,
    FIELD_ROUND,
    FIELD_OVERFLOW,
    FIELD_CODE,
    FIELD_BITS,
    FIELD_SIGN,
    FIELD_EXPONENT,
    FIELD_MANTISSA,
    FIELD_CLASS,
    FIELD_EXACT,
    FIELD_SHORTEST,
    FIELD_HEXFLOAT,
    FIELD_ERROR,
    FIELD_RELATIVE,
    FIELD_ULPS,
    FIELD_FLAGS,
    FIELD_STATUS,
    FIELD_STEPWISE,
    FIELD_STEPWISE_EXACT,
    FIELD_STEPWISE_ULPS,
    FIELD_STEPWISE_FLAGS
} field;

static const word fields[] = {
    { "input", "", FIELD_INPUT },
    { "format", "", FIELD_FORMAT },
    { "policy", "", FIELD_POLICY },
    { "round", "rounding", FIELD_ROUND },
    { "overflow", "", FIELD_OVERFLOW },
    { "code", "", FIELD_CODE },
    { "bits", "", FIELD_BITS },
    { "sign", "", FIELD_SIGN },
    { "exponent", "", FIELD_EXPONENT },
    { "mantissa", "fraction", FIELD_MANTISSA },
    { "class", "", FIELD_CLASS },
    { "exact", "value", FIELD_EXACT },
    { "shortest", "", FIELD_SHORTEST },
    { "hexfloat", "hex", FIELD_HEXFLOAT },
    { "error", "", FIELD_ERROR },
    { "relative", "rel", FIELD_RELATIVE },
    { "ulps", "ulp", FIELD_ULPS },
    { "flags", "", FIELD_FLAGS },
    { "status", "", FIELD_STATUS },
    { "stepwise", "", FIELD_STEPWISE },
    { "stepwise-exact", "", FIELD_STEPWISE_EXACT },
    { "stepwise-ulps", "", FIELD_STEPWISE_ULPS },
    { "stepwise-flags", "", FIELD_STEPWISE_FLAGS },
};
const word_table field_words = { "field", fields, sizeof fields / sizeof fields[0] };

bool is_stepwise_field(int meaning)
{
    return meaning >= FIELD_STEPWISE;
}

static void part_of_code(number text, const report *made, field which)
{
    const fpfmt_format *format = made->format;
    int mantissa = format->fraction_bits, exponent = format->exponent_bits, count = mantissa,
        at = 0;
    if (which == FIELD_SIGN) {
        at = mantissa + exponent;
        count = format->sign_bits;
    } else if (which == FIELD_EXPONENT) {
        at = mantissa;
        count = exponent;
    } else if (which == FIELD_BITS) {
        count = mantissa + exponent + format->sign_bits;
    }
    show_bits(text, made->code, at, count);
    if (count == 0)
        strcpy(text, "-");
}

static void flag_list(number text, unsigned flags)
{
    *text = '\0';
    for (size_t i = 0; i < flag_words.count; i++)
        if (flags & (unsigned)flag_words.words[i].meaning)
            sprintf(text + strlen(text), "%s%s", *text != '\0' ? "," : "",
                    flag_words.words[i].name);
    if (*text == '\0')
        strcpy(text, "-");
}

static void field_text(number text, report *made, field which)
{
    if (which >= FIELD_ERROR && which <= FIELD_ULPS)
        measure_error(made);
    if (is_stepwise_field((int)which))
        compute_stepwise(made);
    switch (which) {
    case FIELD_INPUT: snprintf(text, NUMBER_SIZE, "%s", made->in->text); break;
    case FIELD_FORMAT: strcpy(text, made->format->name); break;
    case FIELD_POLICY: strcpy(text, made->column->row->name); break;
    case FIELD_ROUND: strcpy(text, rounding_name(&made->policy)); break;
    case FIELD_OVERFLOW: strcpy(text, word_for(&overflow_words, made->policy.overflow)); break;
    case FIELD_CODE: show_code(text, made->format, made->code); break;
    case FIELD_CLASS: strcpy(text, class_name(made->stored)); break;
    case FIELD_EXACT: fpfmt_print_exact(text, NUMBER_SIZE, made->stored); break;
    case FIELD_SHORTEST: fpfmt_print_shortest(text, NUMBER_SIZE, made->format, made->code); break;
    case FIELD_HEXFLOAT: fpfmt_print_hex(text, NUMBER_SIZE, made->stored); break;
    case FIELD_ERROR:
        optional_ratio(text, &made->error, made->has_error && !made->in->cut, false);
        break;
    case FIELD_RELATIVE:
        optional_ratio(text, &made->relative, made->has_relative && !made->in->cut, true);
        break;
    case FIELD_ULPS:
        optional_ratio(text, &made->ulps, made->has_ulps && !made->in->cut, false);
        break;
    case FIELD_STEPWISE: show_code(text, made->format, made->stepwise_code); break;
    case FIELD_STEPWISE_EXACT: fpfmt_print_exact(text, NUMBER_SIZE, made->stepwise_stored); break;
    case FIELD_STEPWISE_ULPS:
        optional_ratio(text, &made->stepwise_ulps, made->has_stepwise_ulps && !made->in->cut,
                       false);
        break;
    case FIELD_STEPWISE_FLAGS: flag_list(text, made->stepwise_flags); break;
    case FIELD_FLAGS: flag_list(text, made->flags); break;
    case FIELD_STATUS: strcpy(text, word_for(&status_words, (int)made->status)); break;
    default: part_of_code(text, made, which); break;
    }
}

/* The fields asked for, or the usual ones and what varies from column to column. */
static size_t chosen_fields(field which[MOST_FIELDS], const options *chosen)
{
    static const field usual[] = { FIELD_EXACT, FIELD_SHORTEST, FIELD_ULPS, FIELD_STATUS };
    size_t n = 0;
    for (size_t i = 0; i < chosen->field_count; i++)
        which[n++] = (field)chosen->fields[i];
    if (n > 0)
        return n;
    which[n++] = FIELD_INPUT;
    which[n++] = FIELD_FORMAT;
    if (chosen->varies == VARIES_POLICY)
        which[n++] = FIELD_POLICY;
    if (chosen->varies == VARIES_ROUNDING)
        which[n++] = FIELD_ROUND;
    if (chosen->varies == VARIES_OVERFLOW)
        which[n++] = FIELD_OVERFLOW;
    which[n++] = FIELD_CODE;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        which[n++] = usual[i];
    for (int i = FIELD_STEPWISE; i <= FIELD_STEPWISE_ULPS && chosen->stepwise; i++)
        which[n++] = (field)i;
    return n;
}

static void print_fields(report *made, const options *chosen)
{
    static number text;
    field which[MOST_FIELDS];
    size_t count = chosen_fields(which, chosen);
    for (size_t i = 0; i < count; i++) {
        if (which[i] == FIELD_INPUT) { /* of any length */
            put_field(chosen->output, made->in->text, i);
            continue;
        }
        field_text(text, made, which[i]);
        put_field(chosen->output, text, i);
    }
    putchar('\n');
}

static void print_header(const options *chosen)
{
    field which[MOST_FIELDS];
    size_t count = chosen_fields(which, chosen);
    for (size_t i = 0; i < count; i++)
        put_field(chosen->output, word_for(&field_words, (int)which[i]), i);
    putchar('\n');
}

/* The fields of one kind, in the order of the table; what does not exist is null. */
static void json_fields(report *made, field first, field last)
{
    static number text;
    for (size_t i = 0; i < field_words.count; i++) {
        field which = (field)fields[i].meaning;
        if (which < first || which > last || which == FIELD_BITS)
            continue;
        printf("%s\"%s\": ", which == first ? "" : ", ", fields[i].name);
        if (which == FIELD_INPUT) {
            json_string(made->in->text);
            continue;
        }
        field_text(text, made, which);
        json_text_or_null(text);
    }
}

static void json_neighbor(const report *made, const char *name, uint64_t code)
{
    static number exact, shortest;
    char shown[24];
    printf("\"%s\": ", name);
    if (code == made->code || made->stored.kind > FPFMT_KIND_INFINITE) {
        printf("null");
        return;
    }
    fpfmt_print_exact(exact, sizeof exact, fpfmt_decode(made->format, code));
    fpfmt_print_shortest(shortest, sizeof shortest, made->format, code);
    printf("{\"code\": \"%s\", \"exact\": \"%s\", \"shortest\": \"%s\"}",
           show_code(shown, made->format, code), exact, shortest);
}

static void json_flags(unsigned flags)
{
    const char *comma = "";
    fputs("\"flags\": [", stdout);
    for (size_t i = 0; i < flag_words.count; i++)
        if (flags & (unsigned)flag_words.words[i].meaning) {
            printf("%s\"%s\"", comma, flag_words.words[i].name);
            comma = ", ";
        }
    fputs("]", stdout);
}

static void json_code(const fpfmt_format *format, uint64_t code, fpfmt_value stored)
{
    static number exact;
    char shown[24];
    fpfmt_print_exact(exact, sizeof exact, stored);
    printf("\"code\": \"%s\", \"exact\": \"%s\", ", show_code(shown, format, code), exact);
}

static void json_step(const step *here, void *context)
{
    bool *any = context;
    char *text = more(NULL, (size_t)here->length + 24, 1);
    snprintf(text, (size_t)here->length + 24, here->factors > 0 ? "%.*s^%d" : "%.*s", here->length,
             here->text, here->factors);
    printf("%s{\"step\": ", *any ? ", " : "");
    json_string(text);
    printf(", ");
    json_code(here->format, here->code, here->stored);
    json_flags(here->flags);
    printf("}");
    free(text);
    *any = true;
}

static void json_stepwise(report *made, const char *gap)
{
    static number ulps;
    bool any = false;
    unsigned flags = 0;
    compute_stepwise(made);
    field_text(ulps, made, FIELD_STEPWISE_ULPS);
    printf(",%s\"stepwise\": {", gap);
    json_code(made->format, made->stepwise_code, made->stepwise_stored);
    fputs("\"ulps\": ", stdout);
    json_text_or_null(ulps);
    fputs(", ", stdout);
    json_flags(made->stepwise_flags);
    printf(",%s%s\"steps\": [", gap, *gap == '\n' ? " " : "");
    take_steps(&made->in->formula, made->format, &made->policy, json_step, &any, &flags);
    printf("]}");
}

/* One result. gap stands between its groups of fields: a blank, or a line break and an indent. */
static void json_object(report *made, bool stepwise, const char *gap)
{
    putchar('{');
    json_fields(made, FIELD_INPUT, FIELD_CODE);
    printf(",%s", gap);
    json_fields(made, FIELD_SIGN, FIELD_CLASS);
    printf(",%s", gap);
    json_fields(made, FIELD_EXACT, FIELD_HEXFLOAT);
    printf(",%s", gap);
    json_fields(made, FIELD_ERROR, FIELD_ULPS);
    printf(",%s", gap);
    json_neighbor(made, "below", fpfmt_next_down(made->format, made->code, NULL, NULL));
    printf(",%s", gap);
    json_neighbor(made, "above", fpfmt_next_up(made->format, made->code, NULL, NULL));
    printf(",%s", gap);
    json_flags(made->flags);
    fputs(", ", stdout);
    json_fields(made, FIELD_STATUS, FIELD_STATUS);
    if (stepwise)
        json_stepwise(made, gap);
    putchar('}');
}

void machine_begin(const options *chosen)
{
    if (chosen->output == OUTPUT_JSON)
        json_begin("results");
    else if (chosen->output == OUTPUT_TSV || chosen->output == OUTPUT_CSV)
        print_header(chosen);
}

void machine_row(report *made, const options *chosen)
{
    static number text;
    static bool any;
    switch (chosen->output) {
    case OUTPUT_JSON:
        fputs(any ? ",\n  " : "  ", stdout);
        json_object(made, chosen->stepwise, "\n   ");
        break;
    case OUTPUT_JSONL:
        json_object(made, chosen->stepwise, " ");
        putchar('\n');
        break;
    case OUTPUT_QUIET:
        fpfmt_print_exact(text, sizeof text, made->stored);
        puts(text);
        break;
    default: print_fields(made, chosen); break;
    }
    any = true;
}

void machine_end(const options *chosen)
{
    if (chosen->output == OUTPUT_JSON)
        json_end();
}
