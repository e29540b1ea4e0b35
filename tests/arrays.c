/* arrays.c - inputs for array conversions, and what they are held to
 * SPDX-License-Identifier: MIT */

#include "arrays.h"

#include <string.h>

#include "runner.h"

/* Elements that are calm in a row: as many as a kernel looks at together. */
enum { CALM = 64 };

static const char *const bounds[] = {
    "e5m2b140ieee",   "e4m3b-100ieee", "e4m3b-94fn",    "e4m3b124fn",
    "e4m3b125fn",     "e4m3b126fn",    "e4m3b127ieee",  "e4m3b128fnuz",
    "e5m3",           "e5m3fn",        "e5m3fnuz",      "e6m9",
    "e7m8",           "e8m3",          "e8m7b130ieee",  "e8m22",
    "e8m23",          "e8m10fn",       "e7m23",         "e5m5u",
    "e5m10b124fn",    "e5m2b-80none",  "e3m0none",      "e11m20",
    "e10m4",          "e9m22",         "e5m26",         "e10m22b127ieeeu",
    "e7m5b-483ieee",  "e6m9b127ieee",  "e6m10b15ieeeu", "e2m15b-974ieee",
    "e9m22b127ieeeu", "e9m22b127fn",   "e11m52",        "e8m15fnuz",
    "e5m10fn",        "binary8p1se",   "binary8p1uf",   "binary8p3uf",
    "binary8p5sf",    "binary6p3se",   "binary3p1sf",   "binary16p11se",
    "binary15p8uf",
};

/* Fixed point has no grammar. Its magnitudes end at the carriers' precision, or before. */
static const fpfmt_format fixed[] = {
    { .name = "int24 2^-126",
      .sign_bits = 1,
      .fraction_bits = 23,
      .bias = 126,
      .overflow = FPFMT_OVERFLOW_MAX },
    { .name = "int23",
      .sign_bits = 1,
      .fraction_bits = 22,
      .bias = 3,
      .overflow = FPFMT_OVERFLOW_MAX },
    { .name = "uint24", .fraction_bits = 24, .overflow = FPFMT_OVERFLOW_MAX },
    { .name = "int32", .sign_bits = 1, .fraction_bits = 31, .overflow = FPFMT_OVERFLOW_MAX },
};

bool array_format(fpfmt_format *format, size_t index)
{
    const size_t names = sizeof bounds / sizeof bounds[0], rows = sizeof fixed / sizeof fixed[0];
    if (index < names) {
        CHECK(fpfmt_find(format, bounds[index]) == FPFMT_FOUND && fpfmt_defect(format) == NULL,
              "%s is not a sound format", bounds[index]);
        return true;
    }
    index -= names;
    if (index >= rows && fpfmt_at(index - rows) == NULL)
        return false;
    *format = index < rows ? fixed[index] : *fpfmt_at(index - rows);
    return true;
}

bool array_policy(fpfmt_policy *policy, size_t index)
{
    static const fpfmt_policy policies[] = {
        { .overflow = FPFMT_OVERFLOW_SPEC },
        { .overflow = FPFMT_OVERFLOW_MAX },
        { .overflow = FPFMT_OVERFLOW_INF, .tininess = FPFMT_TININESS_BEFORE_ROUNDING },
        { .overflow = FPFMT_OVERFLOW_NAN, .nan = FPFMT_NAN_CANONICAL },
        { .overflow = FPFMT_OVERFLOW_MAX_FINITE, .nan = FPFMT_NAN_PRESERVE },
        { .overflow = FPFMT_OVERFLOW_SYMMETRIC, .nan = FPFMT_NAN_OPPOSITE_ZERO },
        { .overflow = FPFMT_OVERFLOW_INVALID },
        { .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS },
        { .subnormal = FPFMT_SUBNORMAL_FLUSH_INPUTS, .nan = FPFMT_NAN_PRESERVE },
        { .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS | FPFMT_SUBNORMAL_FLUSH_INPUTS,
          .tininess = FPFMT_TININESS_BEFORE_ROUNDING,
          .overflow = FPFMT_OVERFLOW_MAX },
        { .overflow_test = FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING, .negative = FPFMT_NEGATIVE_ZERO },
        { .overflow_test = FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING,
          .overflow = FPFMT_OVERFLOW_MAX,
          .negative = FPFMT_NEGATIVE_DROP },
    };
    if (index >= sizeof policies / sizeof policies[0])
        return false;
    *policy = policies[index];
    return true;
}

