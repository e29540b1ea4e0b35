/* block_trial.c - one block, quantised by the library and by the oracle
 * SPDX-License-Identifier: MIT */

#include "block_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runner.h"
#include "samples.h"

enum { BITS = 192 };

/* What the oracle says. */
static struct {
    oracle_number values[LONGEST_BLOCK];
    oracle_scale scale;
    uint64_t codes[LONGEST_BLOCK];
    unsigned flags[LONGEST_BLOCK], all;
    bool ready;
} told;

/* The options of a recipe's name, as one letter each. */
static void set_options(oracle_recipe *recipe, const char *name)
{
    static const struct {
        const char *text;
        size_t field;
        char letter;
    } options[] = {
        { ":zero=rule", offsetof(oracle_recipe, zero), 'r' },
        { ":zero=least", offsetof(oracle_recipe, zero), 'l' },
        { ":zero=one", offsetof(oracle_recipe, zero), 'o' },
        { ":zero=zeros", offsetof(oracle_recipe, zero), 'z' },
        { ":nan=scale", offsetof(oracle_recipe, nan), 's' },
        { ":nan=element", offsetof(oracle_recipe, nan), 'e' },
        { ":inf=nan", offsetof(oracle_recipe, infinite), 'n' },
        { ":inf=max", offsetof(oracle_recipe, infinite), 'm' },
        { ":inf=rule", offsetof(oracle_recipe, infinite), 'r' },
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strstr(name, options[i].text) != NULL)
            ((char *)recipe)[options[i].field] = options[i].letter;
    recipe->flush = strstr(name, ":subnormal=flush") != NULL;
}

static bool find_reference(oracle_recipe *recipe, const char *name)
{
    size_t length = strcspn(name, ":");
    for (size_t i = 0; i < oracle_recipe_count; i++)
        if (strncmp(oracle_recipes[i].name, name, length) == 0 &&
            oracle_recipes[i].name[length] == '\0') {
            *recipe = oracle_recipes[i];
            set_options(recipe, name);
            return true;
        }
    return false;
}

bool set_block_trial(block_trial *trial, const char *element, const char *scale, int levels,
                     size_t size, const char *recipe)
{
    char name[FPFMT_BLOCK_NAME_SIZE];
    snprintf(name, sizeof name, "%s@%s%s/%zu", element, scale, levels == 2 ? "@fp32" : "", size);
    trial->reference = (oracle_block){ .element = oracle_named(element),
                                       .scale = oracle_named(scale),
                                       .book = oracle_book_named(element),
                                       .has_tensor = levels == 2 };
    if (fpfmt_find_block(&trial->block, name) != FPFMT_FOUND)
        return false;
    CHECK(fpfmt_find_recipe(&trial->recipe, recipe) == FPFMT_FOUND &&
              find_reference(&trial->how, recipe),
          "there is no recipe %s", recipe);
    return fpfmt_recipe_defect(&trial->block, &trial->recipe) == NULL;
}

static const oracle_format *carrier_of(const block_trial *trial)
{
    return oracle_named(trial->carrier->name);
}

static void scale_by_oracle(const block_trial *trial)
{
    fpfmt_policy policy = trial->policy;
    if (!told.ready) {
        oracle_start_scale(&told.scale);
        for (size_t i = 0; i < LONGEST_BLOCK; i++)
            oracle_start(&told.values[i]);
    }
    told.ready = true;
    policy.first += trial->first;
    for (size_t i = 0; i < trial->n; i++)
        oracle_decode(carrier_of(trial), trial->values[i], &told.values[i]);
    oracle_set_scale(&told.scale, &trial->reference, &trial->how, told.values, trial->n,
                     trial->has_tensor ? trial->tensor.decode : 0, trial->tensor.encode, &policy);
}

double scale_of_trial(const block_trial *trial)
{
    scale_by_oracle(trial);
    return mpfr_get_d(told.scale.stored, MPFR_RNDN);
}

