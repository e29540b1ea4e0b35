/* books.c - code books: elements that are numbered values
 * SPDX-License-Identifier: MIT */

#include "blocks.h"
#include "encode.h"

/* NF4 of QLoRA: quantiles of the normal distribution, as bitsandbytes stores them, and its
 * thresholds, which are half way in binary32. */
static const float nf4_values[] = {
    -0x1p0f,         -0x1.647362p-1f, -0x1.0cd66p-1f,  -0x1.94654p-2f,
    -0x1.23449ap-2f, -0x1.7a6a7ep-3f, -0x1.74f0e2p-4f, 0x0p0f,
    0x1.45f5fep-4f,  0x1.4995c6p-3f,  0x1.f809bap-3f,  0x1.5a0674p-2f,
    0x1.c3497p-2f,   0x1.200f56p-1f,  0x1.722766p-1f,  0x1p0f,
};
static const float nf4_thresholds[] = {
    -0x1.b239bp-1f,  -0x1.38a4ep-1f,  -0x1.d709p-2f,  -0x1.5bd4ecp-2f, -0x1.e079d8p-3f,
    -0x1.1a7178p-3f, -0x1.74f0e2p-5f, 0x1.45f5fep-5f, 0x1.ec90c4p-4f,  0x1.a0cfcp-3f,
    0x1.2b05a8p-2f,  0x1.8ea7f2p-2f,  0x1.00da08p-1f, 0x1.491b5ep-1f,  0x1.b913b4p-1f,
};

/* FP4 of bitsandbytes: 0, 1/192, 1/6, 1/4, 1/3, 1/2, 2/3 and 1 in binary32. Its exponent field
 * counts downward, so that codes do not rise with the values. The thresholds are those of its
 * kernels, decimals of up to seven digits, of which only two are half way. */
static const float fp4_values[] = { 0x0p0f,         0x1.555556p-8f, 0x1.555556p-3f, 0x1p-2f,
                                    0x1.555556p-2f, 0x1p-1f,        0x1.555556p-1f, 0x1p0f };
static const uint8_t fp4_codes[] = { 0, 1, 6, 7, 4, 5, 2, 3 };
static const float fp4_thresholds[] = { 0x1.555572p-9f, 0x1.6p-4f,      0x1.aaaaaap-3f,
                                        0x1.2aaaaap-2f, 0x1.aaaaacp-2f, 0x1.2aaaap-1f,
                                        0x1.aaaaaap-1f };

/* Q4_0 of llama.cpp: code - 8. Its quantiser cuts x + 8.5, a sum in binary32, to an integer; each
 * threshold is the smallest binary32 whose sum rounds to the next integer, at or up to 2^-21 below
 * the half. tests/test_books.c finds them again. */
static const float offset_values[] = { -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7 };
static const float offset_thresholds[] = {
    -0x1.ep2f,      -0x1.ap2f,      -0x1.6p2f,       -0x1.2p2f,     -0x1.c00002p1f,
    -0x1.400002p1f, -0x1.800004p0f, -0x1.000008p-1f, 0x1.ffffep-2f, 0x1.7ffff8p0f,
    0x1.3ffffcp1f,  0x1.bffffcp1f,  0x1.1ffffep2f,   0x1.5ffffep2f, 0x1.9ffffep2f,
};

static const fpfmt_book table[] = {
    { .name = "nf4",
      .title = "NF4 of QLoRA, as in bitsandbytes",
      .width = 4,
      .count = 16,
      .values = nf4_values,
      .thresholds = nf4_thresholds },
    { .name = "bnb-fp4",
      .title = "FP4 of bitsandbytes",
      .width = 4,
      .has_sign = true,
      .count = 8,
      .values = fp4_values,
      .codes = fp4_codes,
      .thresholds = fp4_thresholds },
    { .name = "offset4",
      .title = "integers from -8 to 7, stored as code - 8",
      .width = 4,
      .on_takes_upper = true,
      .count = 16,
      .values = offset_values,
      .thresholds = offset_thresholds },
};

const fpfmt_book *fpfmt_book_at(size_t index)
{
    return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}

static fpfmt_value entry_value(const fpfmt_book *book, size_t entry)
{
    return fpfmt_from_f32(book->values[entry]);
}

