/* report_fields.c - what programs see of a report, field by field
 * SPDX-License-Identifier: MIT */

#include <string.h>
#include <strings.h>

#include "facts/explanation.h"
#include "facts/stepwise.h"
#include "kit/list.h"
#include "kit/memory.h"

/* Of a coded neighbour: what programs see. */
static const field neighbor_fields[] = {
    { .name = "code", .kind = FIELD_CODE },
    { .name = "exact", .kind = FIELD_EXACT },
    { .name = "shortest", .kind = FIELD_SHORTEST },
    { .name = NULL },
};

#define OBJECT(field_name, type, member, schema, exists_member)                                    \
    {                                                                                              \
        .name = field_name, .kind = FIELD_OBJECT, .offset = offsetof(type, member), .of = schema,  \
        .exists = offsetof(type, exists_member) + 1, .line = true                                  \
    }

const field report_fields[] = {
    FIELD("input", FIELD_TEXT, report, text),
    FIELD("format", FIELD_FORMAT, report, result),
    FIELD("policy", FIELD_TEXT, report, policy_name),
    { .name = "round",
      .kind = FIELD_STRING,
      .offset = offsetof(report, rounding),
      .aliases = "rounding" },
    { .name = "overflow",
      .kind = FIELD_WORD,
      .offset = offsetof(report, overflow),
      .words = &overflow_words },
    FIELD("code", FIELD_CODE, report, result),
    { .name = "bits", .kind = FIELD_BITS, .offset = offsetof(report, result), .flat = true },
    { .name = "sign", .kind = FIELD_SIGN, .offset = offsetof(report, result), .line = true },
    FIELD("exponent", FIELD_EXPONENT, report, result),
    { .name = "mantissa",
      .kind = FIELD_MANTISSA,
      .offset = offsetof(report, result),
      .aliases = "fraction" },
    FIELD("class", FIELD_CLASS, report, result),
    { .name = "exact",
      .kind = FIELD_EXACT,
      .offset = offsetof(report, result),
      .line = true,
      .aliases = "value" },
    FIELD("shortest", FIELD_SHORTEST, report, result),
    { .name = "hexfloat",
      .kind = FIELD_HEXFLOAT,
      .offset = offsetof(report, result),
      .aliases = "hex" },
    { .name = "error", .kind = FIELD_DECIMAL, .offset = offsetof(report, error), .line = true },
    { .name = "relative",
      .kind = FIELD_FRACTION,
      .offset = offsetof(report, relative),
      .aliases = "rel" },
    { .name = "ulps", .kind = FIELD_DECIMAL, .offset = offsetof(report, ulps), .aliases = "ulp" },
    OBJECT("below", report, below, neighbor_fields, has_below),
    OBJECT("above", report, above, neighbor_fields, has_above),
    { .name = "flags", .kind = FIELD_FLAGS, .offset = offsetof(report, flags), .line = true },
    { .name = "status",
      .kind = FIELD_WORD,
      .offset = offsetof(report, status),
      .words = &status_words },
    { .name = "stepwise",
      .kind = FIELD_CODE,
      .offset = offsetof(report, stepwise.result),
      .flat = true },
    { .name = "stepwise-exact",
      .kind = FIELD_EXACT,
      .offset = offsetof(report, stepwise.result),
      .flat = true },
    { .name = "stepwise-ulps",
      .kind = FIELD_DECIMAL,
      .offset = offsetof(report, stepwise.ulps),
      .flat = true },
    { .name = "stepwise-flags",
      .kind = FIELD_FLAGS,
      .offset = offsetof(report, stepwise.flags),
      .flat = true },
    OBJECT("stepwise", report, stepwise, stepwise_fields, stepwise_done),
    OBJECT("explanation", report, explanation, explanation_fields, explained),
    { .name = NULL },
};

const field *report_field(const char *name)
{
    for (const field *here = report_fields; here->name != NULL; here++)
        if (here->kind != FIELD_OBJECT &&
            (strcasecmp(here->name, name) == 0 || is_word_of(here->aliases, name)))
            return here;
    return NULL;
}

bool is_stepwise_field(const field *here)
{
    return strncmp(here->name, "stepwise", strlen("stepwise")) == 0;
}

/* Where the input was cut, as pi is, the distance from it is not known to the last digit. */
static void hide_cut_errors(report *made)
{
    bool known = !made->in->cut;
    made->error.exists &= known;
    made->relative.exists &= known;
    made->ulps.exists &= known;
    made->stepwise.ulps.exists &= known;
}

static void add_neighbors(report *made)
{
    const fpfmt_format *format = made->format;
    made->below = (coded){ format, fpfmt_next_down(format, made->code, NULL, NULL) };
    made->above = (coded){ format, fpfmt_next_up(format, made->code, NULL, NULL) };
    bool ordered = made->stored.kind <= FPFMT_KIND_INFINITE;
    made->has_below = ordered && made->below.code != made->code;
    made->has_above = ordered && made->above.code != made->code;
}

void complete_report(report *made, const field *const *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const field *here = fields[i];
        if (here->kind == FIELD_STRING)
            rounding_name(made->rounding, &made->policy);
        if (here->kind == FIELD_DECIMAL || here->kind == FIELD_FRACTION)
            measure_error(made);
        if (here->of == neighbor_fields && !made->has_below && !made->has_above)
            add_neighbors(made);
        if (here->of == stepwise_fields)
            list_steps(made);
        else if (is_stepwise_field(here))
            compute_stepwise(made);
        if (here->of == explanation_fields)
            explain_report(made);
    }
    hide_cut_errors(made);
}

void clear_report(report *made)
{
    if (made->stepwise_done)
        release_steps(made);
    if (made->explained)
        release((void *)made->explanation.modes.rows);
}
