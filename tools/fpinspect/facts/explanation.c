/* explanation.c - one rounding as data: what was cut, what decided, and what other modes give
 * SPDX-License-Identifier: MIT */

#include "facts/explanation.h"

#include "kit/memory.h"
#include "kit/number.h"
#include "kit/rounding.h"

/* The result in one of the modes. */
typedef struct {
    const char *round;
    coded result;
} mode_facts;

static const field mode_fields[] = {
    FIELD("round", FIELD_TEXT, mode_facts, round),
    FIELD("code", FIELD_CODE, mode_facts, result),
    FIELD("exact", FIELD_EXACT, mode_facts, result),
    { .name = NULL },
};

const field explanation_fields[] = {
    FIELD("range", FIELD_TEXT, explanation_facts, range),
    FIELD("emin", FIELD_INTEGER, explanation_facts, emin),
    FIELD("quantum", FIELD_INTEGER, explanation_facts, quantum),
    FIELD("kept", FIELD_COUNT, explanation_facts, kept),
    FIELD("guard", FIELD_INTEGER, explanation_facts, guard),
    FIELD("round", FIELD_INTEGER, explanation_facts, round),
    FIELD("sticky", FIELD_INTEGER, explanation_facts, sticky),
    FIELD("remainder", FIELD_TEXT, explanation_facts, remainder),
    FIELD("cut", FIELD_DECIMAL, explanation_facts, cut),
    FIELD("away", FIELD_BOOL, explanation_facts, away),
    FIELD("toward", FIELD_CODE, explanation_facts, toward),
    FIELD("from_zero", FIELD_CODE, explanation_facts, from_zero),
    FIELD("chance", FIELD_FRACTION, explanation_facts, chance),
    FIELD("reason", FIELD_STRING, explanation_facts, reason),
    { .name = "modes",
      .kind = FIELD_LIST,
      .offset = offsetof(explanation_facts, modes),
      .of = mode_fields,
      .size = sizeof(mode_facts),
      .line = true },
    { .name = NULL },
};

static const char *range_word(const fpfmt_explanation *told)
{
    static const char *const words[] = {
        [FPFMT_RANGE_SPECIAL] = "special",     [FPFMT_RANGE_BELOW] = "below",
        [FPFMT_RANGE_SUBNORMAL] = "subnormal", [FPFMT_RANGE_NORMAL] = "normal",
        [FPFMT_RANGE_ABOVE] = "above",
    };
    return words[told->range];
}

static const char *remainder_word(const fpfmt_explanation *told)
{
    static const char *const words[] = {
        [FPFMT_REMAINDER_NONE] = "none",
        [FPFMT_REMAINDER_BELOW_HALF] = "below_half",
        [FPFMT_REMAINDER_HALF] = "half",
        [FPFMT_REMAINDER_ABOVE_HALF] = "above_half",
    };
    return words[told->remainder];
}

static fact_list list_modes_of(const report *made, const fpfmt_explanation *told)
{
    mode_facts *rows = allocate(FPFMT_ROUND_DETERMINISTIC_COUNT, sizeof *rows);
    for (int i = 0; i < FPFMT_ROUND_DETERMINISTIC_COUNT; i++)
        rows[i] = (mode_facts){ word_for(&rounding_words, (unsigned)i),
                                { made->format, told->otherwise[i] } };
    return (fact_list){ rows, FPFMT_ROUND_DETERMINISTIC_COUNT };
}

void explain_report(report *made)
{
    explanation_facts *facts = &made->explanation;
    fpfmt_explanation told = fpfmt_explain(made->format, made->in->value, &made->policy);
    bool rounded = told.range != FPFMT_RANGE_SPECIAL;
    bool between = rounded && told.remainder != FPFMT_REMAINDER_NONE;
    *facts = (explanation_facts){ .range = range_word(&told),
                                  .remainder = remainder_word(&told),
                                  .emin = told.emin,
                                  .quantum = told.quantum,
                                  .kept = told.kept,
                                  .guard = told.guard,
                                  .round = told.round,
                                  .sticky = told.sticky,
                                  .away = told.away };
    if (rounded && !is_clamped(told.value) && !made->in->cut)
        facts->cut.exists = remainder_of(&facts->cut.ratio, made, &told);
    if (between) {
        facts->toward = (coded){ made->format, told.toward };
        facts->from_zero = (coded){ made->format, told.from_zero };
    }
    if (between && has_chance(made->policy.rounding))
        facts->chance.exists = chance_of(&facts->chance.ratio, made, &told);
    facts->modes = list_modes_of(made, &told);
    reason_of(facts->reason, made);
    made->explained = true;
}
