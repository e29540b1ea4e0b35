/* oracle_engines.c - matrix engines and dot product instructions, written again from their sources
 * SPDX-License-Identifier: MIT
 *
 * Tensor cores: Fasi, Higham, Mikaitis and Pranesh, PeerJ CS 7:e330, 2021; the rows recorded on
 * them decide the parameters. Intel: SDM volume 2, VDPBF16PS, TDPBF16PS and TDPFP16PS. Arm: ARM DDI
 * 0487, BFDotAdd and FPDot. AMD: see oracle_late.c for CDNA3. */

#include "oracle_engines.h"

#include "oracle_arith.h"
#include "oracle_late.h"
#include "oracle_results.h"

enum { EXACT_BITS = 640 }; /* the sum of two products of bfloat16 has at most 540 */

typedef struct {
    const fpfmt_accumulator *how;
    const oracle_format *to;
    oracle_series a, b;
    size_t end;
} engine;

static bool is_nan(const oracle_number *number)
{
    return number->kind >= FPFMT_KIND_QUIET_NAN;
}

/* Numbers that live as long as the program; scratch[SUM] is of what is being added to. */
enum { LEFT, RIGHT, SUM, ONE, RESULT, SCRATCH };
static oracle_number scratch[SCRATCH];

static void start_once(void)
{
    if (scratch[RESULT].magnitude->_mpfr_prec != 0)
        return;
    for (int i = 0; i < SCRATCH; i++)
        oracle_start(&scratch[i]);
    scratch[ONE].kind = FPFMT_KIND_NORMAL;
    mpfr_set_ui(scratch[ONE].magnitude, 1, MPFR_RNDN);
}

/* Element i of a series; 0 past the end. */
static void get(const engine *it, const oracle_series *series, size_t i, oracle_number *number)
{
    if (i < it->end)
        oracle_decode(series->format, series->codes[i], number);
    else
        number->kind = FPFMT_KIND_ZERO, number->negative = false;
}

/* A group: exact terms s x 2^e, and the exponent that each is aligned by. */
enum { MOST = FPFMT_GROUP_MAX + 1 };
typedef struct {
    mpz_t significand[MOST], sum;
    long exponent[MOST], place[MOST];
    size_t count;
    bool nan, infinite[2];
} terms;

/* The binade of a nonzero number, but not below the smallest normal's. Integers have one for all.
 */
static long binade(const oracle_format *format, const oracle_number *number)
{
    if (format->kind == ORACLE_INTEGER)
        return format->emin + format->precision;
    long exponent = (long)mpfr_get_exp(number->magnitude) - 1;
    return exponent < format->emin ? format->emin : exponent;
}

static void put_term(terms *group, const oracle_format *x, const oracle_number *a,
                     const oracle_format *y, const oracle_number *b)
{
    bool zero = a->kind == FPFMT_KIND_ZERO || b->kind == FPFMT_KIND_ZERO;
    bool infinite = a->kind == FPFMT_KIND_INFINITE || b->kind == FPFMT_KIND_INFINITE;
    bool negative = a->negative != b->negative;
    group->nan |= is_nan(a) || is_nan(b) || (zero && infinite);
    group->infinite[negative] |= infinite && !zero;
    if (zero || infinite || is_nan(a) || is_nan(b))
        return;
    size_t i = group->count++;
    long e = (long)mpfr_get_z_2exp(group->significand[i], a->magnitude);
    e += (long)mpfr_get_z_2exp(group->sum, b->magnitude);
    mpz_mul(group->significand[i], group->significand[i], group->sum);
    if (negative)
        mpz_neg(group->significand[i], group->significand[i]);
    group->exponent[i] = e;
    group->place[i] = binade(x, a) + (y == NULL ? 0 : binade(y, b));
}

/* Terms are cut toward zero below 2^(largest - fraction bits); their sum is not. */
static void add_terms(terms *group, int fraction_bits, oracle_number *result)
{
    long largest = group->place[0];
    for (size_t i = 1; i < group->count; i++)
        largest = group->place[i] > largest ? group->place[i] : largest;
    long unit = largest - fraction_bits;
    mpz_set_ui(group->sum, 0);
    for (size_t i = 0; i < group->count; i++) {
        long up = group->exponent[i] - unit;
        if (up >= 0)
            mpz_mul_2exp(group->significand[i], group->significand[i], (mp_bitcnt_t)up);
        else
            mpz_tdiv_q_2exp(group->significand[i], group->significand[i], (mp_bitcnt_t)-up);
        mpz_add(group->sum, group->sum, group->significand[i]);
    }
    result->negative = mpz_sgn(group->sum) < 0;
    result->kind = mpz_sgn(group->sum) == 0 ? FPFMT_KIND_ZERO : FPFMT_KIND_NORMAL;
    mpz_abs(group->sum, group->sum);
    mpfr_set_z_2exp(result->magnitude, group->sum, unit, MPFR_RNDN);
}

