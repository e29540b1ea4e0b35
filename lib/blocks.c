/* blocks.c - the table of block formats, and the grammar of their names
 * SPDX-License-Identifier: MIT */

#include "blocks.h"
#include "carrier.h"
#include "names.h"
#include "shape.h"

#define ALL FPFMT_BLOCK_ALL

/* name, aliases, title, element, scale, scale of the tensor, elements along the axis and across it,
 * the recipe of its maker, order. */
/* clang-format off */
static const fpfmt_block_row table[] = {
    { "mxfp8-e4m3", "mxfp8 mxfp8e4m3 mxfp8-e4m3fn", "OCP MXFP8 of E4M3",
      "e4m3", "e8m0", NULL, 32, 1, "ocp-floor", 0 },
    { "mxfp8-e5m2", "mxfp8e5m2", "OCP MXFP8 of E5M2",
      "e5m2", "e8m0", NULL, 32, 1, "ocp-floor", 0 },
    { "mxfp6-e3m2", "mxfp6e3m2", "OCP MXFP6 of E3M2",
      "e3m2", "e8m0", NULL, 32, 1, "ocp-floor", 0 },
    { "mxfp6-e2m3", "mxfp6e2m3", "OCP MXFP6 of E2M3",
      "e2m3", "e8m0", NULL, 32, 1, "ocp-floor", 0 },
    { "mxfp4", "mxfp4-e2m1 mxfp4e2m1", "OCP MXFP4",
      "e2m1", "e8m0", NULL, 32, 1, "ocp-floor", 0 },
    { "mxint8", NULL, "OCP MXINT8",
      "int8f6", "e8m0", NULL, 32, 1, "ocp-floor", 0 },
    { "nvfp4", NULL, "NVIDIA NVFP4",
      "e2m1", "e4m3", "fp32", 16, 1, "te-nvfp4", 0 },
    { "deepseek-1x128", NULL, "DeepSeek's FP8 of activations",
      "e4m3", "fp32", NULL, 128, 1, "deepseek", 0 },
    { "deepseek-128x128", NULL, "DeepSeek's FP8 of weights, in tiles",
      "e4m3", "fp32", NULL, 128, 128, "deepseek", 0 },
    { "channel-e4m3", "per-channel-e4m3 fp8-per-channel", "FP8, a scale for each row",
      "e4m3", "fp32", NULL, ALL, 1, "te-current", 0 },
    { "channel-e5m2", "per-channel-e5m2", "FP8, a scale for each row",
      "e5m2", "fp32", NULL, ALL, 1, "te-current", 0 },
    { "tensor-e4m3", "per-tensor-e4m3 fp8-per-tensor", "FP8, a scale for the whole",
      "e4m3", "fp32", NULL, ALL, ALL, "te-current", 0 },
    { "tensor-e5m2", "per-tensor-e5m2", "FP8, a scale for the whole",
      "e5m2", "fp32", NULL, ALL, ALL, "te-current", 0 },
    { "q8_0", "ggml-q8_0", "llama.cpp Q8_0",
      "int8", "fp16", NULL, 32, 1, "ggml", FPFMT_BLOCK_LOW_FIRST },
    { "q4_0", "ggml-q4_0", "llama.cpp Q4_0",
      "offset4", "fp16", NULL, 32, 1, "ggml", FPFMT_BLOCK_HALVES },
    { "nf4", "bnb-nf4", "NF4 of QLoRA, by bitsandbytes",
      "nf4", "fp32", NULL, 64, 1, "bitsandbytes", FPFMT_BLOCK_HIGH_FIRST },
    { "bnb-fp4", NULL, "FP4 of bitsandbytes, which is not E2M1",
      "bnb-fp4", "fp32", NULL, 64, 1, "bitsandbytes", FPFMT_BLOCK_HIGH_FIRST },
};
/* clang-format on */

#define ROWS (sizeof table / sizeof table[0])

const fpfmt_block_row *fpfmt_block_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

static size_t length_of(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return n;
}

/* A format by any of its names, or an element by that of a book, whose codes are unsigned integers
 * of its width. */
