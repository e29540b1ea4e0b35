/* version.c - which version runs
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

const char *fpfmt_version(void)
{
    return FPFMT_VERSION;
}
