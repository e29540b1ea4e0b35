/* recipes.c - the table of recipes: how the scale follows from a block
 * SPDX-License-Identifier: MIT */

#include "blocks.h"
#include "shape.h"

/* Special blocks as each maker has them. What OCP leaves open, a NaN or an infinity in a block, is
 * torchao's for the recipes that have its names. */
#define POWER                                                                                      \
    .step = FPFMT_STEP_EXACT, .zero = FPFMT_BLOCK_ZERO_LEAST, .nan = FPFMT_BLOCK_NAN_SCALE,        \
    .infinite = FPFMT_BLOCK_INFINITE_NAN
#define BINARY32 .nan = FPFMT_BLOCK_NAN_SCALE, .infinite = FPFMT_BLOCK_INFINITE_RULE

/* clang-format off */
static const fpfmt_recipe table[] = {
    { .name = "ocp-floor", .rule = FPFMT_SCALE_FLOOR, POWER,
      .summary = "the power of two at or below amax, less the elements' largest binade",
      .source = "OCP MX v1.0 6.3; microxcaling; torchao FLOOR" },
    { .name = "ceil", .rule = FPFMT_SCALE_CEIL, POWER,
      .summary = "the power of two at or above amax, less the elements' largest binade",
      .source = "torchao CEIL" },
    { .name = "even", .rule = FPFMT_SCALE_EVEN, POWER,
      .summary = "as ocp-floor, of amax rounded half up to the elements' precision",
      .source = "torchao EVEN; AMD Quark" },
    { .name = "rceil", .rule = FPFMT_SCALE_QUOTIENT, .scale_rounding = FPFMT_ROUND_UPWARD,
      .step = FPFMT_STEP_EXACT, .zero = FPFMT_BLOCK_ZERO_LEAST, .nan = FPFMT_BLOCK_NAN_SCALE,
      .infinite = FPFMT_BLOCK_INFINITE_MAX,
      .summary = "the smallest scale that clips nothing: amax / M rounded up",
      .source = "NVIDIA cuBLAS and cvt.rp.satfinite.ue8m0x2; TransformerEngine MXFP8" },
    { .name = "amax", .rule = FPFMT_SCALE_QUOTIENT, .step = FPFMT_STEP_EXACT,
      .nan = FPFMT_BLOCK_NAN_SCALE, .infinite = FPFMT_BLOCK_INFINITE_MAX,
      .summary = "amax / (M x tensor scale) to nearest, everything exact up to its one rounding",
      .source = "the definition, in exact arithmetic" },
    { .name = "te-nvfp4", .rule = FPFMT_SCALE_ENGINE, .step = FPFMT_STEP_PRODUCT,
      .nan = FPFMT_BLOCK_NAN_ELEMENT, .infinite = FPFMT_BLOCK_INFINITE_RULE,
      .summary = "amax x (S x 1/M) to nearest, values x 1 / (scale x 1/S), in binary32",
      .source = "NVIDIA TransformerEngine core_nvfp4.cuh" },
    { .name = "torchao-nvfp4", .rule = FPFMT_SCALE_TORCHAO, .step = FPFMT_STEP_PRODUCT,
      .least_scale = 0x1p-6f, BINARY32,
      .summary = "(amax / M) / tensor scale to nearest, 2^-6 at least, in binary32",
      .source = "torchao nvfp4_quantize" },
    { .name = "four-over-six", .rule = FPFMT_SCALE_BEST_OF_TWO, .step = FPFMT_STEP_EXACT,
      .nan = FPFMT_BLOCK_NAN_SCALE, .infinite = FPFMT_BLOCK_INFINITE_MAX, .tensor_bound = 256,
      .summary = "amax to 6 or to 4, whichever has the smaller squared error, exactly; the tensor's "
                 "scale leaves its blocks up to 256",
      .source = "Four Over Six, in exact arithmetic" },
    { .name = "deepseek", .rule = FPFMT_SCALE_FLOAT, .step = FPFMT_STEP_QUOTIENT, .least = 1e-4f,
      BINARY32, .summary = "max(amax, 1e-4) / M, values / scale, in binary32",
      .source = "DeepSeek-V3 inference/kernel.py" },
    { .name = "deepgemm", .rule = FPFMT_SCALE_FLOAT, .step = FPFMT_STEP_PRODUCT, .least = 1e-4f,
      BINARY32, .summary = "max(amax, 1e-4) / M, values x (1 / scale), in binary32",
      .source = "DeepGEMM utils/math.py" },
    { .name = "deepseek-ue8m0", .rule = FPFMT_SCALE_FLOAT_POWER, .step = FPFMT_STEP_PRODUCT,
      .least = 1e-4f, BINARY32, .summary = "as deepgemm, the scale up to a power of two",
      .source = "DeepGEMM utils/math.py; DeepSeek-V3.1" },
    { .name = "te-current", .rule = FPFMT_SCALE_INVERSE, .step = FPFMT_STEP_PRODUCT,
      .zero = FPFMT_BLOCK_ZERO_ONE, .nan = FPFMT_BLOCK_NAN_ELEMENT,
      .infinite = FPFMT_BLOCK_INFINITE_RULE,
      .summary = "values x (M / amax) in binary32, and the inverse stored; or a factor given",
      .source = "TransformerEngine current and delayed scaling" },
    { .name = "ggml", .rule = FPFMT_SCALE_FLOAT, .step = FPFMT_STEP_PRODUCT,
      .rounding = FPFMT_ROUND_NEAREST_AWAY, .zero = FPFMT_BLOCK_ZERO_ZEROS, BINARY32,
      .summary = "amax / M in binary32, ties away from zero; the scale is rounded when stored",
      .source = "llama.cpp ggml-quants.c" },
    { .name = "bitsandbytes", .rule = FPFMT_SCALE_FLOAT, .step = FPFMT_STEP_PRODUCT, BINARY32,
      .summary = "values x (1 / amax) in binary32, to the book's entry by its thresholds",
      .source = "bitsandbytes kernels.cu" },
};
/* clang-format on */