bool array_mode(fpfmt_policy *policy, size_t index)
{
    static const struct {
        uint8_t rounding, bits;
    } modes[] = {
        { FPFMT_ROUND_NEAREST_EVEN, 0 },     { FPFMT_ROUND_NEAREST_AWAY, 0 },
        { FPFMT_ROUND_NEAREST_ZERO, 0 },     { FPFMT_ROUND_TOWARD_ZERO, 0 },
        { FPFMT_ROUND_AWAY_FROM_ZERO, 0 },   { FPFMT_ROUND_UPWARD, 0 },
        { FPFMT_ROUND_DOWNWARD, 0 },         { FPFMT_ROUND_TO_ODD, 0 },
        { FPFMT_ROUND_STOCHASTIC_A, 32 },    { FPFMT_ROUND_STOCHASTIC_A, 5 },
        { FPFMT_ROUND_STOCHASTIC_B, 1 },     { FPFMT_ROUND_STOCHASTIC_B, 32 },
        { FPFMT_ROUND_STOCHASTIC_B, 31 },    { FPFMT_ROUND_STOCHASTIC_C, 2 },
        { FPFMT_ROUND_STOCHASTIC_C, 32 },    { FPFMT_ROUND_STOCHASTIC, 0 },
        { FPFMT_ROUND_STOCHASTIC_EQUAL, 0 },
    };
    if (index >= sizeof modes / sizeof modes[0])
        return false;
    policy->rounding = modes[index].rounding;
    policy->random_bits = modes[index].bits;
    policy->seed = 0x0123456789ABCDEF;
    policy->first = UINT64_C(0xFFFFFFFD);
    return true;
}

size_t code_bytes(const fpfmt_format *format)
{
    int width = fpfmt_measure(format).width;
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

/* By shifts, not as the library does it; the host is little-endian or the words are swapped back.
 */
uint64_t load_word(const void *from, size_t bytes)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1: return memcpy(&one, from, 1), one;
    case 2: return memcpy(&two, from, 2), two;
    case 4: return memcpy(&four, from, 4), four;
    default: return memcpy(&eight, from, 8), eight;
    }
}

void store_word(void *to, uint64_t word, size_t bytes)
{
    uint8_t one = (uint8_t)word;
    uint16_t two = (uint16_t)word;
    uint32_t four = (uint32_t)word;
    memcpy(to,
           bytes == 1   ? (void *)&one
           : bytes == 2 ? (void *)&two
           : bytes == 4 ? (void *)&four
                        : (void *)&word,
           bytes);
}

uint64_t random_bits_64(void)
{
    static uint64_t state = 0x9E3779B97F4A7C15;
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

static fpfmt_value value_of(uint64_t bits, size_t bytes)
{
    uint32_t narrow = (uint32_t)bits;
    float single;
    double twice;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&twice, &bits, sizeof twice);
    return bytes == 4 ? fpfmt_from_f32(single) : fpfmt_from_f64(twice);
}

static uint64_t bits_of(fpfmt_value value, size_t bytes, const fpfmt_policy *policy,
                        unsigned *flags)
{
    float single;
    double twice;
    if (bytes == 4) {
        single = fpfmt_to_f32(value, policy, flags);
        return load_word(&single, 4);
    }
    twice = fpfmt_to_f64(value, policy, flags);
    return load_word(&twice, 8);
}

bool holds(size_t bytes, const fpfmt_format *format)
{
    return fpfmt_contains(fpfmt_named(bytes == 4 ? "fp32" : "fp64"), format);
}

/* Near a value of the format, or on a point half, or a 2^k-th of the way, to its neighbour. */
static uint64_t near_code(const fpfmt_format *format, size_t bytes)
{
    fpfmt_limits limits = fpfmt_measure(format);
    uint64_t r = random_bits_64(), code = r >> 8;
    switch (r & 15) {
    case 0: code = limits.max; break;
    case 1: code = limits.min_normal; break;
    case 2: code = limits.min_positive; break;
    case 3: code = limits.min_normal - 1; break;
    case 4: code = 0; break;
    default: break;
    }
    fpfmt_value value = fpfmt_decode(format, code);
    fpfmt_value next = fpfmt_ulp(format, value);
    next.exponent -= (int)(r >> 4 & 3);
    fpfmt_policy rough = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    uint64_t bits = bits_of(value, bytes, &rough, NULL), step = bits_of(next, bytes, &rough, NULL);
    double sum;
    float a, b;
    double c, d;
    memcpy(&a, &(uint32_t){ (uint32_t)bits }, sizeof a);
    memcpy(&b, &(uint32_t){ (uint32_t)step }, sizeof b);
    memcpy(&c, &bits, sizeof c);
    memcpy(&d, &step, sizeof d);
    if ((r >> 6 & 3) != 0 && bytes == 4)
        a += b, bits = load_word(&a, 4);
    sum = c + d;
    if ((r >> 6 & 3) != 0 && bytes == 8)
        bits = load_word(&sum, 8);
    bits += (r >> 10 & 3) == 0 ? 1 : (r >> 10 & 3) == 1 ? UINT64_MAX : 0;
    return bits ^ (r >> 12 & 1) << (8 * bytes - 1);
}

