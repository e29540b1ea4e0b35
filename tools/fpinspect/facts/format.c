/* format.c - what there is to know about a format: its fields, limits, codes and relatives
 * SPDX-License-Identifier: MIT */

#include "facts/format.h"

#include <string.h>

#include "kit/list.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/text.h"
#include "values/limits.h"

const field format_name_fields[] = {
    FIELD("format", FIELD_TEXT, format_facts, name),
    FIELD("title", FIELD_TEXT, format_facts, title),
    FIELD("aliases", FIELD_NAMES, format_facts, aliases),
    FIELD("sets", FIELD_NAMES, format_facts, sets),
    FIELD("width", FIELD_INTEGER, format_facts, width),
    FIELD("sign_bits", FIELD_INTEGER, format_facts, sign_bits),
    FIELD("exponent_bits", FIELD_INTEGER, format_facts, exponent_bits),
    FIELD("fraction_bits", FIELD_INTEGER, format_facts, fraction_bits),
    FIELD("bias", FIELD_INTEGER, format_facts, bias),
    FIELD("precision", FIELD_INTEGER, format_facts, precision),
    FIELD("emin", FIELD_INTEGER, format_facts, emin),
    FIELD("emax", FIELD_INTEGER, format_facts, emax),
    { .name = NULL },
};

#define LINE(field_name, field_kind, member)                                                       \
    {                                                                                              \
        .name = field_name, .kind = field_kind, .offset = offsetof(format_facts, member),          \
        .line = true                                                                               \
    }

/* zeros: "both", "positive" or "none"; nans: "ieee", "all_ones", "negative_zero" or "none". */
const field format_fields[] = {
    FIELD("format", FIELD_TEXT, format_facts, name),
    FIELD("title", FIELD_TEXT, format_facts, title),
    FIELD("aliases", FIELD_NAMES, format_facts, aliases),
    FIELD("sets", FIELD_NAMES, format_facts, sets),
    LINE("width", FIELD_INTEGER, width),
    FIELD("sign_bits", FIELD_INTEGER, format_facts, sign_bits),
    FIELD("exponent_bits", FIELD_INTEGER, format_facts, exponent_bits),
    FIELD("fraction_bits", FIELD_INTEGER, format_facts, fraction_bits),
    FIELD("bias", FIELD_INTEGER, format_facts, bias),
    FIELD("precision", FIELD_INTEGER, format_facts, precision),
    FIELD("emin", FIELD_INTEGER, format_facts, emin),
    FIELD("emax", FIELD_INTEGER, format_facts, emax),
    LINE("zeros", FIELD_TEXT, zeros),
    FIELD("subnormals", FIELD_BOOL, format_facts, has_subnormals),
    FIELD("infinities", FIELD_BOOL, format_facts, has_infinity),
    FIELD("nans", FIELD_TEXT, format_facts, nans),
    FIELD("overflow", FIELD_TEXT, format_facts, overflow),
    LINE("max", FIELD_EXACT, max),
    FIELD("max_code", FIELD_CODE, format_facts, max),
    FIELD("lowest", FIELD_EXACT, format_facts, lowest),
    FIELD("lowest_code", FIELD_CODE, format_facts, lowest),
    LINE("min_normal", FIELD_EXACT, min_normal),
    FIELD("min_normal_code", FIELD_CODE, format_facts, min_normal),
    FIELD("min_subnormal", FIELD_EXACT, format_facts, min_subnormal),
    FIELD("min_subnormal_code", FIELD_CODE, format_facts, min_subnormal),
    LINE("infinity_code", FIELD_CODE, infinity),
    FIELD("nan_code", FIELD_CODE, format_facts, nan),
    LINE("overflow_threshold", FIELD_DECIMAL, overflow_threshold),
    FIELD("overflows_from", FIELD_BOOL, format_facts, overflows_from),
    FIELD("beyond", FIELD_EXACT, format_facts, beyond),
    LINE("flush_threshold", FIELD_MAYBE, flush_threshold),
    LINE("epsilon", FIELD_MAYBE, epsilon),
    FIELD("unit_roundoff", FIELD_MAYBE, format_facts, unit_roundoff),
    FIELD("integers_to", FIELD_VALUE, format_facts, integers_to),
    FIELD("digits10", FIELD_INTEGER, format_facts, digits10),
    FIELD("max_digits10", FIELD_INTEGER, format_facts, max_digits10),
    LINE("zero_codes", FIELD_COUNT, zero_codes),
    FIELD("subnormal_codes", FIELD_COUNT, format_facts, subnormal_codes),
    FIELD("normal_codes", FIELD_COUNT, format_facts, normal_codes),
    FIELD("infinite_codes", FIELD_COUNT, format_facts, infinite_codes),
    FIELD("nan_codes", FIELD_COUNT, format_facts, nan_codes),
    LINE("exact_in", FIELD_NAMES, exact_in),
    LINE("holds", FIELD_NAMES, holds),
    { .name = NULL },
};

