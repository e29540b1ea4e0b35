/* files.c - files that belong to the run
 * SPDX-License-Identifier: MIT */

#include "kit/files.h"

#include <errno.h>

#include "kit/run.h"

/* Where a file may be kept; NULL, and errno, where as many are open as may be. */
static FILE **free_place(void)
{
    kit_run *run = this_run();
    for (int place = 0; place < RUN_FILES; place++)
        if (run->files[place] == NULL)
            return &run->files[place];
    errno = EMFILE;
    return NULL;
}

FILE *open_file(const char *path, const char *mode)
{
    FILE **place = free_place();
    return place == NULL ? NULL : (*place = fopen(path, mode));
}

FILE *open_scratch(void)
{
    FILE **place = free_place();
    return place == NULL ? NULL : (*place = tmpfile());
}

void close_file(FILE *file)
{
    kit_run *run = this_run();
    for (int place = 0; place < RUN_FILES; place++)
        if (run->files[place] == file)
            run->files[place] = NULL;
    fclose(file);
}

void close_all_files(void)
{
    kit_run *run = this_run();
    for (int place = 0; place < RUN_FILES; place++)
        if (run->files[place] != NULL)
            close_file(run->files[place]);
}
