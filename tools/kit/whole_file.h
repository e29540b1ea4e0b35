/* whole_file.h - a file that fits into memory
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_WHOLE_FILE_H
#define FPFMT_KIT_WHOLE_FILE_H

#include <stddef.h>

/* The bytes of a file, which release() ends, and a NUL behind them; NULL after a complaint. */
unsigned char *read_whole_file(const char *path, size_t *size);

#endif