static const char *word_of_nans(const fpfmt_format *format)
{
    static const char *const words[] = { [FPFMT_NANS_NONE] = "none",
                                         [FPFMT_NANS_IEEE] = "ieee",
                                         [FPFMT_NANS_ALL_ONES] = "all_ones",
                                         [FPFMT_NANS_NEGATIVE_ZERO] = "negative_zero" };
    return words[format->nans];
}

/* Nothing where the format has no such code. */
static coded code_if(bool exists, const fpfmt_format *format, uint64_t code)
{
    return (coded){ exists ? format : NULL, code };
}

static void describe_codes(format_facts *facts)
{
    const fpfmt_format *format = facts->format;
    const fpfmt_limits *limits = &facts->limits;
    facts->max = code_if(true, format, limits->max);
    facts->lowest = code_if(true, format, limits->lowest);
    facts->min_normal = code_if(true, format, limits->min_normal);
    facts->min_subnormal = code_if(limits->has_subnormals, format, limits->min_positive);
    facts->infinity = code_if(limits->has_infinity, format, limits->infinity);
    facts->nan = code_if(limits->has_nan, format, limits->nan);
}

/* What the rounding to nearest even makes of the end of the range, tried out. */
static void describe_ends(format_facts *facts)
{
    const fpfmt_format *format = facts->format;
    fpfmt_value max = fpfmt_decode(format, facts->limits.max), half = fpfmt_ulp(format, max);
    fpfmt_value huge = max, least = fpfmt_decode(format, facts->limits.min_positive);
    maybe_ratio *end = &facts->overflow_threshold;
    fpfmt_ratio step;
    unsigned flags = 0;
    int exponent;
    half.exponent--;
    end->exists = fpfmt_ratio_from(&end->ratio, max) && fpfmt_ratio_from(&step, half) &&
                  fpfmt_ratio_add(&end->ratio, &end->ratio, &step);
    if (end->exists)
        fpfmt_encode(format, fpfmt_ratio_value(&end->ratio), NULL, &flags);
    facts->overflows_from = (flags & FPFMT_FLAG_OVERFLOW) != 0;
    huge.exponent += 2;
    facts->beyond = code_if(true, format, fpfmt_encode(format, huge, NULL, NULL));
    facts->flush_threshold.exists = flush_threshold(format, &exponent);
    facts->flush_threshold.value = least;
    facts->flush_threshold.value.exponent = exponent;
}

static void describe_precision(format_facts *facts)
{
    const fpfmt_format *format = facts->format;
    int precision = facts->limits.precision;
    facts->epsilon.exists = epsilon_of(format, &facts->epsilon.value);
    facts->integers_to = largest_consecutive_integer(format);
    facts->digits10 = facts->max_digits10 = NO_INTEGER;
    if (format->exponent_bits == 0)
        return;
    facts->unit_roundoff = (maybe_value){ true, fpfmt_from_i64(1) };
    facts->unit_roundoff.value.exponent = -precision;
    /* (p - 1) log10 2 is no integer, and 1233 / 4096 is log10 2 to 5 digits. */
    facts->digits10 = (precision - 1) * 1233 / 4096;
    facts->max_digits10 = max_digits10(format);
}