#define ROWS (sizeof table / sizeof table[0])

const fpfmt_recipe *fpfmt_recipe_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

/* The options of special blocks: a word for the field, and for each of its members. */
static const struct {
    const char *name, *words[4];
    size_t field;
} options[] = {
    { "zero", { "rule", "least", "one", "zeros" }, offsetof(fpfmt_recipe, zero) },
    { "nan", { "scale", "element" }, offsetof(fpfmt_recipe, nan) },
    { "inf", { "nan", "max", "rule" }, offsetof(fpfmt_recipe, infinite) },
    { "subnormal", { "keep", "flush" }, offsetof(fpfmt_recipe, subnormal) },
};

static char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' ? '-' : c;
}

/* Takes a word off the text, if it comes next and one of the ends, or the end, behind it. */
static bool take_word(const char **at, const char *word, char end)
{
    const char *from = *at;
    for (; *word != '\0'; word++, from++)
        if (folded(*from) != *word)
            return false;
    if (*from != '\0' && *from != end)
        return false;
    *at = from;
    return true;
}

/* Takes name=word off the text, and sets that field. */
static bool take_option(const char **at, fpfmt_recipe *recipe)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const char *from = *at;
        if (!take_word(&from, options[i].name, '=') || *from != '=')
            continue;
        for (uint8_t k = 0; k < 4 && options[i].words[k] != NULL; k++) {
            *at = from + 1;
            if (take_word(at, options[i].words[k], ':')) {
                memcpy((char *)recipe + options[i].field, &k, sizeof k);
                return true;
            }
        }
        return false;
    }
    return false;
}

