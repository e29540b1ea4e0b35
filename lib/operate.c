/* operate.c - arithmetic on arrays
 * SPDX-License-Identifier: MIT
 *
 * By tiles: operands are decoded into a carrier, or are carried already, the kernel computes there
 * and rounds to odd, and the results are encoded as any array is. Results that are infinite, NaN or
 * past the carrier's end are made anew by fpfmt_operate. */

#include "bulk.h"
#include "refuse.h"
#include "shape.h"

/* Elements carried in an array, or codes in it. */
typedef struct {
    int carrier; /* CARRIER_...; CODES */
    size_t bytes;
} array_kind;

enum { CODES = CARRIERS };

/* One call. */
typedef struct {
    const fpfmt_plan *plan;
    const fpfmt_prepared *inside;
    array_kind kind;
    fpfmt_operation operation;
    int carrier, how; /* the carrier that the kernel computes in */
    uint64_t index;
    unsigned *flags;
} task;

/* Operand i of an array, exactly; zero where the operation takes none. */
static fpfmt_value value_at(const task *it, const void *from, size_t i)
{
    if (from == NULL)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO };
    uint64_t word = fpfmt_load((const unsigned char *)from + i * it->kind.bytes, it->kind.bytes);
    return it->kind.carrier == CODES ? fpfmt_decode(&it->plan->format, word)
                                     : fpfmt_from_carrier(word, it->kind.carrier);
}

/* The result for element i of the operands, whose random bits have this index, by fpfmt_operate and
 * as its array holds it. This is what every faster way is held to. */
static uint64_t result_at(const task *it, const void *const in[3], size_t i, uint64_t index)
{
    fpfmt_policy policy = it->plan->policy;
    policy.first = index;
    uint64_t code =
        fpfmt_operate(&it->plan->format, it->operation, value_at(it, in[0], i),
                      value_at(it, in[1], i), value_at(it, in[2], i), &policy, it->flags);
    if (it->kind.carrier == CODES)
        return code;
    return fpfmt_to_carrier(&it->plan->format, code, &(fpfmt_policy){ .nan = policy.nan },
                            it->kind.carrier, NULL);
}

static void store_at(const task *it, void *out, size_t i, uint64_t word)
{
    fpfmt_store((unsigned char *)out + i * it->kind.bytes, word, it->kind.bytes);
}

/* All elements by the scalar function. Element i is written when its operands have been read, so
 * that the output may lie on one of them. */
static void operate_each(const task *it, void *out, const void *const in[3], size_t n)
{
    for (size_t i = 0; i < n; i++)
        store_at(it, out, i, result_at(it, in, i, it->index + i));
}

/* Are results that are rounded to odd in this carrier as good as exact ones? They are where the
 * last bit of the odd result lies two places at least below the format's: then it tells, as a
 * sticky bit, that something was cut off, and is never the bit that decides (Boldo and Melquiond,
 * see kernels/operate.h). So the format has two bits less than the carrier, its finest step is four
 * times the carrier's, and its largest value does not exceed the carrier's. With chance they are
 * not as good: there the whole rest counts. */
static bool is_enough(const fpfmt_plan *plan, int carrier)
{
    const fpfmt_format *format = &plan->format;
    int bits = fpfmt_carriers[carrier]->fraction_bits, bias = fpfmt_carriers[carrier]->bias;
    int finest = 1 - bias - bits;
    return !fpfmt_mode_has_chance(fpfmt_mode_of(plan->policy.rounding)) &&
           !(plan->policy.subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS) &&
           format->fraction_bits + 2 <= bits &&
           shape_emin(format) - format->fraction_bits >= finest + 2 && shape_emax(format) <= bias;
}

/* To nearest even twice is to nearest even once, for all but fma, where the carrier has 2p + 2 bits
 * and the operands have p: Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30,
 * 1995. He has no smallest exponent. Among the carrier's subnormals, of step c, sums are exact, and
 * a quotient is no nearer to the middle of two values than c; but a product of 2p bits that is just
 * above the middle below the smallest value, step / 2, has its last bit at 2^(1 - 2p) of that. step
 * >= 2^(2p - 1) c puts that at c / 2 or above, and where it is c / 2 the product would be 2^(2p -
 * 1) + 1 of its units, which is no product of two numbers of p bits for the p that come so low,
 * from 9 to 11 (tried).
 *
 * Not for flags and overflow tested before rounding, as the first rounding alone may have been
 * inexact.
 */
