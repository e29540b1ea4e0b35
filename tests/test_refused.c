/* test_refused.c - what array calls refuse, and that they then do nothing
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "kernels/kernel.h"
#include "runner.h"
#include "stops.h"

enum { SIZE = 4096, CANARY = 0xA5, PRESET = FPFMT_FLAG_DIVIDE_BY_ZERO };

/* The call under test. policy and source: of the one-shot twin. */
static struct {
    array_call call;
    fpfmt_policy policy;
    unsigned char memory[SIZE];
    unsigned char *out, *in;
    size_t n;
    bool once;
} the;

static bool attempt(unsigned *flags)
{
    return the.once ? run_once(&the.call, the.out, the.in, the.n, &the.policy, flags)
                    : run_call(&the.call, the.out, the.in, the.n, 0, flags);
}

#ifdef FPFMT_CHECKING

static void attempt_plainly(void)
{
    attempt(NULL);
}

static bool is_refused(void)
{
    return stops(attempt_plainly);
}

#else

/* It says so, writes nothing and raises nothing. */
static bool is_refused(void)
{
    static unsigned char before[SIZE];
    unsigned flags = PRESET;
    memcpy(before, the.memory, SIZE);
    return !attempt(&flags) && flags == PRESET && memcmp(before, the.memory, SIZE) == 0;
}

#endif

/* Everything in order: 8 elements apart from each other, of formats that every carrier holds. */
static void set_up(size_t operation)
{
    memset(the.memory, CANARY, SIZE);
    the.policy = (fpfmt_policy){ .rounding = 0 };
    the.out = the.memory;
    the.in = the.memory + SIZE / 2;
    the.n = 8;
    array_operation(&the.call, operation);
    prepare_call(&the.call, fpfmt_named("fp16"), fpfmt_named("e4m3"), &the.policy, NULL);
}

static size_t operations(void)
{
    size_t count = 0;
    while (array_operation(&the.call, count))
        count++;
    return count;
}

#define REFUSED(...) CHECK(is_refused(), __VA_ARGS__)
#define TAKEN(...) CHECK(attempt(NULL), __VA_ARGS__)

static void null_and_sizes(void)
{
    static const size_t lengths[] = { PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1, SIZE_MAX };
    for (size_t o = 0, all = operations(); o < all; o++)
        for (int once = 0; once < 2; once++) {
            set_up(o);
            the.once = once;
            const char *name = operation_name(&the.call);
            size_t in = input_bytes(&the.call), out = output_bytes(&the.call);
            unsigned flags = PRESET;
            TAKEN("%s refuses what is in order", name);
            the.in = NULL;
            REFUSED("%s takes NULL as input", name);
            the.out = NULL;
            REFUSED("%s takes NULL as both", name);
            the.n = 0;
            CHECK(attempt(&flags) && flags == PRESET, "%s refuses no elements at NULL", name);
            set_up(o);
            the.out = NULL;
            REFUSED("%s takes NULL as output", name);
            set_up(o);
            for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
                the.n = lengths[i] - (in == 1 && out == 1);
                REFUSED("%s takes %zu elements", name, the.n);
            }
            the.n = PTRDIFF_MAX / (in > out ? in : out) + 1;
            REFUSED("%s takes %zu elements", name, the.n);
        }
}

/* n elements, the output at a distance from the input: whether it may lie there. */
static void try_distance(const char *name, size_t n, ptrdiff_t distance)
{
    ptrdiff_t in = (ptrdiff_t)(n * input_bytes(&the.call));
    ptrdiff_t out = (ptrdiff_t)(n * output_bytes(&the.call));
    bool apart = distance >= in || distance <= -out;
    the.out = the.in + distance;
    the.n = n;
    if (apart || (distance <= 0 && out <= in))
        TAKEN("%s of %zu refuses the output at %td", name, n, distance);
    else
        REFUSED("%s of %zu takes the output at %td", name, n, distance);
}

