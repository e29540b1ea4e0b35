/* scan_fields.c - a scan as records: for programs, and to be added up
 * SPDX-License-Identifier: MIT */

#include "facts/scan_fields.h"

#include <inttypes.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/text.h"

/* ---- sums and errors as texts ---- */

void spell_sum(char text[SUM_TEXT], const uint64_t *sum, size_t limbs)
{
    size_t top = limbs - 1;
    while (top > 0 && sum[top] == 0)
        top--;
    print_text(text, SUM_TEXT, "0x%" PRIx64, sum[top]);
    while (top-- > 0)
        append_text(text, SUM_TEXT, "%016" PRIx64, sum[top]);
}

bool read_sum(uint64_t *sum, size_t limbs, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t length = text == NULL || strncmp(text, "0x", 2) != 0 ? 0 : strlen(text + 2);
    if (length == 0 || length > 16 * limbs || strspn(text + 2, digits) != length)
        return false;
    memset(sum, 0, limbs * sizeof *sum);
    for (size_t i = 0; i < length; i++) {
        size_t place = length - 1 - i;
        uint64_t digit = (uint64_t)(strchr(digits, text[2 + i]) - digits);
        sum[place / 16] |= digit << place % 16 * 4;
    }
    return true;
}

bool read_error(fpfmt_value *value, const char *text)
{
    *value = (fpfmt_value){ .kind = FPFMT_KIND_ZERO };
    if (text == NULL || strcmp(text, "0") == 0)
        return text != NULL;
    size_t length = strlen(text);
    bool cut = length > 0 && text[length - 1] == '+';
    size_t read = fpfmt_parse(value, text, length - cut, NULL);
    value->inexact = cut;
    return read == length - cut && fpfmt_value_is_finite(*value) && !value->negative;
}

static char *sum_text(const uint64_t *sum, size_t limbs)
{
    char text[SUM_TEXT];
    spell_sum(text, sum, limbs);
    return copy_text(text, strlen(text));
}

/* ---- schemas ---- */

static const field binade_count_fields[] = {
    FIELD("exponent", FIELD_INTEGER, binade_facts, exponent),
    FIELD("count", FIELD_COUNT, binade_facts, count),
    FIELD("powers", FIELD_COUNT, binade_facts, powers),
    { .name = NULL },
};

static const field loss_fields[] = {
    FIELD("index", FIELD_COUNT, loss_facts, index),
    FIELD("value", FIELD_VALUE, loss_facts, value),
    FIELD("code", FIELD_CODE, loss_facts, code),
    FIELD("scale", FIELD_CODE, loss_facts, scale),
    FIELD("exact", FIELD_VALUE, loss_facts, result),
    { .name = "status",
      .kind = FIELD_WORD,
      .offset = offsetof(loss_facts, status),
      .words = &status_words },
    { .name = NULL },
};

#define OUTCOMES                                                                                   \
    FIELD("exact", FIELD_COUNT, column_facts, exact),                                              \
        FIELD("inexact", FIELD_COUNT, column_facts, inexact),                                      \
        FIELD("subnormal", FIELD_COUNT, column_facts, subnormal),                                  \
        FIELD("underflow", FIELD_COUNT, column_facts, underflow),                                  \
        FIELD("overflow", FIELD_COUNT, column_facts, overflow),                                    \
        FIELD("saturated", FIELD_COUNT, column_facts, saturated),                                  \
        FIELD("invalid", FIELD_COUNT, column_facts, invalid)

#define ERRORS                                                                                     \
    FIELD("absolute", FIELD_STRING, column_facts, absolute),                                       \
        FIELD("absolute_index", FIELD_COUNT, column_facts, absolute_index),                        \
        FIELD("relative", FIELD_STRING, column_facts, relative),                                   \
        FIELD("relative_index", FIELD_COUNT, column_facts, relative_index),                        \
        FIELD("rms_relative", FIELD_STRING, column_facts, rms_relative),                           \
        FIELD("sqnr_db", FIELD_STRING, column_facts, sqnr),                                        \
        FIELD("best_scale", FIELD_INTEGER, column_facts, best_scale)

