/* walk.c - a sum that takes the same step over and over, until it stalls
 * SPDX-License-Identifier: MIT */

#include "walk.h"

#include <inttypes.h>

#include "../fpinspect/number.h"
#include "lab.h"

fpfmt_value in_format(const fpfmt_format *format, fpfmt_value value)
{
    return fpfmt_decode(format, fpfmt_encode(format, value, NULL, NULL));
}

/* A step that changes nothing is the last one that could: the next is the same. */
walk take_steps(const fpfmt_format *format, fpfmt_value start, fpfmt_value step, uint64_t count)
{
    walk made = { .format = *format, .step = in_format(format, step) };
    int column = 0;
    made.code = fpfmt_encode(format, start, NULL, NULL);
    for (uint64_t i = 1; i <= count && made.stalled == 0; i++) {
        for (; column < PATH_POINTS && path_step(count, column) < i; column++)
            made.way.point[column] = fpfmt_to_f64(fpfmt_decode(format, made.code), NULL, NULL);
        uint64_t next = fpfmt_add(format, fpfmt_decode(format, made.code), made.step, NULL, NULL);
        if (next == made.code)
            made.stalled = i;
        else
            made.moved = i;
        made.code = next;
        if (i % 1048576 == 0)
            lab_progress(i, count);
    }
    for (; column < PATH_POINTS; column++)
        made.way.point[column] = fpfmt_to_f64(fpfmt_decode(format, made.code), NULL, NULL);
    lab_progress(1, 1);
    return made;
}

/* The distance to the next value in the direction of the step; false if there is none. */
static bool gap_beyond(const walk *of, fpfmt_value *gap)
{
    uint64_t next = of->step.negative ? fpfmt_next_down(&of->format, of->code, NULL, NULL)
                                      : fpfmt_next_up(&of->format, of->code, NULL, NULL);
    if (next == of->code || !fpfmt_is_finite(&of->format, next))
        return false;
    *gap = fpfmt_exact(FPFMT_OPERATION_SUBTRACT, fpfmt_decode(&of->format, next),
                       fpfmt_decode(&of->format, of->code), of->step, NULL, NULL);
    gap->negative = false;
    return true;
}

void explain_stall(const walk *of, const char *step)
{
    static number at, half, gap_text;
    fpfmt_value value = fpfmt_decode(&of->format, of->code), gap, halved;
    const char *name = of->format.name;
    if (!lab_on_screen())
        return;
    show_value(at, &of->format, value, false, LEAD_NONE);
    if (of->step.kind == FPFMT_KIND_ZERO) {
        lab_say("%s: %s itself rounds to 0.", name, step);
    } else if (!fpfmt_is_finite(&of->format, of->code)) {
        lab_say("%s: past the largest value it became %s, which no step changes.", name, at);
    } else if (!gap_beyond(of, &gap)) {
        lab_say("%s stalls at %s, its last value, from step %" PRIu64 " on.", name, at,
                of->stalled);
    } else {
        halved = gap;
        halved.exponent--;
        show_value(gap_text, &of->format, gap, false, LEAD_NONE);
        show_value(half, &of->format, halved, false, LEAD_NONE);
        lab_say("%s stalls at %s from step %" PRIu64 " on: the next value is %s away, and %s is "
                "not more than half of that, %s, so that the sum rounds back.",
                name, at, of->stalled, gap_text, step, half);
    }
}
