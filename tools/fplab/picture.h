/* picture.h - a drawing of how numbers go
 * SPDX-License-Identifier: MIT */

#ifndef PICTURE_H
#define PICTURE_H

#include <stddef.h>
#include <stdint.h>

enum { PATH_POINTS = 61, MOST_PATHS = 8 };

typedef struct {
    double point[PATH_POINTS];
} path;

/* Point number point of a path that goes from 0 to count is the one after so many steps. */
uint64_t path_step(uint64_t count, int point);

/* Draws paths for people, the first on top, with a legend and what they are below; nothing if all
 * are level or one is not finite. */
void draw_paths(const path *paths, const char *const *names, size_t count, const char *caption);

#endif
