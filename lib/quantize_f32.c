/* quantize_f32.c - blocks of floats by the kernels, a tile at a time
 * SPDX-License-Identifier: MIT
 *
 * What the reference (quantize.c) does to one value after the other is done here to arrays: largest
 * magnitudes, scales, values by their scales, codes. Scales that are powers of two follow from
 * bits; others by the recipe's binary32 operations, on as many blocks at a time as a tile has.
 * Blocks that hold NaN or infinity, or zeros that an option speaks of, go to the reference, and so
 * does every block format or recipe that is_fast does not know. The bits are those of the
 * reference. */

#include "quantize.h"

#include "blocks.h"
#include "bulk.h"
#include "carrier.h"
#include "encode.h"
#include "shape.h"

enum {
    ELEMENTS = 1024, /* of a tile: 4 KiB of scaled values */
    BLOCKS = 64,     /* at most, of a tile */
    INFINITE_BITS = 0x7F800000,
    LARGEST_BITS = 0x7F7FFFFF,
    EXPONENT_ONE = 127, /* the exponent field of 1 */
    FRACTION = 23
};

/* A call: the plan, and what is the same for all blocks. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_tensor_scale *tensor;
    uint64_t first;
    unsigned *flags;
    float largest, per, back; /* M; of a rule in binary32, constants of its operations */
    float given, top;         /* of INVERSE: the factor, 0: it follows from amax; and the largest
                               * scale, as past it INVERSE does not clamp */
    int emax, precision;      /* of the elements */
    uint32_t addend;          /* of rules that give powers of two */
} fast_call;

/* The blocks of one tile. */
typedef struct {
    uint32_t amax[BLOCKS];
    float factor[BLOCKS];
    bool any_zero; /* a scale is: its block holds zeros, whatever its elements are */
    size_t blocks, size;
} tile;

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Is the scale's format E8M0, or one that is like it? */
static bool is_e8m0(const fpfmt_format *format)
{
    return format->exponent_bits == 8 && format->fraction_bits == 0 && format->sign_bits == 0 &&
           format->exponent_zero == FPFMT_EXPONENT_ZERO_NORMALS && format->bias == EXPONENT_ONE;
}

/* The kernels' products keep what matters where every element lies between 2^-100 and 2^100. */
static bool is_in_reach(const fpfmt_format *element)
{
    fpfmt_limits limits = fpfmt_measure(element);
    return fpfmt_decode(element, limits.min_positive).exponent > -100 && limits.emax < 100;
}

bool fpfmt_blocks_are_fast(const fpfmt_block_plan *plan)
{
    const fpfmt_prepared *elements = fpfmt_prepared_in(&plan->elements);
    const fpfmt_recipe *recipe = &plan->recipe;
    bool powers =
        recipe->rule <= FPFMT_SCALE_EVEN ||
        (recipe->rule == FPFMT_SCALE_QUOTIENT && recipe->scale_rounding == FPFMT_ROUND_UPWARD);
    bool floats =
        (recipe->step == FPFMT_STEP_PRODUCT &&
         (recipe->rule == FPFMT_SCALE_ENGINE || recipe->rule == FPFMT_SCALE_TORCHAO ||
          recipe->rule == FPFMT_SCALE_FLOAT ||
          (recipe->rule == FPFMT_SCALE_INVERSE &&
           recipe->scale_rounding == FPFMT_ROUND_NEAREST_EVEN))) ||
        (recipe->step == FPFMT_STEP_QUOTIENT && recipe->rule == FPFMT_SCALE_FLOAT);
    return plan->elements.set->amax != NULL && plan->block.book == NULL &&
           is_in_reach(&plan->block.element) &&
           elements->encoder[CARRIER_32].decision < DECIDE_CHANCE_32 &&
           plan->policy.subnormal == FPFMT_SUBNORMAL_KEEP &&
           recipe->subnormal == FPFMT_BLOCK_SUBNORMAL_KEEP &&
           !fpfmt_mode_has_chance(fpfmt_mode_of(recipe->scale_rounding)) &&
           ((powers && plan->block.levels == 1 && is_e8m0(&plan->block.scale)) ||
            (floats && plan->elements.set->operate[CARRIER_32] != NULL &&
             fpfmt_prepared_in(&plan->scales)->decoder[CARRIER_32].carries));
}

/* ---- scales that are powers of two ---- */

/* Which number, added to amax's bits before the fraction is dropped, rounds it to the binade that
 * the rule says: nothing down, all ones up, half of an element's last bit to even, and for amax / M
 * what carries where the fraction is larger than that of M. Of elements as precise as a float the
 * half bit lies below every float. */