static bool is_innocuous(const task *it)
{
    const fpfmt_format *format = &it->plan->format;
    const fpfmt_format *carrier = fpfmt_carriers[it->carrier];
    int precision = format->fraction_bits + 1, step = shape_emin(format) - format->fraction_bits;
    return it->kind.carrier == CODES && it->flags == NULL && it->operation != FPFMT_OPERATION_FMA &&
           it->plan->policy.rounding == FPFMT_ROUND_NEAREST_EVEN &&
           it->plan->policy.overflow_test == FPFMT_OVERFLOW_TEST_AFTER_ROUNDING &&
           2 * precision + 2 <= carrier->fraction_bits + 1 &&
           step >= 2 * precision - carrier->bias - carrier->fraction_bits;
}

/* Elements i to i + n of an operand as a kernel reads them: decoded into the tile, or where they
 * are if they are carried; NULL where the operation takes none. */
static const void *carried(const task *it, const void *from, size_t i, size_t n, void *tile)
{
    if (from == NULL)
        return NULL;
    const unsigned char *at = (const unsigned char *)from + i * it->kind.bytes;
    if (it->kind.carrier != CODES)
        return at;
    fpfmt_job job = { &it->plan->format, &it->plan->policy, it->plan->set, it->carrier, 0, NULL };
    fpfmt_decode_all(&job, &it->inside->decoder[it->carrier], it->inside->table, tile, at, n);
    return tile;
}

/* Does the output lie nowhere on an operand? */
static bool lies_apart(const void *out, const void *const in[3], size_t bytes)
{
    for (int k = 0; k < 3; k++)
        if (in[k] != NULL && ranges_meet(range_of(out, bytes), range_of(in[k], bytes)))
            return false;
    return true;
}

/* Elements from i of n, as many as the set does in one go, which is what is returned: 0 if it has
 * no kernel for this call. What it leaves is made by result_at. The kernel counts in uint32_t. */
static size_t operate_fused(const task *it, void *out, const void *const in[3], size_t i, size_t n)
{
    uint32_t special[FUSED_SPECIAL];
    const unsigned char *from[3];
    size_t bytes = it->kind.bytes, found;
    for (int k = 0; k < 3; k++)
        from[k] = in[k] == NULL ? NULL : (const unsigned char *)in[k] + i * bytes;
    size_t count = n - i < UINT32_MAX ? n - i : UINT32_MAX - OPERATE_TILE;
    size_t done = it->plan->set->fused(
        &it->inside->encoder[it->carrier], (int)it->operation, it->how, it->kind.carrier == CODES,
        (unsigned char *)out + i * bytes, special, &found, from[0], from[1], from[2], count);
    for (size_t k = 0; k < found; k++)
        store_at(it, out, i + special[k],
                 result_at(it, in, i + special[k], it->index + i + special[k]));
    return done;
}

/* Elements i to i + n of out, by the set's operate kernel and an encoder, n at most OPERATE_TILE.
 * The special results, which result_at makes from the operands, with their flags, are made before
 * out is written, as it may lie on an operand; meanwhile the largest value stands in their places,
 * which encodes without a flag. */
static void operate_tile(const task *it, void *out, const void *const in[3], size_t i, size_t n)
{
    double tile[4][OPERATE_TILE];
    uint16_t special[OPERATE_TILE];
    uint64_t word[OPERATE_TILE];
    const void *operand[3];
    size_t bytes = carrier_bytes(it->carrier);
    unsigned char *result = (void *)tile[3];
    for (int k = 0; k < 3; k++)
        operand[k] = carried(it, in[k], i, n, tile[k]);
    size_t found = it->plan->set->operate[it->carrier]((int)it->operation, it->how, result, special,
                                                       operand[0], operand[1], operand[2], n);
    if (found > 0) {
        uint64_t max = shape_max(&it->plan->format, false);
        max = fpfmt_to_carrier(&it->plan->format, max, &it->plan->policy, it->carrier, NULL);
        for (size_t k = 0; k < found; k++) {
            word[k] = result_at(it, in, i + special[k], it->index + i + special[k]);
            fpfmt_store(result + special[k] * bytes, max, bytes);
        }
    }
    fpfmt_job job = { &it->plan->format, &it->plan->policy, it->plan->set,
                      it->carrier,       it->index + i,     it->flags };
    unsigned char *to = (unsigned char *)out + i * it->kind.bytes;
    fpfmt_encode_all(&job, &it->inside->encoder[it->carrier], to, result, n,
                     it->kind.carrier != CODES);
    for (size_t k = 0; k < found; k++)
        store_at(it, out, i + special[k], word[k]);
}

/* The carrier to compute in, the narrower one if both will do, CARRIERS if neither. Carried
 * operands stay where they are. */
