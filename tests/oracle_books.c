/* oracle_books.c - code books as their makers publish them
 * SPDX-License-Identifier: MIT
 *
 * Sources: bitsandbytes kernels.cu and functional.py; ggml-quants.c, quantize_row_q4_0_ref. */

#include "oracle_blocks.h"

#include <math.h>
#include <string.h>

#include "samples.h"

/* NF4 as the bits of binary32. */
static const uint32_t nf4_bits[16] = {
    0xbf800000, 0xbf3239b1, 0xbf066b30, 0xbeca32a0, 0xbe91a24d, 0xbe3d353f, 0xbdba7871, 0x00000000,
    0x3da2faff, 0x3e24cae3, 0x3e7c04dd, 0x3ead033a, 0x3ee1a4b8, 0x3f1007ab, 0x3f3913b3, 0x3f800000,
};

/* FP4: what the low three bits stand for, times 12, and where the kernels part them. */
static const double fp4_twelfths[8] = { 0, 0.0625, 8, 12, 4, 6, 2, 3 };
static const char *const fp4_decimals[7] = { "0.00260417", "0.0859375", "0.20833333", "0.29166667",
                                             "0.4166667",  "0.583333",  "0.8333333" };

static float to_float(const mpfr_t x)
{
    mpfr_t rounded;
    mpfr_init2(rounded, 192);
    oracle_round_32(rounded, x);
    float result = mpfr_get_flt(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return result;
}

static float float_of_decimal(const char *text)
{
    mpfr_t x;
    mpfr_init2(x, 192);
    mpfr_set_str(x, text, 10, MPFR_RNDN);
    float result = to_float(x);
    mpfr_clear(x);
    return result;
}

/* (a + b) / 2 in binary32, where a + b is exact enough to be rounded once. */
static float middle_of(float a, float b)
{
    mpfr_t x;
    mpfr_init2(x, 192);
    mpfr_set_flt(x, a, MPFR_RNDN);
    mpfr_add_d(x, x, (double)b, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    float result = to_float(x);
    mpfr_clear(x);
    return result;
}

/* The entry of q4_0: x + 8.5 in binary32, cut to an integer. */
static int entry_by_sum(float x)
{
    mpfr_t sum;
    mpfr_init2(sum, 192);
    mpfr_set_d(sum, 8.5, MPFR_RNDN);
    mpfr_add_d(sum, sum, (double)x, MPFR_RNDN);
    oracle_round_32(sum, sum);
    int entry = (int)mpfr_get_si(sum, MPFR_RNDZ);
    mpfr_clear(sum);
    return entry;
}

/* The first binary32 from low on, below high, that goes to the entry. */
static float first_of_entry(int entry, float low, float high)
{
    while (nextafterf(low, INFINITY) < high) {
        float middle = (float)(((double)low + (double)high) / 2);
        if (middle <= low || middle >= high)
            middle = nextafterf(low, INFINITY);
        if (entry_by_sum(middle) >= entry)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static oracle_book nf4 = { .name = "nf4", .width = 4, .count = 16 };
static oracle_book fp4 = { .name = "bnb-fp4", .width = 4, .has_sign = true, .count = 8 };
static oracle_book offset4 = { .name = "offset4", .width = 4, .on_takes_upper = true, .count = 16 };

static void make_books(void)
{
    size_t placed = 0;
    for (size_t i = 0; i < 16; i++) {
        nf4.values[i] = float_of(nf4_bits[i]);
        nf4.codes[i] = offset4.codes[i] = (uint8_t)i;
        offset4.values[i] = (float)i - 8;
    }
    for (size_t i = 0; i < 15; i++) {
        nf4.thresholds[i] = middle_of(nf4.values[i], nf4.values[i + 1]);
        offset4.thresholds[i] =
            first_of_entry((int)i + 1, offset4.values[i], offset4.values[i + 1]);
    }
    for (double past = -1; placed < 8; placed++) {
        size_t next = 8;
        for (size_t i = 0; i < 8; i++)
            if (fp4_twelfths[i] > past && (next == 8 || fp4_twelfths[i] < fp4_twelfths[next]))
                next = i;
        past = fp4_twelfths[next];
        fp4.values[placed] = (float)(past / 12);
        fp4.codes[placed] = (uint8_t)next;
    }
    for (size_t i = 0; i < 7; i++)
        fp4.thresholds[i] = float_of_decimal(fp4_decimals[i]);
}

const oracle_book *oracle_book_named(const char *name)
{
    static const oracle_book *const all[] = { &nf4, &fp4, &offset4 };
    static bool made;
    if (!made)
        make_books();
    made = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}