static fpfmt_status find_part(fpfmt_format *format, const fpfmt_book **book, const char *name)
{
    for (size_t i = 0; book != NULL && fpfmt_book_at(i) != NULL; i++) {
        const fpfmt_book *row = fpfmt_book_at(i);
        if (!fpfmt_is_called(row->name, NULL, name, true))
            continue;
        *book = row;
        *format = (fpfmt_format){ .fraction_bits = row->width,
                                  .overflow = FPFMT_OVERFLOW_MAX,
                                  .title = row->title };
        memcpy(format->name, row->name, length_of(row->name) + 1);
        return FPFMT_FOUND;
    }
    return fpfmt_find(format, name);
}

/* The name in lower case, with '_' as its maker writes it. */
static void keep_name(fpfmt_block *block, const char *name)
{
    size_t i = 0;
    for (; name[i] != '\0' && i < FPFMT_BLOCK_NAME_SIZE - 1; i++)
        block->name[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    block->name[i] = '\0';
}

static void fill_in(fpfmt_block *block, const fpfmt_block_row *row)
{
    *block = (fpfmt_block){ .levels = row->tensor == NULL ? 1 : 2,
                            .order = row->order,
                            .size = row->size,
                            .rows = row->rows,
                            .recipe = row->recipe,
                            .title = row->title };
    find_part(&block->element, &block->book, row->element);
    find_part(&block->scale, NULL, row->scale);
    if (row->tensor != NULL)
        find_part(&block->tensor, NULL, row->tensor);
    keep_name(block, row->name);
}

/* Takes the text up to one of the ends, into a name; false if there is none, or too much. */
static bool take_name(const char **at, char name[FPFMT_NAME_SIZE], const char *ends)
{
    size_t n = 0;
    for (; (*at)[n] != '\0'; n++) {
        bool ended = false;
        for (const char *end = ends; *end != '\0'; end++)
            ended |= (*at)[n] == *end;
        if (ended)
            break;
        if (n + 1 >= FPFMT_NAME_SIZE)
            return false;
        name[n] = (*at)[n];
    }
    name[n] = '\0';
    *at += n;
    return n > 0;
}

/* Takes a decimal number below FPFMT_BLOCK_ALL. */
static bool take_number(const char **at, uint32_t *number)
{
    uint64_t n = 0;
    const char *from = *at;
    for (; **at >= '0' && **at <= '9' && n < ALL; ++*at)
        n = 10 * n + (uint64_t)(**at - '0');
    *number = (uint32_t)n;
    return *at > from && n < ALL;
}

/* COLUMNS, ROWSxCOLUMNS, channel or tensor, up to the end. */
static bool read_size(fpfmt_block *block, const char *at)
{
    block->rows = 1;
    if (fpfmt_is_called("channel", NULL, at, true) || fpfmt_is_called("tensor", NULL, at, true)) {
        block->size = ALL;
        block->rows = fpfmt_is_called("tensor", NULL, at, true) ? ALL : 1;
        return true;
    }
    if (!take_number(&at, &block->size))
        return false;
    if (*at == 'x' || *at == 'X') {
        at++;
        block->rows = block->size;
        if (!take_number(&at, &block->size))
            return false;
    }
    return *at == '\0';
}

/* The recipe of the kind: of powers of two for a scale that has nothing else, with a second scale
 * or fractions the plain quotient, and for books and whole tensors what their makers do. */
static const char *usual_recipe(const fpfmt_block *block)
{
    if (block->book != NULL && block->levels == 1)
        return block->book->on_takes_upper ? "ggml" : "bitsandbytes";
    bool powers = block->scale.exponent_bits != 0 && block->scale.fraction_bits == 0;
    return powers && block->book == NULL ? "ocp-floor" : "amax";
}

/* ELEMENT@SCALE/SIZE or ELEMENT@SCALE@TENSOR/SIZE. */
static bool read_grammar(fpfmt_block *block, const char *name)
{
    char element[FPFMT_NAME_SIZE], scale[FPFMT_NAME_SIZE], tensor[FPFMT_NAME_SIZE] = "";
    const char *at = name;
    if (!take_name(&at, element, "@") || *at++ != '@' || !take_name(&at, scale, "@/"))
        return false;
    if (*at == '@') {
        at++;
        if (!take_name(&at, tensor, "/"))
            return false;
    }
    if (*at++ != '/')
        return false;
    *block = (fpfmt_block){ .levels = tensor[0] == '\0' ? 1 : 2 };
    if (find_part(&block->element, &block->book, element) != FPFMT_FOUND ||
        find_part(&block->scale, NULL, scale) != FPFMT_FOUND || !read_size(block, at) ||
        (block->levels == 2 && find_part(&block->tensor, NULL, tensor) != FPFMT_FOUND))
        return false;
    block->recipe = usual_recipe(block);
    keep_name(block, name);
    return true;
}

fpfmt_status fpfmt_find_block(fpfmt_block *block, const char *name)
{
    fpfmt_block made;
    if (name == NULL)
        return FPFMT_UNKNOWN;
    for (size_t i = 0; i < ROWS; i++)
        if (fpfmt_is_called(table[i].name, table[i].aliases, name, true)) {
            fill_in(block, &table[i]);
            return FPFMT_FOUND;
        }
    if (length_of(name) >= sizeof made.name || !read_grammar(&made, name))
        return FPFMT_UNKNOWN;
    *block = made;
    return fpfmt_block_defect(block) == NULL ? FPFMT_FOUND : FPFMT_UNSOUND;
}

/* The bits of all factors together, and the binades from the smallest step to the largest value. */
bool fpfmt_product_is_binary64(const fpfmt_format *const *parts, int n)
{
    int precision = 0, least = 0, most = 0;
    for (int i = 0; i < n; i++) {
        fpfmt_limits limits = fpfmt_measure(parts[i]);
        precision += limits.precision;
        least += fpfmt_decode(parts[i], limits.min_positive).exponent;
        if (!limits.has_subnormals)
            least -= parts[i]->fraction_bits;
        most += limits.emax + 1;
    }
    return precision <= 53 && least >= -1074 && most <= 1024;
}

/* What a block holds is a binary64; a book's values are of binary32. */
static bool is_binary64(const fpfmt_block *block)
{
    const fpfmt_format *parts[3] = { &block->element, &block->scale, &block->tensor };
    if (block->book != NULL)
        parts[0] = fpfmt_carriers[CARRIER_32];
    return fpfmt_product_is_binary64(parts, 1 + block->levels);
}

/* Is 1 between the smallest and the largest scale? */
static bool reaches_one(const fpfmt_format *scale)
{
    fpfmt_limits limits = fpfmt_measure(scale);
    return fpfmt_decode(scale, limits.min_positive).exponent <= 0 &&
           fpfmt_decode(scale, limits.max).exponent >= 0;
}

const char *fpfmt_block_defect(const fpfmt_block *block)
{
    if (block == NULL)
        return "there is no block format";
    if (block->levels != 1 && block->levels != 2)
        return "a block format has neither 1 nor 2 levels of scales";
    if (block->book != NULL && fpfmt_book_defect(block->book) != NULL)
        return fpfmt_book_defect(block->book);
    if (fpfmt_defect(&block->element) != NULL)
        return "the format of elements has a defect";
    if (fpfmt_defect(&block->scale) != NULL)
        return "the format of scales has a defect";
    if (block->levels == 2 && fpfmt_defect(&block->tensor) != NULL)
        return "the format of the tensor's scale has a defect";
    if (block->book != NULL &&
        (block->element.exponent_bits != 0 || block->element.sign_bits != 0 ||
         block->element.fraction_bits != block->book->width))
        return "the format of elements is not an unsigned integer of the book's width";
    if (block->book == NULL && !fpfmt_measure(&block->element).has_zero)
        return "the format of elements has no zero";
    if (!reaches_one(&block->scale) || (block->levels == 2 && !reaches_one(&block->tensor)))
        return "a scale's format does not reach 1";
    if (block->size == 0 || block->rows == 0)
        return "the size of a block is 0";
    if (block->rows == ALL && block->size != ALL)
        return "a block of all rows is not of all columns";
    if (block->order > FPFMT_BLOCK_HALVES)
        return "the order of codes is out of range";
    if (!is_binary64(block))
        return "not every value of the block is a binary64";
    return is_vacant(&block->reserved) ? NULL : "its reserved room is not zero";
}
