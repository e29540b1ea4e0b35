/* formats.c - formats by name, lists of them, and what to say of names that are none
 * SPDX-License-Identifier: MIT */

#include "kit/formats.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"

/* Formats that no row can hold, and how many bits of precision they have. */
static const struct {
    const char *names;
    const char *what;
    int precision;
} too_precise[] = {
    { "fp128 float128 f128 quad quadruple binary128 e15m112 __float128 _Float128 numpy.float128",
      "IEEE binary128", 113 },
    { "x87 fp80 float80 f80 extended binary80 e15m64 x86_fp80 longdouble long-double",
      "x87's "
      "extended format",
      64 },
    { "fp256 float256 f256 octuple binary256 e19m236", "IEEE binary256", 237 },
    { "int64 i64 s64 torch.int64 numpy.int64", "a 64-bit integer", 63 },
    { "uint64 u64 torch.uint64 numpy.uint64", "a 64-bit integer without sign", 64 },
    { "doubledouble double-double ppc_fp128", "double-double", 106 },
};

/* Names of other projects for formats that the grammar has and no row. */
static const struct {
    const char *names, *spelt;
} grammatical[] = {
    { "fp8e4b15 float8e4b15 tl.float8e4b15", "e4m3b15none" },
};

static bool spell_format(const char *where, const char *name)
{
    for (size_t i = 0; i < sizeof grammatical / sizeof grammatical[0]; i++)
        if (is_word_of(grammatical[i].names, name)) {
            complain("%sunknown format '%s'; here it is '%s'", where, quoted(name, strlen(name)),
                     grammatical[i].spelt);
            return true;
        }
    return false;
}

bool explain_missing_format(const char *where, const char *name)
{
    for (size_t i = 0; i < sizeof too_precise / sizeof too_precise[0]; i++)
        if (is_word_of(too_precise[i].names, name)) {
            complain("%sformat '%s' cannot be used: %s has %d bits of precision, and past 53 not "
                     "every value is a double (fp64)",
                     where, quoted(name, strlen(name)), too_precise[i].what,
                     too_precise[i].precision);
            return true;
        }
    return false;
}

void complain_about_format(const char *where, const char *name, fpfmt_status status,
                           const fpfmt_format *format)
{
    char suggestion[FPFMT_NAME_SIZE], all[200] = "";
    if (explain_missing_format(where, name) || spell_format(where, name))
        return;
    if (*name == '\0') {
        complain("%san empty name; a format was expected, as bf16", where);
        return;
    }
    const char *shown = quoted(name, strlen(name));
    if (status == FPFMT_UNSOUND) {
        complain("%sformat '%s' cannot be used: %s", where, shown, fpfmt_defect(format));
        return;
    }
    for (size_t i = 0;
         fpfmt_suggest(suggestion, sizeof suggestion, name, i) > 0 && strlen(all) < 120; i++)
        sprintf(all + strlen(all), "%s%s", i > 0 ? ", " : "", suggestion);
    if (status == FPFMT_AMBIGUOUS)
        complain("%sformat '%s' could mean any of %s; write which", where, shown, all);
    else if (*all != '\0')
        complain("%sunknown format '%s'; did you mean '%s'?\nTry 'fpinspect --list-formats', or "
                 "describe your own: e8m7, e4m3fnuz, e5m2b16.",
                 where, shown, all);
    else
        complain(
            "%sunknown format '%s'\nTry 'fpinspect --list-formats', or describe your own: e8m7, "
            "e4m3fnuz, e5m2b16.",
            where, shown);
}

bool find_format(fpfmt_format *format, const char *name)
{
    fpfmt_status status = fpfmt_find(format, name);
    if (status != FPFMT_FOUND) {
        complain_about_format("", name, status, format);
        return false;
    }
    if (format->caution != NULL && strcasecmp(format->name, name) != 0)
        note("%s is %s: %s", name, format->name, format->caution);
    return true;
}

static void add_format(format_list *list, const fpfmt_format *format)
{
    list->rows = more(list->rows, list->count, sizeof *format);
    list->rows[list->count++] = *format;
}

bool add_set(format_list *list, const char *name)
{
    size_t before = list->count;
    for (size_t i = 0; fpfmt_at(i) != NULL; i++)
        if (strcmp(name, "all") == 0 || is_word_of(fpfmt_at(i)->sets, name))
            add_format(list, fpfmt_at(i));
    return list->count > before;
}

bool read_formats(format_list *list, const char *text)
{
    bool filled = has_all_items(text), good = filled;
    char *name;
    for (size_t i = 0; filled && (name = list_item(text, i)) != NULL; i++) {
        fpfmt_format format;
        if (!add_set(list, name)) {
            if (find_format(&format, name))
                add_format(list, &format);
            else
                good = false;
        }
        release(name);
    }
    return good;
}