static uint64_t entry_code(const fpfmt_book *book, size_t entry, bool negative)
{
    uint64_t code = book->codes != NULL ? book->codes[entry] : entry;
    return negative ? code | UINT64_C(1) << (book->width - 1) : code;
}

static bool is_less(fpfmt_value a, fpfmt_value b)
{
    return fpfmt_compare_quiet(a, b, NULL) == FPFMT_LESS;
}

fpfmt_value fpfmt_book_decode(const fpfmt_book *book, uint64_t code)
{
    uint64_t sign = book->has_sign ? UINT64_C(1) << (book->width - 1) : 0;
    fpfmt_value value = { .kind = FPFMT_KIND_ZERO };
    code &= low_bits(book->width);
    for (size_t entry = 0; entry < book->count; entry++)
        if (entry_code(book, entry, false) == (code & ~sign))
            value = entry_value(book, entry);
    value.negative ^= (code & sign) != 0;
    return value;
}

/* How many of the thresholds lie below x, or on it where that takes the upper entry. */
static size_t entry_by_thresholds(const fpfmt_book *book, fpfmt_value x)
{
    size_t entry = 0;
    while (entry + 1 < book->count) {
        fpfmt_relation at = fpfmt_compare_quiet(x, fpfmt_from_f32(book->thresholds[entry]), NULL);
        if (at != FPFMT_GREATER && !(at == FPFMT_EQUAL && book->on_takes_upper))
            break;
        entry++;
    }
    return entry;
}

/* a operation b, where one of them may have been cut: that there is a tail is kept. */
static fpfmt_value result_of(fpfmt_operation operation, fpfmt_value a, fpfmt_value b)
{
    const fpfmt_value none = { .kind = FPFMT_KIND_ZERO };
    bool cut = a.inexact != 0 || b.inexact != 0;
    a.inexact = b.inexact = FPFMT_REMAINDER_NONE;
    fpfmt_value result = fpfmt_exact(operation, a, b, none, NULL, NULL);
    if (cut && !fpfmt_value_is_zero(result))
        result.inexact |= FPFMT_REMAINDER_BELOW_HALF;
    return result;
}

/* Is x in the upper half between two entries, or on their middle where that takes the upper one? */
static bool is_in_upper_half(const fpfmt_book *book, fpfmt_value x, fpfmt_value lower,
                             fpfmt_value upper)
{
    fpfmt_value twice = x, sum = result_of(FPFMT_OPERATION_ADD, lower, upper);
    twice.exponent += !fpfmt_value_is_zero(x);
    fpfmt_relation at = fpfmt_compare_quiet(twice, sum, NULL);
    return at == FPFMT_GREATER || (at == FPFMT_EQUAL && book->on_takes_upper);
}

/* One of the two entries that x lies strictly between, in any mode: what x is past the one nearer
 * to zero, in units of the gap, is rounded to an integer, as the one rounding there is. A 1 stands
 * for an odd entry there, so that modes that ask for parity see that of the entries. */
static size_t entry_by_mode(size_t lower, fpfmt_value x, fpfmt_value low, fpfmt_value high,
                            const fpfmt_policy *policy)
{
    static const fpfmt_format integer = {
        .name = "int3", .sign_bits = 1, .fraction_bits = 2, .overflow = FPFMT_OVERFLOW_MAX
    };
    bool falls = low.negative && (high.negative || fpfmt_value_is_zero(high));
    size_t base = falls ? lower + 1 : lower;
    fpfmt_value past = result_of(FPFMT_OPERATION_SUBTRACT, x, falls ? high : low);
    if (fpfmt_value_is_zero(past)) /* x is that entry and a tail, which is below its 64 bits */
        past = (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                              .negative = falls,
                              .exponent = x.exponent - 64,
                              .significand = UINT64_C(1) << 63 };
    fpfmt_value gap = result_of(FPFMT_OPERATION_SUBTRACT, high, low);
    fpfmt_value steps = result_of(FPFMT_OPERATION_DIVIDE, past, gap);
    fpfmt_value parity = fpfmt_from_i64(base % 2 == 0 ? 0 : falls ? -1 : 1);
    steps = result_of(FPFMT_OPERATION_ADD, steps, parity);
    fpfmt_value chosen = fpfmt_decode(&integer, fpfmt_encode(&integer, steps, policy, NULL));
    bool leaves = fpfmt_compare_quiet(chosen, parity, NULL) != FPFMT_EQUAL;
    return leaves ? (falls ? lower : lower + 1) : base;
}

