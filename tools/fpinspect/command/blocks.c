/* blocks.c - values in block formats, and codes of them read back
 * SPDX-License-Identifier: MIT */

#include "command/blocks.h"

#include <string.h>

#include "command/views.h"
#include "facts/block_steps.h"
#include "kit/lines.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/run.h"
#include "kit/say.h"
#include "screens/view.h"

enum { MOST_RECIPES = 16 };

/* Values being read; codes: they are codes of a format, which fill that instead. */
typedef struct {
    const request *chosen;
    tensor made;
    uint64_t *codes;
    input in;
} reading;

/* The next place, with what was read, or a gap. */
static void add_place(reading *now, char *text, fpfmt_value value, uint64_t code)
{
    tensor *made = &now->made;
    made->texts = more(made->texts, made->count, sizeof *made->texts);
    made->values = more(made->values, made->count, sizeof *made->values);
    now->codes = more(now->codes, made->count, sizeof *now->codes);
    made->texts[made->count] = text;
    made->values[made->count] = value;
    now->codes[made->count] = code;
    made->count++;
    made->read += text != NULL;
}

static void take_value(reading *now, const char *text, size_t length, const char *where)
{
    const request *chosen = now->chosen;
    const fpfmt_format *from = chosen->from_block ? &chosen->block.element
                               : chosen->has_from ? &chosen->from
                                                  : NULL;
    if (!read_input(&now->in, from, false, text, length, where)) {
        add_place(now, NULL, (fpfmt_value){ .kind = FPFMT_KIND_ZERO }, 0);
        return;
    }
    fpfmt_policy policy = column_policy(chosen, &chosen->columns[0], fpfmt_named("fp32"));
    settle_input(&now->in, &policy);
    fpfmt_value largest = now->made.extreme, value = now->in.value;
    largest.negative = value.negative = false;
    if (fpfmt_value_is_finite(value) && fpfmt_compare_quiet(value, largest, NULL) == FPFMT_GREATER)
        now->made.extreme = now->in.value;
    add_place(now, copy_text(text, length), now->in.value, now->in.code);
}

static bool take_stdin_line(void *context, char *text, size_t length, const char *where)
{
    take_value(context, text, length, where);
    return true;
}

/* All operands, or the lines of standard input without any. */
static void read_tensor(reading *now, const request *chosen)
{
    *now = (reading){ .chosen = chosen };
    if (chosen->operand_count == 0)
        for_each_line("-", take_stdin_line, now);
    for (size_t i = 0; i < chosen->operand_count; i++) {
        size_t length = strlen(chosen->operands[i]);
        if (strcmp(chosen->operands[i], "-") == 0)
            for_each_line("-", take_stdin_line, now);
        else
            take_value(now, stripped(chosen->operands[i], &length), length, "");
    }
}

/* ---- records ---- */

/* The fields of --print, of which each has to be one of an element; or all of them. */
static size_t choose_fields(const field **fields, const request *chosen)
{
    static const char *const flat[] = { "input", "format", "code", "scale", "exact", "status" };
    size_t count = 0;
    if (chosen->form == FORM_JSON || chosen->form == FORM_JSONL) {
        for (const field *here = element_fields; here->name != NULL; here++)
            if (here->kind != FIELD_OBJECT)
                fields[count++] = here;
    } else if (chosen->field_count > 0) {
        for (size_t i = 0; i < chosen->field_count; i++) {
            const field *found = element_field(chosen->fields[i]->name);
            if (found == NULL) {
                complain("field '%s' is none of a block format's; there are input, index, block, "
                         "format, recipe, code, bits, scale, scale_value, tensor_scale, scaled, "
                         "exact, error, relative, flags and status",
                         chosen->fields[i]->name);
                return 0;
            }
            fields[count++] = found;
        }
    } else {
        for (size_t i = 0; i < sizeof flat / sizeof flat[0]; i++) {
            fields[count++] = element_field(flat[i]);
            if (i == 1 && chosen->recipes.count > 1)
                fields[count++] = element_field("recipe");
        }
    }
    for (const field *here = element_fields; chosen->explain && here->name != NULL; here++)
        if (here->kind == FIELD_OBJECT)
            fields[count++] = here;
    return count;
}

static void judge(const request *chosen, const element_facts *made)
{
    if ((made->flags & chosen->fail_flags) != 0 ||
        (1u << made->status & chosen->fail_statuses) != 0)
        fail_condition();
}

static void print_exactly(const element_facts *made)
{
    number text;
    fpfmt_print_exact(text, sizeof text, made->held);
    fprintf(this_run()->out, "%s\n", text);
}

