/* picture.h - a drawing of how numbers go
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_PICTURE_H
#define FPLAB_PICTURE_H

#include "paths.h"
#include "rows.h"

/* Draws paths for people, the first on top, with a legend and a caption below; nothing if all are
 * level, one is not finite, or there are more than MOST_PATHS. */
void draw_paths(const lab_page *page, const path *paths, const char *const *names, size_t count,
                const char *caption);

#endif
