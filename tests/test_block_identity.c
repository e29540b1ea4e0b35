/* test_block_identity.c - what a block format holds is quantised to itself, where it must be
 * SPDX-License-Identifier: MIT
 *
 * Let y be what some values became. Quantising y again must give y:
 *
 * - under FLOOR, EVEN and CEIL, and QUOTIENT rounded up: the largest element keeps its binade, or
 *   becomes the end of the one below, where y is held as well;
 * - under the other rules wherever the largest element became M, for the scale is then M x scale /
 * M again, and that is exact if the scale has few bits, or M is a power of two: in QUOTIENT, ggml's
 * and bitsandbytes'.
 *
 * Scales of 24 bits by M = 448 are rounded: there, the elements stay, and the scale moves by some
 * units in its last place. Of NVFP4 under TransformerEngine's and torchao's order of operations,
 * nothing is promised but where the scale is as it was. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "samples.h"

enum { N = 64, ROUNDS = 400 };

/* One quantisation of N values, each block of its own size. */
typedef struct {
    unsigned char codes[8 * N], scales[8 * N];
    double values[N];
    size_t blocks;
} blocks;

static fpfmt_block_plan plan;
static const fpfmt_tensor_scale *tensor;

static bool is_subject(void)
{
    return plan.block.rows == 1 || plan.block.rows == FPFMT_BLOCK_ALL;
}

static void quantize(blocks *it, const double *from)
{
    it->blocks = fpfmt_block_count(&plan.block, N);
    CHECK(fpfmt_quantize_f64(&plan, it->codes, it->scales, from, N, tensor, 0, NULL) &&
              fpfmt_dequantize_f64(&plan, it->values, it->codes, it->scales, N, tensor, NULL),
          "%s is refused", plan.block.name);
}

static uint64_t scale_at(const blocks *it, size_t block)
{
    return fpfmt_load_code(&plan.block.scale, it->scales, block);
}

static size_t block_of(size_t i)
{
    return plan.block.size == FPFMT_BLOCK_ALL ? 0 : i / plan.block.size;
}

/* Is the scale a normal number that no end of the range made? */
static bool is_inside(const blocks *it, size_t block)
{
    uint64_t code = scale_at(it, block);
    fpfmt_limits limits = fpfmt_measure(&plan.block.scale);
    return fpfmt_decode(&plan.block.scale, code).kind == FPFMT_KIND_NORMAL &&
           code != limits.min_positive && code != limits.max;
}

/* Did the value of the largest magnitude in the block become M, by such a scale? */
static bool hits_largest(const blocks *it, size_t block)
{
    double largest = 0, m = fabs(fpfmt_to_f64(fpfmt_block_largest(&plan.block), NULL, NULL));
    double stored =
        fpfmt_to_f64(fpfmt_block_stored(&plan.block, scale_at(it, block), tensor), NULL, NULL);
    for (size_t i = 0; i < N; i++)
        if (block_of(i) == block && fabs(it->values[i]) > largest)
            largest = fabs(it->values[i]);
    return is_inside(it, block) && largest == m * fabs(stored);
}

/* NaN is what NaN is, and zeros may lose their sign. */
static bool same_value(double a, double b)
{
    return a == b || (a != a && b != b);
}

/* The element that a code stands for, without its scale. */
static double element_at(const blocks *it, size_t i)
{
    uint64_t code = fpfmt_load_code(&plan.block.element, it->codes, i);
    return fpfmt_to_f64(fpfmt_block_decode(&plan.block, code, fpfmt_from_i64(1)), NULL, NULL);
}

enum { ALWAYS, WHERE_LARGEST, ELEMENTS_STAY, WHERE_SCALE_STAYS };

/* Of the recipe in the plan: few is whether M x scale has no more bits than a binary32. */
static int promise(void)
{
    const fpfmt_recipe *recipe = &plan.recipe;
    bool few = plan.block.scale.fraction_bits <= 10 || plan.block.book != NULL;
    bool powers = plan.block.scale.fraction_bits == 0;
    bool upward = recipe->scale_rounding == FPFMT_ROUND_UPWARD;
    switch (recipe->rule) {
    case FPFMT_SCALE_FLOOR:
    case FPFMT_SCALE_CEIL:
    case FPFMT_SCALE_EVEN: return ALWAYS;
    case FPFMT_SCALE_QUOTIENT: return upward && powers ? ALWAYS : WHERE_LARGEST;
    case FPFMT_SCALE_FLOAT: return few ? WHERE_LARGEST : ELEMENTS_STAY;
    case FPFMT_SCALE_INVERSE: return ELEMENTS_STAY;
    default: return WHERE_SCALE_STAYS;
    }
}

