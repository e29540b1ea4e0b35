/* lists.c - the tables of the library as facts
 * SPDX-License-Identifier: MIT */

#include "facts/lists.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/text.h"

#define WORD(field_name, member, table)                                                            \
    {                                                                                              \
        .name = field_name, .kind = FIELD_WORD, .offset = offsetof(policy_facts, member),          \
        .words = &table                                                                            \
    }

static const word_table overflow_test_words = { .family = FPFMT_WORDS_OVERFLOW_TEST };
static const word_table subnormal_words = { .family = FPFMT_WORDS_SUBNORMAL };
static const word_table negative_words = { .family = FPFMT_WORDS_NEGATIVE };
static const word_table specials_words = { .family = FPFMT_WORDS_SPECIALS };

const field policy_fields[] = {
    FIELD("policy", FIELD_TEXT, policy_facts, name),
    FIELD("summary", FIELD_TEXT, policy_facts, summary),
    WORD("round", rounding, rounding_words),
    FIELD("exceptions", FIELD_NAMES, policy_facts, exceptions),
    WORD("overflow", overflow, overflow_words),
    WORD("overflow_test", overflow_test, overflow_test_words),
    WORD("subnormal", subnormal, subnormal_words),
    WORD("nan", nan, nan_words),
    WORD("negative", negative, negative_words),
    WORD("tininess", tininess, tininess_words),
    WORD("specials", specials, specials_words),
    { .name = NULL },
};

static const char *list_exceptions(const fpfmt_policy_row *row)
{
    enum { SIZE = 100 };
    char text[SIZE] = "";
    const fpfmt_policy_exception *here = row->exceptions;
    for (; here != NULL && here->format != NULL; here++)
        append_text(text, SIZE, "%s%s:%s", *text != '\0' ? " " : "", here->format,
                    word_for(&rounding_words, here->rounding));
    return *text != '\0' ? copy_text(text, strlen(text)) : NULL;
}

bool gather_policies(fact_list *facts, const request *chosen)
{
    const fpfmt_policy_row *row;
    policy_facts *rows = NULL;
    size_t n = 0;
    (void)chosen;
    for (; (row = fpfmt_policy_at(n)) != NULL; n++) {
        const fpfmt_policy *policy = &row->policy;
        rows = more(rows, n, sizeof *rows);
        rows[n] = (policy_facts){ .name = row->name,
                                  .summary = row->summary,
                                  .rounding = policy->rounding,
                                  .overflow = policy->overflow,
                                  .overflow_test = policy->overflow_test,
                                  .subnormal = policy->subnormal,
                                  .nan = policy->nan,
                                  .negative = policy->negative,
                                  .tininess = policy->tininess,
                                  .specials = policy->specials,
                                  .exceptions = list_exceptions(row) };
    }
    *facts = (fact_list){ rows, n };
    return true;
}

const field mode_word_fields[] = {
    FIELD("option", FIELD_TEXT, mode_word_facts, family),
    FIELD("name", FIELD_TEXT, mode_word_facts, name),
    FIELD("aliases", FIELD_NAMES, mode_word_facts, aliases),
    FIELD("summary", FIELD_TEXT, mode_word_facts, summary),
    { .name = NULL },
};

bool gather_modes(fact_list *facts, const request *chosen)
{
    static const struct {
        const char *option;
        const word_table *words;
    } families[] = { { "round", &rounding_words }, { "overflow", &overflow_words } };
    const fpfmt_word *here;
    mode_word_facts *rows = NULL;
    size_t n = 0;
    (void)chosen;
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (size_t i = 0; (here = word_at(families[f].words, i)) != NULL; i++) {
            rows = more(rows, n, sizeof *rows);
            rows[n++] =
                (mode_word_facts){ families[f].option, here->name, here->aliases, here->summary };
        }
    *facts = (fact_list){ rows, n };
    return true;
}

const field accumulator_fields[] = {
    FIELD("accumulator", FIELD_TEXT, accumulator_facts, name),
    FIELD("summary", FIELD_TEXT, accumulator_facts, summary),
    FIELD("inputs", FIELD_TEXT, accumulator_facts, inputs),
    FIELD("outputs", FIELD_TEXT, accumulator_facts, outputs),
    FIELD("group", FIELD_POSITIVE, accumulator_facts, group),
    FIELD("fraction_bits", FIELD_POSITIVE, accumulator_facts, fraction_bits),
    FIELD("kept_bits", FIELD_POSITIVE, accumulator_facts, kept_bits),
    FIELD("rounding", FIELD_TEXT, accumulator_facts, rounding),
    FIELD("checked", FIELD_TEXT, accumulator_facts, checked),
    FIELD("open", FIELD_TEXT, accumulator_facts, open),
    { .name = NULL },
};

/* How the result of a group or a step is rounded, where the row fixes it. */
static const char *rounding_of(const fpfmt_accumulator *row)
{
    if (row->method == FPFMT_ACCUMULATE_ALIGNED && !row->nearest)
        return "toward-zero";
    if (row->method == FPFMT_ACCUMULATE_PAIR_TO_ODD)
        return "to-odd";
    return row->method < FPFMT_ACCUMULATE_ALIGNED ? NULL : "nearest-even";
}

bool gather_accumulators(fact_list *facts, const request *chosen)
{
    const fpfmt_accumulator *row;
    accumulator_facts *rows = NULL;
    size_t n = 0;
    (void)chosen;
    for (; (row = fpfmt_accumulator_at(n)) != NULL; n++) {
        rows = more(rows, n, sizeof *rows);
        rows[n] =
            (accumulator_facts){ row->name,    row->summary,       row->inputs,    row->outputs,
                                 row->group,   row->fraction_bits, row->kept_bits, rounding_of(row),
                                 row->checked, row->open };
    }
    *facts = (fact_list){ rows, n };
    return true;
}