static uint32_t addend_of(const fast_call *it)
{
    const uint32_t ones = (UINT32_C(1) << FRACTION) - 1;
    switch (it->plan->recipe.rule) {
    case FPFMT_SCALE_CEIL: return ones;
    case FPFMT_SCALE_EVEN:
        return it->precision > FRACTION ? 0 : UINT32_C(1) << (FRACTION - it->precision);
    case FPFMT_SCALE_QUOTIENT: return ones - (bits_of(it->largest) & ones);
    default: return 0;
    }
}

/* A scale of 2^-127, code 0, is the smallest. Below 2^-126 bits do not count binades; but then the
 * scale is the smallest anyhow, unless emax is less than 1. */
static bool set_powers(const fast_call *it, tile *at, uint8_t *codes)
{
    const uint32_t least = it->emax < 1 ? UINT32_C(1) << FRACTION : 0, add = it->addend;
    const uint8_t zero = it->plan->recipe.zero;
    const bool told = zero == FPFMT_BLOCK_ZERO_ONE || zero == FPFMT_BLOCK_ZERO_ZEROS;
    bool slow = false;
    for (size_t b = 0; b < at->blocks; b++) {
        uint32_t amax = at->amax[b];
        int code = (int)((amax + add) >> FRACTION) - it->emax;
        slow |= (amax >= INFINITE_BITS) | (code > 2 * EXPONENT_ONE) | (amax < least) |
                ((amax == 0) & told);
        code = amax == 0 || code < 0 ? 0 : code;
        codes[b] = (uint8_t)code;
        /* 2^(127 - code); that of the largest scale is subnormal. */
        uint32_t inverse = (uint32_t)(2 * EXPONENT_ONE - code) << FRACTION;
        at->factor[b] = float_of(inverse == 0 ? UINT32_C(1) << (FRACTION - 1) : inverse);
    }
    return slow;
}

/* ---- scales by operations in binary32 ---- */

static void fill(float *array, float x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[i] = x;
}

/* out = a operation b, block by block, to nearest even. */
static void operate(const fast_call *it, fpfmt_operation operation, float *out, const float *a,
                    const float *b, size_t n)
{
    uint16_t special[OPERATE_TILE];
    it->plan->elements.set->operate[CARRIER_32]((int)operation, OPERATE_NEAREST, out, special, a, b,
                                                NULL, n);
}

/* Infinity becomes the largest binary32. */
static void clamp(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = bits_of(x[i]) == INFINITE_BITS ? float_of(LARGEST_BITS) : x[i];
}

static void raise_to(float *x, float least, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = bits_of(x[i]) < bits_of(least) ? least : x[i];
}

/* The recipes of scale.c, on arrays of blocks: quotients to be stored, their codes, the factors.
 * Both functions tell whether there is a block that the reference has to do. */
static bool set_floats(const fast_call *it, tile *at, void *scales)
{
    const fpfmt_recipe *recipe = &it->plan->recipe;
    const fpfmt_operation multiply = FPFMT_OPERATION_MULTIPLY, divide = FPFMT_OPERATION_DIVIDE;
    float quotient[BLOCKS], constant[BLOCKS], stored[BLOCKS];
    size_t n = at->blocks;
    bool slow = false;
    memcpy(quotient, at->amax, n * sizeof *quotient);
    if (recipe->rule == FPFMT_SCALE_INVERSE) {
        fill(constant, it->largest, n);
        operate(it, divide, at->factor, constant, quotient, n);
        clamp(at->factor, n);
        if (it->given != 0)
            fill(at->factor, it->given, n);
        fill(constant, 1, n);
        operate(it, divide, quotient, constant, at->factor, n);
        for (size_t b = 0; b < n; b++)
            slow |= bits_of(quotient[b]) > bits_of(it->top);
    } else if (recipe->rule == FPFMT_SCALE_ENGINE) {
        fill(constant, it->per, n);
        operate(it, multiply, quotient, quotient, constant, n);
        clamp(quotient, n);
    } else {
        if (recipe->rule == FPFMT_SCALE_FLOAT)
            raise_to(quotient, recipe->least, n);
        fill(constant, it->largest, n);
        operate(it, divide, quotient, quotient, constant, n);
    }
    if (recipe->rule == FPFMT_SCALE_TORCHAO) {
        fill(constant, it->per, n);
        operate(it, divide, quotient, quotient, constant, n);
        raise_to(quotient, recipe->least_scale, n);
    }
    fpfmt_plan_encode_f32(&it->plan->scales, scales, quotient, n, 0, NULL);
    fpfmt_plan_decode_f32(&it->plan->scales, stored, scales, n, NULL);
    for (size_t b = 0; b < n; b++) {
        slow |= bits_of(stored[b]) >= INFINITE_BITS;
        at->any_zero |= bits_of(stored[b]) == 0;
    }
    fill(constant, it->back, n);
    if (recipe->rule == FPFMT_SCALE_ENGINE) {
        operate(it, multiply, stored, stored, constant, n);
        fill(constant, 1, n);
        operate(it, divide, at->factor, constant, stored, n);
        clamp(at->factor, n);
    } else if (recipe->step == FPFMT_STEP_QUOTIENT) {
        memcpy(at->factor, quotient, n * sizeof *quotient);
    } else if (recipe->rule != FPFMT_SCALE_INVERSE) {
        operate(it, divide, at->factor, constant,
                recipe->rule == FPFMT_SCALE_FLOAT ? quotient : stored, n);
    }
    for (size_t b = 0; b < n; b++)
        slow |= at->amax[b] >= INFINITE_BITS || bits_of(at->factor[b]) >= INFINITE_BITS ||
                bits_of(at->factor[b]) == 0 ||
                (at->amax[b] == 0 && recipe->zero != FPFMT_BLOCK_ZERO_RULE);
    return slow;
}

