/* chances.c - a sum that takes the same step over and over, rounded stochastically many times
 * SPDX-License-Identifier: MIT */

#include "chances.h"

#include "figures.h"
#include "kit/memory.h"
#include "walk.h"

/* The variance of all steps: of each it is ulp^2 p (1 - p), where p is the part of an ulp that the
 * step is past whole ones, and the ulp that of the exact way. */
static double expected_deviation(const stochastic_walks *of, fpfmt_value step, fpfmt_value start)
{
    double variance = 0, size = fpfmt_to_f64(step, NULL, NULL),
           at = fpfmt_to_f64(start, NULL, NULL);
    for (uint64_t i = 0; i < of->count; i++) {
        double ulp = fpfmt_to_f64(fpfmt_ulp(of->format, fpfmt_from_f64(at)), NULL, NULL);
        double steps = divide64(size < 0 ? -size : size, ulp);
        double p = subtract64(steps, floor64(steps));
        double deviates = multiply64(multiply64(ulp, ulp), multiply64(p, subtract64(1, p)));
        variance = add64(variance, deviates);
        at = add64(at, size);
    }
    return sqrt64(variance);
}

/* The code that a run ends with. */
static uint64_t walk_stochastically(const stochastic_walks *of, fpfmt_value step, uint64_t run)
{
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = of->seed };
    uint64_t code = fpfmt_encode(of->format, of->start, NULL, NULL);
    for (uint64_t i = 0; i < of->count; i++) {
        policy.first = run * of->count + i;
        code = fpfmt_add(of->format, fpfmt_decode(of->format, code), step, &policy, NULL);
    }
    return code;
}

chances try_chances(const stochastic_walks *of, progress *moving)
{
    chances found = { .first = 0 };
    double *ends = allocate(of->runs, sizeof *ends);
    fpfmt_value step = in_format(of->of_steps, of->step), start = in_format(of->format, of->start);
    for (uint64_t r = 0; r < of->runs; r++) {
        uint64_t code = walk_stochastically(of, step, r);
        found.first = r == 0 ? code : found.first;
        ends[r] = fpfmt_to_f64(fpfmt_decode(of->format, code), NULL, NULL);
        add_progress(moving, 1);
    }
    fpfmt_value end =
        fpfmt_exact(FPFMT_OPERATION_FMA, fpfmt_from_u64(of->count), step, start, NULL, NULL);
    found.mean = mean64(ends, of->runs);
    found.deviation = deviation64(ends, of->runs, found.mean);
    found.expected_mean = fpfmt_to_f64(end, NULL, NULL);
    found.expected_deviation = expected_deviation(of, step, start);
    release(ends);
    return found;
}
