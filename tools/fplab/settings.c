/* settings.c - the options that every experiment takes
 * SPDX-License-Identifier: MIT */

#include "settings.h"

#include "kit/records.h"

/* Two forms at once are refused when all options are known. */
static bool set_form(void *settings, const option_row *row, const char *text)
{
    common_settings *asked = settings;
    (void)text;
    asked->several_forms |= asked->form != FORM_SCREEN && asked->form != row->value;
    asked->form = row->value;
    return true;
}

static bool set_seed(void *settings, const option_row *row, const char *text)
{
    common_settings *asked = settings;
    asked->has_seed = true;
    return set_whole(settings, row, text);
}

#define AT(member) .target = offsetof(common_settings, member)
#define FORM(form_name, form_value, told)                                                          \
    {                                                                                              \
        .name = form_name, .summary = told, .read = set_form, .value = form_value                  \
    }

/* clang-format off */
const option_row common_options[] = {
    { .name = "seed", .takes = "N", .summary = "seed of what is random; 0 without it",
      .read = set_seed, AT(seed), .most = UINT64_MAX },
    FORM("tsv", FORM_TSV, "print rows of fields separated by tabs"),
    FORM("csv", FORM_CSV, "print rows of fields separated by commas"),
    FORM("json", FORM_JSON, "print the rows as JSON"),
    FORM("jsonl", FORM_JSONL, "print a line of JSON for each row"),
    DISPLAY_OPTIONS(offsetof(common_settings, display)),
    { .name = NULL },
};

const option_row about_options[] = {
    { .name = "help", .letter = 'h', .summary = "print a summary", .read = set_true, AT(help) },
    { .name = "version", .letter = 'V', .summary = "print the version", .read = set_true,
      AT(version) },
    { .name = NULL },
};
/* clang-format on */
