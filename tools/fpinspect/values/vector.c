/* vector.c - the values of a file as codes of one format
 * SPDX-License-Identifier: MIT */

#include "values/vector.h"

#include <stdio.h>
#include <string.h>

#include "kit/lines.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/say.h"
#include "values/input.h"

/* A file that is read, and what to say of it at the end. */
typedef struct {
    vector *made;
    size_t rounded; /* values that are none of the format; of the first one, or that overflows: */
    char where[140], text[80];
    uint64_t code;
    bool overflowed, hinted;
} reading;

static void append(vector *made, uint64_t code)
{
    size_t n = made->count++;
    made->codes = more(made->codes, n, fpfmt_code_bytes(made->format));
    fpfmt_store_code(made->format, made->codes, n, code);
}

/* An example for the note. */
static void remember(reading *now, uint64_t code, bool overflowed, const char *where,
                     const char *text)
{
    if (now->rounded++ > 0 && (now->overflowed || !overflowed))
        return;
    snprintf(now->where, sizeof now->where, "%s", where);
    snprintf(now->text, sizeof now->text, "%.79s", quoted(text, strlen(text)));
    now->code = code;
    now->overflowed = overflowed;
}

static bool take_value(void *context, char *text, size_t length, const char *where)
{
    input in = { .text = NULL };
    reading *now = context;
    const fpfmt_policy policy = { .nan = FPFMT_NAN_PRESERVE };
    unsigned flags = 0;
    if (!read_input(&in, NULL, false, text, length, where))
        return false;
    if (in.looks_like_bits && !now->hinted)
        hint_at_bits_of(&in, now->made->format);
    now->hinted |= in.looks_like_bits;
    uint64_t code = fpfmt_encode(now->made->format, in.value, &policy, &flags);
    if (flags != 0)
        remember(now, code, (flags & FPFMT_FLAG_OVERFLOW) != 0, where, in.text);
    append(now->made, code);
    release_input(&in);
    return true;
}

static void tell_rounded(const reading *now)
{
    char became[40];
    const vector *made = now->made;
    tell_value(became, fpfmt_decode(made->format, now->code));
    note("%s%s became %s: %zu of %zu values %s rounded to %s", now->where, now->text, became,
         now->rounded, made->count, now->rounded == 1 ? "was" : "were", made->format->name);
}

bool read_vector(vector *made, const char *path, const fpfmt_format *format)
{
    reading now = { .made = made };
    *made = (vector){ .path = path, .format = format };
    if (!for_each_line(path, take_value, &now)) {
        free_vector(made);
        return false;
    }
    if (now.rounded > 0)
        tell_rounded(&now);
    return true;
}

void free_vector(vector *made)
{
    release(made->codes);
    made->codes = NULL;
    made->count = 0;
}

fpfmt_value vector_value(const vector *of, size_t index)
{
    return fpfmt_decode(of->format, fpfmt_load_code(of->format, of->codes, index));
}

fpfmt_series vector_series(const vector *of)
{
    return (fpfmt_series){ .format = of->format, .codes = of->codes, .stride = 1 };
}

const char *vector_name(const vector *of)
{
    return strcmp(of->path, "-") == 0 ? "standard input" : quoted(of->path, strlen(of->path));
}
