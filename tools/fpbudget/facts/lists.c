/* lists.c - the tables that options choose from, as facts
 * SPDX-License-Identifier: MIT */

#include "facts/lists.h"

#include "kit/memory.h"
#include "kit/text.h"

/* Summaries of recipes and of block formats lean on the rows above them, as "and gradients" does,
 * and tell programs nothing that other fields do not. */
const field recipe_fields[] = {
    FIELD("recipe", FIELD_TEXT, recipe_facts, row.name),
    FIELD("optimizer", FIELD_TEXT, recipe_facts, row.optimizer),
    FIELD("parameters", FIELD_TEXT, recipe_facts, row.formats[PART_PARAMETERS]),
    FIELD("copy", FIELD_TEXT, recipe_facts, row.formats[PART_COPY]),
    FIELD("transpose", FIELD_TEXT, recipe_facts, row.formats[PART_TRANSPOSE]),
    FIELD("gradients", FIELD_TEXT, recipe_facts, row.formats[PART_GRADIENTS]),
    FIELD("master", FIELD_TEXT, recipe_facts, row.formats[PART_MASTER]),
    FIELD("state", FIELD_TEXT, recipe_facts, row.state),
    FIELD("activations", FIELD_TEXT, recipe_facts, row.activations),
    FIELD("inputs", FIELD_TEXT, recipe_facts, row.inputs),
    FIELD("divided", FIELD_NAMES, recipe_facts, divided),
    FIELD("assumption", FIELD_TEXT, recipe_facts, row.assumption),
    { .name = NULL },
};

const field optimizer_fields[] = {
    FIELD("optimizer", FIELD_TEXT, optimizer_facts, row.name),
    FIELD("states", FIELD_NAMES, optimizer_facts, states),
    FIELD("format", FIELD_TEXT, optimizer_facts, row.format),
    FIELD("summary", FIELD_TEXT, optimizer_facts, row.summary),
    FIELD("assumption", FIELD_TEXT, optimizer_facts, row.assumption),
    { .name = NULL },
};

const field device_fields[] = {
    FIELD("device", FIELD_TEXT, device_row, name),
    FIELD("title", FIELD_TEXT, device_row, summary),
    FIELD("fp32_tflops", FIELD_TEXT, device_row, peak[PEAK_FP32]),
    FIELD("tf32_tflops", FIELD_TEXT, device_row, peak[PEAK_TF32]),
    FIELD("bf16_tflops", FIELD_TEXT, device_row, peak[PEAK_BF16]),
    FIELD("fp8_tflops", FIELD_TEXT, device_row, peak[PEAK_FP8]),
    FIELD("fp4_tflops", FIELD_TEXT, device_row, peak[PEAK_FP4]),
    FIELD("memory_gb", FIELD_TEXT, device_row, memory),
    FIELD("bandwidth_gb_s", FIELD_TEXT, device_row, bandwidth),
    FIELD("source", FIELD_TEXT, device_row, source),
    FIELD("fp16_tflops", FIELD_TEXT, device_row, peak[PEAK_FP16]),
    { .name = NULL },
};

const field block_fields[] = {
    FIELD("format", FIELD_TEXT, block_facts, name),
    FIELD("grammar", FIELD_STRING, block_facts, grammar),
    FIELD("bits", FIELD_RATIO, block_facts, bits),
    { .name = NULL },
};

enum { LIST_SIZE = 80 }; /* all parts: "parameters copy transpose gradients master state" */

static void append_name(char list[LIST_SIZE], const char *name)
{
    append_text(list, LIST_SIZE, "%s%s", *list != '\0' ? " " : "", name);
}

static const char *divided_parts(const recipe_row *recipe)
{
    char *list = allocate(LIST_SIZE, 1);
    for (size_t i = 0; i < part_table.count; i++) {
        const part_row *part = row_at(&part_table, i);
        if (recipe->formats[i] != NULL && (part->divided_with & recipe->divides) != 0)
            append_name(list, part->name);
    }
    if ((recipe->divides & DIVIDES_STATE) != 0)
        append_name(list, "state");
    return list;
}

fact_list gather_recipes(void)
{
    recipe_facts *rows = allocate(recipe_table.count, sizeof *rows);
    for (size_t i = 0; i < recipe_table.count; i++) {
        const recipe_row *row = row_at(&recipe_table, i);
        rows[i] = (recipe_facts){ .row = *row, .divided = divided_parts(row) };
    }
    return (fact_list){ rows, recipe_table.count };
}

static const char *names_of_states(const optimizer_row *optimizer)
{
    char *list = allocate(LIST_SIZE, 1);
    for (size_t i = 0; i < MOST_STATES && optimizer->states[i].name != NULL; i++)
        append_name(list, optimizer->states[i].name);
    return list;
}

fact_list gather_optimizers(void)
{
    optimizer_facts *rows = allocate(optimizer_table.count, sizeof *rows);
    for (size_t i = 0; i < optimizer_table.count; i++) {
        const optimizer_row *row = row_at(&optimizer_table, i);
        rows[i] = (optimizer_facts){ .row = *row, .states = names_of_states(row) };
    }
    return (fact_list){ rows, optimizer_table.count };
}

fact_list gather_devices(void)
{
    return (fact_list){ device_table.rows, device_table.count };
}

/* The block formats of the library whose blocks have a size, and what is kept in another's word. */
fact_list gather_blocks(void)
{
    block_facts *rows = NULL;
    size_t count = 0;
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++) {
        const fpfmt_block_row *row = fpfmt_block_at(i);
        storage kept;
        if (row->size == FPFMT_BLOCK_ALL || !find_storage(&kept, row->name))
            continue;
        rows = more(rows, count, sizeof *rows);
        rows[count] = (block_facts){ .name = row->name, .title = row->title, .bits = bits_per_element(&kept) };
        print_text(rows[count].grammar, sizeof rows[count].grammar, "%s:%s/%llu%s%s", row->element,
                   row->scale, (unsigned long long)kept.block, row->tensor != NULL ? "+" : "",
                   row->tensor != NULL ? row->tensor : "");
        count++;
    }
    rows = more(rows, count, sizeof *rows);
    storage word;
    find_storage(&word, "tf32");
    rows[count] = (block_facts){ .name = "tf32",
                                 .title = "TF32, kept as FP32",
                                 .grammar = "fp32",
                                 .bits = bits_per_element(&word) };
    return (fact_list){ rows, count + 1 };
}