static void ask_oracle(const block_trial *trial)
{
    fpfmt_policy policy = trial->policy;
    scale_by_oracle(trial);
    told.all = 0;
    policy.first += trial->first;
    for (size_t i = 0; i < trial->n; i++, policy.first++) {
        told.flags[i] = 0;
        told.codes[i] = oracle_block_element(&trial->reference, &trial->how, &told.scale,
                                             &told.values[i], &policy, &told.flags[i]);
        told.all |= told.flags[i];
    }
}

static const char *described(const block_trial *trial)
{
    static char text[256];
    snprintf(text, sizeof text, "%s %s of %zu %s, mode %d", trial->block.name, trial->recipe.name,
             trial->n, trial->carrier->name, trial->policy.rounding);
    return text;
}

/* Codes agree, or are both NaN: payloads are for the tests of formats. */
static bool same_element(const block_trial *trial, uint64_t a, uint64_t b)
{
    const oracle_format *format = trial->reference.element;
    return a == b || (format != NULL && oracle_is_nan(format, a) && oracle_is_nan(format, b));
}

static void compare_codes(const block_trial *trial, const void *codes, const void *scale,
                          unsigned flags, const char *call)
{
    uint64_t got = fpfmt_load_code(&trial->block.scale, scale, 0);
    CHECK(got == told.scale.code, "%s, %s: scale %" PRIx64 ", not %" PRIx64, described(trial), call,
          got, told.scale.code);
    for (size_t i = 0; i < trial->n && got == told.scale.code; i++) {
        uint64_t code = fpfmt_load_code(&trial->block.element, codes, i);
        CHECK(same_element(trial, code, told.codes[i]),
              "%s, %s: element %zu of %" PRIx64 " by %" PRIx64 " is %" PRIx64 ", not %" PRIx64,
              described(trial), call, i, trial->values[i], got, code, told.codes[i]);
    }
    if (got == told.scale.code)
        CHECK(flags == told.all, "%s, %s: raises %x, not %x", described(trial), call, flags,
              told.all);
}

/* ---- statistics ---- */

static bool is_sum(const uint64_t *limbs, size_t n, const mpz_t sum)
{
    mpz_t got;
    mpz_init(got);
    mpz_import(got, n, -1, sizeof *limbs, 0, 0, limbs);
    bool same = mpz_cmp(got, sum) == 0;
    mpz_clear(got);
    return same;
}

/* Adds the square of |x - y| / |x|, that to 24 bits, in units of 2^-160; above 2^48 it is that. x
 * is not 0. Differences of doubles have at most 2100 bits. */
static void add_relative(mpz_t sum, const mpfr_t x, const mpfr_t y)
{
    mpfr_t error, part;
    mpz_t square;
    mpz_init(square);
    mpfr_init2(error, 2200);
    mpfr_init2(part, 24);
    mpfr_sub(error, x, y, MPFR_RNDN);
    mpfr_div(part, error, x, MPFR_RNDN);
    mpfr_abs(part, part, MPFR_RNDN);
    if (mpfr_cmp_ui_2exp(part, 1, 48) > 0)
        mpfr_set_ui_2exp(part, 1, 48, MPFR_RNDN);
    mpfr_mul_2ui(part, part, 80, MPFR_RNDN);
    mpfr_get_z(square, part, MPFR_RNDN);
    mpz_addmul(sum, square, square);
    mpz_clear(square);
    mpfr_clears(error, part, (mpfr_ptr)NULL);
}