static uint64_t finish_group(const engine *it, terms *group)
{
    if (group->nan || (group->infinite[0] && group->infinite[1]))
        return oracle_sign(it->to) - 1;
    if (group->infinite[0] || group->infinite[1])
        return oracle_infinity(it->to, group->infinite[1]);
    if (group->count == 0)
        return 0;
    add_terms(group, it->how->fraction_bits, &scratch[RESULT]);
    return oracle_result(it->how, it->to, &scratch[RESULT]);
}

/* Groups whose sum the start joins late. NaN is the negative one without a payload. */
static uint64_t late(const engine *it, uint64_t sum, size_t i)
{
    for (; i < it->end; i += it->how->group) {
        oracle_decode(it->to, sum, &scratch[SUM]);
        late_outcome outcome =
            oracle_late(&scratch[RESULT], it->how, it->to, &scratch[SUM], it->a, it->b, i, it->end);
        sum = outcome == LATE_NAN        ? it->to->nan | oracle_sign(it->to)
              : outcome == LATE_INFINITE ? oracle_infinity(it->to, scratch[RESULT].negative)
                                         : oracle_result(it->how, it->to, &scratch[RESULT]);
    }
    return sum;
}

/* The sum and those of the elements from i on that belong to part of the block. */
static uint64_t add_group(const engine *it, uint64_t sum, size_t i, size_t part)
{
    static terms group;
    static bool ready;
    for (size_t k = 0; !ready && k < MOST; k++)
        mpz_init(group.significand[k]);
    if (!ready)
        mpz_init(group.sum);
    ready = true;
    group.count = 0;
    group.nan = group.infinite[0] = group.infinite[1] = false;
    oracle_decode(it->to, sum, &scratch[SUM]);
    put_term(&group, it->to, &scratch[SUM], NULL, &scratch[ONE]);
    for (size_t k = 0; k < 32; k++) {
        bool belongs = it->how->interleaved ? k / 2 % 2 == part : k / it->how->group == part;
        if (!belongs || i + k >= it->end)
            continue;
        get(it, &it->a, i + k, &scratch[LEFT]);
        get(it, &it->b, i + k, &scratch[RIGHT]);
        put_term(&group, it->a.format, &scratch[LEFT], it->b.format, &scratch[RIGHT]);
    }
    return finish_group(it, &group);
}

static uint64_t sum_codes(const oracle_format *to, uint64_t sum, uint64_t part,
                          const fpfmt_policy *policy)
{
    const oracle_number *operand[OPERANDS] = { &scratch[SUM], &scratch[LEFT], &scratch[ONE] };
    unsigned flags = 0;
    oracle_decode(to, sum, &scratch[SUM]);
    oracle_decode(to, part, &scratch[LEFT]);
    oracle_operate(&scratch[RESULT], FPFMT_OPERATION_ADD, operand, policy, &flags);
    return oracle_round_to(to, &scratch[RESULT], policy);
}

static uint64_t aligned(const engine *it, uint64_t sum, size_t i)
{
    const fpfmt_policy nearest = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    bool apart = it->how->apart;
    size_t block = apart || it->how->interleaved ? 32 : it->how->group;
    for (; i < it->end; i += block) {
        uint64_t part = apart ? 0 : sum;
        for (size_t k = 0; k < block / it->how->group; k++)
            part = add_group(it, part, i, k);
        sum = apart ? sum_codes(it->to, sum, part, &nearest) : part;
        if (oracle_is_nan(it->to, sum))
            sum = oracle_sign(it->to) - 1;
    }
    return sum;
}

/* MXCSR as these instructions fix it. */
static fpfmt_policy intel_policy(const engine *it)
{
    return (fpfmt_policy){ .subnormal = it->how->subnormal };
}