/* The entry that x, which is not NaN, goes to. */
static size_t entry_of(const fpfmt_book *book, fpfmt_value x, const fpfmt_policy *policy)
{
    bool nearest = fpfmt_mode_of(policy->rounding)->nearest;
    if (nearest && book->thresholds != NULL)
        return entry_by_thresholds(book, x);
    size_t above = 0;
    while (above < book->count && !is_less(x, entry_value(book, above)))
        above++;
    if (above == 0 || above == book->count)
        return above == 0 ? 0 : above - 1u;
    size_t lower = above - 1;
    fpfmt_value low = entry_value(book, lower), high = entry_value(book, above);
    if (fpfmt_compare_quiet(x, low, NULL) == FPFMT_EQUAL)
        return lower;
    if (nearest)
        return is_in_upper_half(book, x, low, high) ? above : lower;
    return entry_by_mode(lower, x, low, high, policy);
}

/* Past the first or the last entry. */
static bool is_outside(const fpfmt_book *book, fpfmt_value x)
{
    return is_less(x, entry_value(book, 0)) || is_less(entry_value(book, book->count - 1u), x);
}

uint64_t fpfmt_book_encode(const fpfmt_book *book, fpfmt_value value, const fpfmt_policy *policy,
                           unsigned *flags)
{
    fpfmt_policy mirrored = *fpfmt_or_default(policy);
    bool negative = book->has_sign && value.negative && !fpfmt_value_is_zero(value);
    if (fpfmt_value_is_nan(value)) {
        raise_if(flags, FPFMT_FLAG_INVALID, true);
        return entry_code(book, 0, false);
    }
    if (negative) {
        value.negative = false;
        if (mirrored.rounding == FPFMT_ROUND_UPWARD)
            mirrored.rounding = FPFMT_ROUND_DOWNWARD;
        else if (mirrored.rounding == FPFMT_ROUND_DOWNWARD)
            mirrored.rounding = FPFMT_ROUND_UPWARD;
    }
    size_t entry = entry_of(book, value, &mirrored);
    fpfmt_value became = entry_value(book, entry);
    bool changed = fpfmt_compare_quiet(value, became, NULL) != FPFMT_EQUAL;
    raise_if(flags, FPFMT_FLAG_INEXACT, changed);
    raise_if(flags, FPFMT_FLAG_UNDERFLOW, changed && fpfmt_value_is_zero(became));
    raise_if(flags, FPFMT_FLAG_OVERFLOW, is_outside(book, value));
    return entry_code(book, entry, negative);
}

const char *fpfmt_book_defect(const fpfmt_book *book)
{
    if (book->width < 1 || book->width > 8)
        return "a code of the book does not have from 1 to 8 bits";
    if (book->count < 1 || book->count > 1u << (book->width - book->has_sign))
        return "the book has no values, or more of them than codes";
    if (book->values == NULL)
        return "the book's values are NULL";
    for (size_t i = 0; i < book->count; i++) {
        fpfmt_value value = entry_value(book, i);
        if (!fpfmt_value_is_finite(value))
            return "a value of the book is not finite";
        if (i > 0 && !is_less(entry_value(book, i - 1), value))
            return "the book's values do not rise, or two are equal";
        if (i > 0 && book->thresholds != NULL &&
            !(is_less(entry_value(book, i - 1), fpfmt_from_f32(book->thresholds[i - 1])) &&
              is_less(fpfmt_from_f32(book->thresholds[i - 1]), value)))
            return "a threshold of the book does not lie between its two values";
        for (size_t j = 0; j < i; j++)
            if (entry_code(book, j, false) == entry_code(book, i, false))
                return "two values of the book have one code";
        if (entry_code(book, i, false) > low_bits(book->width - book->has_sign))
            return "a code of the book has more bits than its width";
    }
    if (book->has_sign && !fpfmt_value_is_zero(entry_value(book, 0)))
        return "the first value of a book with signs is not 0";
    return is_vacant(&book->reserved) ? NULL : "the book's reserved room is not zero";
}
