/* test_stochastic.c - rounding by chance, for every random word there is
 * SPDX-License-Identifier: MIT
 *
 * The distance of a value from its lower neighbour is an exact rational, from which the chance of
 * each mode follows. Encodings and flags are compared for all words R of 1 to 8 bits, and around
 * the threshold among those of 32 and 64. */

#include <inttypes.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

enum { MOST_BITS = 8 };

/* The value in hand: what it may become, and how far it is from there. */
static struct {
    oracle_format reference;
    fpfmt_format format;
    fpfmt_value value;
    fpfmt_policy policy; /* all but the rounding */
    bool single;         /* below the smallest value of a format without zero: one result */
    uint64_t results[2]; /* of staying at the lower neighbour, and of leaving it */
    unsigned flags[2];   /* of a neighbour that overflows or is refused; else 0 */
    mpq_t distance;      /* from the lower neighbour to the value, in steps */
    bool subnormal;      /* then: */
    mpq_t edge;          /* from the last value of full precision, below which it is negative, to
                            the smallest normal */
} now;

static oracle_number operand, neighbor;
static mpfr_t low, high;

static void start(void)
{
    oracle_start(&operand);
    oracle_start(&neighbor);
    mpfr_inits2(192, low, high, (mpfr_ptr)NULL);
    mpq_inits(now.distance, now.edge, NULL);
}

static void set_exactly(mpq_t ratio, const mpfr_t x)
{
    mpfr_exp_t exponent = mpfr_zero_p(x) ? 0 : mpfr_get_z_2exp(mpq_numref(ratio), x);
    if (mpfr_zero_p(x))
        mpz_set_ui(mpq_numref(ratio), 0);
    mpz_set_ui(mpq_denref(ratio), 1);
    if (exponent >= 0)
        mpq_mul_2exp(ratio, ratio, (mp_bitcnt_t)exponent);
    else
        mpq_div_2exp(ratio, ratio, (mp_bitcnt_t)-exponent);
}

/* How far the operand is from low towards high: 0 to 1 between them. */
static void set_distance(mpq_t distance)
{
    mpq_t from, step;
    mpq_inits(from, step, NULL);
    set_exactly(distance, operand.magnitude);
    set_exactly(from, low);
    set_exactly(step, high);
    mpq_sub(step, step, from);
    mpq_sub(distance, distance, from);
    mpq_div(distance, distance, step);
    mpq_clears(from, step, NULL);
}

/* What a neighbour becomes: itself, or past the largest value the overflow of nearest. */
static void settle(int side, const mpfr_t magnitude)
{
    fpfmt_policy nearest = { .overflow = now.policy.overflow };
    mpfr_set(neighbor.magnitude, magnitude, MPFR_RNDN);
    neighbor.negative = now.value.negative;
    neighbor.kind = mpfr_zero_p(magnitude) ? FPFMT_KIND_ZERO : FPFMT_KIND_NORMAL;
    now.flags[side] = 0;
    now.results[side] = oracle_encode(&now.reference, &neighbor, &nearest, &now.flags[side]);
}

static void take(fpfmt_value value, fpfmt_policy policy)
{
    const oracle_format *reference = &now.reference;
    oracle_place place;
    now.value = value;
    now.policy = policy;
    oracle_set_value(&operand, value);
    oracle_find(reference, &operand, &place);
    now.subnormal = place.subnormal;
    now.single = place.under;
    if (now.single) {
        settle(0, operand.magnitude);
        settle(1, operand.magnitude);
        return;
    }
    if (now.subnormal) {
        bool gap = reference->kind == ORACLE_DLFLOAT;
        oracle_magnitude(high, reference, oracle_min_normal(reference));
        mpfr_set_ui_2exp(low, 1, reference->emin - reference->precision + gap, MPFR_RNDN);
        mpfr_sub(low, high, low, MPFR_RNDN);
        set_distance(now.edge);
    }
    oracle_magnitude(low, reference, place.below);
    oracle_magnitude(high, reference, place.below + 1);
    settle(0, low);
    settle(1, high);
    set_distance(now.distance);
}