/* An FMA of numbers in hand, with a NaN of its own negative: x86's default NaN. */
static uint64_t intel_fma(const engine *it, const oracle_number *a, const oracle_number *b,
                          uint64_t sum)
{
    const oracle_number *operand[OPERANDS] = { a, b, &scratch[SUM] };
    fpfmt_policy policy = intel_policy(it);
    unsigned flags = 0;
    oracle_decode(it->to, sum, &scratch[SUM]);
    oracle_operate(&scratch[RESULT], FPFMT_OPERATION_FMA, operand, &policy, &flags);
    if (is_nan(&scratch[RESULT]) && !is_nan(a) && !is_nan(b) && !is_nan(&scratch[SUM]))
        scratch[RESULT].negative = true;
    return oracle_round_to(it->to, &scratch[RESULT], &policy);
}

static uint64_t intel_element(const engine *it, size_t i, uint64_t sum)
{
    get(it, &it->a, i, &scratch[LEFT]);
    get(it, &it->b, i, &scratch[RIGHT]);
    return intel_fma(it, &scratch[LEFT], &scratch[RIGHT], sum);
}

static uint64_t intel_pairs(const engine *it, uint64_t sum, size_t i)
{
    for (; i < it->end; i += 2)
        sum = intel_element(it, i, intel_element(it, i + 1, sum));
    return sum;
}

/* The addition of tiles flushes its operands, also where the products' factors are not flushed. */
static uint64_t intel_add(const engine *it, uint64_t a, uint64_t b)
{
    fpfmt_accumulator flushes = { .subnormal = FPFMT_SUBNORMAL_FLUSH_INPUTS |
                                               FPFMT_SUBNORMAL_FLUSH_RESULTS };
    engine adder = { .how = &flushes, .to = it->to };
    oracle_decode(it->to, a, &scratch[LEFT]);
    return intel_fma(&adder, &scratch[LEFT], &scratch[ONE], b);
}

static uint64_t intel_tiles(const engine *it, uint64_t sum, size_t i)
{
    for (; i < it->end; i += it->how->group) {
        uint64_t chain[2] = { 0, 0 };
        for (size_t k = 0; k < it->how->group && i + k < it->end; k++)
            chain[k & 1] = intel_element(it, i + k, chain[k & 1]);
        sum = intel_add(it, sum, intel_add(it, chain[0], chain[1]));
    }
    return sum;
}

static const fpfmt_policy arm_to_odd = { .rounding = FPFMT_ROUND_TO_ODD,
                                         .nan = FPFMT_NAN_CANONICAL,
                                         .tininess = FPFMT_TININESS_BEFORE_ROUNDING,
                                         .subnormal = FPFMT_SUBNORMAL_FLUSH_INPUTS |
                                                      FPFMT_SUBNORMAL_FLUSH_RESULTS };

static uint64_t arm_product(const engine *it, size_t i)
{
    const oracle_number *operand[OPERANDS] = { &scratch[LEFT], &scratch[RIGHT], &scratch[ONE] };
    unsigned flags = 0;
    get(it, &it->a, i, &scratch[LEFT]);
    get(it, &it->b, i, &scratch[RIGHT]);
    oracle_operate(&scratch[RESULT], FPFMT_OPERATION_MULTIPLY, operand, &arm_to_odd, &flags);
    return oracle_round_to(it->to, &scratch[RESULT], &arm_to_odd);
}

static uint64_t arm_pairs(const engine *it, uint64_t sum, size_t i)
{
    for (; i < it->end; i += 2) {
        uint64_t pair = sum_codes(it->to, arm_product(it, i), arm_product(it, i + 1), &arm_to_odd);
        sum = sum_codes(it->to, sum, pair, &arm_to_odd);
    }
    return sum;
}

