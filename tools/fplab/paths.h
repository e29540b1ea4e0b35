/* paths.h - how a number goes while steps are counted, at as many points as a picture has
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_PATHS_H
#define FPLAB_PATHS_H

#include <stdint.h>

enum { PATH_POINTS = 61, MOST_PATHS = 8 };

typedef struct {
    double point[PATH_POINTS];
} path;

/* Point number point of a path that goes from 0 to count is the one after so many steps. */
uint64_t path_step(uint64_t count, int point);

#endif
