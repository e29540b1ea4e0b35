/* files.h - files that belong to the run
 * SPDX-License-Identifier: MIT
 *
 * A run that ends early, as one without memory does, passes by whoever would have closed a file.
 * The run knows which are open, and closes them at its end. */

#ifndef FPFMT_KIT_FILES_H
#define FPFMT_KIT_FILES_H

#include <stdio.h>

/* As fopen; NULL, and errno, where there is no such file or the run has as many open as it may. */
FILE *open_file(const char *path, const char *mode);

/* A file without a name, which is empty; NULL, and errno, as above. */
FILE *open_scratch(void);

/* The end of what one of these gave. */
void close_file(FILE *file);

/* The end of all that the run still has open. */
void close_all_files(void);

#endif
