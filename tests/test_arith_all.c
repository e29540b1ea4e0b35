/* test_arith_all.c - every operand of small formats, in every mode, against the oracle
 * SPDX-License-Identifier: MIT
 *
 * Always: + - * / remainder and hypot of all pairs of six 8-bit formats; fma and sums of three of
 * all triples of e2m1, e2m3, e3m2 and of P3109's formats of 3 and 4 bits; roots, reciprocals and
 * integral values of every code of up to 16 bits. With exhaustive=yes also all pairs of the other
 * 8-bit formats, and all triples of P3109's formats of 5 and 6 bits. */

#include "oracle_arith.h"
#include "runner.h"
#include "samples.h"
#include "trial.h"

enum { CODES = 1 << 16 };

static trial the;

/* Every code of the format in hand. */
static struct {
    unsigned count;
    fpfmt_value value[CODES];
    oracle_number number[CODES];
} all;

static void set_format(const oracle_format *reference)
{
    static unsigned started;
    the.reference = reference;
    the.format = found(reference);
    all.count = 1u << reference->bits;
    for (; started < all.count; started++)
        oracle_start(&all.number[started]);
    for (unsigned code = 0; code < all.count; code++) {
        all.value[code] = fpfmt_decode(&the.format, code);
        oracle_decode(reference, code, &all.number[code]);
    }
}

static void take(int operand, unsigned code)
{
    the.value[operand] = all.value[code];
    the.operand[operand] = &all.number[code];
}

/* Under the policy that goes with the format. */
static void check_all_modes(void)
{
    bool p3109 = the.reference->kind == ORACLE_P3109;
    trial_pose(&the);
    trial_check_modes(
        &the, (fpfmt_policy){ .specials = p3109 ? FPFMT_SPECIALS_P3109 : FPFMT_SPECIALS_IEEE });
}

static void pairs_of(const oracle_format *reference)
{
    static const int operations[] = { FPFMT_OPERATION_ADD,       FPFMT_OPERATION_SUBTRACT,
                                      FPFMT_OPERATION_MULTIPLY,  FPFMT_OPERATION_DIVIDE,
                                      FPFMT_OPERATION_REMAINDER, FPFMT_OPERATION_HYPOT };
    set_format(reference);
    for (unsigned o = 0; o < sizeof operations / sizeof operations[0]; o++)
        for (unsigned pair = 0; pair < all.count * all.count; pair += SAMPLE) {
            the.operation = operations[o];
            take(0, pair / all.count);
            take(1, pair % all.count);
            check_all_modes();
        }
}

static void all_pairs(void)
{
    static const char *const named[] = { "e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz" };
    for (unsigned i = 0; i < sizeof named / sizeof named[0]; i++)
        pairs_of(oracle_named(named[i]));
    for (int precision = 3; precision <= 4; precision++) {
        oracle_format format = oracle_p3109(8, precision, true, true);
        pairs_of(&format);
    }
}

static void more_pairs(void)
{
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++)
        if (reference->bits <= 8)
            pairs_of(reference);
}

static void triples_of(const oracle_format *reference)
{
    set_format(reference);
    for (the.operation = FPFMT_OPERATION_FMA; the.operation <= FPFMT_OPERATION_FAA; the.operation++)
        for (unsigned triple = 0; triple >> 3 * reference->bits == 0; triple += SAMPLE) {
            for (int i = 0; i < OPERANDS; i++)
                take(i, triple >> i * reference->bits & (all.count - 1));
            check_all_modes();
        }
}

static void all_triples(void)
{
    triples_of(oracle_named("e2m1"));
    triples_of(oracle_named("e2m3"));
    triples_of(oracle_named("e3m2"));
    oracle_each_p3109(3, 4, triples_of);
}

static void more_triples(void)
{
    oracle_each_p3109(5, 6, triples_of);
}

static void singles_of(const oracle_format *reference)
{
    static const int operations[] = { FPFMT_OPERATION_SQRT, FPFMT_OPERATION_RECIP,
                                      FPFMT_OPERATION_RSQRT, ROUND_TO_INTEGRAL };
    set_format(reference);
    for (unsigned o = 0; o < sizeof operations / sizeof operations[0]; o++)
        for (unsigned code = 0; code < all.count; code += SAMPLE) {
            the.operation = operations[o];
            take(0, code);
            check_all_modes();
        }
}

static void all_singles(void)
{
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++)
        singles_of(reference);
    oracle_each_p3109(3, 8, singles_of);
}

int main(void)
{
    enum { EXHAUSTIVE = 2 }; /* the last ones, of which the others take some */
    static const struct test tests[] = {
        { "every operation on all pairs of 8-bit formats is right", all_pairs },
        { "fma and sums of all triples of formats of up to 6 bits are right", all_triples },
        { "roots, reciprocals and integral values of all codes are right", all_singles },
        { "pairs of the other formats of up to 8 bits too", more_pairs },
        { "triples of P3109's larger ones too", more_triples },
    };
    trial_start(&the);
    const size_t count = sizeof tests / sizeof tests[0];
    return run_tests("arith_all", tests, is_exhaustive() ? count : count - EXHAUSTIVE);
}