fpfmt_status fpfmt_find_recipe(fpfmt_recipe *recipe, const char *name)
{
    size_t length = 0;
    while (name != NULL && name[length] != '\0')
        length++;
    for (size_t i = 0; i < ROWS && name != NULL; i++) {
        fpfmt_recipe found = table[i];
        const char *at = name;
        if (!take_word(&at, found.name, ':'))
            continue;
        if (length >= sizeof found.name)
            return FPFMT_UNSOUND;
        while (*at == ':') {
            at++;
            if (!take_option(&at, &found))
                return FPFMT_UNSOUND;
        }
        for (size_t k = 0; k <= length; k++)
            found.name[k] = folded(name[k]);
        *recipe = found;
        return FPFMT_FOUND;
    }
    return FPFMT_UNKNOWN;
}

static const char *member_defect(const fpfmt_recipe *recipe)
{
    if (recipe->rule >= FPFMT_SCALE_COUNT)
        return "the recipe's rule for scales is out of range";
    if (recipe->step >= FPFMT_STEP_COUNT)
        return "the recipe's step is out of range";
    if (recipe->rounding >= FPFMT_ROUND_COUNT || recipe->scale_rounding >= FPFMT_ROUND_COUNT)
        return "a rounding of the recipe is out of range";
    if (recipe->zero >= FPFMT_BLOCK_ZERO_COUNT || recipe->nan >= FPFMT_BLOCK_NAN_COUNT ||
        recipe->infinite >= FPFMT_BLOCK_INFINITE_COUNT ||
        recipe->subnormal >= FPFMT_BLOCK_SUBNORMAL_COUNT)
        return "what the recipe does in special blocks is out of range";
    const float numbers[] = { recipe->least, recipe->least_scale, recipe->tensor_bound };
    for (size_t i = 0; i < 3; i++) {
        fpfmt_value value = fpfmt_from_f32(numbers[i]);
        if (!fpfmt_value_is_finite(value) || value.negative)
            return "a bound of the recipe is not a finite number from 0 up";
    }
    return is_vacant(&recipe->reserved) ? NULL : "the recipe's reserved room is not zero";
}

/* Which rules need what: rules that shift by binades know elements of a format alone; a value that
 * is multiplied in binary32 needs a scale that is made there. */
const char *fpfmt_recipe_defect(const fpfmt_block *block, const fpfmt_recipe *recipe)
{
    if (block == NULL || recipe == NULL)
        return "there is no block format, or no recipe";
    const char *defect = member_defect(recipe);
    if (defect != NULL)
        return defect;
    bool powers = recipe->rule <= FPFMT_SCALE_EVEN;
    bool exact = recipe->rule <= FPFMT_SCALE_BEST_OF_TWO;
    if (powers && block->book != NULL)
        return "the recipe takes elements of a format, not of a code book";
    if (exact != (recipe->step == FPFMT_STEP_EXACT))
        return exact ? "the recipe's rule takes the exact step"
                     : "the recipe's rule takes a step in binary32";
    if (block->levels == 2 && recipe->rule >= FPFMT_SCALE_FLOAT &&
        recipe->rule <= FPFMT_SCALE_INVERSE)
        return "the recipe knows no scale of the tensor beside that of the block";
    if (recipe->rule == FPFMT_SCALE_FLOAT && fpfmt_block_largest(block).negative &&
        block->scale.sign_bits == 0)
        return "the recipe takes scales with a sign, as the largest element has one";
    if ((recipe->rule == FPFMT_SCALE_ENGINE || recipe->rule == FPFMT_SCALE_TORCHAO ||
         recipe->rule == FPFMT_SCALE_BEST_OF_TWO) &&
        (block->scale.exponent_bits == 0 || block->scale.fraction_bits == 0))
        return "the recipe takes scales with a fraction, as e4m3";
    if (recipe->rule == FPFMT_SCALE_BEST_OF_TWO) {
        fpfmt_relation at =
            fpfmt_compare_quiet(fpfmt_block_largest(block), fpfmt_from_i64(6), NULL);
        if (at != FPFMT_EQUAL)
            return "the recipe takes elements up to 6, as e2m1";
    }
    return NULL;
}