static const field column_fields[] = {
    FIELD("format", FIELD_TEXT, column_facts, format),
    FIELD("variant", FIELD_TEXT, column_facts, variant),
    FIELD("policy", FIELD_TEXT, column_facts, policy),
    FIELD("round", FIELD_TEXT, column_facts, round),
    { .name = "overflow_rule",
      .kind = FIELD_WORD,
      .offset = offsetof(column_facts, overflow_rule),
      .words = &overflow_words },
    FIELD("flush", FIELD_COUNT, column_facts, flush),
    FIELD("recipe", FIELD_TEXT, column_facts, recipe),
    OUTCOMES,
    FIELD("finite", FIELD_COUNT, column_facts, finite),
    ERRORS,
    FIELD("signal", FIELD_TEXT, column_facts, signal),
    FIELD("noise", FIELD_TEXT, column_facts, noise),
    FIELD("relative_squares", FIELD_TEXT, column_facts, relative_squares),
    { .name = "worst",
      .kind = FIELD_LIST,
      .offset = offsetof(column_facts, worst),
      .of = loss_fields,
      .size = sizeof(loss_facts) },
    { .name = NULL },
};

const field scan_row_fields[] = {
    FIELD("file", FIELD_TEXT, column_facts, file),
    FIELD("tensor", FIELD_TEXT, column_facts, tensor),
    FIELD("format", FIELD_TEXT, column_facts, format),
    FIELD("policy", FIELD_TEXT, column_facts, policy),
    FIELD("round", FIELD_TEXT, column_facts, round),
    FIELD("recipe", FIELD_TEXT, column_facts, recipe),
    FIELD("count", FIELD_COUNT, column_facts, count),
    FIELD("zero", FIELD_COUNT, column_facts, zero),
    FIELD("nan", FIELD_COUNT, column_facts, nan),
    FIELD("inf", FIELD_COUNT, column_facts, infinite),
    OUTCOMES,
    ERRORS,
    { .name = NULL },
};

const field tensor_fields[] = {
    FIELD("file", FIELD_TEXT, tensor_facts, file),
    FIELD("tensor", FIELD_TEXT, tensor_facts, tensor),
    FIELD("type", FIELD_TEXT, tensor_facts, type),
    FIELD("read_as", FIELD_TEXT, tensor_facts, read_as),
    FIELD("scheme", FIELD_TEXT, tensor_facts, scheme),
    FIELD("shape", FIELD_NAMES, tensor_facts, shape),
    FIELD("count", FIELD_COUNT, tensor_facts, count),
    FIELD("zero", FIELD_COUNT, tensor_facts, zero),
    FIELD("nan", FIELD_COUNT, tensor_facts, nan),
    FIELD("inf", FIELD_COUNT, tensor_facts, infinite),
    FIELD("least", FIELD_VALUE, tensor_facts, least),
    FIELD("largest", FIELD_VALUE, tensor_facts, largest),
    { .name = "binades",
      .kind = FIELD_LIST,
      .offset = offsetof(tensor_facts, binades),
      .of = binade_count_fields,
      .size = sizeof(binade_facts),
      .line = true },
    { .name = "formats",
      .kind = FIELD_LIST,
      .offset = offsetof(tensor_facts, columns),
      .of = column_fields,
      .size = sizeof(column_facts),
      .line = true },
    { .name = NULL },
};

/* ---- facts ---- */

static void fill_losses(fact_list *made, const scan_column *of, const scan_target *target)
{
    loss_facts *rows = allocate(of->worst_count + 1, sizeof *rows);
    for (size_t i = 0; i < of->worst_count; i++) {
        const element_loss *loss = &of->worst[i];
        loss_facts *row = &rows[i];
        row->index = loss->index;
        row->value = fpfmt_from_f64(loss->value);
        row->result = fpfmt_from_f64(loss->result);
        row->code = (coded){ &target->format, loss->code };
        if (target->block != NULL)
            row->scale = (coded){ &target->block->scale, loss->scale };
        row->status = status_of_loss(target, loss);
    }
    *made = (fact_list){ rows, of->worst_count };
}

