/* picture.c - a drawing of how numbers go
 * SPDX-License-Identifier: MIT */

#include "picture.h"

#include "figures.h"
#include "kit/plot.h"

enum { ROWS = 13, DIGITS = 3 };

/* The range of all points; false if there is none to draw. */
static bool measure_range(const path *paths, size_t count, double *least, double *most)
{
    const double farthest = 1e300;
    *least = *most = paths[0].point[0];
    for (size_t p = 0; p < count; p++)
        for (int i = 0; i < PATH_POINTS; i++) {
            double value = paths[p].point[i];
            if (!(value > -farthest && value < farthest))
                return false;
            *least = value < *least ? value : *least;
            *most = value > *most ? value : *most;
        }
    return *least < *most;
}

void draw_paths(const lab_page *page, const path *paths, const char *const *names, size_t count,
                const char *caption)
{
    number top, bottom;
    const char *labels[PLOT_ROWS] = { NULL };
    double least, most;
    plot drawing;
    if (!lab_on_screen(page) || count == 0 || count > MOST_PATHS ||
        !measure_range(paths, count, &least, &most))
        return;
    plot_begin(&drawing, PATH_POINTS, ROWS);
    for (size_t p = count; p-- > 0;)
        for (int i = 0; i < PATH_POINTS; i++)
            plot_point(&drawing, (int)p, i, row_of(paths[p].point[i], least, most, ROWS));
    labels[ROWS - 1] = show_double(top, most, DIGITS);
    labels[0] = show_double(bottom, least, DIGITS);
    lab_gap(page);
    plot_rows(&drawing, labels);
    plot_legend(&drawing, names, (int)count);
    lab_say(page, "%s", caption);
}
