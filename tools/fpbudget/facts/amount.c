/* amount.c - numbers as the command line has them: counts, rates, shares and bytes
 * SPDX-License-Identifier: MIT */

#include "facts/amount.h"

#include <string.h>
#include <strings.h>

#include "kit/say.h"

/* What a ratio of the command line may take, in limbs of 32 bits. exact.h says why there is such a
 * limit; 2^64 and decimals of 70 digits are within it. */
enum { MOST_LIMBS = 8 };

static const struct {
    const char *takes; /* what an option takes, in a sentence */
    const char *most;
} kinds[] = {
    [AMOUNT_COUNT] = { "a whole number from 1, as 4096, 7e9 or 7B", "1e18" },
    [AMOUNT_RATE] = { "a number above 0, as 380.5 or 312e12", "1e18" },
    [AMOUNT_SHARE] = { "a number above 0 and up to 1, as 0.5", "1" },
    [AMOUNT_BYTES] = { "bytes, as 80e9, 80GB or 80GiB", "1e18" },
};

static const struct {
    const char *suffix;
    bool of_bytes;
    const char *factor;
} suffixes[] = {
    { "GiB", true, "2^30" }, { "TiB", true, "2^40" }, { "MiB", true, "2^20" },
    { "KiB", true, "2^10" }, { "GB", true, "1e9" },   { "TB", true, "1e12" },
    { "MB", true, "1e6" },   { "KB", true, "1e3" },   { "K", false, "1e3" },
    { "M", false, "1e6" },   { "B", false, "1e9" },   { "T", false, "1e12" },
};

/* The length of a number without its suffix, and the factor that this is; 1 where there is none.
 * The digits of 0x7B are no suffix. */
static size_t without_suffix(const char *text, bool of_bytes, const char **factor)
{
    size_t length = strlen(text);
    *factor = "1";
    if (strncasecmp(text, "0x", 2) == 0)
        return length;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t n = strlen(suffixes[i].suffix);
        if (suffixes[i].of_bytes == of_bytes && n < length &&
            strcasecmp(text + length - n, suffixes[i].suffix) == 0) {
            *factor = suffixes[i].factor;
            return length - n;
        }
    }
    return length;
}

static bool is_short(const exact *value)
{
    return value->numerator.length <= MOST_LIMBS && value->denominator.length <= MOST_LIMBS;
}

/* Whether a number that is not short is too large, rather than too small or too finely divided. */
static bool is_huge(const char *text, size_t length)
{
    fpfmt_value value;
    return fpfmt_parse(&value, text, length, NULL) == length && !value.negative &&
           value.kind == FPFMT_KIND_NORMAL && value.exponent > 64;
}

bool read_amount(amount *read, const char *option, const char *text, amount_kind kind)
{
    const char *factor, *shown = quoted(text, strlen(text));
    size_t length = without_suffix(text, kind == AMOUNT_BYTES, &factor);
    exact value = { .negative = false };
    bool good =
        length > 0 && fpfmt_parse_ratio(&value, text, length, NULL) == length && is_short(&value);
    if (good)
        value = times(value, exact_decimal(factor));
    bool large = good ? compare(value, exact_decimal(kinds[kind].most)) > 0
                      : length > 0 && is_huge(text, length);
    bool whole = kind == AMOUNT_COUNT || kind == AMOUNT_BYTES;
    if (large && kind != AMOUNT_SHARE) {
        complain("--%s takes at most %s, and %s is more", option, kinds[kind].most, shown);
        return false;
    }
    if (!good || large || !is_short(&value) || compare(value, exact_whole(0)) <= 0 ||
        (whole && !is_whole(value))) {
        complain("--%s takes %s, not '%s'", option, kinds[kind].takes, shown);
        return false;
    }
    read->text = text;
    read->value = value;
    return true;
}

exact amount_or(const amount *given, uint64_t otherwise)
{
    return given->text != NULL ? given->value : exact_whole(otherwise);
}
