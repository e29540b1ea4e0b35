/* test_any_format.c - rows and policies at random: arrays give what single values do
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "any_row.h"
#include "arrays.h"
#include "runner.h"

enum { COUNT = 300 };

static unsigned below(unsigned n)
{
    return (unsigned)(random_bits_64() >> 32) % n;
}

/* A bias of the usual kind, near what puts an end of the format on an end of a carrier, or any. */
static int random_bias(int exponent_bits)
{
    int half = exponent_bits == 0 ? 0 : (1 << (exponent_bits - 1)) - 1;
    int near = (int)below(7) - 3;
    switch (below(4)) {
    case 0: return half;
    case 1: return half + near;
    case 2: return 127 + near + ((int)below(3) - 2) * (half + 1);
    default: return (int)below(2200) - 1100;
    }
}

/* A sound row with fields of any size and kind. */
static fpfmt_format random_format(void)
{
    for (;;) {
        fpfmt_format it = {
            .name = "random",
            .sign_bits = (uint8_t)below(2),
            .exponent_bits = (uint8_t)below(12),
            .fraction_bits = (uint8_t)below(below(2) ? 31 : 12),
            .nans = (uint8_t)below(4),
            .infinity = (uint8_t)below(3),
            .exponent_zero = (uint8_t)(below(16) == 0 ? 1 + below(2) : 0),
            .overflow = (uint8_t)(1 + below(FPFMT_OVERFLOW_COUNT - 1)),
            .tie = below(16) == 0,
        };
        it.bias = random_bias(it.exponent_bits);
        if (it.nans == FPFMT_NANS_IEEE || it.infinity == FPFMT_INFINITY_IEEE)
            it.nans = FPFMT_NANS_IEEE, it.infinity = FPFMT_INFINITY_IEEE;
        if (fpfmt_defect(&it) == NULL)
            return it;
    }
}

static fpfmt_policy random_policy(void)
{
    return (fpfmt_policy){
        .rounding = (uint8_t)below(below(4) ? FPFMT_ROUND_DETERMINISTIC_COUNT : FPFMT_ROUND_COUNT),
        .overflow = (uint8_t)below(FPFMT_OVERFLOW_COUNT),
        .overflow_test = below(4) == 0,
        .subnormal = (uint8_t)(below(3) ? 0 : below(4)),
        .nan = (uint8_t)(below(3) ? 0 : below(FPFMT_NAN_COUNT)),
        .negative = (uint8_t)below(3),
        .tininess = (uint8_t)below(2),
        .random_bits = (uint8_t)(below(3) ? 1 + below(32) : 32),
        .seed = random_bits_64(),
        .first = random_bits_64() >> below(64),
    };
}

static void try_call(array_call *call, const fpfmt_format *format, const fpfmt_format *source,
                     const fpfmt_policy *policy)
{
    static unsigned char in[8 * COUNT], out[8 * COUNT];
    static uint64_t expected[COUNT];
    size_t n = 1 + below(COUNT), first = below(1000), in_bytes, out_bytes;
    unsigned all = 0;
    for (size_t s = 0; set_here(s) != NULL; s++) {
        unsigned flags = 0;
        if (!prepare_call(call, format, source, policy, set_here(s)))
            return;
        in_bytes = input_bytes(call);
        out_bytes = output_bytes(call);
        if (s == 0)
            fill_call_input(call, in, n);
        for (size_t i = 0; s == 0 && i < n; i++)
            expected[i] =
                expected_of_call(call, load_word(in + i * in_bytes, in_bytes), first + i, &all);
        for (int flagged = 0; flagged < 2; flagged++) {
            memset(out, 0, sizeof out);
            run_call(call, out, in, n, first, flagged ? &flags : NULL);
            for (size_t i = 0; i < n; i++) {
                uint64_t got = load_word(out + i * out_bytes, out_bytes);
                CHECK(got == expected[i],
                      "%s %s of s%d e%d m%d b%d nans %d inf %d zero %d over %d tie %d, mode %d(%d) "
                      "over %d test %d sub %d nan %d neg %d tiny %d: %" PRIx64 " gives %" PRIx64
                      ", not %" PRIx64,
                      fpfmt_kernels_name(set_here(s)), operation_name(call), format->sign_bits,
                      format->exponent_bits, format->fraction_bits, format->bias, format->nans,
                      format->infinity, format->exponent_zero, format->overflow, format->tie,
                      policy->rounding, policy->random_bits, policy->overflow,
                      policy->overflow_test, policy->subnormal, policy->nan, policy->negative,
                      policy->tininess, load_word(in + i * in_bytes, in_bytes), got, expected[i]);
            }
        }
        CHECK(flags == all, "%s %s of e%d m%d b%d, mode %d raises %u, not %u",
              fpfmt_kernels_name(set_here(s)), operation_name(call), format->exponent_bits,
              format->fraction_bits, format->bias, policy->rounding, flags, all);
    }
}