/* A block under one of the plans, with what --explain tells of all its elements. */
typedef struct {
    block_facts block;
    block_explanation explanation;
} open_block;

static void open_next(open_block *here, const quantization *how, size_t which)
{
    if (here->explanation.steps.rows != NULL)
        release((void *)here->explanation.steps.rows);
    make_block(&here->block, how, which);
    if (how->chosen->explain)
        explain_block(&here->explanation, how, &here->block);
}

static void put_record(records *rows, const quantization *how, const open_block *here,
                       element_facts *made, size_t index, input *in)
{
    make_element(made, how, &here->block, index, in);
    made->explained = how->chosen->explain;
    if (made->explained) {
        made->explanation = here->explanation;
        made->explanation.clipped =
            !here->block.scale.is_nan && is_clipped(how, made->scaled_value.value, NULL);
    }
    if (how->chosen->form == FORM_QUIET)
        print_exactly(made);
    else
        records_row(rows, made);
    judge(how->chosen, made);
}

/* Value by value, each under all plans; blocks of these may end at different values. */
static void put_records(records *rows, const quantization *plans, size_t count)
{
    element_facts *made = allocate(1, sizeof *made);
    open_block *blocks = allocate(count, sizeof *blocks);
    input *in = allocate(1, sizeof *in);
    for (size_t i = 0; i < plans[0].of->count; i++)
        for (size_t p = 0; p < count; p++) {
            const block_facts *block = &blocks[p].block;
            if (i == block->first + block->count)
                open_next(&blocks[p], &plans[p], i == 0 ? 0 : block->number + 1);
            if (!is_gap(plans[p].of, i))
                put_record(rows, &plans[p], &blocks[p], made, i, in);
        }
    for (size_t p = 0; p < count; p++)
        if (blocks[p].explanation.steps.rows != NULL)
            release((void *)blocks[p].explanation.steps.rows);
    release_input(in);
    release(in);
    release(blocks);
    release(made);
}

static void as_records(const request *chosen, const quantization *plans, size_t count)
{
    const field *fields[MOST_FIELDS + 1];
    size_t field_count = choose_fields(fields, chosen);
    if (field_count == 0)
        return;
    records rows;
    bool quiet = chosen->form == FORM_QUIET;
    if (!quiet) {
        records_open(&rows, chosen->form, fpinspect_schema);
        records_begin(&rows, "results", fields, field_count);
    }
    put_records(&rows, plans, count);
    if (!quiet)
        records_close(&rows);
}

/* ---- screens ---- */

/* --fail-on on a screen, which does not keep its elements. */
static void judge_all(const quantization *how)
{
    element_facts *made = allocate(1, sizeof *made);
    input *in = allocate(1, sizeof *in);
    for (size_t b = 0; b < blocks_of(how); b++) {
        block_facts block;
        make_block(&block, how, b);
        for (size_t i = block.first; i < block.first + block.count; i++) {
            if (is_gap(how->of, i))
                continue;
            make_element(made, how, &block, i, in);
            judge(how->chosen, made);
        }
    }
    release_input(in);
    release(in);
    release(made);
}

/* Has a block nothing but gaps? */
static bool is_empty(const quantization *how, size_t which)
{
    block_facts block;
    make_block(&block, how, which);
    return block.read == 0;
}

/* The plans of one block format, one for each recipe: beside each other, or one by itself. */
static void as_screens(const request *chosen, const quantization *plans, size_t count, bool last)
{
    size_t blocks = blocks_of(&plans[0]);
    while (blocks > 0 && is_empty(&plans[0], blocks - 1))
        blocks--;
    for (size_t b = 0; b < blocks; b++) {
        bool end = last && b + 1 == blocks;
        if (is_empty(&plans[0], b))
            continue;
        if (count > 1)
            draw_recipes(plans, count, b, end && !chosen->explain);
        for (size_t p = 0; p < count && (count == 1 || chosen->explain); p++) {
            block_facts block;
            make_block(&block, &plans[p], b);
            if (chosen->explain)
                draw_explanation(&plans[p], &block, p + 1 == count, end && p + 1 == count);
            else
                draw_block(&plans[p], &block, end);
        }
    }
    for (size_t p = 0; p < count && (chosen->fail_flags | chosen->fail_statuses) != 0; p++)
        judge_all(&plans[p]);
}

/* Fills in a plan for each recipe, or for the one of the block format's maker. */
static size_t plan_all(quantization *plans, const request *chosen, const tensor *of,
                       const fpfmt_block *block)
{
    size_t count = chosen->recipes.list == NULL ? 1 : chosen->recipes.count;
    if (count > MOST_RECIPES) {
        complain("--recipe takes %d recipes at the most", MOST_RECIPES);
        return 0;
    }
    for (size_t r = 0; r < count; r++) {
        char *name = chosen->recipes.list == NULL ? NULL : list_item(chosen->recipes.list, r);
        bool good = plan_quantization(&plans[r], chosen, of, block, name, &chosen->columns[0]);
        release(name);
        if (!good)
            return 0;
    }
    return count;
}

