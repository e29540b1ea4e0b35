/* test_environment.c - arrays do not heed the floating-point environment, and leave it alone
 * SPDX-License-Identifier: MIT */

#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { COUNT = 131, FIRST = 9 };

static const char *const formats[] = { "bf16", "fp16",         "e4m3",          "e5m2", "tf32",
                                       "e8m3", "e5m2b140ieee", "e4m3b-100ieee", "int8" };
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* How the environment is before a call. control: what the host calls it, in messages too. */
typedef struct {
    unsigned control;
    int rounding, raised;
} environment;

/* An environment by index, false past the last; how it begins; and whether it is as it began. What
 * leaves it restores the default one. */
typedef struct {
    bool (*at)(environment *it, size_t index);
    void (*enter)(const environment *it);
    bool (*leave)(const environment *it);
} machine;

/* What <fenv.h> offers. */
static bool portable_at(environment *it, size_t index)
{
    static const int roundings[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    if (index >= 8)
        return false;
    it->rounding = roundings[index / 2];
    it->raised = index % 2 ? FE_ALL_EXCEPT : 0;
    it->control = (unsigned)(it->rounding | it->raised);
    return true;
}

static void enter_portable(const environment *it)
{
    fesetround(it->rounding);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(it->raised);
}

static bool leave_portable(const environment *it)
{
    bool same = fegetround() == it->rounding && fetestexcept(FE_ALL_EXCEPT) == it->raised;
    fesetenv(FE_DFL_ENV);
    return same;
}

static const machine portable = { portable_at, enter_portable, leave_portable };

#ifdef __SSE2__

#include <immintrin.h>

/* MXCSR: rounding in bits 13 and 14, FTZ bit 15, DAZ bit 6, masks 7 to 12, sticky flags 0 to 5. */
enum { FTZ = 0x8000, DAZ = 0x40, MASKS = 0x1F80, STICKY = 0x3F };

static bool x86_at(environment *it, size_t index)
{
    it->control = (unsigned)(index & 3) << 13 | (index & 4 ? FTZ : 0) | (index & 8 ? DAZ : 0) |
                  (index & 16 ? 0 : MASKS) | (index & 32 ? STICKY : 0);
    return index < 64;
}

static void enter_x86(const environment *it)
{
    _mm_setcsr(it->control);
}

static bool leave_x86(const environment *it)
{
    bool same = _mm_getcsr() == it->control;
    _mm_setcsr(MASKS);
    return same;
}

static const machine *const x86 = &(machine){ x86_at, enter_x86, leave_x86 };

#else

static const machine *const x86 = NULL;

#endif

/* One call's elements, as they lie in memory, and what they raise together. */
static struct {
    unsigned char input[8 * COUNT], output[8 * COUNT];
    unsigned flags;
} the;

/* Every third element is subnormal, every seventh a signaling NaN where the input has them. */
static void make_awkward(const fpfmt_format *input, size_t bytes)
{
    int width = fpfmt_measure(input).width, fraction_bits = input->fraction_bits;
    uint64_t sign = input->sign_bits ? UINT64_C(1) << (width - 1) : 0;
    uint64_t fraction = (UINT64_C(1) << fraction_bits) - 1, quiet = (fraction + 1) >> 1;
    uint64_t exponent = (UINT64_C(1) << (width - input->sign_bits)) - 1 - fraction;
    for (size_t i = 0; i < COUNT; i++) {
        unsigned char *at = the.input + i * bytes;
        uint64_t word = load_word(at, bytes);
        if (i % 3 == 0)
            store_word(at, word & (sign | fraction), bytes);
        else if (i % 7 == 1 && quiet > 1)
            store_word(at, (word & (sign | (quiet - 1))) | exponent | 1, bytes);
    }
}

static void prepare_elements(const array_call *call)
{
    size_t in = input_bytes(call), out = output_bytes(call);
    const fpfmt_format *input = call->operation == DECODES    ? &call->plan.format
                                : call->operation == CONVERTS ? &call->source.format
                                : call->bytes == 4            ? fpfmt_named("fp32")
                                                              : fpfmt_named("fp64");
    fill_call_input(call, the.input, COUNT);
    make_awkward(input, in);
    the.flags = 0;
    for (size_t i = 0; i < COUNT; i++) {
        uint64_t word = load_word(the.input + i * in, in);
        store_word(the.output + i * out, expected_of_call(call, word, FIRST + i, &the.flags), out);
    }
}

static sigjmp_buf trapped;

static void trap(int number)
{
    siglongjmp(trapped, number);
}

static void try_in(const machine *host, const environment *it, const array_call *call, bool flagged)
{
    static unsigned char out[8 * COUNT];
    unsigned flags = 0;
    const char *set = fpfmt_kernels_name(call->plan.set), *name = call->plan.format.name;
    memset(out, 0xA5, sizeof out);
    if (sigsetjmp(trapped, 0) != 0) {
        host->leave(it);
        CHECK(false, "%s %s %s mode %d traps in environment %04X", set, operation_name(call), name,
              call->plan.policy.rounding, it->control);
        return;
    }
    host->enter(it);
    bool done = run_call(call, out, the.input, COUNT, FIRST, flagged ? &flags : NULL);
    bool same = host->leave(it);
    CHECK(same, "%s %s %s mode %d changes environment %04X", set, operation_name(call), name,
          call->plan.policy.rounding, it->control);
    CHECK(done && memcmp(out, the.output, COUNT * output_bytes(call)) == 0 &&
              (!flagged || flags == the.flags),
          "%s %s %s mode %d differs in environment %04X", set, operation_name(call), name,
          call->plan.policy.rounding, it->control);
}

static size_t try_sets(const machine *host, array_call *call, const fpfmt_format *format,
                       const fpfmt_format *source, const fpfmt_policy *policy)
{
    environment it;
    size_t tried = 0;
    for (size_t s = 0; set_here(s) != NULL; s++) {
        if (!prepare_call(call, format, source, policy, set_here(s)))
            return 0;
        if (s == 0)
            prepare_elements(call);
        for (size_t e = 0; host->at(&it, e); e++, tried++)
            try_in(host, &it, call, (e + e / 2 + s) % 2);
    }
    return tried;
}

static void try_host(const machine *host)
{
    static array_call call;
    struct sigaction action = { .sa_handler = trap, .sa_flags = SA_NODEFER }, before;
    fpfmt_format list[FORMATS];
    size_t tried = 0;
    sigaction(SIGFPE, &action, &before);
    for (size_t f = 0; f < FORMATS; f++)
        CHECK(fpfmt_find(&list[f], formats[f]) == FPFMT_FOUND, "%s is not found", formats[f]);
    for (size_t o = 0; array_operation(&call, o); o++)
        for (size_t f = 0; f < FORMATS; f++) {
            fpfmt_policy policy = { .rounding = 0 };
            for (size_t m = 0; array_mode(&policy, m) && (m < 2 || call.operation != DECODES);
                 m++) {
                policy.nan = m % 2 ? FPFMT_NAN_PRESERVE : FPFMT_NAN_QUIET;
                tried += try_sets(host, &call, &list[f], &list[(f + 1) % FORMATS], &policy);
            }
        }
    sigaction(SIGFPE, &before, NULL);
    printf("# %zu combinations of %d elements\n", tried, COUNT);
}

static void rounding_and_flags(void)
{
    try_host(&portable);
}

static void mxcsr(void)
{
    if (x86 == NULL)
        skip_test("this is no x86 with SSE2");
    else
        try_host(x86);
}

int main(void)
{
    static const struct test tests[] = {
        { "arrays do not heed the host's rounding mode, and raise none of its flags",
          rounding_and_flags },
        { "nor FTZ, DAZ and unmasked exceptions of x86; MXCSR stays as it was", mxcsr },
    };
    return run_tests("environment", tests, sizeof tests / sizeof tests[0]);
}