/* FPDot: two products, one rounding. */
static uint64_t arm_fused(const engine *it, size_t i, const fpfmt_policy *policy)
{
    static oracle_number x[4], sum;
    bool nan = false, infinite[2] = { false, false }, negative[2], zero = true;
    if (sum.magnitude->_mpfr_prec == 0) {
        for (int k = 0; k < 4; k++)
            oracle_start(&x[k]);
        mpfr_init2(sum.magnitude, EXACT_BITS);
    }
    for (size_t k = 0; k < 2; k++) {
        oracle_number *a = &x[2 * k], *b = &x[2 * k + 1];
        get(it, &it->a, i + k, a);
        get(it, &it->b, i + k, b);
        bool nothing = a->kind == FPFMT_KIND_ZERO || b->kind == FPFMT_KIND_ZERO;
        bool all = a->kind == FPFMT_KIND_INFINITE || b->kind == FPFMT_KIND_INFINITE;
        negative[k] = a->negative != b->negative;
        nan |= is_nan(a) || is_nan(b) || (nothing && all);
        infinite[negative[k]] |= all;
        zero &= nothing;
        if (nothing)
            mpfr_set_zero(a->magnitude, 1);
        mpfr_setsign(a->magnitude, a->magnitude, negative[k], MPFR_RNDN);
    }
    if (nan || (infinite[0] && infinite[1]))
        return it->to->nan;
    if (infinite[0] || infinite[1])
        return oracle_infinity(it->to, infinite[1]);
    mpfr_mul(sum.magnitude, x[0].magnitude, x[1].magnitude, MPFR_RNDN);
    mpfr_fma(sum.magnitude, x[2].magnitude, x[3].magnitude, sum.magnitude, MPFR_RNDN);
    sum.kind = mpfr_zero_p(sum.magnitude) ? FPFMT_KIND_ZERO : FPFMT_KIND_NORMAL;
    sum.negative = sum.kind == FPFMT_KIND_ZERO ? zero && negative[0] && negative[1]
                                               : mpfr_signbit(sum.magnitude) != 0;
    mpfr_abs(sum.magnitude, sum.magnitude, MPFR_RNDN);
    return oracle_round_to(it->to, &sum, policy);
}

static uint64_t arm_fused_pairs(const engine *it, uint64_t sum, size_t i)
{
    const fpfmt_policy policy = { .nan = FPFMT_NAN_CANONICAL };
    for (; i < it->end; i += 2)
        sum = sum_codes(it->to, sum, arm_fused(it, i, &policy), &policy);
    return sum;
}

/* A tree over rounded products, everything flushed. */
static uint64_t amd_tree(const engine *it, size_t i, size_t n, const fpfmt_policy *policy)
{
    const oracle_number *operand[OPERANDS] = { &scratch[LEFT], &scratch[RIGHT], &scratch[ONE] };
    unsigned flags = 0;
    if (n > 1) {
        uint64_t first = amd_tree(it, i, n / 2, policy);
        return sum_codes(it->to, first, amd_tree(it, i + n / 2, n / 2, policy), policy);
    }
    get(it, &it->a, i, &scratch[LEFT]);
    get(it, &it->b, i, &scratch[RIGHT]);
    oracle_operate(&scratch[RESULT], FPFMT_OPERATION_MULTIPLY, operand, policy, &flags);
    return oracle_round_to(it->to, &scratch[RESULT], policy);
}

static uint64_t amd_groups(const engine *it, uint64_t sum, size_t i)
{
    const fpfmt_policy policy = { .subnormal = it->how->subnormal };
    for (; i < it->end; i += it->how->group)
        sum = sum_codes(it->to, sum, amd_tree(it, i, it->how->group, &policy), &policy);
    return sum;
}

/* The elements of it from i up to its end. */
static uint64_t accumulate(const engine *it, uint64_t sum, size_t i)
{
    switch (it->how->method) {
    case FPFMT_ACCUMULATE_ALIGNED:
        return it->how->late_bits != 0 ? late(it, sum, i) : aligned(it, sum, i);
    case FPFMT_ACCUMULATE_ODD_FIRST: return intel_pairs(it, sum, i);
    case FPFMT_ACCUMULATE_TWO_CHAINS: return intel_tiles(it, sum, i);
    case FPFMT_ACCUMULATE_PAIR_TO_ODD: return arm_pairs(it, sum, i);
    case FPFMT_ACCUMULATE_GROUP_TREE: return amd_groups(it, sum, i);
    default: return arm_fused_pairs(it, sum, i);
    }
}

uint64_t oracle_dot(const fpfmt_accumulator *how, const oracle_format *to, uint64_t start,
                    oracle_series a, oracle_series b, size_t n)
{
    const fpfmt_policy nearest = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    engine it = { how, to, a, b, n };
    start_once();
    if (how->promote == 0)
        return accumulate(&it, start, 0);
    for (size_t i = 0; i < n; i += how->promote) {
        it.end = n - i < how->promote ? n : i + how->promote;
        start = sum_codes(to, start, accumulate(&it, 0, i), &nearest);
    }
    return start;
}