static uint64_t special(size_t bytes)
{
    static const uint32_t words[] = {
        0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001,
        0xFF800001, 0x7FBFFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x00000001, 0x80000001, 0x007FFFFF,
        0x807FFFFF, 0x00800000, 0x80800000, 0x00800001, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000,
        0x00400000, 0x7FA00000, 0x7F801000, 0x33000000, 0x33000001, 0xB3000000, 0x7FE00000,
    };
    uint32_t word = words[random_bits_64() % (sizeof words / sizeof words[0])];
    if (bytes == 4)
        return word;
    /* The same field contents in the wider one. */
    uint64_t sign = word >> 31, field = word >> 23 & 255, fraction = word & 0x7FFFFF;
    field = field == 255 ? 2047 : field == 0 ? 0 : field + 896;
    return sign << 63 | field << 52 | (fraction & 1 ? fraction >> 1 << 30 | 1 : fraction << 29);
}

/* Nothing special, and nothing that becomes so: between a value and the next, or half way. */
static uint64_t calm(const fpfmt_format *format, size_t bytes)
{
    const fpfmt_policy rough = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    int drop = (bytes == 4 ? 23 : 52) - format->fraction_bits;
    uint64_t r = random_bits_64(), below = fpfmt_measure(format).max - 1;
    uint64_t code = 1 + (r >> 8) % (below > 0 ? below : 1);
    uint64_t bits = bits_of(fpfmt_decode(format, code), bytes, &rough, NULL);
    if (drop > 0 && (r & 3) != 0)
        bits |= (r & 3) == 1 ? UINT64_C(1) << (drop - 1) : random_bits_64() >> (64 - drop);
    return bits | (format->sign_bits & r >> 2) << (8 * bytes - 1);
}

void fill_carriers(void *values, size_t bytes, size_t n, const fpfmt_format *format)
{
    unsigned char *to = values;
    size_t shift = random_bits_64() % 2 * CALM;
    for (size_t i = 0; i < n; i++) {
        uint64_t r = random_bits_64(), bits;
        if ((i + shift) / CALM % 2 == 0)
            bits = calm(format, bytes);
        else if (r % 16 == 0)
            bits = special(bytes);
        else if (r % 16 < 4)
            bits = random_bits_64();
        else
            bits = near_code(format, bytes);
        store_word(to + i * bytes, bits, bytes);
    }
}

uint64_t expected_code(const fpfmt_format *format, const fpfmt_policy *policy, uint64_t bits,
                       size_t bytes, uint64_t index, unsigned *flags)
{
    uint64_t random = fpfmt_random_bits(policy->first + index, policy);
    return fpfmt_encode_random(format, value_of(bits, bytes), random, policy, flags);
}

uint64_t expected_value(const fpfmt_format *format, const fpfmt_policy *policy, uint64_t code,
                        size_t bytes)
{
    fpfmt_policy rules = { .nan = policy->nan };
    return bits_of(fpfmt_decode(format, code), bytes, &rules, NULL);
}

uint64_t expected_decoded(const fpfmt_format *format, const fpfmt_policy *policy, uint64_t code,
                          size_t bytes, unsigned *flags)
{
    fpfmt_policy rules = { .nan = policy->nan,
                           .subnormal = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS };
    return bits_of(fpfmt_decode(format, code), bytes, &rules, flags);
}

static size_t find_sets(const fpfmt_kernels *sets[], size_t most)
{
    size_t count = 0;
    for (size_t s = 0; fpfmt_kernels_at(s) != NULL && count < most; s++)
        if (fpfmt_kernels_run_here(fpfmt_kernels_at(s)))
            sets[count++] = fpfmt_kernels_at(s);
    return count;
}

/* The processor is asked once: in a virtual machine that takes microseconds. */
const fpfmt_kernels *set_here(size_t index)
{
    static const fpfmt_kernels *sets[8];
    static size_t count;
    if (count == 0)
        count = find_sets(sets, sizeof sets / sizeof sets[0]);
    return index < count ? sets[index] : NULL;
}