static void overlaps(void)
{
    static const char *const formats[] = { "e4m3", "fp16", "tf32", "fp64" };
    static const size_t lengths[] = { 1, 2, 65 };
    fpfmt_policy policy = { .rounding = 0 };
    for (size_t o = 0, all = operations(); o < all; o++)
        for (size_t f = 0; f < 4; f++)
            for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
                set_up(o);
                if (!prepare_call(&the.call, fpfmt_named(formats[f]), fpfmt_named(formats[2]),
                                  &policy, NULL))
                    continue;
                ptrdiff_t in = (ptrdiff_t)(lengths[i] * input_bytes(&the.call));
                ptrdiff_t out = (ptrdiff_t)(lengths[i] * output_bytes(&the.call));
                const ptrdiff_t distances[] = { 0,       1,        2,       -1, -2,
                                                in / 2,  -out / 2, in - 1,  in, in + 1,
                                                1 - out, -out,     -out - 1 };
                for (size_t d = 0; d < sizeof distances / sizeof distances[0]; d++) {
                    the.once = d % 2;
                    try_distance(operation_name(&the.call), lengths[i], distances[d]);
                }
            }
}

static void unprepared_plans(void)
{
    for (size_t o = 0, all = operations(); o < all; o++)
        for (int n = 0; n < 9; n += 8) {
            set_up(o);
            the.n = (size_t)n;
            memset(&the.call.plan.prepared, 0, sizeof the.call.plan.prepared);
            REFUSED("%s takes a plan that is not prepared", operation_name(&the.call));
            set_up(o);
            the.n = (size_t)n;
            memset(&the.call.source, 0, sizeof the.call.source);
            if (the.call.operation == CONVERTS)
                REFUSED("convert takes a source that is not prepared");
        }
}

static void carriers_that_do_not_hold(void)
{
    fpfmt_format format;
    size_t refused = 0;
    for (size_t o = 0, all = operations(); o < all; o++)
        for (size_t f = 0; array_format(&format, f); f++)
            for (int once = 0; once < 2; once++) {
                set_up(o);
                the.once = once;
                if (prepare_call(&the.call, &format, &format, &the.policy, NULL)) {
                    TAKEN("%s refuses %s", operation_name(&the.call), format.name);
                    continue;
                }
                refused++;
                REFUSED("%s takes %s", operation_name(&the.call), format.name);
                the.n = 0;
                REFUSED("%s takes none of %s", operation_name(&the.call), format.name);
            }
    CHECK(refused > 0, "every carrier holds every format");
    printf("# %zu refused\n", refused);
}

/* Neither prepared nor taken at once. The plan of a failed attempt is not a prepared one. */
static void try_defect(const fpfmt_format *format, const fpfmt_policy *policy, const char *what)
{
    for (size_t o = 0, all = operations(); o < all; o++) {
        set_up(o);
        the.policy = *policy;
        CHECK(!fpfmt_prepare(&the.call.plan, format, policy, NULL), "prepared: %s", what);
        REFUSED("the plan that was not prepared is taken: %s", what);
        the.call.plan.format = *format;
        the.once = true;
        REFUSED("%s takes %s", operation_name(&the.call), what);
        the.once = false;
    }
}

static void policies_with_defects(void)
{
    static const fpfmt_policy policies[] = {
        { .rounding = FPFMT_ROUND_COUNT },
        { .rounding = 255 },
        { .rounding = FPFMT_ROUND_STOCHASTIC_A },
        { .rounding = FPFMT_ROUND_STOCHASTIC_B },
        { .rounding = FPFMT_ROUND_STOCHASTIC_C, .random_bits = 33 },
        { .rounding = FPFMT_ROUND_STOCHASTIC_A, .random_bits = 255 },
        { .overflow = FPFMT_OVERFLOW_COUNT },
        { .overflow_test = 2 },
        { .subnormal = 4 },
        { .nan = FPFMT_NAN_COUNT },
        { .negative = 3 },
        { .tininess = 2 },
        { .specials = 2 },
        { .reserved = { 1 } },
        { .reserved = { [6] = 0x80 } },
    };
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        const char *what = fpfmt_policy_defect(&policies[i]);
        if (CHECK(what != NULL, "policy %zu has no defect", i))
            try_defect(fpfmt_named("e4m3"), &policies[i], what);
    }
}

