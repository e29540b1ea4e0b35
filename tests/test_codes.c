/* test_codes.c - codes of arrays one by one, and what a value is
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <inttypes.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"

enum { CODES = 5, ROOM = 8 * (CODES + 2) + 1 };

/* A code with ones above its width goes to place CODES / 2 of an array at an odd address: nothing
 * around it changes, and what is above the width is cut off, there and in an array that has it. */
static void check_format(const fpfmt_format *format)
{
    unsigned char room[ROOM], *codes = room + 1;
    int width = fpfmt_measure(format).width;
    size_t bytes = fpfmt_code_bytes(format), at = CODES / 2 * bytes;
    uint64_t mask = UINT64_MAX >> (64 - width), word = 0x9A5C3B71E2D4F687;
    CHECK(bytes == code_bytes(format), "%s: %zu bytes", format->name, bytes);
    memset(room, 0xA5, sizeof room);
    fpfmt_store_code(format, codes, CODES / 2, word);
    CHECK(load_word(codes + at, bytes) == (word & mask), "%s: 0x%" PRIx64 " is stored",
          format->name, load_word(codes + at, bytes));
    for (size_t i = 0; i < sizeof room; i++)
        CHECK((i > at && i <= at + bytes) || room[i] == 0xA5, "%s: byte %zu changed", format->name,
              i);
    store_word(codes + at, word, bytes);
    CHECK(fpfmt_load_code(format, codes, CODES / 2) == (word & mask), "%s: 0x%" PRIx64 " is read",
          format->name, fpfmt_load_code(format, codes, CODES / 2));
}

static void every_format(void)
{
    fpfmt_format format;
    for (size_t i = 0; array_format(&format, i); i++)
        check_format(&format);
}

/* Of every code of a format with all kinds of values, as the predicates of codes tell. */
static void values(void)
{
    const fpfmt_format *e5m2 = fpfmt_named("e5m2");
    for (uint64_t code = 0; code < 256; code++) {
        fpfmt_value value = fpfmt_decode(e5m2, code);
        CHECK(fpfmt_value_is_nan(value) == ((code & 0x7F) > 0x7C), "0x%" PRIx64 ": NaN", code);
        CHECK(fpfmt_value_is_infinite(value) == ((code & 0x7F) == 0x7C), "0x%" PRIx64 ": Inf",
              code);
        CHECK(fpfmt_value_is_finite(value) == ((code & 0x7F) < 0x7C), "0x%" PRIx64 ": finite",
              code);
        CHECK(fpfmt_value_is_zero(value) == ((code & 0x7F) == 0), "0x%" PRIx64 ": zero", code);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "a code is stored and read at its place, without what is above its width", every_format },
        { "a value is NaN, infinite, finite or zero", values },
    };
    return run_tests("codes", tests, sizeof tests / sizeof tests[0]);
}
