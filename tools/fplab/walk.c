/* walk.c - a sum that takes the same step over and over, until it stalls
 * SPDX-License-Identifier: MIT */

#include "walk.h"

/* So many steps take some hundredths of a second: often enough for a percentage. */
enum { STEPS_AT_ONCE = 1048576 };

fpfmt_value in_format(const fpfmt_format *format, fpfmt_value value)
{
    return fpfmt_decode(format, fpfmt_encode(format, value, NULL, NULL));
}

/* After a step that changes nothing, each further one finds the sum as that one found it. */
walk take_steps(const fpfmt_format *format, fpfmt_value start, fpfmt_value step, uint64_t count,
                progress *moving)
{
    walk made = { .format = *format, .step = in_format(format, step) };
    int column = 0;
    made.code = fpfmt_encode(format, start, NULL, NULL);
    begin_progress(moving, count);
    for (uint64_t i = 1; i <= count && made.stalled == 0; i++) {
        for (; column < PATH_POINTS && path_step(count, column) < i; column++)
            made.way.point[column] = fpfmt_to_f64(fpfmt_decode(format, made.code), NULL, NULL);
        uint64_t next = fpfmt_add(format, fpfmt_decode(format, made.code), made.step, NULL, NULL);
        if (next == made.code)
            made.stalled = i;
        else
            made.moved = i;
        made.code = next;
        if (i % STEPS_AT_ONCE == 0)
            add_progress(moving, STEPS_AT_ONCE);
    }
    for (; column < PATH_POINTS; column++)
        made.way.point[column] = fpfmt_to_f64(fpfmt_decode(format, made.code), NULL, NULL);
    end_progress(moving);
    return made;
}