static int bits_of(const fpfmt_policy *policy)
{
    switch (policy->rounding) {
    case FPFMT_ROUND_STOCHASTIC_A:
    case FPFMT_ROUND_STOCHASTIC_B:
    case FPFMT_ROUND_STOCHASTIC_C: return policy->random_bits;
    case FPFMT_ROUND_STOCHASTIC_EQUAL: return 1;
    default: return 64;
    }
}

/* The chance to go away at a distance in [0, 1), in units of 2^-bits: cut, or rounded with ties up
 * (B) or to even (C). */
static uint64_t chance_at(const fpfmt_policy *policy, const mpq_t distance)
{
    bool even = policy->rounding == FPFMT_ROUND_STOCHASTIC_C, tie;
    uint64_t chance = 0;
    mpq_t scaled, half;
    mpz_t whole;
    if (policy->rounding == FPFMT_ROUND_STOCHASTIC_EQUAL)
        return mpq_sgn(distance) != 0;
    mpq_inits(scaled, half, NULL);
    mpz_init(whole);
    mpq_mul_2exp(scaled, distance, (mp_bitcnt_t)bits_of(policy));
    mpq_set_ui(half, even || policy->rounding == FPFMT_ROUND_STOCHASTIC_B, 2);
    mpq_canonicalize(half);
    mpq_add(scaled, scaled, half);
    tie = mpz_cmp_ui(mpq_denref(scaled), 1) == 0;
    mpz_fdiv_q(whole, mpq_numref(scaled), mpq_denref(scaled));
    if (even && tie && mpz_odd_p(whole))
        mpz_sub_ui(whole, whole, 1);
    mpz_export(&chance, NULL, -1, sizeof chance, 0, 0, whole);
    mpq_clears(scaled, half, NULL);
    mpz_clear(whole);
    return chance;
}

/* chance + random >= 2^bits */
static bool carries(uint64_t chance, uint64_t random, int bits)
{
    uint64_t whole = bits == 64 ? 0 : (uint64_t)1 << bits;
    return chance > 0 && random >= whole - chance;
}

/* The chances of one mode: at the value, and at the edge of the normal range. */
typedef struct {
    fpfmt_policy policy;
    int bits;
    uint64_t chance, edge;
} draw;

static draw draw_in(unsigned mode, unsigned random_bits)
{
    draw made = { .policy = now.policy };
    made.policy.rounding = (uint8_t)mode;
    made.policy.random_bits = (uint8_t)random_bits;
    made.bits = bits_of(&made.policy);
    if (!now.single)
        made.chance = chance_at(&made.policy, now.distance);
    if (now.subnormal && !now.single && mpq_sgn(now.edge) >= 0)
        made.edge = chance_at(&made.policy, now.edge);
    return made;
}

/* The promised code and flags of one random word. Tiny is what stays below the smallest normal
 * when the same word rounds it to full precision. */
static uint64_t expected_code(const draw *drawn, uint64_t random, unsigned *flags)
{
    bool away = carries(drawn->chance, random, drawn->bits);
    bool tiny = now.subnormal && (now.policy.tininess == FPFMT_TININESS_BEFORE_ROUNDING ||
                                  !carries(drawn->edge, random, drawn->bits));
    *flags = now.flags[away];
    if (now.single)
        return now.results[away];
    if (tiny && (now.policy.subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS)) {
        *flags = FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
        return oracle_code(&now.reference, now.value.negative, 0);
    }
    if (mpq_sgn(now.distance) != 0 && *flags == 0)
        *flags = FPFMT_FLAG_INEXACT | (tiny ? FPFMT_FLAG_UNDERFLOW : 0);
    return now.results[away];
}

/* Encode with one random word; returns whether the value went away. */
static bool check_word(const draw *drawn, uint64_t random)
{
    unsigned flags = 0, expected_flags;
    uint64_t expected = expected_code(drawn, random, &expected_flags);
    uint64_t code = fpfmt_encode_random(&now.format, now.value, random, &drawn->policy, &flags);
    CHECK(code == expected && flags == expected_flags,
          "%s: %s%016" PRIx64 "%s * 2^(%d-63), mode %d, R %" PRIx64 " of %d bits, overflow %d, "
          "subnormal %d, tininess %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
          now.format.name, now.value.negative ? "-" : "", now.value.significand,
          now.value.inexact ? "+" : "", (int)now.value.exponent, drawn->policy.rounding, random,
          drawn->bits, now.policy.overflow, now.policy.subnormal, now.policy.tininess, code, flags,
          expected, expected_flags);
    return code == now.results[1];
}