static int carrier_of(const task *it)
{
    bool codes = it->kind.carrier == CODES;
    for (int carrier = 0; carrier < CARRIERS; carrier++)
        if ((codes || carrier == it->kind.carrier) && it->plan->set->operate[carrier] != NULL &&
            it->inside->decoder[carrier].carries && is_enough(it->plan, carrier))
            return carrier;
    return CARRIERS;
}

/* The operations of fpfmt_operate_kernel: those that IEEE 754 has and processors do. */
static bool has_kernel(fpfmt_operation operation)
{
    return operation <= FPFMT_OPERATION_DIVIDE || operation == FPFMT_OPERATION_SQRT ||
           operation == FPFMT_OPERATION_FMA;
}

/* n elements, by the first of these that does: the fused kernel, the operate kernel, fpfmt_operate.
 * A zero sum takes its sign from the direction that the kernel computes in: see kernel.h. */
static void operate_all(task *it, void *out, const void *const in[3], size_t n)
{
    it->carrier = has_kernel(it->operation) ? carrier_of(it) : CARRIERS;
    if (it->carrier == CARRIERS) {
        operate_each(it, out, in, n);
        return;
    }
    bool downward = fpfmt_mode_of(it->plan->policy.rounding)->negative_zero;
    it->how = is_innocuous(it) ? OPERATE_NEAREST : downward ? OPERATE_DOWNWARD : OPERATE_UPWARD;
    size_t done = 0, bytes = n * it->kind.bytes;
    if (it->plan->set->fused != NULL && it->carrier == CARRIER_32 && it->flags == NULL &&
        lies_apart(out, in, bytes))
        for (size_t more = 1; more > 0 && done < n; done += more)
            more = operate_fused(it, out, in, done, n);
    for (size_t count; done < n; done += count) {
        count = n - done < OPERATE_TILE ? n - done : OPERATE_TILE;
        operate_tile(it, out, in, done, count);
    }
}

/* Are the codes of the format the bits of the carrier, of NaN too? Then carried operands are codes,
 * whose precision is known, which is_innocuous wants. */
static bool is_carrier(const fpfmt_plan *plan, int carrier)
{
    return plan->policy.nan == FPFMT_NAN_QUIET &&
           shape_equal(&plan->format, fpfmt_carriers[carrier]);
}

/* What all public calls do: refuses, and sees to the elements. given has three operands, of which
 * those that the operation does not take are not looked at. */
static bool plan_operate(const fpfmt_plan *plan, fpfmt_operation operation, int carrier, void *out,
                         const void *const given[3], size_t n, uint64_t first, unsigned *flags)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    unsigned count = fpfmt_operands(operation);
    if (inside == NULL)
        return refuse("a plan is not prepared");
    if (count == 0)
        return refuse("there is no such operation");
    if (carrier != CODES && !inside->decoder[carrier].carries)
        return refuse("the carrier does not hold every value of the format");
    size_t bytes = carrier == CODES ? shape_bytes(&plan->format) : carrier_bytes(carrier);
    if (carrier != CODES && is_carrier(plan, carrier))
        carrier = CODES;
    const void *in[3] = { NULL, NULL, NULL };
    for (unsigned i = 0; i < count; i++) {
        in[i] = given[i];
        if (!may_lie(out, bytes, in[i], bytes, n))
            return false;
    }
    task it = { .plan = plan,
                .inside = inside,
                .kind = { carrier, bytes },
                .operation = operation,
                .index = plan->policy.first + first,
                .flags = flags };
    if (n > 0)
        operate_all(&it, out, in, n);
    return true;
}

bool fpfmt_plan_operate(const fpfmt_plan *plan, fpfmt_operation operation, void *codes,
                        const void *a, const void *b, const void *c, size_t n, uint64_t first,
                        unsigned *flags)
{
    return plan_operate(plan, operation, CODES, codes, (const void *[]){ a, b, c }, n, first,
                        flags);
}

bool fpfmt_plan_operate_f32(const fpfmt_plan *plan, fpfmt_operation operation, float *values,
                            const float *a, const float *b, const float *c, size_t n,
                            uint64_t first, unsigned *flags)
{
    return plan_operate(plan, operation, CARRIER_32, values, (const void *[]){ a, b, c }, n, first,
                        flags);
}

bool fpfmt_plan_operate_f64(const fpfmt_plan *plan, fpfmt_operation operation, double *values,
                            const double *a, const double *b, const double *c, size_t n,
                            uint64_t first, unsigned *flags)
{
    return plan_operate(plan, operation, CARRIER_64, values, (const void *[]){ a, b, c }, n, first,
                        flags);
}
