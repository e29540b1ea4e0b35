/* comma.h - a locale whose decimal point is a comma
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_COMMA_H
#define FPFMT_TESTS_COMMA_H

#include <stdbool.h>

/* Set a locale with a decimal comma: one that is installed, or one that localedef makes for the
 * while. False, and the test is skipped, if there is none and none can be made. */
bool enter_comma_locale(void);

/* Back to the locale C; what was made is removed. */
void leave_comma_locale(void);

#endif