/* ---- elements ---- */

/* Raises what values of a block may have raised, which the reference tells: an element that holds
 * its value raises nothing, whatever its product did. It stops where all that is possible was. */
static void find_flags(const fast_call *it, uint32_t amax, const float *values, size_t n,
                       unsigned possible)
{
    const fpfmt_block_plan *plan = it->plan;
    fpfmt_seen seen = { .extreme = fpfmt_from_f32(float_of(amax)), .any = true };
    fpfmt_block_scale scale =
        fpfmt_make_scale(&plan->block, &plan->recipe, &seen, it->tensor, false);
    for (size_t i = 0; i < n && (possible & ~*it->flags) != 0; i++)
        fpfmt_block_encode(&plan->block, &plan->recipe, &scale, fpfmt_from_f32(values[i]),
                           &plan->policy, it->flags);
}

/* May an element that overflows become NaN, which raises invalid and nothing else in a block? */
static bool may_give_nan(const fpfmt_policy *elements)
{
    return elements->overflow != FPFMT_OVERFLOW_MAX &&
           elements->overflow != FPFMT_OVERFLOW_MAX_FINITE &&
           elements->overflow != FPFMT_OVERFLOW_SYMMETRIC;
}

static const float *at_block(const float *values, const tile *at, size_t b)
{
    return values + b * at->size;
}

/* Values by the divisors of their blocks. Tells whether a quotient of what is not 0 became 0. */
static bool divide_tile(const fast_call *it, const tile *at, float *scaled, const float *values,
                        size_t size)
{
    float divisors[OPERATE_TILE];
    bool vanished = false;
    for (size_t b = 0; b < at->blocks; b++)
        for (size_t done = 0, n; done < size; done += n) {
            n = size - done < OPERATE_TILE ? size - done : OPERATE_TILE;
            fill(divisors, at->factor[b], n);
            operate(it, FPFMT_OPERATION_DIVIDE, scaled + b * size + done,
                    values + b * size + done, divisors, n);
        }
    for (size_t i = 0; i < at->blocks * size; i++)
        vanished |= bits_of(scaled[i]) << 1 == 0 && bits_of(values[i]) << 1 != 0;
    return vanished;
}

/* Codes of at most ELEMENTS values in whole blocks, or of a part of one block. */
static void encode_tile(const fast_call *it, const tile *at, unsigned char *codes,
                        const float *values, size_t size)
{
    const fpfmt_prepared *elements = fpfmt_prepared_in(&it->plan->elements);
    float scaled[ELEMENTS];
    unsigned raised = 0;
    fpfmt_job job = { &it->plan->elements.format,
                      &it->plan->elements.policy,
                      it->plan->elements.set,
                      CARRIER_32,
                      0,
                      it->flags == NULL ? NULL : &raised };
    bool exact = it->plan->recipe.step == FPFMT_STEP_EXACT;
    bool vanished =
        it->plan->recipe.step == FPFMT_STEP_QUOTIENT
            ? divide_tile(it, at, scaled, values, size)
            : it->plan->elements.set->scale(scaled, values, at->factor, exact, at->blocks, size);
    fpfmt_encode_all(&job, &elements->encoder[CARRIER_32], codes, scaled, at->blocks * size, false);
    if (it->flags == NULL)
        return;
    bool nan = (raised & FPFMT_FLAG_OVERFLOW) && may_give_nan(&it->plan->elements.policy);
    if (exact && !nan) {
        *it->flags |= raised;
        return;
    }
    unsigned possible = raised | FPFMT_FLAG_INEXACT | (nan ? FPFMT_FLAG_INVALID : 0);
    if (vanished || at->any_zero) /* an element may be infinite, and its scale 0 */
        possible |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INVALID;
    for (size_t b = 0; b < at->blocks && (possible & ~*it->flags) != 0; b++)
        find_flags(it, at->amax[b], values + b * size, size, possible);
}

