/* test_pack.c - packed codes, against a naive model that moves bit by bit
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { MOST = 5000, CANARY = 0xA5, EDGE = 16, FIRST = 3 };

static const int orders[2] = { FPFMT_PACK_LOW_FIRST, FPFMT_PACK_HIGH_FIRST };

static uint8_t codes[MOST + 2 * EDGE], packed[MOST + 2 * EDGE], model[MOST + 2 * EDGE],
    unpacked[MOST + 2 * EDGE], work[4 * MOST + 2 * EDGE];

/* Bit i of the stream, in a byte from its low or from its high end. */
static unsigned mask_of(int order, size_t i)
{
    return order == FPFMT_PACK_LOW_FIRST ? 1u << i % 8 : 0x80u >> i % 8;
}

/* A code's bits come lowest first in a low-first stream, highest first in the other. */
static size_t bit_of(unsigned width, int order, size_t element, unsigned bit)
{
    return element * width + (order == FPFMT_PACK_LOW_FIRST ? bit : width - 1 - bit);
}

static void pack_by_bits(unsigned width, int order, uint8_t *to, const uint8_t *from, size_t n)
{
    memset(to, 0, (n * width + 7) / 8);
    for (size_t i = 0; i < n; i++)
        for (unsigned bit = 0; bit < width; bit++)
            if (from[i] >> bit & 1) {
                size_t at = bit_of(width, order, i, bit);
                to[at / 8] |= (uint8_t)mask_of(order, at);
            }
}

static bool is_canary(const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (from[i] != CANARY)
            return false;
    return true;
}

static void try_packing(unsigned width, int order, size_t n, size_t offset)
{
    size_t size = (n * width + 7) / 8;
    CHECK(fpfmt_packed_size(width, n) == size, "%zu codes of %u bits take %zu bytes", n, width,
          fpfmt_packed_size(width, n));
    memset(packed, CANARY, sizeof packed);
    memset(unpacked, CANARY, sizeof unpacked);
    pack_by_bits(width, order, model, codes + offset, n);
    CHECK(fpfmt_pack(width, order, packed + offset, codes + offset, n), "packing is refused");
    CHECK(memcmp(packed + offset, model, size) == 0, "width %u order %d n %zu packs otherwise",
          width, order, n);
    CHECK(is_canary(packed, offset) &&
              is_canary(packed + offset + size, sizeof packed - offset - size),
          "width %u order %d n %zu packs beyond", width, order, n);

    CHECK(fpfmt_unpack(width, order, unpacked + offset, packed + offset, n),
          "unpacking is refused");
    for (size_t i = 0; i < n; i++)
        CHECK(unpacked[offset + i] == (codes[offset + i] & ((1u << width) - 1)),
              "width %u order %d n %zu: element %zu is %x", width, order, n, i,
              unpacked[offset + i]);
    CHECK(is_canary(unpacked, offset) &&
              is_canary(unpacked + offset + n, sizeof unpacked - offset - n),
          "width %u order %d n %zu unpacks beyond", width, order, n);

    /* In place, and from a little before. */
    size_t before = offset - n % 3 % (offset + 1);
    memcpy(work, codes, sizeof codes);
    CHECK(fpfmt_pack(width, order, work + before, work + offset, n), "refused in place");
    CHECK(memcmp(work + before, model, size) == 0 &&
              memcmp(work + offset + n, codes + offset + n, EDGE) == 0 &&
              memcmp(work, codes, before) == 0,
          "width %u order %d n %zu packs otherwise in place", width, order, n);
}

static void packs_by_bits(void)
{
    for (size_t i = 0; i < sizeof codes; i++)
        codes[i] = (uint8_t)random_bits_64();
    for (unsigned width = 1; width <= 8; width++)
        for (size_t order = 0; order < 2; order++) {
            for (size_t n = 0; n <= 200; n++)
                try_packing(width, orders[order], n, n % EDGE);
            for (int i = 0; i < 20; i++)
                try_packing(width, orders[order], random_bits_64() % MOST, random_bits_64() % EDGE);
        }
}