static void check_few_bits(void)
{
    bool apart = now.results[0] != now.results[1] && now.policy.subnormal == 0;
    for (unsigned mode = FPFMT_ROUND_STOCHASTIC_A; mode <= FPFMT_ROUND_STOCHASTIC_C; mode++)
        for (unsigned bits = 1; bits <= MOST_BITS; bits++) {
            draw drawn = draw_in(mode, bits);
            uint64_t count = 0;
            for (uint64_t random = 0; random < (uint64_t)1 << bits; random++)
                count += check_word(&drawn, random);
            CHECK(!apart || count == drawn.chance,
                  "%s: %016" PRIx64 " * 2^(%d-63) goes away for %" PRIu64 " of 2^%u words in mode "
                  "%u, not for %" PRIu64,
                  now.format.name, now.value.significand, (int)now.value.exponent, count, bits,
                  mode, drawn.chance);
        }
}

/* The bits of a cut tail are not known, so its chance is that of the value without it. */
static void check_many_bits(void)
{
    fpfmt_value value = now.value;
    for (unsigned mode = FPFMT_ROUND_STOCHASTIC_A; mode <= FPFMT_ROUND_STOCHASTIC_C; mode++) {
        draw drawn = draw_in(mode, 32);
        uint64_t threshold = ((uint64_t)1 << 32) - drawn.chance;
        for (uint64_t near = 0; near < 3; near++)
            if (threshold + near >= 1 && threshold + near <= (uint64_t)1 << 32)
                check_word(&drawn, threshold + near - 1);
    }
    draw equal = draw_in(FPFMT_ROUND_STOCHASTIC_EQUAL, 0);
    check_word(&equal, 0);
    check_word(&equal, 1);
    value.inexact = false;
    take(value, now.policy);
    draw exact = draw_in(FPFMT_ROUND_STOCHASTIC, 0);
    uint64_t marks[] = {
        0, 1, 0 - exact.chance - 1, 0 - exact.chance, 1 - exact.chance, UINT64_MAX, random_word()
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        check_word(&exact, marks[i]);
}

/* In modes without chance an explanation tells the distance as one. */
static void check_told(void)
{
    fpfmt_value value = now.value;
    fpfmt_policy policy = { .overflow = now.policy.overflow };
    value.inexact = false;
    take(value, policy);
    for (unsigned mode = 0; mode < FPFMT_ROUND_COUNT; mode++) {
        unsigned bits = 1 + (unsigned)(random_word() % 32);
        draw drawn = draw_in(mode, bits);
        fpfmt_explanation told = fpfmt_explain(&now.format, now.value, &drawn.policy);
        CHECK(told.chance_bits == drawn.bits && (now.single || told.chance == drawn.chance),
              "%s: %016" PRIx64 " * 2^(%d-63), mode %u: told %" PRIx64 " of 2^%d, not %" PRIx64
              " of 2^%d",
              now.format.name, now.value.significand, (int)now.value.exponent, mode, told.chance,
              told.chance_bits, drawn.chance, drawn.bits);
        uint64_t leaving = now.results[now.single || mpq_sgn(now.distance) != 0];
        CHECK(told.toward == now.results[0] && told.from_zero == leaving,
              "%s: %016" PRIx64 " * 2^(%d-63), mode %u: told 0x%" PRIx64 " and 0x%" PRIx64
              ", not 0x%" PRIx64 " and 0x%" PRIx64,
              now.format.name, now.value.significand, (int)now.value.exponent, mode, told.toward,
              told.from_zero, now.results[0], leaving);
    }
}

/* Places between two values, in 2^-32: exact, ties of 1 to 8 bits and beside them, others. */
static const uint32_t fractions[] = {
    0,          1,          0x00400000, 0x007FFFFF, 0x00800000, 0x00800001, 0x01800000,
    0x04000000, 0x20000000, 0x40000000, 0x55555555, 0x60000000, 0x7FFFFFFF, 0x80000000,
    0x80000001, 0xC0000000, 0xFE800000, 0xFF800000, 0xFFFFFFFF,
};
enum { FRACTIONS = sizeof fractions / sizeof fractions[0] };

static const fpfmt_policy policies[] = {
    { .rounding = 0 },
    { .overflow = FPFMT_OVERFLOW_MAX },
    { .tininess = FPFMT_TININESS_BEFORE_ROUNDING },
    { .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS },
    { .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS, .tininess = FPFMT_TININESS_BEFORE_ROUNDING },
};

typedef void visitor(void);

static void visit_value(const mpfr_t magnitude, visitor *visit)
{
    static unsigned count;
    fpfmt_value value;
    if (mpfr_zero_p(magnitude))
        return;
    value = oracle_value(magnitude);
    CHECK(mpfr_min_prec(magnitude) <= 64, "this value does not fit");
    value.negative = count % 2;
    value.inexact = count % 3 == 0;
    take(value, policies[count % 5]);
    visit();
    count++;
}

/* Some places above one code, other ones at each call. */
static void visit_code(uint64_t code, visitor *visit)
{
    static unsigned turn;
    mpfr_t x;
    mpfr_init2(x, 192);
    for (int i = 0; i < 6; i++) {
        oracle_magnitude(low, &now.reference, code);
        oracle_magnitude(high, &now.reference, code + 1);
        mpfr_sub(x, high, low, MPFR_RNDN);
        mpfr_mul_ui(x, x, fractions[turn++ % FRACTIONS], MPFR_RNDN);
        mpfr_div_2ui(x, x, 32, MPFR_RNDN);
        mpfr_add(x, x, low, MPFR_RNDN);
        visit_value(x, visit);
    }
    mpfr_clear(x);
}

/* Down to 2^-140 of the smallest value, where fewer and fewer bits reach the random ones. */
static void visit_far_below(visitor *visit)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    for (unsigned shift = 0; shift < 140; shift += shift < 10 || shift / 4 == 16 ? 1 : 7) {
        oracle_magnitude(x, &now.reference, 1);
        mpfr_div_2ui(x, x, shift, MPFR_RNDN);
        visit_value(x, visit);
        mpfr_nextbelow(x);
        visit_value(x, visit);
    }
    mpfr_clear(x);
}

