/* draw_lists.c - the formats, the policies, and the words for rounding
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "facts/format.h"
#include "facts/lists.h"
#include "kit/table.h"
#include "screens/view.h"

void draw_formats(const request *chosen, const fact_list *list)
{
    const format_facts *rows = list->rows;
    (void)chosen;
    table_begin(0);
    for (size_t i = 0; i < list->count; i++) {
        table_cell(STYLE_NAME, rows[i].name);
        table_cell(STYLE_PLAIN, rows[i].title);
        table_cell(STYLE_DIM, rows[i].aliases != NULL ? rows[i].aliases : "");
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(0, "Formats whose elements share scales, as mxfp4 and nvfp4: --list-blocks.");
}

void draw_policies(const request *chosen, const fact_list *list)
{
    const policy_facts *rows = list->rows;
    (void)chosen;
    table_begin(0);
    for (size_t i = 0; i < list->count; i++) {
        table_cell(STYLE_NAME, rows[i].name);
        table_cell(STYLE_PLAIN, rows[i].summary);
        table_row();
    }
    table_flush();
}

/* Each family under the option that takes its words. */
void draw_modes(const request *chosen, const fact_list *list)
{
    const mode_word_facts *rows = list->rows;
    (void)chosen;
    for (size_t i = 0; i < list->count; i++) {
        bool first = i == 0 || strcmp(rows[i].family, rows[i - 1].family) != 0;
        if (first && i > 0) {
            table_flush();
            out_line();
        }
        if (first) {
            outf(STYLE_DIM, "--%s", rows[i].family);
            out_line();
            table_begin(2);
        }
        table_cell(STYLE_NAME, rows[i].name);
        table_cell(STYLE_PLAIN, rows[i].summary);
        table_row();
    }
    table_flush();
}
