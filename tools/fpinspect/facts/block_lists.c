/* block_lists.c - the tables of block formats, recipes and code books as facts
 * SPDX-License-Identifier: MIT */

#include "facts/block_lists.h"

#include <string.h>

#include "kit/blocks.h"
#include "kit/memory.h"
#include "kit/text.h"

const field block_format_fields[] = {
    FIELD("block", FIELD_TEXT, block_format_facts, name),
    FIELD("title", FIELD_TEXT, block_format_facts, title),
    FIELD("aliases", FIELD_NAMES, block_format_facts, aliases),
    FIELD("element", FIELD_TEXT, block_format_facts, element),
    FIELD("scale", FIELD_TEXT, block_format_facts, scale),
    FIELD("tensor_scale", FIELD_TEXT, block_format_facts, tensor),
    FIELD("size", FIELD_STRING, block_format_facts, size),
    FIELD("bits", FIELD_RATIO, block_format_facts, bits),
    FIELD("recipe", FIELD_TEXT, block_format_facts, recipe),
    FIELD("largest", FIELD_VALUE, block_format_facts, largest),
    FIELD("smallest", FIELD_VALUE, block_format_facts, smallest),
    FIELD("widest", FIELD_VALUE, block_format_facts, widest),
    { .name = NULL },
};

/* The element of the smallest magnitude above 0. */
static fpfmt_value smallest_element(const fpfmt_block *block)
{
    if (block->book == NULL)
        return fpfmt_decode(&block->element, fpfmt_measure(&block->element).min_positive);
    fpfmt_value best = { .kind = FPFMT_KIND_INFINITE };
    for (size_t i = 0; i < block->book->count; i++) {
        fpfmt_value value = fpfmt_from_f32(block->book->values[i]);
        value.negative = false;
        if (!fpfmt_value_is_zero(value) && fpfmt_compare_quiet(value, best, NULL) == FPFMT_LESS)
            best = value;
    }
    return best;
}

static fpfmt_value combined(fpfmt_operation operation, fpfmt_value a, fpfmt_value b)
{
    return fpfmt_exact(operation, a, b, b, NULL, NULL);
}

static void measure_block(block_format_facts *made, const fpfmt_block *block, const char *aliases)
{
    fpfmt_limits scale = fpfmt_measure(&block->scale);
    fpfmt_value largest = fpfmt_block_largest(block), smallest = smallest_element(block);
    largest.negative = false;
    *made = (block_format_facts){ .of = block,
                                  .name = block->name,
                                  .title = block->title,
                                  .aliases = aliases,
                                  .element = block->element.name,
                                  .scale = block->scale.name,
                                  .tensor = block->levels == 2 ? block->tensor.name : NULL,
                                  .recipe = block->recipe };
    show_block_size(made->size, block);
    fpfmt_ratio_from(&made->bits, fpfmt_block_bits(block));
    made->widest = combined(FPFMT_OPERATION_DIVIDE, largest, smallest);
    made->widest = fpfmt_from_f64(fpfmt_to_f64(made->widest, NULL, NULL));
    made->largest =
        combined(FPFMT_OPERATION_MULTIPLY, largest, fpfmt_decode(&block->scale, scale.max));
    made->smallest = combined(FPFMT_OPERATION_MULTIPLY, smallest,
                              fpfmt_decode(&block->scale, scale.min_positive));
}

bool gather_blocks(fact_list *facts, const request *chosen)
{
    block_format_facts *rows = NULL;
    size_t n = 0;
    (void)chosen;
    for (; fpfmt_block_at(n) != NULL; n++) {
        fpfmt_block *block = allocate(1, sizeof *block);
        fpfmt_find_block(block, fpfmt_block_at(n)->name);
        rows = more(rows, n, sizeof *rows);
        measure_block(&rows[n], block, fpfmt_block_at(n)->aliases);
    }
    *facts = (fact_list){ rows, n };
    return true;
}

bool gather_block_info(fact_list *facts, const request *chosen)
{
    block_format_facts *row = allocate(1, sizeof *row);
    measure_block(row, &chosen->block, NULL);
    *facts = (fact_list){ row, 1 };
    return true;
}

const field recipe_fields[] = {
    FIELD("recipe", FIELD_TEXT, recipe_facts, name),
    FIELD("summary", FIELD_TEXT, recipe_facts, summary),
    FIELD("zero", FIELD_TEXT, recipe_facts, zero),
    FIELD("nan", FIELD_TEXT, recipe_facts, nan),
    FIELD("inf", FIELD_TEXT, recipe_facts, infinite),
    FIELD("subnormal", FIELD_TEXT, recipe_facts, subnormal),
    FIELD("source", FIELD_TEXT, recipe_facts, source),
    { .name = NULL },
};

bool gather_recipes(fact_list *facts, const request *chosen)
{
    static const char *const zeros[] = { "rule", "least", "one", "zeros" };
    static const char *const nans[] = { "scale", "element" };
    static const char *const infinities[] = { "nan", "max", "rule" };
    static const char *const subnormals[] = { "keep", "flush" };
    const fpfmt_recipe *row;
    recipe_facts *rows = NULL;
    size_t n = 0;
    (void)chosen;
    for (; (row = fpfmt_recipe_at(n)) != NULL; n++) {
        rows = more(rows, n, sizeof *rows);
        rows[n] = (recipe_facts){ .name = row->name,
                                  .summary = row->summary,
                                  .source = row->source,
                                  .zero = zeros[row->zero],
                                  .nan = nans[row->nan],
                                  .infinite = infinities[row->infinite],
                                  .subnormal = subnormals[row->subnormal] };
    }
    *facts = (fact_list){ rows, n };
    return true;
}

const field book_fields[] = {
    FIELD("code", FIELD_CODE, book_facts, code),
    FIELD("bits", FIELD_BITS, book_facts, code),
    FIELD("exact", FIELD_VALUE, book_facts, value),
    FIELD("hexfloat", FIELD_STRING, book_facts, hexfloat),
    FIELD("threshold", FIELD_MAYBE, book_facts, threshold),
    { .name = NULL },
};

/* The book's codes, in the order of their values: with signs the negative ones first. */
bool gather_book(fact_list *facts, const request *chosen)
{
    const fpfmt_book *book = chosen->book;
    fpfmt_format *format = allocate(1, sizeof *format);
    size_t count = book->count * (book->has_sign ? 2u : 1u);
    book_facts *rows = allocate(count, sizeof *rows);
    *format = (fpfmt_format){ .fraction_bits = book->width };
    print_text(format->name, sizeof format->name, "%s", book->name);
    for (size_t i = 0; i < count; i++) {
        bool negative = book->has_sign && i < book->count;
        size_t entry = negative ? book->count - 1u - i : i - (book->has_sign ? book->count : 0u);
        uint64_t code = book->codes != NULL ? book->codes[entry] : entry;
        rows[i].code = (coded){ format, code | (uint64_t)negative << (book->width - 1) };
        rows[i].value = fpfmt_book_decode(book, rows[i].code.code);
        fpfmt_print_hex(rows[i].hexfloat, sizeof rows[i].hexfloat, rows[i].value);
        size_t gap = negative ? entry - 1 : entry;
        bool has = book->thresholds != NULL && i + 1 < count &&
                   (negative ? entry > 0 : entry + 1 < book->count);
        if (!has)
            continue;
        rows[i].threshold = (maybe_value){ true, fpfmt_from_f32(book->thresholds[gap]) };
        rows[i].threshold.value.negative ^= negative;
    }
    *facts = (fact_list){ rows, count };
    return true;
}
