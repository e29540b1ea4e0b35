/* loss_cells.c - cells of tables that say what rounding did to many elements
 * SPDX-License-Identifier: MIT */

#include "kit/loss_cells.h"

#include <string.h>

#include "kit/number.h"
#include "kit/table.h"
#include "kit/text.h"

enum { ABOUT_ROOM = 80 };

void cell_share(uint64_t count, uint64_t of, style how)
{
    number text;
    fpfmt_ratio share, all;
    fpfmt_ratio_from(&share, fpfmt_from_u64(count));
    fpfmt_ratio_from(&all, fpfmt_from_u64(of));
    if (of == 0 || !fpfmt_ratio_divide(&share, &share, &all)) {
        table_cell(STYLE_DIM, "-");
        return;
    }
    show_percent(text, &share, LEAD_NONE);
    table_cell(count > 0 ? how : STYLE_PLAIN, text);
}

void cell_about(bool known, double value, const char *unit)
{
    number digits;
    char text[ABOUT_ROOM];
    fpfmt_ratio ratio;
    if (!known || !fpfmt_ratio_from(&ratio, fpfmt_from_f64(value))) {
        table_cell(STYLE_DIM, "-");
        return;
    }
    fpfmt_print_rounded(digits, sizeof digits, &ratio, 3, NULL);
    print_text(text, sizeof text, "%.40s %s", digits, unit);
    table_cell(STYLE_PLAIN, text);
}

void cell_relative(const fpfmt_stats *stats)
{
    number text;
    fpfmt_ratio worst;
    fpfmt_value value = stats->relative;
    bool cut = value.inexact;
    value.inexact = false;
    if (stats->nonzero == 0 || !fpfmt_ratio_from(&worst, value)) {
        table_cell(STYLE_DIM, "-");
        return;
    }
    show_percent(text, &worst, LEAD_NONE);
    if (cut && strncmp(text, "≈", strlen("≈")) != 0) {
        number about;
        print_text(about, sizeof about, "≈%.100s", text);
        table_cell(STYLE_PLAIN, about);
    } else {
        table_cell(STYLE_PLAIN, text);
    }
}
