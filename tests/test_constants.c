/* test_constants.c - the digits of the tool's constants against MPFR's
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <mpfr.h>

#include "values/expression.h"
#include "runner.h"

/* Far beyond the digits, so that neither MPFR's rounding nor a run of nines can reach them. */
enum { WORK_BITS = 2000, DECIMALS = 330 };

static void make_pi(mpfr_t x)
{
    mpfr_const_pi(x, MPFR_RNDN);
}

static void make_e(mpfr_t x)
{
    mpfr_set_ui(x, 1, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
}

static void make_ln2(mpfr_t x)
{
    mpfr_const_log2(x, MPFR_RNDN);
}

static void make_ln10(mpfr_t x)
{
    mpfr_log_ui(x, 10, MPFR_RNDN);
}

static void make_sqrt2(mpfr_t x)
{
    mpfr_sqrt_ui(x, 2, MPFR_RNDN);
}

static void make_phi(mpfr_t x)
{
    mpfr_sqrt_ui(x, 5, MPFR_RNDN);
    mpfr_add_ui(x, x, 1, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
}

static const struct {
    const char *name;
    void (*make)(mpfr_t x);
} constants[] = {
    { "pi", make_pi },     { "e", make_e },         { "ln2", make_ln2 },
    { "ln10", make_ln10 }, { "sqrt2", make_sqrt2 }, { "phi", make_phi },
};

enum { CONSTANTS = sizeof constants / sizeof constants[0] };

/* All of these constants have one digit, perhaps 0, before the point. */
static void digits(void)
{
    mpfr_t x;
    mpfr_init2(x, WORK_BITS);
    for (size_t i = 0; i < CONSTANTS; i++) {
        const char *digits = constant_digits(constants[i].name, strlen(constants[i].name));
        char expected[DECIMALS + 8];
        if (!CHECK(digits != NULL, "there is no %s", constants[i].name))
            continue;
        constants[i].make(x);
        mpfr_snprintf(expected, sizeof expected, "%.*RZf", DECIMALS, x);
        CHECK(strcmp(digits, expected) == 0, "%s is\n# %s, not\n# %s", constants[i].name, digits,
              expected);
    }
    mpfr_clear(x);
}

static void names(void)
{
    for (size_t i = 0; i < CONSTANTS; i++) {
        size_t found = 0;
        for (size_t j = 0; constant_name(j) != NULL; j++)
            found += strcmp(constant_name(j), constants[i].name) == 0;
        CHECK(found == 1, "%s is listed %zu times", constants[i].name, found);
    }
    CHECK(constant_name(CONSTANTS) == NULL, "more constants are listed than are tested");
    CHECK(constant_digits("pie", 2) != NULL, "the name ends with its length");
    CHECK(constant_digits("p", 1) == NULL, "p is not pi");
    CHECK(constant_digits("sqrt2x", 6) == NULL, "sqrt2x is not sqrt2");
}

int main(void)
{
    static const struct test tests[] = {
        { "every digit of every constant is MPFR's, cut off after 330 decimals", digits },
        { "the constants are listed, each once", names },
    };
    return run_tests("constants", tests, sizeof tests / sizeof tests[0]);
}
