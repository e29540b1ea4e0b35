/* typed.c - values of a format: raw bits, as bf16:0x3f80, and landmarks, as fp16:max
 * SPDX-License-Identifier: MIT */

#include "values/typed.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kit/formats.h"
#include "kit/say.h"
#include "kit/words.h"
#include "values/limits.h"
#include "values/literal.h"

typedef enum {
    AT_MAX,
    AT_LOWEST,
    AT_MIN_NORMAL,
    AT_MIN_SUBNORMAL,
    AT_MIN_POSITIVE,
    AT_EPSILON,
    AT_INFINITY,
    AT_NAN
} landmark;

static const fpfmt_word landmarks[] = {
    { "max", "", NULL, AT_MAX },
    { "lowest", "", NULL, AT_LOWEST },
    { "minnorm", "min tiny smallest_normal", NULL, AT_MIN_NORMAL },
    { "minsub", "smallest_subnormal", NULL, AT_MIN_SUBNORMAL },
    { "minpos", "", NULL, AT_MIN_POSITIVE },
    { "eps", "epsilon", NULL, AT_EPSILON },
    { "inf", "infinity", NULL, AT_INFINITY },
    { "nan", "", NULL, AT_NAN },
};
static const word_table landmark_words = OWN_WORDS("landmark", landmarks);

static bool read_landmark(typed_value *in, int which, const char *shown, const char *where)
{
    fpfmt_limits limits = fpfmt_measure(&in->format);
    const char *missing = NULL;
    in->typed = true;
    switch ((landmark)which) {
    case AT_MAX: in->code = limits.max; break;
    case AT_LOWEST: in->code = limits.lowest; break;
    case AT_MIN_NORMAL: in->code = limits.min_normal; break;
    case AT_MIN_SUBNORMAL:
        in->code = limits.min_positive;
        missing =
            limits.has_subnormals ? NULL : "subnormals; its smallest positive value is minpos";
        break;
    case AT_MIN_POSITIVE: in->code = limits.min_positive; break;
    case AT_INFINITY:
        in->code = limits.infinity;
        missing = limits.has_infinity ? NULL : "infinity";
        break;
    case AT_NAN:
        in->code = limits.nan;
        missing = limits.has_nan ? NULL : "NaN";
        break;
    case AT_EPSILON:
        in->typed = false;
        missing = epsilon_of(&in->format, &in->value) ? NULL : "value 1, and so no step from it";
        break;
    }
    if (missing != NULL)
        complain("%s'%s': %s has no %s", where, shown, in->format.name, missing);
    if (in->typed)
        in->value = fpfmt_decode(&in->format, in->code);
    return missing == NULL;
}

bool read_typed(typed_value *in, const char *text, size_t colon, const char *where)
{
    const char *shown = quoted(text, strlen(text));
    bool negative = *text == '-';
    const char *name_at = text + (*text == '-' || *text == '+'), *rest = text + colon + 1;
    char name[FPFMT_NAME_SIZE + 16];
    snprintf(name, sizeof name, "%.*s", (int)(text + colon - name_at), name_at);
    fpfmt_status status = fpfmt_find(&in->format, name);
    literal bits;
    in->typed = false;
    if (status != FPFMT_FOUND) {
        complain_about_format(where, name, status, &in->format);
        return false;
    }
    const fpfmt_word *found = find_word(&landmark_words, rest);
    if (found != NULL) {
        if (!read_landmark(in, (int)found->meaning, shown, where))
            return false;
    } else if (read_literal(&bits, rest)) {
        if (!literal_fits(&bits, &in->format, shown, where))
            return false;
        in->typed = true;
        in->code = bits.code;
        in->value = fpfmt_decode(&in->format, in->code);
    } else {
        complain(
            "%s'%s': after '%s:' come bits as 0x1f, 0b11111, 5'h1f or 5'd31, or one of max lowest minnorm "
            "minsub minpos eps inf nan",
            where, shown, name);
        return false;
    }
    if (negative && in->value.kind < FPFMT_KIND_QUIET_NAN) {
        unsigned flags = 0;
        in->value.negative = !in->value.negative;
        in->code = fpfmt_encode(&in->format, in->value, NULL, &flags);
        in->typed &= flags == 0; /* else it has no code: the negative of an unsigned value */
    } else if (negative) {
        in->code = fpfmt_negate(&in->format, in->code);
        in->value = fpfmt_decode(&in->format, in->code);
    }
    return true;
}

/* A '-' may belong to a format's name. */
bool is_typed(const char *text, size_t *colon)
{
    const char *name_at = text + (*text == '-' || *text == '+');
    size_t length = strcspn(name_at, ":");
    char name[FPFMT_NAME_SIZE + 16];
    fpfmt_format format;
    *colon = (size_t)(name_at - text) + length;
    if (text[*colon] != ':' || strpbrk(text + *colon, "()*/^+-, ") != NULL ||
        !isalpha((unsigned char)*name_at) || strcspn(name_at, "()*/^+ ") < length)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, name_at);
    return strchr(name, '-') == NULL || fpfmt_find(&format, name) == FPFMT_FOUND;
}
