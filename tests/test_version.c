/* test_version.c - one version, as numbers, as text, of the headers, the library and the package
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#if FPFMT_VERSION_NUMBER < 100
#error "the headers are older than the first release"
#endif

static void agreement(void)
{
    const char *package = getenv("version");
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", FPFMT_VERSION_MAJOR, FPFMT_VERSION_MINOR,
             FPFMT_VERSION_PATCH);
    CHECK(strcmp(FPFMT_VERSION, text) == 0, "FPFMT_VERSION is %s, not %s", FPFMT_VERSION, text);
    CHECK(strcmp(fpfmt_version(), text) == 0, "fpfmt_version() is %s, not %s", fpfmt_version(),
          text);
    CHECK(package == NULL || strcmp(package, text) == 0, "the package is %s, not %s", package,
          text);
}

/* So that numbers are ordered as versions are. */
static void number(void)
{
    int number = FPFMT_VERSION_NUMBER;
    CHECK(number / 10000 == FPFMT_VERSION_MAJOR && number / 100 % 100 == FPFMT_VERSION_MINOR &&
              number % 100 == FPFMT_VERSION_PATCH,
          "the number is %d", number);
}

int main(void)
{
    static const struct test tests[] = {
        { "headers, library and package agree about the version", agreement },
        { "the number is made of the three parts, each below 100", number },
    };
    return run_tests("version", tests, sizeof tests / sizeof tests[0]);
}