static void compare(const blocks *once, const blocks *again)
{
    int kept = promise();
    for (size_t i = 0; i < N; i++) {
        size_t block = block_of(i);
        bool stays = scale_at(once, block) == scale_at(again, block);
        if ((kept == WHERE_LARGEST && !hits_largest(once, block)) ||
            (kept == WHERE_SCALE_STAYS && !(stays && is_inside(once, block))))
            continue;
        if (kept != ELEMENTS_STAY)
            CHECK(same_value(once->values[i], again->values[i]),
                  "%s %s mode %d: %a becomes %a, scale %llx %llx", plan.block.name,
                  plan.recipe.name, plan.policy.rounding, once->values[i], again->values[i],
                  (unsigned long long)scale_at(once, block),
                  (unsigned long long)scale_at(again, block));
        else if (hits_largest(once, block))
            CHECK(same_value(element_at(once, i), element_at(again, i)) &&
                      scale_at(again, block) - scale_at(once, block) + 4 <= 8,
                  "%s %s: element %zu is another, or scale %llx is %llx", plan.block.name,
                  plan.recipe.name, i, (unsigned long long)scale_at(once, block),
                  (unsigned long long)scale_at(again, block));
    }
}

/* Values of one magnitude or of many, far from the ends of doubles or of floats. */
static void fill(double *values, unsigned round)
{
    int spread = round % 3 == 0 ? 40 : 6, far = round % 5 == 0 ? 120 : 30;
    int near = (int)(random_word() % (unsigned)(2 * far)) - far;
    for (size_t i = 0; i < N; i++) {
        double x = 1 + (double)(random_word() >> 12) / (double)(UINT64_C(1) << 52);
        x = ldexp(random_word() % 2 ? x : -x, near - (int)(random_word() % (unsigned)spread));
        values[i] = round % 7 == 0 && i % 5 == 0 ? 0 : round % 2 ? (double)(float)x : x;
    }
}

static size_t try_recipe(const fpfmt_block *block, const fpfmt_recipe *recipe)
{
    static blocks once, again;
    double values[N];
    fpfmt_tensor_scale of_tensor;
    fpfmt_policy policy = { .rounding = recipe->rounding };
    if (!fpfmt_prepare_blocks(&plan, block, recipe, &policy, NULL) || !is_subject())
        return 0;
    for (unsigned round = 0; round < ROUNDS / SAMPLE; round++) {
        fill(values, round);
        tensor = NULL;
        if (block->levels == 2 && round % 4 != 0) {
            double amax = 0;
            for (size_t i = 0; i < N; i++)
                amax = fmax(amax, fabs(values[i]));
            CHECK(fpfmt_scale_tensor(&of_tensor, block, recipe, (float)amax), "no scale of %s",
                  block->name);
            tensor = &of_tensor;
        }
        quantize(&once, values);
        quantize(&again, once.values);
        compare(&once, &again);
    }
    return 1;
}

static void identity(void)
{
    fpfmt_block block;
    fpfmt_recipe recipe;
    size_t tried = 0;
    print_seed();
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++)
        for (size_t k = 0; fpfmt_recipe_at(k) != NULL; k++) {
            CHECK(fpfmt_find_block(&block, fpfmt_block_at(i)->name) == FPFMT_FOUND &&
                      fpfmt_find_recipe(&recipe, fpfmt_recipe_at(k)->name) == FPFMT_FOUND,
                  "a row is not found");
            tried += try_recipe(&block, &recipe);
        }
    printf("# %zu block formats with recipes\n", tried);
    CHECK(tried > 80, "%zu are tried", tried);
}

int main(void)
{
    static const struct test tests[] = {
        { "what blocks hold is quantised to itself, where the scale follows exactly", identity },
    };
    return run_tests("block_identity", tests, sizeof tests / sizeof tests[0]);
}