static void fill_column(column_facts *made, const scan_result *of, const scan_column *column,
                        const scan_target *target)
{
    const fpfmt_stats *stats = &column->stats;
    double rms, sqnr;
    bool has_rms = rms_relative(&rms, stats, &of->values);
    bool has_sqnr = decibels(&sqnr, fpfmt_stats_signal(stats), fpfmt_stats_noise(stats));
    *made = (column_facts){ .file = of->file,
                            .tensor = of->tensor,
                            .format = target->name,
                            .variant = target->variant,
                            .policy = target->policy_name,
                            .round = target->round,
                            .overflow_rule = target->policy.overflow,
                            .flush = target->policy.subnormal,
                            .recipe = target->block == NULL ? NULL : target->recipe.name,
                            .count = stats->count,
                            .zero = of->values.zero,
                            .nan = stats->nan,
                            .infinite = stats->infinite,
                            .exact = stats->exact,
                            .inexact = stats->inexact,
                            .subnormal = stats->subnormal,
                            .underflow = stats->underflow,
                            .overflow = stats->overflow,
                            .saturated = stats->saturated,
                            .invalid = stats->invalid,
                            .finite = stats->finite,
                            .absolute_index = stats->absolute_index,
                            .relative_index = stats->relative_index,
                            .signal = sum_text(stats->signal, FPFMT_SUM_LIMBS),
                            .noise = sum_text(stats->noise, FPFMT_SUM_LIMBS),
                            .relative_squares =
                                sum_text(stats->relative_squares,
                                         sizeof stats->relative_squares / sizeof(uint64_t)) };
    spell_error(made->absolute, stats->absolute);
    spell_error(made->relative, stats->relative);
    spell_about(made->rms_relative, has_rms, rms);
    spell_about(made->sqnr, has_sqnr, sqnr);
    if (!best_scale(&made->best_scale, target, &of->values))
        made->best_scale = NO_INTEGER;
    fill_losses(&made->worst, column, target);
}

static void fill_binades(fact_list *made, const value_counts *values)
{
    binade_facts *rows = NULL;
    size_t count = 0;
    for (int i = 0; i < BINADES; i++) {
        if (values->in_binade[i] == 0)
            continue;
        rows = more(rows, count, sizeof *rows);
        rows[count++] = (binade_facts){ i + BINADE_LEAST, values->in_binade[i], values->powers[i] };
    }
    *made = (fact_list){ rows, count };
}

void make_tensor_facts(tensor_facts *made, const scan_result *of, const target_list *targets)
{
    column_facts *columns = allocate(targets->count + 1, sizeof *columns);
    *made = (tensor_facts){ .file = of->file,
                            .tensor = of->tensor,
                            .type = of->type,
                            .read_as = of->format,
                            .scheme = of->scheme,
                            .shape = of->tensor == NULL ? NULL : of->shape,
                            .count = of->values.count,
                            .zero = of->values.zero,
                            .nan = of->values.nan,
                            .infinite = of->values.infinite,
                            .least = of->values.least,
                            .largest = of->values.largest,
                            .columns = { columns, targets->count } };
    fill_binades(&made->binades, &of->values);
    for (size_t t = 0; t < targets->count; t++)
        fill_column(&columns[t], of, &of->columns[t], &targets->rows[t]);
}

void release_tensor_facts(tensor_facts *made)
{
    column_facts *columns = (column_facts *)(size_t)made->columns.rows;
    for (size_t t = 0; t < made->columns.count; t++) {
        release(columns[t].signal);
        release(columns[t].noise);
        release(columns[t].relative_squares);
        release((void *)(size_t)columns[t].worst.rows);
    }
    release(columns);
    release((void *)(size_t)made->binades.rows);
}
