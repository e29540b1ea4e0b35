/* operands.c - operands to try together
 * SPDX-License-Identifier: MIT
 *
 * The library makes them, by its own roundings; what they give is judged elsewhere. */

#include "operands.h"

#include "arrays.h"

static uint64_t random_below(uint64_t bound)
{
    return random_bits_64() % bound;
}

/* bits wide: few bits, patterns, all but few, runs from either end, or any. */
static uint64_t interesting_bits(int bits)
{
    if (bits == 0)
        return 0;
    uint64_t mask = UINT64_MAX >> (64 - bits), half = UINT64_C(1) << (bits - 1);
    uint64_t any = random_bits_64() & mask, bit = UINT64_C(1) << random_below((uint64_t)bits);
    switch (random_below(12)) {
    case 0: return 0;
    case 1: return random_below(4) & mask;
    case 2: return (half + random_below(3) - 1) & mask;
    case 3: return mask - (random_below(4) & mask);
    case 4: return bit;
    case 5: return mask ^ bit;
    case 6: return (0 - bit) & mask;
    case 7: return bit - 1;
    case 8: return UINT64_C(0xAAAAAAAAAAAAAAAA) >> random_below(2) & mask;
    case 9: return any & (0 - bit);
    default: return any;
    }
}

/* Of the field: the ends, the neighbourhood of 1, and one precision away from these. */
static uint64_t interesting_exponent(const fpfmt_format *format)
{
    uint64_t last = UINT64_MAX >> (64 - format->exponent_bits);
    uint64_t one = (uint64_t)format->bias, step = (uint64_t)format->fraction_bits;
    uint64_t near = random_below(4) - 1, field;
    switch (random_below(8)) {
    case 0: field = random_below(3); break;
    case 1: field = last - random_below(4); break;
    case 2: field = one + near; break;
    case 3: field = one + step + near; break;
    case 4: field = one - step + near; break;
    case 5: field = one + step / 2 + near; break;
    default: field = random_bits_64(); break;
    }
    return field & last;
}

uint64_t operand_code(const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    const uint64_t special[] = { 0,          limits.infinity,     limits.nan,
                                 limits.max, limits.min_positive, limits.min_normal };
    uint64_t sign = random_below(2) << (limits.width - 1), any = random_bits_64();
    any &= UINT64_MAX >> (64 - limits.width);
    switch (random_below(10)) {
    case 0: return special[random_below(6)] ^ (format->sign_bits ? sign : 0);
    case 1: return any;
    default: break;
    }
    if (format->exponent_bits == 0)
        return interesting_bits(limits.width);
    any = interesting_exponent(format) << format->fraction_bits;
    any |= interesting_bits(format->fraction_bits);
    return format->sign_bits ? any | sign : any;
}

/* The value in a format, give or take two units, of either sign more often than not. */
static uint64_t near_value(const fpfmt_format *format, fpfmt_value value)
{
    uint64_t mask = UINT64_MAX >> (64 - fpfmt_measure(format).width), r = random_bits_64();
    value.negative ^= r % 4 == 0;
    uint64_t code = fpfmt_encode(format, value, NULL, NULL);
    return (code + (r >> 8 & 1 ? 0 : (r >> 9) % 5 - 2)) & mask;
}

static fpfmt_value negative_of(fpfmt_value value)
{
    value.negative = !value.negative;
    value.inexact = false;
    return value;
}

/* value * 2^n, if that is a number. */
static fpfmt_value scaled(fpfmt_value value, int n)
{
    if (value.kind == FPFMT_KIND_SUBNORMAL || value.kind == FPFMT_KIND_NORMAL)
        value.exponent += n;
    return value;
}

static fpfmt_value exact(int operation, fpfmt_value a, fpfmt_value b)
{
    fpfmt_value result = fpfmt_exact(operation, a, b, a, NULL, NULL);
    result.inexact = false;
    return result;
}

