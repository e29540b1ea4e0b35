/* The TAP runner of the unit tests, on CUnit.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FPFMT_TESTS_RUNNER_H
#define FPFMT_TESTS_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

/* Instrumented builds are slow: a loop over very many inputs takes every SAMPLE-th one. */
#ifdef FPFMT_SAMPLE
enum { SAMPLE = FPFMT_SAMPLE };
#else
enum { SAMPLE = 1 };
#endif

/* One test: what holds, as a sentence, and the function that checks it. */
struct test {
    const char *sentence;
    void (*run)(void);
};

/* Run the tests in order and print TAP. Returns main's exit status. A test that made no check
 * and did not skip fails. */
int run_tests(const char *suite, const struct test *tests, size_t count);

/* True if the condition holds. If not, report the printf-style message (its arguments are only
 * evaluated then), let the test fail, and go on. Ten messages of a test are kept, the rest
 * counted. CUnit's own CU_ASSERT_... may be used beside it. */
#define CHECK(condition, ...) \
    (count_check(condition) ? true : report_mismatch(__FILE__, __LINE__, __VA_ARGS__))

/* The running test cannot run here: say why in a sentence, then return from it. Mismatches
 * reported before still fail. */
void skip_test(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Does this run take all the time it needs (make check-exhaustive)? */
bool is_exhaustive(void);

/* Path of a file below the folder that the environment names as vectors; NULL if it names none, and
 * the rows of the tree are meant. Valid until the next call. */
const char *vectors_path(const char *name);

/* Path of a file of the source tree, as "tests/data/fp16.txt". Valid until the next call. */
const char *source_path(const char *name);

/* CHECK's parts. report_mismatch returns false. */
extern unsigned long long checks_made;
static inline bool count_check(bool condition)
{
    checks_made++;
    return condition;
}

bool report_mismatch(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
