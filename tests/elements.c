/* elements.c - what is summed up in tests of accumulators
 * SPDX-License-Identifier: MIT */

#include "elements.h"

#include <stdio.h>
#include <string.h>

#include "arrays.h"
#include "operands.h"

uint64_t random_below(uint64_t bound)
{
    return random_bits_64() % bound;
}

/* A finite code: one worth trying, one whose exponent is near a middle, or near the smallest. */
static uint64_t finite_code(const fpfmt_format *format, int style, int middle)
{
    uint64_t code, r = random_bits_64(), sign = UINT64_C(1) << (fpfmt_measure(format).width - 1);
    fpfmt_value value = { .kind = FPFMT_KIND_NORMAL,
                          .negative = r & 1,
                          .exponent = middle + (int)(r >> 1) % 6,
                          .significand = random_bits_64() | UINT64_C(1) << 63 };
    if (style == 1)
        code = fpfmt_encode(format, value, NULL, NULL);
    else if (style == 2)
        code = ((r >> 8) & ((UINT64_C(4) << format->fraction_bits) - 1) & (sign - 1)) |
               (r & 1 ? sign : 0);
    else
        do
            code = operand_code(format);
        while (!fpfmt_is_finite(format, code));
    return fpfmt_is_finite(format, code) ? code : 0;
}

/* A code near the sum of what came before, with either sign, or far below it. */
static uint64_t near_product(const fpfmt_format *format, const elements *it, int down)
{
    fpfmt_value x = fpfmt_decode(it->from[0], it->codes[0][0]),
                y = fpfmt_decode(it->from[1], it->codes[1][0]);
    fpfmt_value product = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, x, y, x, NULL, NULL);
    product.negative ^= random_below(2);
    if (product.kind == FPFMT_KIND_NORMAL)
        product.exponent -= down;
    uint64_t code = fpfmt_encode(format, product, NULL, NULL);
    return fpfmt_is_finite(format, code) ? code : 0;
}

void make_elements(elements *it, size_t n, bool specials)
{
    int style = (int)random_below(5), middle = (int)random_below(24) - 16;
    it->n = n;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            it->codes[k][i] = finite_code(it->from[k], style == 3 ? 1 : style, middle);
    for (size_t i = n / 2; style == 3 && i < n; i++) { /* the first half taken away again */
        it->codes[0][i] = it->codes[0][i - n / 2];
        it->codes[1][i] = it->codes[1][i - n / 2];
        if (it->from[0]->sign_bits && random_below(8) != 0)
            it->codes[0][i] ^= UINT64_C(1) << (fpfmt_measure(it->from[0]).width - 1);
    }
    if (style == 4)
        for (size_t i = 0; i < n; i++)
            if (random_below(4) != 0)
                it->codes[random_below(2)][i] = 0;
    it->start = random_below(3) == 0 ? 0
                : random_below(2)    ? finite_code(it->to, style, middle)
                                     : near_product(it->to, it, (int)random_below(60) - 20);
    for (size_t i = 0; specials && i < 3; i++) {
        uint64_t k = random_below(2);
        it->codes[k][random_below(n)] = operand_code(it->from[k]);
    }
    if (specials && random_below(4) == 0)
        it->start = operand_code(it->to);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < n; i++) {
            size_t bytes = code_bytes(it->from[k]);
            store_word(it->stored[k] + i * bytes, it->codes[k][i], bytes);
        }
}

fpfmt_series series_of(const elements *it, int factor)
{
    return (fpfmt_series){ .format = it->from[factor], .codes = it->stored[factor], .stride = 1 };
}

size_t random_length(void)
{
    switch (random_below(16)) {
    case 0: return 1 + (size_t)random_below(LONGEST);
    case 1: return 1;
    case 2: return 32 * (1 + (size_t)random_below(4));
    default: return 1 + (size_t)random_below(48);
    }
}

const fpfmt_format *format_in(const char *list, size_t index)
{
    char name[FPFMT_NAME_SIZE];
    for (; *list != '\0'; list += strspn(list, " ")) {
        size_t length = strcspn(list, " ");
        if (index-- == 0) {
            snprintf(name, sizeof name, "%.*s", (int)length, list);
            return fpfmt_named(name);
        }
        list += length;
    }
    return NULL;
}