static void formats_with_defects(void)
{
    static const char *const names[] = { "e11m53", "e12m3", "e4m3b1079fn", "e4m3b-1020fn",
                                         "binary15p1se" };
    static const fpfmt_policy policy;
    fpfmt_format formats[8] = { *fpfmt_named("e4m3"), *fpfmt_named("bf16"), *fpfmt_named("int8") };
    size_t count = 3;
    formats[0].sign_bits = 2;
    formats[1].overflow = FPFMT_OVERFLOW_SPEC;
    formats[2].nans = FPFMT_NANS_ALL_ONES;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK(fpfmt_find(&formats[count++], names[i]) == FPFMT_UNSOUND, "%s is sound", names[i]);
    for (size_t i = 0; i < count; i++) {
        const char *what = fpfmt_defect(&formats[i]);
        if (!CHECK(what != NULL, "%s has no defect", formats[i].name))
            continue;
        try_defect(&formats[i], &policy, what);
        set_up(operations() - 1);
        the.call.source.format = formats[i];
        the.once = true;
        REFUSED("%s takes a source: %s", operation_name(&the.call), what);
    }
}

static bool runs_nowhere(void)
{
    return false;
}

static void sets_that_do_not_run(void)
{
    static const fpfmt_kernels absent = { .name = "absent", .runs_here = runs_nowhere };
    set_up(0);
    CHECK(!fpfmt_prepare(&the.call.plan, fpfmt_named("fp16"), NULL, &absent), "prepared");
    REFUSED("the plan that was not prepared is taken");
    for (size_t s = 0; fpfmt_kernels_at(s) != NULL; s++) {
        const fpfmt_kernels *set = fpfmt_kernels_at(s);
        CHECK(fpfmt_prepare(&the.call.plan, fpfmt_named("fp16"), NULL, set) ==
                  fpfmt_kernels_run_here(set),
              "%s is prepared where it does not run, or not where it does",
              fpfmt_kernels_name(set));
    }
}

/* A plan may be prepared anew with its own policy and format. */
static void plans_prepared_from_themselves(void)
{
    const fpfmt_policy policy = { .rounding = FPFMT_ROUND_UPWARD, .overflow = FPFMT_OVERFLOW_MAX };
    static fpfmt_plan plan, again;
    fpfmt_prepare(&plan, fpfmt_named("e4m3"), &policy, NULL);
    fpfmt_prepare(&again, fpfmt_named("e4m3"), &policy, NULL);
    CHECK(fpfmt_prepare(&again, fpfmt_named("fp16"), &again.policy, NULL) &&
              again.policy.rounding == FPFMT_ROUND_UPWARD &&
              again.policy.overflow == FPFMT_OVERFLOW_MAX,
          "the policy of the plan is lost");
    CHECK(fpfmt_prepare(&again, &plan.format, &again.policy, NULL) &&
              memcmp(&again.policy, &plan.policy, sizeof plan.policy) == 0,
          "the policy of the plan is lost");
    CHECK(fpfmt_prepare(&again, &again.format, &again.policy, NULL) &&
              strcmp(again.format.name, "e4m3") == 0,
          "the format of the plan is lost");
    uint8_t codes[2] = { 0, 0 };
    const float x[2] = { 1.01F, 1e9F };
    fpfmt_plan_encode_f32(&again, codes, x, 2, 0, NULL);
    CHECK(codes[0] == 0x39 && codes[1] == 0x7e, "0x%x 0x%x", codes[0], codes[1]);
    again.policy.rounding = FPFMT_ROUND_COUNT;
    CHECK(!fpfmt_prepare(&again, &again.format, &again.policy, NULL),
          "a defect of the plan's own policy is not seen");
}

int main(void)
{
    static const struct test tests[] = {
        { "NULL with elements is refused, and more bytes than there can be", null_and_sizes },
        { "an output that would be written before its input is read is refused", overlaps },
        { "a plan that is not prepared is refused", unprepared_plans },
        { "a carrier that does not hold the format is refused where values come out",
          carriers_that_do_not_hold },
        { "policies with a defect are refused", policies_with_defects },
        { "formats with a defect are refused", formats_with_defects },
        { "a plan may be prepared from its own policy and format", plans_prepared_from_themselves },
        { "sets that do not run here are refused", sets_that_do_not_run },
    };
    return run_tests("refused", tests, sizeof tests / sizeof tests[0]);
}