static void count_codes(format_facts *facts)
{
    const fpfmt_format *format = facts->format;
    const fpfmt_limits *limits = &facts->limits;
    uint64_t signs = format->sign_bits > 0 ? 2 : 1;
    uint64_t fractions = UINT64_C(1) << format->fraction_bits;
    uint64_t below = fractions - 1 < limits->max ? fractions - 1 : limits->max;
    /* The count of all codes of 64 bits wraps to 0, and the difference is right all the same. */
    uint64_t all = limits->width == 64 ? 0 : UINT64_C(1) << limits->width;
    facts->zero_codes = (uint64_t)limits->has_zero + limits->has_negative_zero;
    facts->subnormal_codes = limits->has_subnormals ? signs * below : 0;
    facts->infinite_codes = limits->has_infinity ? signs : 0;
    facts->nan_codes = format->nans == FPFMT_NANS_IEEE       ? signs * (fractions - 1)
                       : format->nans == FPFMT_NANS_ALL_ONES ? signs
                                                             : limits->has_nan;
    facts->normal_codes =
        all - facts->zero_codes - facts->subnormal_codes - facts->infinite_codes - facts->nan_codes;
}

enum { NAMES = 600 };

static void add_name(char names[NAMES], const char *name)
{
    append_text(names, NAMES, "%s%s", *names != '\0' ? " " : "", name);
}

static const char *kept(const char names[NAMES])
{
    return *names != '\0' ? copy_text(names, strlen(names)) : NULL;
}

static void find_relatives(format_facts *facts)
{
    const fpfmt_format *format = facts->format;
    char exact_in[NAMES] = "", not_in[NAMES] = "", holds[NAMES] = "";
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const fpfmt_format *row = fpfmt_at(i);
        if (strcmp(row->name, format->name) == 0)
            continue;
        if (fpfmt_contains(row, format))
            add_name(exact_in, row->name);
        else if (fpfmt_measure(row).width >= facts->limits.width &&
                 is_word_of(row->sets, "default"))
            add_name(not_in, row->name);
        if (fpfmt_contains(format, row))
            add_name(holds, row->name);
    }
    facts->exact_in = kept(exact_in);
    facts->not_in = kept(not_in);
    facts->holds = kept(holds);
}

void describe_format(format_facts *facts, const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    *facts = (format_facts){
        .format = format,
        .limits = limits,
        .name = format->name,
        .title = format->title,
        .aliases = format->aliases,
        .sets = format->sets,
        .width = limits.width,
        .sign_bits = format->sign_bits,
        .exponent_bits = format->exponent_bits,
        .fraction_bits = format->fraction_bits,
        .bias = format->bias,
        .precision = limits.precision,
        .emin = limits.emin,
        .emax = limits.emax,
        .zeros = limits.has_negative_zero ? "both"
                 : limits.has_zero        ? "positive"
                                          : "none",
        .nans = word_of_nans(format),
        .overflow = word_for(&overflow_words, format->overflow),
        .has_subnormals = limits.has_subnormals,
        .has_infinity = limits.has_infinity,
    };
    describe_codes(facts);
    describe_ends(facts);
    describe_precision(facts);
    count_codes(facts);
    find_relatives(facts);
}

static bool describe_all(fact_list *facts, const fpfmt_format *formats, size_t count)
{
    format_facts *rows = allocate(count, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        describe_format(&rows[i], &formats[i]);
    *facts = (fact_list){ rows, count };
    return true;
}

bool gather_info(fact_list *facts, const request *chosen)
{
    return describe_all(facts, &chosen->shown[0], 1);
}

bool gather_targets(fact_list *facts, const request *chosen)
{
    return describe_all(facts, chosen->formats.rows, chosen->formats.count);
}

bool gather_formats(fact_list *facts, const request *chosen)
{
    format_list rows = { .rows = NULL };
    (void)chosen;
    add_set(&rows, "all");
    return describe_all(facts, rows.rows, rows.count);
}