void related_codes(uint64_t codes[3], const fpfmt_format *const formats[3], const fpfmt_format *to)
{
    fpfmt_value x[3], product, end;
    fpfmt_limits limits = fpfmt_measure(to);
    for (int i = 0; i < 3; i++) {
        codes[i] = operand_code(formats[i]);
        x[i] = fpfmt_decode(formats[i], codes[i]);
    }
    product = exact(FPFMT_OPERATION_MULTIPLY, x[0], x[1]);
    switch (random_below(8)) {
    case 0: /* the sum nearly cancels, and the addition to the product */
        codes[1] = near_value(formats[1], negative_of(x[0]));
        codes[2] = near_value(formats[2], negative_of(product));
        break;
    case 1: /* one is about half a unit of the other, or a quarter, an eighth */
        codes[1] = near_value(formats[1], scaled(fpfmt_ulp(to, x[0]), 1 - (int)random_below(4)));
        codes[2] = near_value(formats[2], scaled(fpfmt_ulp(to, product), 1 - (int)random_below(4)));
        break;
    case 2: /* the product is about half a unit of the third */
        codes[1] = near_value(formats[1],
                              exact(FPFMT_OPERATION_DIVIDE, scaled(fpfmt_ulp(to, x[2]), -1), x[0]));
        break;
    case 3: /* the product or quotient is about the smallest, the smallest normal or the largest */
        end = fpfmt_decode(to, random_below(3) == 0   ? limits.max
                               : random_below(2) == 0 ? limits.min_normal
                                                      : limits.min_positive);
        end = scaled(end, 1 - (int)random_below(3));
        codes[1] = near_value(
            formats[1],
            exact(random_below(2) ? FPFMT_OPERATION_DIVIDE : FPFMT_OPERATION_MULTIPLY, end, x[0]));
        break;
    case 4: /* the square of the second, or a multiple of it and a half */
        if (random_below(2))
            codes[0] = near_value(formats[0], exact(FPFMT_OPERATION_MULTIPLY, x[1], x[1]));
        else
            codes[0] = near_value(formats[0], exact(FPFMT_OPERATION_MULTIPLY, x[1],
                                                    scaled(fpfmt_from_u64(random_below(100)), -1)));
        break;
    default: break;
    }
}

/* Exponents that differ by about multiples of 64, where parts of numbers end, or by anything. */
static int32_t interesting_distance(void)
{
    int32_t near = (int32_t)random_below(7) - 3, limbs = (int32_t)random_below(7) - 3;
    switch (random_below(4)) {
    case 0: return near;
    case 1: return (int32_t)random_below(400) - 200;
    case 2: return (int32_t)random_below(9000) - 4500;
    default: return 64 * limbs + near;
    }
}

void related_values(fpfmt_value values[3])
{
    for (int i = 0; i < 3; i++) {
        uint64_t r = random_bits_64();
        values[i] = (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                   .negative = r & 1,
                                   .exponent = interesting_distance(),
                                   .significand = interesting_bits(63) | UINT64_C(1) << 63 };
        if ((r >> 1) % 32 == 0)
            values[i] = (fpfmt_value){ .kind = FPFMT_KIND_ZERO, .negative = r & 1 };
    }
    fpfmt_value near = negative_of(values[0]);
    uint64_t m = random_bits_64() >> 33, n = random_below(m + 1);
    switch (random_below(7)) {
    case 0: values[1] = near; break;
    case 1: near = negative_of(exact(FPFMT_OPERATION_ADD, values[0], values[1])); break;
    case 2: near = negative_of(exact(FPFMT_OPERATION_MULTIPLY, values[0], values[1])); break;
    case 3: near = exact(FPFMT_OPERATION_MULTIPLY, values[1], values[1]); break;
    case 4: /* sides of a right triangle, about */
        values[0] = fpfmt_from_u64(m * m - n * n);
        near = values[1] = fpfmt_from_u64(2 * m * n);
        break;
    case 5: /* a whole number of halves of the second, about */
        values[1] = fpfmt_from_u64(n + 1);
        near = values[0] = scaled(fpfmt_from_u64((n + 1) * m), -1);
        break;
    default: return;
    }
    uint64_t r = random_bits_64(), off = r >> 8 & 1 ? 0 : (r >> 9) % 5 - 2;
    if (near.kind == FPFMT_KIND_NORMAL && (near.significand + off) >> 63)
        near.significand += off;
    values[r % 4 == 0 ? 0 : r % 4 == 1 ? 1 : 2] = near;
}