/* The count that an element belongs to. */
static uint64_t *count_of(const block_trial *trial, fpfmt_stats *stats, size_t i, const mpfr_t held)
{
    const oracle_format *format = trial->reference.element;
    unsigned flags = told.flags[i];
    /* An integer that a negative value leaves for its size has overflowed. */
    bool negative = told.values[i].negative && format != NULL && !format->is_signed &&
                    format->kind != ORACLE_INTEGER;
    bool tiny = (flags & FPFMT_FLAG_UNDERFLOW) != 0;
    if (flags & FPFMT_FLAG_INVALID)
        return &stats->invalid;
    if (flags & FPFMT_FLAG_OVERFLOW)
        return mpfr_number_p(held) ? &stats->saturated : &stats->overflow;
    if (!(flags & FPFMT_FLAG_INEXACT))
        return &stats->exact;
    if (mpfr_zero_p(held))
        return negative && !tiny ? &stats->saturated : &stats->underflow;
    return tiny ? &stats->subnormal : &stats->inexact;
}

static void compare_stats(const block_trial *trial, const fpfmt_stats *got)
{
    fpfmt_stats expected = { .count = trial->n };
    mpz_t signal, noise, relative, square;
    mpfr_t x, y, zero, error, largest; /* the errors cut to 64 bits, as statistics keep them */
    size_t at = 0;
    mpz_inits(signal, noise, relative, square, NULL);
    mpfr_inits2(BITS, x, y, zero, (mpfr_ptr)NULL);
    mpfr_inits2(64, error, largest, (mpfr_ptr)NULL);
    mpfr_set_zero(zero, 1);
    mpfr_set_zero(largest, 1);
    for (size_t i = 0; i < trial->n; i++) {
        oracle_as_mpfr(x, &told.values[i]);
        oracle_held(y, &trial->reference, told.codes[i], told.scale.stored);
        ++*count_of(trial, &expected, i, y);
        expected.nan += mpfr_nan_p(x) != 0;
        expected.infinite += mpfr_inf_p(x) != 0;
        if (!mpfr_number_p(x) || !mpfr_number_p(y))
            continue;
        expected.finite++;
        oracle_square_error(square, x, zero);
        mpz_add(signal, signal, square);
        oracle_square_error(square, x, y);
        mpz_add(noise, noise, square);
        if (mpfr_sgn(x) != 0) {
            expected.nonzero++;
            add_relative(relative, x, y);
        }
        mpfr_sub(error, x, y, MPFR_RNDZ);
        if (mpfr_cmpabs(error, largest) > 0) {
            mpfr_abs(largest, error, MPFR_RNDZ);
            at = i;
        }
    }
    CHECK(got->count == expected.count && got->exact == expected.exact &&
              got->inexact == expected.inexact && got->subnormal == expected.subnormal &&
              got->underflow == expected.underflow && got->overflow == expected.overflow &&
              got->saturated == expected.saturated && got->invalid == expected.invalid &&
              got->nan == expected.nan && got->infinite == expected.infinite &&
              got->finite == expected.finite && got->nonzero == expected.nonzero,
          "%s: counts differ: exact %d inexact %d subnormal %d underflow %d overflow %d saturated "
          "%d invalid %d, not %d %d %d %d %d %d %d",
          described(trial), (int)got->exact, (int)got->inexact, (int)got->subnormal,
          (int)got->underflow, (int)got->overflow, (int)got->saturated, (int)got->invalid,
          (int)expected.exact, (int)expected.inexact, (int)expected.subnormal,
          (int)expected.underflow, (int)expected.overflow, (int)expected.saturated,
          (int)expected.invalid);
    CHECK(is_sum(got->signal, FPFMT_SUM_LIMBS, signal) &&
              is_sum(got->noise, FPFMT_SUM_LIMBS, noise) &&
              is_sum(got->relative_squares, 5, relative),
          "%s: a sum differs", described(trial));
    CHECK(mpfr_zero_p(largest) || got->absolute_index == trial->first + at,
          "%s: the largest error is at %" PRIu64 ", not %" PRIu64, described(trial),
          got->absolute_index, trial->first + at);
    mpz_clears(signal, noise, relative, square, NULL);
    mpfr_clears(x, y, zero, error, largest, (mpfr_ptr)NULL);
}

/* ---- calls ---- */

/* The scale of the block told as data is the one that a call stores. Of two scales the better one
 * is told in the recipe's own rounding. */