/* A block by the reference. */
static bool quantize_slowly(const fast_call *it, unsigned char *codes, unsigned char *scale,
                            const float *values, size_t n, uint64_t number)
{
    size_t one = 1;
    fpfmt_view from = { .data = (void *)(uintptr_t)values, .rank = 1, .shape = &n };
    fpfmt_view to = { .data = codes, .rank = 1, .shape = &n };
    fpfmt_view by = { .data = scale, .rank = 1, .shape = &one };
    return fpfmt_quantize_views(it->plan, NULL, to, by, fpfmt_carriers[CARRIER_32], from, 0,
                                it->tensor, it->first + number, it->flags, NULL);
}

/* The blocks of a tile, of which the first element has this number. */
static void quantize_tile(const fast_call *it, tile *at, unsigned char *codes,
                          unsigned char *scales, const float *values, uint64_t number)
{
    size_t code = shape_bytes(&it->plan->block.element),
           scale = shape_bytes(&it->plan->block.scale);
    it->plan->elements.set->amax(at->amax, values, at->blocks, at->size);
    bool powers = it->plan->recipe.step == FPFMT_STEP_EXACT;
    if (powers ? set_powers(it, at, scales) : set_floats(it, at, scales)) {
        for (size_t b = 0; b < at->blocks; b++)
            quantize_slowly(it, codes + b * at->size * code, scales + b * scale,
                            at_block(values, at, b), at->size, number + b * at->size);
        return;
    }
    for (size_t done = 0, n; done < at->size; done += n) {
        n = at->size <= ELEMENTS ? at->size : ELEMENTS;
        n = n < at->size - done ? n : at->size - done;
        encode_tile(it, at, codes + done * code, values + done, n);
    }
}

/* The constants that a recipe's operations take, each rounded as scale.c rounds it. */
static fast_call call_of(const fpfmt_block_plan *plan, const fpfmt_tensor_scale *tensor,
                         uint64_t first, unsigned *flags)
{
    const fpfmt_operation divide = FPFMT_OPERATION_DIVIDE;
    const fpfmt_value one = fpfmt_from_i64(1), largest = fpfmt_block_largest(&plan->block);
    fpfmt_value decode = one, encode = one, per = one, back = one;
    fast_call it = { .plan = plan, .tensor = tensor, .first = first, .flags = flags };
    bool heeds = plan->block.levels == 2 || plan->recipe.rule == FPFMT_SCALE_INVERSE;
    if (tensor != NULL && heeds) {
        decode = fpfmt_from_f32(tensor->decode);
        encode = fpfmt_from_f32(tensor->encode);
        encode = fpfmt_value_is_zero(encode) ? fpfmt_in_binary32(divide, one, decode) : encode;
    }
    if (plan->recipe.rule == FPFMT_SCALE_ENGINE) {
        per = fpfmt_in_binary32(FPFMT_OPERATION_MULTIPLY, encode,
                                fpfmt_in_binary32(divide, one, largest));
        back = fpfmt_in_binary32(divide, one, encode);
    } else if (plan->recipe.rule == FPFMT_SCALE_TORCHAO) {
        per = decode;
        back = fpfmt_in_binary32(divide, one, decode);
    }
    if (tensor != NULL && heeds)
        it.given = fpfmt_to_f32(encode, NULL, NULL);
    fpfmt_value top = fpfmt_decode(&plan->block.scale, fpfmt_measure(&plan->block.scale).max);
    it.top = fpfmt_to_f32(top, NULL, NULL);
    it.largest = fpfmt_to_f32(largest, NULL, NULL);
    it.per = fpfmt_to_f32(per, NULL, NULL);
    it.back = fpfmt_to_f32(back, NULL, NULL);
    it.emax = largest.exponent;
    it.precision = fpfmt_measure(&plan->block.element).precision;
    it.addend = addend_of(&it);
    return it;
}

void fpfmt_quantize_by_tiles(const fpfmt_block_plan *plan, void *codes, void *scales,
                             const float *values, size_t n, const fpfmt_tensor_scale *tensor,
                             uint64_t first, unsigned *flags)
{
    const fast_call it = call_of(plan, tensor, first, flags);
    size_t whole = plan->block.size < n ? plan->block.size : n, taken;
    size_t code = shape_bytes(&plan->block.element), scale = shape_bytes(&plan->block.scale);
    unsigned char *to = codes, *by = scales;
    for (size_t done = 0; done < n; done += taken) {
        tile at = { .size = whole < n - done ? whole : n - done };
        at.blocks = at.size < ELEMENTS ? ELEMENTS / at.size : 1;
        at.blocks = at.blocks < BLOCKS ? at.blocks : BLOCKS;
        at.blocks = at.blocks < (n - done) / at.size ? at.blocks : (n - done) / at.size;
        taken = at.blocks * at.size;
        quantize_tile(&it, &at, to, by, values + done, done);
        to += taken * code;
        by += at.blocks * scale;
    }
}