static void each_value(visitor *visit)
{
    uint64_t normal = oracle_min_normal(&now.reference), max = now.reference.max;
    uint64_t marks[] = { 0, 3, normal < 3 ? 0 : normal - 3, normal + 2, max - 2, max + 1 };
    visit_far_below(visit);
    if (now.reference.bits <= 8)
        for (uint64_t code = 0; code <= max + 1; code += SAMPLE)
            visit_code(code, visit);
    for (int i = 0; i < 6; i += 2)
        for (uint64_t code = marks[i]; code <= marks[i + 1]; code++)
            visit_code(code, visit);
    for (int n = 0; n < 24; n += SAMPLE)
        visit_code(random_word() % max, visit);
}

static void each_format(visitor *visit)
{
    static const char *const names[] = { "fp32", "fp16",     "bf16", "e5m2",      "e4m3",
                                         "e2m1", "e4m3fnuz", "e8m0", "dlfloat16", "int8f6" };
    enum { NAMES = sizeof names / sizeof names[0] };
    print_seed();
    for (size_t i = 0; i < NAMES + 3; i++) {
        now.reference = i == NAMES       ? oracle_p3109(8, 3, true, true)
                        : i == NAMES + 1 ? oracle_p3109(8, 1, false, false)
                        : i == NAMES + 2 ? oracle_p3109(5, 2, false, true)
                                         : *oracle_named(names[i]);
        now.format = found(&now.reference);
        each_value(visit);
    }
}

static void few_bits(void)
{
    each_format(check_few_bits);
}

static void many_bits(void)
{
    each_format(check_many_bits);
}

static void told(void)
{
    each_format(check_told);
}

int main(void)
{
    static const struct test tests[] = {
        { "A, B and C of 1 to 8 bits go away for as many words as the exact distance says",
          few_bits },
        { "32 and 64 bits and equal chances go away from their threshold on", many_bits },
        { "an explanation tells the chance and the two results", told },
    };
    start();
    return run_tests("stochastic", tests, sizeof tests / sizeof tests[0]);
}
