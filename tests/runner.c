/* The TAP runner of the unit tests, on CUnit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>

enum { MESSAGES_KEPT = 10 };

unsigned long long checks_made;

static struct {
    unsigned number;
    unsigned asserts_before;
    unsigned long long mismatches;
    bool skipped;
    char reason[512];
} running;

bool report_mismatch(const char *file, int line, const char *format, ...)
{
    char message[1024];
    va_list arguments;

    if (running.mismatches++ >= MESSAGES_KEPT)
        return false;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    CU_assertImplementation(CU_FALSE, (unsigned)line, message, file, "", CU_FALSE);
    return false;
}

void skip_test(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(running.reason, sizeof running.reason, format, arguments);
    va_end(arguments);
    running.skipped = true;
}

bool is_exhaustive(void)
{
    const char *setting = getenv("exhaustive");
    return setting != NULL && *setting != '\0';
}

static const char *path_below(char *path, size_t size, const char *folder, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

const char *vectors_path(const char *name)
{
    static char path[1024];
    const char *folder = getenv("vectors");

    if (folder == NULL || *folder == '\0')
        return NULL;
    return path_below(path, sizeof path, folder, name);
}

const char *source_path(const char *name)
{
    static char path[1024];
    const char *folder = getenv("srcdir");

    return path_below(path, sizeof path, folder != NULL ? folder : ".", name);
}

static void begin(const CU_pTest test, const CU_pSuite suite)
{
    (void)test;
    (void)suite;
    running.number++;
    running.asserts_before = CU_get_number_of_asserts();
    running.mismatches = 0;
    running.skipped = false;
    checks_made = 0;
}

static void print_failure(const CU_FailureRecord *failure)
{
    printf("# %s:%u: %s\n", failure->strFileName, failure->uiLineNumber, failure->strCondition);
}

static void finish(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord failures)
{
    unsigned long long checks = checks_made + CU_get_number_of_asserts() - running.asserts_before;
    const CU_FailureRecord *failure;

    (void)suite;
    if (failures == NULL && running.skipped) {
        printf("ok %u - %s # SKIP %s\n", running.number, test->pName, running.reason);
    } else if (failures == NULL && checks > 0) {
        printf("ok %u - %s\n# %llu checks\n", running.number, test->pName, checks);
    } else {
        printf("not ok %u - %s\n", running.number, test->pName);
        for (failure = failures; failure != NULL; failure = failure->pNext)
            print_failure(failure);
        if (running.mismatches > MESSAGES_KEPT)
            printf("# and %llu more\n", running.mismatches - MESSAGES_KEPT);
        if (checks == 0)
            printf("# nothing was checked\n");
    }
    fflush(stdout);
}

int run_tests(const char *suite_name, const struct test *tests, size_t count)
{
    CU_pSuite suite;
    size_t i;

    printf("1..%zu\n", count);
    fflush(stdout);
    if (CU_initialize_registry() != CUE_SUCCESS)
        return EXIT_FAILURE;
    suite = CU_add_suite(suite_name, NULL, NULL);
    for (i = 0; i < count; i++)
        CU_add_test(suite, tests[i].sentence, tests[i].run);
    CU_set_test_start_handler(begin);
    CU_set_test_complete_handler(finish);
    CU_run_all_tests();
    CU_cleanup_registry();
    return EXIT_SUCCESS;
}