static void arrays_of_any_row(void)
{
    unsigned rows = is_exhaustive() ? 100000 : 3000 / SAMPLE;
    static array_call call;
    for (unsigned i = 0; i < rows; i++) {
        fpfmt_format format = random_format(), source = random_format();
        fpfmt_policy policy = random_policy();
        for (size_t k = 0; array_operation(&call, k); k++)
            try_call(&call, &format, &source, &policy);
    }
    printf("# %u rows, each with a policy of its own\n", rows);
}

/* A sound row of few bits, with fields of any kind: values without zero or subnormals as often as
 * with them, one exponent, one fraction, and every rule for overflow. */
static fpfmt_format small_format(void)
{
    for (;;) {
        fpfmt_format it = {
            .name = "small",
            .sign_bits = (uint8_t)below(2),
            .exponent_bits = (uint8_t)below(ROW_EXPONENT_BITS + 1),
            .fraction_bits = (uint8_t)(below(3) ? below(ROW_FRACTION_BITS + 1) : 0),
            .nans = (uint8_t)below(4),
            .infinity = (uint8_t)below(3),
            .exponent_zero = (uint8_t)below(3),
            .overflow = (uint8_t)(1 + below(FPFMT_OVERFLOW_COUNT - 1)),
            .tie = below(4) == 0,
            .bias = (int)below(200) - 100,
        };
        if (it.exponent_bits == 0)
            it.nans = it.infinity = it.exponent_zero = 0;
        if (it.nans == FPFMT_NANS_IEEE || it.infinity == FPFMT_INFINITY_IEEE)
            it.nans = FPFMT_NANS_IEEE, it.infinity = FPFMT_INFINITY_IEEE;
        if (fpfmt_defect(&it) == NULL)
            return it;
    }
}

/* CHECK that names the row. */
static bool row_holds(const any_row *row, bool condition, const char *what, uint64_t in,
                      uint64_t got, uint64_t expected)
{
    const fpfmt_format *format = &row->format;
    return CHECK(condition,
                 "s%d e%d m%d b%d nans %d inf %d zero %d over %d tie %d: %s 0x%" PRIx64
                 " is 0x%" PRIx64 ", not 0x%" PRIx64,
                 format->sign_bits, format->exponent_bits, format->fraction_bits, format->bias,
                 format->nans, format->infinity, format->exponent_zero, format->overflow,
                 format->tie, what, in, got, expected);
}

/* The codes in the order of their values, -0 left out. */
static size_t in_order(const any_row *row, uint64_t codes[])
{
    size_t count = 0;
    bool sign = row->format.sign_bits != 0;
    if (sign && row->infinity != 0)
        codes[count++] = row_code(row, true, row->infinity);
    for (uint64_t m = row->lowest + 1; sign && m-- > row->has_zero;)
        codes[count++] = row_code(row, true, m);
    for (uint64_t m = 0; m <= row->max; m++)
        codes[count++] = m;
    if (row->infinity != 0)
        codes[count++] = row->infinity;
    return count;
}