/* Written out by hand: element 0 at the low end of the first byte, or at its high end. */
static void known_layouts(void)
{
    static const struct {
        unsigned width;
        int order;
        size_t n;
        uint8_t codes[8], packed[8];
    } rows[] = {
        { 4, FPFMT_PACK_LOW_FIRST, 2, { 0x1, 0x2 }, { 0x21 } },
        { 4, FPFMT_PACK_HIGH_FIRST, 2, { 0x1, 0x2 }, { 0x12 } },
        { 4, FPFMT_PACK_LOW_FIRST, 3, { 0x1, 0x2, 0x3 }, { 0x21, 0x03 } },
        { 4, FPFMT_PACK_HIGH_FIRST, 3, { 0x1, 0x2, 0x3 }, { 0x12, 0x30 } },
        { 4, FPFMT_PACK_LOW_FIRST, 2, { 0xF1, 0xE2 }, { 0x21 } },
        { 6, FPFMT_PACK_LOW_FIRST, 4, { 0x01, 0x02, 0x03, 0x3F }, { 0x81, 0x30, 0xFC } },
        { 6, FPFMT_PACK_HIGH_FIRST, 4, { 0x01, 0x02, 0x03, 0x3F }, { 0x04, 0x20, 0xFF } },
        { 6, FPFMT_PACK_LOW_FIRST, 1, { 0x2A }, { 0x2A } },
        { 6, FPFMT_PACK_HIGH_FIRST, 1, { 0x2A }, { 0xA8 } },
        { 1, FPFMT_PACK_LOW_FIRST, 8, { 1, 0, 0, 0, 0, 0, 1, 0 }, { 0x41 } },
        { 1, FPFMT_PACK_HIGH_FIRST, 8, { 1, 0, 0, 0, 0, 0, 1, 0 }, { 0x82 } },
        { 8, FPFMT_PACK_HIGH_FIRST, 3, { 0x12, 0x34, 0x56 }, { 0x12, 0x34, 0x56 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t got[8] = { 0 };
        CHECK(fpfmt_pack(rows[i].width, rows[i].order, got, rows[i].codes, rows[i].n) &&
                  memcmp(got, rows[i].packed, sizeof got) == 0,
              "row %zu is packed as %02x %02x %02x", i, got[0], got[1], got[2]);
    }
    CHECK(fpfmt_packed_size(8, SIZE_MAX) == SIZE_MAX &&
              fpfmt_packed_size(4, SIZE_MAX) == SIZE_MAX / 2 + 1 &&
              fpfmt_packed_size(6, SIZE_MAX - 7) == (SIZE_MAX - 7) / 8 * 6,
          "the size of very many codes");
    CHECK(fpfmt_packed_size(0, 8) == 0 && fpfmt_packed_size(9, 8) == 0, "the size of no packing");
}

/* One format: as encode and pack, and unpack and decode, in two calls; and in place. */
static void try_plan(const fpfmt_plan *plan, int order, size_t n)
{
    static float values[MOST], decoded[MOST], expected[MOST];
    unsigned width = (unsigned)fpfmt_measure(&plan->format).width, flags = 0, again = 0;
    size_t size = fpfmt_packed_size(width, n);
    fill_carriers(values, 4, n, &plan->format);
    fpfmt_plan_encode_f32(plan, codes, values, n, FIRST, &flags);
    pack_by_bits(width, order, model, codes, n);
    memset(packed, CANARY, sizeof packed);
    CHECK(fpfmt_plan_encode_packed_f32(plan, order, packed, values, n, FIRST, &again),
          "encoding is refused");
    CHECK(memcmp(packed, model, size) == 0 && again == flags,
          "%s order %d n %zu is encoded otherwise", plan->format.name, order, n);
    CHECK(is_canary(packed + size, sizeof packed - size), "%s is encoded beyond",
          plan->format.name);
    memcpy(work, values, n * 4);
    CHECK(fpfmt_plan_encode_packed_f32(plan, order, work, (float *)(void *)work, n, FIRST, NULL) &&
              memcmp(work, model, size) == 0,
          "%s is encoded otherwise in place", plan->format.name);

    flags = again = 0;
    memset(decoded, CANARY, sizeof decoded);
    bool held = fpfmt_plan_decode_f32(plan, expected, codes, n, &flags);
    CHECK(fpfmt_plan_decode_packed_f32(plan, order, decoded, packed, n, &again) == held,
          "%s is decoded, or not, otherwise", plan->format.name);
    CHECK(!held || (memcmp(decoded, expected, n * 4) == 0 && again == flags),
          "%s order %d n %zu is decoded otherwise", plan->format.name, order, n);
    CHECK(is_canary((const uint8_t *)(decoded + n), (MOST - n) * 4), "%s is decoded beyond",
          plan->format.name);
}

static void plans_pack(void)
{
    fpfmt_format format;
    fpfmt_policy policy;
    fpfmt_plan plan;
    size_t tried = 0;
    for (size_t f = 0; array_format(&format, f); f++) {
        if (fpfmt_measure(&format).width > 8)
            continue;
        for (size_t m = 0; array_mode(&policy, m); m++)
            for (size_t s = 0; fpfmt_kernels_at(s) != NULL; s++) {
                array_policy(&policy, m % 11);
                array_mode(&policy, m);
                if (!fpfmt_kernels_run_here(fpfmt_kernels_at(s)))
                    continue;
                fpfmt_prepare(&plan, &format, &policy, fpfmt_kernels_at(s));
                try_plan(&plan, orders[m % 2], m < 8 ? m * 5 : random_bits_64() % 600);
                tried++;
            }
    }
    printf("# %zu plans\n", tried);
}

static void refusals(void)
{
#ifdef FPFMT_CHECKING
    skip_test("this build stops at a fault of the caller");
#else
    static fpfmt_plan empty;
    static float values[16];
    fpfmt_format fine;
    fpfmt_plan narrow, wide, below;
    memset(packed, CANARY, sizeof packed);
    fpfmt_prepare(&narrow, fpfmt_named("e2m1"), NULL, NULL);
    fpfmt_prepare(&wide, fpfmt_named("fp16"), NULL, NULL);
    CHECK(fpfmt_find(&fine, "e7m0b200none") == FPFMT_FOUND &&
              fpfmt_prepare(&below, &fine, NULL, NULL) &&
              !fpfmt_plan_decode_packed_f32(&below, 0, values, packed, 8, NULL),
          "values finer than a float's are decoded to floats");
    CHECK(!fpfmt_pack(0, 0, packed, codes, 8) && !fpfmt_pack(9, 0, packed, codes, 8) &&
              !fpfmt_unpack(9, 0, packed, codes, 8),
          "a width is taken");
    CHECK(!fpfmt_pack(4, 2, packed, codes, 8) && !fpfmt_unpack(4, -1, packed, codes, 8) &&
              !fpfmt_plan_encode_packed_f32(&narrow, 2, packed, values, 8, 0, NULL),
          "an order is taken");
    CHECK(!fpfmt_pack(4, 0, NULL, codes, 8) && !fpfmt_pack(4, 0, packed, NULL, 8) &&
              !fpfmt_unpack(4, 0, NULL, codes, 8) &&
              !fpfmt_plan_decode_packed_f32(&narrow, 0, NULL, codes, 8, NULL),
          "NULL is taken");
    CHECK(!fpfmt_pack(4, 0, packed + 1, packed, 8) && !fpfmt_unpack(4, 0, packed, packed, 8) &&
              !fpfmt_unpack(4, 0, packed, packed + 7, 8) &&
              !fpfmt_plan_decode_packed_f32(&narrow, 0, values, values, 8, NULL) &&
              !fpfmt_plan_encode_packed_f32(&narrow, 0, values + 1, values, 8, 0, NULL),
          "overlap is taken");
    CHECK(!fpfmt_pack(4, 0, packed, codes, SIZE_MAX) &&
              !fpfmt_plan_encode_packed_f32(&narrow, 0, packed, values, SIZE_MAX / 4, 0, NULL) &&
              !fpfmt_plan_decode_packed_f32(&narrow, 0, values, packed, SIZE_MAX / 4, NULL),
          "a long array is taken");
    CHECK(!fpfmt_plan_encode_packed_f32(&empty, 0, packed, values, 8, 0, NULL) &&
              !fpfmt_plan_decode_packed_f32(&empty, 0, values, packed, 8, NULL),
          "an empty plan is taken");
    CHECK(!fpfmt_plan_encode_packed_f32(&wide, 0, packed, values, 8, 0, NULL) &&
              !fpfmt_plan_decode_packed_f32(&wide, 0, values, packed, 8, NULL),
          "a wide format is taken");
    CHECK(is_canary(packed, sizeof packed), "what is refused writes");
    CHECK(fpfmt_pack(4, 0, NULL, NULL, 0) && fpfmt_unpack(4, 0, NULL, NULL, 0) &&
              fpfmt_plan_encode_packed_f32(&narrow, 0, NULL, NULL, 0, 0, NULL) &&
              fpfmt_plan_decode_packed_f32(&narrow, 0, NULL, NULL, 0, NULL),
          "no element is refused");
    CHECK(fpfmt_unpack(4, 0, packed + 4, packed, 8) && fpfmt_unpack(4, 0, packed, packed + 8, 8),
          "neighbours are refused");
#endif
}

int main(void)
{
    static const struct test tests[] = {
        { "codes of every width are packed and unpacked as bit by bit", packs_by_bits },
        { "the layouts of FP4 and FP6 are as written out", known_layouts },
        { "plans encode to packed codes and decode from them", plans_pack },
        { "faults of the caller are refused, and nothing is written", refusals },
    };
    return run_tests("pack", tests, sizeof tests / sizeof tests[0]);
}