static void compare_told(const block_trial *trial)
{
    fpfmt_value values[LONGEST_BLOCK];
    fpfmt_block_scale scale;
    oracle_number stored;
    for (size_t i = 0; i < trial->n; i++)
        values[i] = fpfmt_decode(trial->carrier, trial->values[i]);
    const fpfmt_policy *policy = &trial->policy;
    if (trial->how.rule == ORACLE_BETTER &&
        (policy->rounding != trial->recipe.rounding || policy->overflow != FPFMT_OVERFLOW_SPEC ||
         policy->overflow_test != 0 || policy->subnormal != 0))
        return;
    CHECK(fpfmt_scale_block(&trial->block, &trial->recipe, &scale, values, trial->n,
                            trial->has_tensor ? &trial->tensor : NULL) &&
              scale.code == told.scale.code && scale.is_nan == told.scale.is_nan &&
              scale.is_zero == told.scale.is_zero,
          "%s: the scale is told as %" PRIx64 ", not %" PRIx64, described(trial), scale.code,
          told.scale.code);
    if (!mpfr_number_p(told.scale.stored))
        return;
    oracle_start(&stored);
    oracle_set_value(&stored, scale.stored);
    mpfr_t x;
    mpfr_init2(x, BITS);
    oracle_as_mpfr(x, &stored);
    CHECK(mpfr_equal_p(x, told.scale.stored), "%s: another stored scale", described(trial));
    mpfr_clear(x);
    oracle_stop(&stored);
}

/* The calls for arrays of floats and doubles. */
static bool quantize_array(const fpfmt_block_plan *plan, const block_trial *trial, void *codes,
                           void *scale, unsigned *flags)
{
    float floats[LONGEST_BLOCK];
    double doubles[LONGEST_BLOCK];
    const fpfmt_tensor_scale *tensor = trial->has_tensor ? &trial->tensor : NULL;
    bool narrow = trial->carrier->exponent_bits == 8;
    for (size_t i = 0; i < trial->n; i++) {
        floats[i] = float_of(trial->values[i]);
        doubles[i] = double_of(trial->values[i]);
    }
    return narrow ? fpfmt_quantize_f32(plan, codes, scale, floats, trial->n, tensor, trial->first,
                                       flags)
                  : fpfmt_quantize_f64(plan, codes, scale, doubles, trial->n, tensor, trial->first,
                                       flags);
}

void run_block_trial(const block_trial *trial)
{
    unsigned char codes[8 * LONGEST_BLOCK], scale[8], carried[8 * LONGEST_BLOCK];
    const size_t one = 1;
    fpfmt_block_plan plan;
    fpfmt_stats stats = { .count = 0 };
    unsigned flags = 0;
    for (size_t i = 0; i < trial->n; i++)
        fpfmt_store_code(trial->carrier, carried, i, trial->values[i]);
    fpfmt_view to = { .data = codes, .rank = 1, .shape = &trial->n };
    fpfmt_view by = { .data = scale, .rank = 1, .shape = &one };
    fpfmt_view from = { .data = carried, .rank = 1, .shape = &trial->n };
    ask_oracle(trial);
    CHECK(fpfmt_prepare_blocks(&plan, &trial->block, &trial->recipe, &trial->policy, NULL) &&
              fpfmt_quantize(&plan, &stats, to, by, trial->carrier, from, 0,
                             trial->has_tensor ? &trial->tensor : NULL, trial->first, &flags),
          "%s is refused", described(trial));
    compare_codes(trial, codes, scale, flags, "view");
    compare_stats(trial, &stats);
    compare_told(trial);
    flags = 0;
    if (trial->carrier->fraction_bits == 23 || trial->carrier->fraction_bits == 52) {
        CHECK(quantize_array(&plan, trial, codes, scale, &flags), "%s is refused",
              described(trial));
        compare_codes(trial, codes, scale, flags, "array");
    }
}