/* Is that the code, or if it is a zero, any zero? */
static bool is_number(const any_row *row, uint64_t code, uint64_t expected)
{
    return code == expected ||
           (fpfmt_is_zero(&row->format, expected) && fpfmt_is_zero(&row->format, code));
}

static void check_neighbors(const any_row *row)
{
    static uint64_t codes[2 * ROW_CODES + 4];
    const fpfmt_format *format = &row->format;
    size_t count = in_order(row, codes);
    for (size_t i = 0; i < count; i++) {
        uint64_t up = codes[i + 1 < count ? i + 1 : i], down = codes[i > 0 ? i - 1 : 0];
        uint64_t up_to = fpfmt_next_up(format, codes[i], NULL, NULL),
                 down_to = fpfmt_next_down(format, codes[i], NULL, NULL);
        row_holds(row, is_number(row, up_to, up), "next up from", codes[i], up_to, up);
        row_holds(row, is_number(row, down_to, down), "next down from", codes[i], down_to, down);
    }
}

static void check_limits(const any_row *row)
{
    fpfmt_limits told = fpfmt_measure(&row->format);
    int emin = row->unit, emax = row->unit;
    for (uint64_t size = row->size[row->min_normal]; size > 1; size /= 2)
        emin++;
    for (uint64_t size = row->size[row->max]; size > 1; size /= 2)
        emax++;
    row_holds(row, told.emin == emin, "emin", 0, (uint64_t)told.emin, (uint64_t)emin);
    row_holds(row, told.emax == emax, "emax", 0, (uint64_t)told.emax, (uint64_t)emax);
    row_holds(row, told.max == row->max, "max", 0, told.max, row->max);
    row_holds(row, told.min_normal == row->min_normal, "min_normal", 0, told.min_normal,
              row->min_normal);
    row_holds(row, told.infinity == row->infinity && told.nan == row->nan, "infinity",
              row->infinity, told.infinity, told.nan);
    row_holds(row, fpfmt_contains(&row->format, &row->format), "contains itself", 0, 0, 1);
}

/* Every code is what its fields say, and encodes to itself, where no rule leaves it unused. */
static void check_codes(const any_row *row)
{
    const fpfmt_policy infinite = { .overflow = FPFMT_OVERFLOW_INF };
    for (int negative = 0; negative <= row->format.sign_bits; negative++)
        for (uint64_t m = 0; m <= (negative ? row->lowest : row->max); m++) {
            uint64_t code = row_code(row, negative, m), back;
            unsigned flags = 0;
            fpfmt_value value = fpfmt_decode(&row->format, code),
                        expected = units_value(row, negative, row->size[m], false);
            bool zero = row->size[m] == 0;
            row_holds(row,
                      zero ? value.kind == FPFMT_KIND_ZERO
                           : value.exponent == expected.exponent && !value.inexact &&
                                 value.significand == expected.significand &&
                                 value.negative == expected.negative,
                      "the value of", code, value.significand, expected.significand);
            back = fpfmt_encode(&row->format, value, &infinite, &flags);
            row_holds(row, back == code && flags == 0, "encoding the value of", code, back, code);
            back = fpfmt_negate(&row->format, code);
            uint64_t opposite = row_code(row, !negative, m > row->max ? row->max : m);
            if (row->format.sign_bits != 0)
                row_holds(row, back == opposite, "negating", code, back, opposite);
        }
    if (row->infinity != 0 && row->format.sign_bits != 0)
        row_holds(row,
                  fpfmt_negate(&row->format, row->infinity) == row_code(row, true, row->infinity),
                  "negating", row->infinity, fpfmt_negate(&row->format, row->infinity), 0);
}