void quantise(const request *chosen)
{
    reading *now = allocate(1, sizeof *now);
    quantization *plans = NULL;
    size_t count = 0, made;
    read_tensor(now, chosen);
    bool good = now->made.read > 0;
    for (size_t f = 0; good && f < chosen->blocks.count; f++) {
        plans = resize(plans, count + MOST_RECIPES, sizeof *plans);
        made = plan_all(plans + count, chosen, &now->made, &chosen->blocks.rows[f]);
        good = made > 0;
        if (good && chosen->form == FORM_SCREEN)
            as_screens(chosen, plans + count, made, f + 1 == chosen->blocks.count);
        else
            count += made;
    }
    if (good && chosen->form != FORM_SCREEN)
        as_records(chosen, plans, count);
    release_input(&now->in);
    release(now);
}

/* ---- codes read back ---- */

/* The codes of --scale, one for each block; NULL after a complaint. */
static uint64_t *read_scales(const request *chosen, size_t elements)
{
    const fpfmt_format *format = &chosen->block.scale;
    size_t blocks = fpfmt_block_count(&chosen->block, elements), count = 0;
    input *in = allocate(1, sizeof *in);
    if (chosen->scales == NULL) {
        complain("--from %s needs the scale of each block, as --scale 0x7f", chosen->block.name);
        return NULL;
    }
    if (!has_all_items(chosen->scales))
        return NULL;
    uint64_t *codes = allocate(list_length(chosen->scales), sizeof *codes);
    char *text;
    while ((text = list_item(chosen->scales, count)) != NULL) {
        if (!read_input(in, format, false, text, strlen(text), "--scale: "))
            return NULL;
        codes[count++] = in->code;
    }
    if (count != blocks) {
        complain("--scale has %zu %s, but %zu %s of %s take %zu", count,
                 count == 1 ? "code" : "codes", elements, elements == 1 ? "element" : "elements",
                 chosen->block.name, blocks);
        return NULL;
    }
    release_input(in);
    return codes;
}

/* Codes as records, which have no recipe and no errors. */
static void put_codes(const reading *now, const uint64_t *scales, const fpfmt_tensor_scale *whole)
{
    const request *chosen = now->chosen;
    const fpfmt_block *block = &chosen->block;
    const field *fields[MOST_FIELDS + 1];
    size_t field_count = choose_fields(fields, chosen);
    bool quiet = chosen->form == FORM_QUIET;
    records rows;
    if (field_count > 0 && !quiet) {
        records_open(&rows, chosen->form, fpinspect_schema);
        records_begin(&rows, "results", fields, field_count);
    }
    for (size_t i = 0; field_count > 0 && i < now->made.count; i++) {
        size_t b = block->size == FPFMT_BLOCK_ALL ? 0 : i / block->size;
        element_facts made = { .input = now->made.texts[i],
                               .index = i,
                               .block = b,
                               .format = block->name,
                               .element = { &block->element, now->codes[i] },
                               .scale = { &block->scale, scales[b] } };
        made.held =
            fpfmt_block_decode(block, now->codes[i], fpfmt_block_stored(block, scales[b], whole));
        if (is_gap(&now->made, i))
            continue;
        if (quiet)
            print_exactly(&made);
        else
            records_row(&rows, &made);
    }
    if (field_count > 0 && !quiet)
        records_close(&rows);
}

void dequantise(const request *chosen)
{
    reading *now = allocate(1, sizeof *now);
    fpfmt_tensor_scale scale = { 1, 0 };
    read_tensor(now, chosen);
    uint64_t *scales = now->made.read == 0 ? NULL : read_scales(chosen, now->made.count);
    quantization how;
    bool good = scales != NULL;
    if (good && chosen->tensor_scale != NULL) {
        good =
            plan_quantization(&how, chosen, &now->made, &chosen->block, NULL, &chosen->columns[0]);
        scale = how.tensor_scale;
    } else if (good && chosen->block.levels == 2) {
        note("%s has a scale of the tensor, which is taken as 1; --tensor-scale gives another",
             chosen->block.name);
    }
    if (good && chosen->form == FORM_SCREEN)
        draw_codes(&chosen->block, &now->made, now->codes, scales, &scale);
    else if (good)
        put_codes(now, scales, &scale);
    release_input(&now->in);
    release(now);
}
