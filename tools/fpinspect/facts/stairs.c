/* stairs.c - what ways of rounding make of numbers near 0
 * SPDX-License-Identifier: MIT */

#include "facts/stairs.h"

#include "kit/memory.h"
#include "values/limits.h"

/* In units of a sixteenth of the step, which is 2^-4 of it. */
fpfmt_value stair_input(const fpfmt_format *format, int index)
{
    fpfmt_value value = fpfmt_from_i64(index);
    if (value.kind != FPFMT_KIND_ZERO)
        value.exponent += bottom_of(format) - 4;
    return value;
}

fpfmt_value stair(const request *chosen, size_t column, const fpfmt_format *format, int index)
{
    fpfmt_policy policy = column_policy(chosen, &chosen->columns[column], format);
    policy.first = (uint64_t)(index + STAIRS * STEPS_PER_STAIR);
    return fpfmt_decode(format, fpfmt_encode(format, stair_input(format, index), &policy, NULL));
}

static void make_schema(stair_schema *schema, const request *chosen)
{
    const fpfmt_format *format = &chosen->formats.rows[0];
    field *next = schema->fields;
    *next++ = (field)FIELD("format", FIELD_TEXT, stair_facts, format);
    *next++ = (field)FIELD("x", FIELD_VALUE, stair_facts, x);
    for (size_t c = 0; c < chosen->column_count; c++) {
        fpfmt_policy policy = column_policy(chosen, &chosen->columns[c], format);
        *next++ = (field){ .name = rounding_name(schema->names[c], &policy),
                           .kind = FIELD_VALUE,
                           .offset = offsetof(stair_facts, result) + c * sizeof(fpfmt_value) };
    }
    *next = (field){ .name = NULL };
}

const field *gather_stairs(fact_list *facts, stair_schema *schema, const request *chosen)
{
    stair_facts *rows = NULL;
    size_t n = 0;
    make_schema(schema, chosen);
    for (size_t f = 0; f < chosen->formats.count; f++)
        for (int i = -STAIRS * STEPS_PER_STAIR; i <= STAIRS * STEPS_PER_STAIR; i++) {
            const fpfmt_format *format = &chosen->formats.rows[f];
            rows = more(rows, n, sizeof *rows);
            rows[n] = (stair_facts){ .format = format->name, .x = stair_input(format, i) };
            for (size_t c = 0; c < chosen->column_count; c++)
                rows[n].result[c] = stair(chosen, c, format, i);
            n++;
        }
    *facts = (fact_list){ rows, n };
    return schema->fields + (chosen->formats.count == 1);
}