static const struct {
    int operation;
    size_t bytes;
    const char *name;
} operations[] = {
    { ENCODES, 4, "encode_f32" }, { ENCODES, 8, "encode_f64" }, { ROUNDS, 4, "round_f32" },
    { ROUNDS, 8, "round_f64" },   { DECODES, 4, "decode_f32" }, { DECODES, 8, "decode_f64" },
    { CONVERTS, 0, "convert" },
};

bool array_operation(array_call *call, size_t index)
{
    if (index >= sizeof operations / sizeof operations[0])
        return false;
    call->operation = operations[index].operation;
    call->bytes = operations[index].bytes;
    return true;
}

const char *operation_name(const array_call *call)
{
    size_t i = 0;
    while (operations[i].operation != call->operation || operations[i].bytes != call->bytes)
        i++;
    return operations[i].name;
}

bool prepare_call(array_call *call, const fpfmt_format *format, const fpfmt_format *source,
                  const fpfmt_policy *policy, const fpfmt_kernels *set)
{
    CHECK(fpfmt_prepare(&call->plan, format, policy, set), "%s is not prepared", format->name);
    if (call->operation == CONVERTS)
        CHECK(fpfmt_prepare(&call->source, source, NULL, set), "%s is not prepared", source->name);
    return (call->operation != ROUNDS && call->operation != DECODES) || holds(call->bytes, format);
}

size_t input_bytes(const array_call *call)
{
    return call->operation == DECODES    ? code_bytes(&call->plan.format)
           : call->operation == CONVERTS ? code_bytes(&call->source.format)
                                         : call->bytes;
}

size_t output_bytes(const array_call *call)
{
    return call->operation == ROUNDS || call->operation == DECODES ? call->bytes
                                                                   : code_bytes(&call->plan.format);
}

void fill_call_input(const array_call *call, void *in, size_t n)
{
    size_t bytes = input_bytes(call);
    if (call->operation == ENCODES || call->operation == ROUNDS) {
        fill_carriers(in, bytes, n, &call->plan.format);
        return;
    }
    for (size_t i = 0; i < n; i++)
        store_word((unsigned char *)in + i * bytes, random_bits_64(), bytes);
}

bool run_call(const array_call *call, void *out, const void *in, size_t n, uint64_t first,
              unsigned *flags)
{
    const fpfmt_plan *plan = &call->plan;
    bool single = call->bytes == sizeof(float);
    switch (call->operation) {
    case ENCODES:
        return single ? fpfmt_plan_encode_f32(plan, out, in, n, first, flags)
                      : fpfmt_plan_encode_f64(plan, out, in, n, first, flags);
    case ROUNDS:
        return single ? fpfmt_plan_round_f32(plan, out, in, n, first, flags)
                      : fpfmt_plan_round_f64(plan, out, in, n, first, flags);
    case DECODES:
        return single ? fpfmt_plan_decode_f32(plan, out, in, n, flags)
                      : fpfmt_plan_decode_f64(plan, out, in, n, flags);
    default: return fpfmt_plan_convert(plan, out, &call->source, in, n, first, flags);
    }
}

bool run_once(const array_call *call, void *out, const void *in, size_t n,
              const fpfmt_policy *policy, unsigned *flags)
{
    const fpfmt_format *format = &call->plan.format;
    bool single = call->bytes == sizeof(float);
    switch (call->operation) {
    case ENCODES:
        return single ? fpfmt_encode_f32(format, out, in, n, policy, flags)
                      : fpfmt_encode_f64(format, out, in, n, policy, flags);
    case ROUNDS:
        return single ? fpfmt_round_f32(format, out, in, n, policy, flags)
                      : fpfmt_round_f64(format, out, in, n, policy, flags);
    case DECODES:
        return single ? fpfmt_decode_f32(format, out, in, n, policy, flags)
                      : fpfmt_decode_f64(format, out, in, n, policy, flags);
    default: return fpfmt_convert_codes(format, out, &call->source.format, in, n, policy, flags);
    }
}

uint64_t expected_of_call(const array_call *call, uint64_t word, uint64_t index, unsigned *flags)
{
    const fpfmt_format *format = &call->plan.format;
    const fpfmt_policy *policy = &call->plan.policy;
    uint64_t code;
    switch (call->operation) {
    case ENCODES: return expected_code(format, policy, word, call->bytes, index, flags);
    case ROUNDS:
        code = expected_code(format, policy, word, call->bytes, index, flags);
        return expected_value(format, policy, code, call->bytes);
    case DECODES: return expected_decoded(format, policy, word, call->bytes, flags);
    default:
        return fpfmt_encode_random(format, fpfmt_decode(&call->source.format, word),
                                   fpfmt_random_bits(policy->first + index, policy), policy, flags);
    }
}
