/* operands.c - numbers on the command line
 * SPDX-License-Identifier: MIT */

#include "operands.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "kit/say.h"

bool read_finite(fpfmt_value *value, fpfmt_ratio *ratio, const char *text, const char *what)
{
    const char *why = NULL, *shown = quoted(text, strlen(text));
    size_t length = strlen(text), read = fpfmt_parse(value, text, length, &why);
    if (read == 0 || why != NULL)
        complain("%s: '%s' is not a number", what, shown);
    else if (value->kind >= FPFMT_KIND_INFINITE)
        complain("%s must be finite, not %s", what, shown);
    else if (ratio != NULL && fpfmt_parse_ratio(ratio, text, length, NULL) != length)
        complain("%s: '%s' takes too many digits", what, shown);
    else
        return true;
    return false;
}

bool is_negative_number(const char *argument)
{
    return argument[1] == '.' || isdigit((unsigned char)argument[1]) ||
           strncasecmp(argument, "-inf", 4) == 0 || strncasecmp(argument, "-nan", 4) == 0;
}
