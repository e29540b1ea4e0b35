/* stall.c - why a sum stalls, in words
 * SPDX-License-Identifier: MIT */

#include "stall.h"

#include <inttypes.h>

#include "figures.h"
#include "kit/number.h"

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

void explain_stall(const lab_page *page, const walk *of, const char *step)
{
    number at, half, gap_text;
    fpfmt_value value = fpfmt_decode(&of->format, of->code), gap, halved;
    const char *name = of->format.name;
    if (!lab_on_screen(page))
        return;
    show_number(at, &of->format, value);
    if (of->step.kind == FPFMT_KIND_ZERO) {
        lab_say(page, "%s: %s itself rounds to 0.", name, step);
    } else if (!fpfmt_is_finite(&of->format, of->code)) {
        lab_say(page, "%s: past the largest value it became %s, which no step changes.", name, at);
    } else if (!gap_beyond(of, &gap)) {
        lab_say(page, "%s stalls at %s, its last value, from step %" PRIu64 " on.", name, at,
                of->stalled);
    } else {
        halved = gap;
        halved.exponent--;
        show_number(gap_text, &of->format, gap);
        show_number(half, &of->format, halved);
        lab_say(page,
                "%s stalls at %s from step %" PRIu64 " on: the next value is %s away, and %s is "
                "not more than half of that, %s, so that the sum rounds back.",
                name, at, of->stalled, gap_text, step, half);
    }
}