/* Shortest decimals read back as their code under the row's own rules. */
static void check_text(const any_row *row)
{
    char text[64];
    for (unsigned i = 0; i < 20; i++) {
        uint64_t code = row_code(row, below(2), below((unsigned)row->max + 1));
        fpfmt_value value;
        size_t length = fpfmt_print_shortest(text, sizeof text, &row->format, code);
        if (!row_holds(row, fpfmt_parse(&value, text, length, NULL) == length, "reading", code, 0,
                       length))
            continue;
        uint64_t back = fpfmt_encode(&row->format, value, NULL, NULL);
        row_holds(row, back == code, "reading what is printed for", code, back, code);
    }
}

/* Units near a value, a midpoint, an end or anywhere, now and then twice or far past the end. */
static uint64_t some_units(const any_row *row)
{
    uint64_t code = below((unsigned)row->lowest + 2);
    uint64_t low = row->size[code > row->lowest ? row->lowest : code], high = row->size[code];
    uint64_t near = below(2) ? low : low + (high - low) / 2;
    switch (below(6)) {
    case 0: return below(2 * (unsigned)row->size[1 + row->min_normal]);
    case 1: return row->size[row->max] + below(1 << FINER);
    case 2: return random_bits_64() >> below(64);
    default: return near + below(3) > 0 ? near + below(3) - 1 : 0;
    }
}

static void check_roundings(const any_row *row, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        fpfmt_policy policy = random_policy();
        unsigned flags = 0, raised = 0;
        bool negative = below(2), tail = below(4) == 0;
        uint64_t units = some_units(row), random = 0, got, expected;
        if (policy.rounding >= FPFMT_ROUND_DETERMINISTIC_COUNT) {
            policy.rounding = FPFMT_ROUND_STOCHASTIC_A;
            policy.random_bits = (uint8_t)(1 + below(8));
            policy.tininess = FPFMT_TININESS_BEFORE_ROUNDING;
            random = below(1u << policy.random_bits);
            units &= (UINT64_C(1) << 55) - 1; /* so that the chance stays whole */
        }
        tail &= units != 0;
        expected = expected_of_units(row, negative, units, tail, &policy, random, &flags);
        got = fpfmt_encode_random(&row->format, units_value(row, negative, units, tail), random,
                                  &policy, &raised);
        if (!row_holds(row, got == expected, "rounding", units, got, expected) ||
            !row_holds(row, raised == flags, "flags of rounding", units, raised, flags))
            CHECK(false,
                  "negative %d tail %d mode %d over %d test %d sub %d neg %d tiny %d bits %d",
                  negative, tail, policy.rounding, policy.overflow, policy.overflow_test,
                  policy.subnormal, policy.negative, policy.tininess, policy.random_bits);
        flags = raised = 0;
        policy.rounding %= FPFMT_ROUND_DETERMINISTIC_COUNT;
        expected = expected_of_infinity(row, negative, &policy, &flags);
        got = fpfmt_encode(&row->format,
                           (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = negative },
                           &policy, &raised);
        row_holds(row, got == expected && raised == flags, "infinity, negative", negative, got,
                  expected);
    }
}

static void any_small_row(void)
{
    unsigned rows = is_exhaustive() ? 20000 : 2000 / SAMPLE;
    static any_row row;
    for (unsigned i = 0; i < rows; i++) {
        fpfmt_format format = small_format();
        list_row(&row, &format);
        check_limits(&row);
        check_codes(&row);
        check_neighbors(&row);
        check_text(&row);
        check_roundings(&row, 200);
    }
    printf("# %u rows of few bits\n", rows);
}

int main(void)
{
    static const struct test tests[] = {
        { "any row of few bits is what its fields say: values, limits, neighbours, roundings",
          any_small_row },
        { "arrays of any row under any policy are as their elements, in every set",
          arrays_of_any_row },
    };
    return run_tests("any_format", tests, sizeof tests / sizeof tests[0]);
}
