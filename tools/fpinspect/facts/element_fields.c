/* element_fields.c - what programs see of an element of a block, field by field
 * SPDX-License-Identifier: MIT */

#include <strings.h>

#include "facts/block.h"
#include "kit/list.h"

const field element_fields[] = {
    FIELD("input", FIELD_TEXT, element_facts, input),
    FIELD("index", FIELD_COUNT, element_facts, index),
    FIELD("block", FIELD_COUNT, element_facts, block),
    FIELD("format", FIELD_TEXT, element_facts, format),
    FIELD("recipe", FIELD_TEXT, element_facts, recipe),
    FIELD("code", FIELD_CODE, element_facts, element),
    FIELD("bits", FIELD_BITS, element_facts, element),
    FIELD("scale", FIELD_CODE, element_facts, scale),
    FIELD("scale_value", FIELD_EXACT, element_facts, scale),
    FIELD("tensor_scale", FIELD_MAYBE, element_facts, tensor_scale),
    FIELD("scaled", FIELD_DECIMAL, element_facts, scaled),
    { .name = "exact",
      .kind = FIELD_VALUE,
      .offset = offsetof(element_facts, held),
      .aliases = "value" },
    FIELD("error", FIELD_DECIMAL, element_facts, error),
    { .name = "relative",
      .kind = FIELD_FRACTION,
      .offset = offsetof(element_facts, relative),
      .aliases = "rel" },
    FIELD("flags", FIELD_FLAGS, element_facts, flags),
    { .name = "status",
      .kind = FIELD_WORD,
      .offset = offsetof(element_facts, status),
      .words = &status_words },
    { .name = "explanation",
      .kind = FIELD_OBJECT,
      .offset = offsetof(element_facts, explanation),
      .of = block_explanation_fields,
      .exists = offsetof(element_facts, explained) + 1,
      .line = true },
    { .name = NULL },
};

const field *element_field(const char *name)
{
    for (const field *here = element_fields; here->name != NULL; here++)
        if (here->kind != FIELD_OBJECT &&
            (strcasecmp(here->name, name) == 0 || is_word_of(here->aliases, name)))
            return here;
    return NULL;
}
