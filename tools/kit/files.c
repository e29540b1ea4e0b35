/* files.c - files that belong to the run
 * SPDX-License-Identifier: MIT */

#include "kit/files.h"

#include <errno.h>

#include "kit/run.h"

FILE *open_file(const char *path, const char *mode)
{
    kit_run *run = this_run();
    int place = 0;
    while (place < RUN_FILES && run->files[place] != NULL)
        place++;
    if (place == RUN_FILES) {
        errno = EMFILE;
        return NULL;
    }
    return run->files[place] = fopen(path, mode);
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
