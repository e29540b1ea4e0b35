/* scan_worst.c - the elements of a tensor that lose most, as a table
 * SPDX-License-Identifier: MIT */

#include "screens/scan_screen.h"

#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "kit/table.h"
#include "kit/tensorfile/tensorfile.h"
#include "kit/text.h"
#include "screens/screen.h"

static void show_index(char text[TARGET_NAME], const scan_result *of, uint64_t index)
{
    uint64_t sizes[TENSOR_RANK], at[TENSOR_RANK];
    int rank = 0;
    for (const char *from = of->shape; *from != '\0' && rank < TENSOR_RANK; rank++) {
        int read = 0;
        unsigned long long size = 0;
        if (sscanf(from, "%llu%n", &size, &read) != 1)
            break;
        sizes[rank] = size;
        from += (size_t)read + strspn(from + read, " ");
    }
    for (int i = rank; i-- > 0; index /= sizes[i])
        at[i] = index % sizes[i];
    print_text(text, TARGET_NAME, "[");
    for (int i = 0; i < rank; i++)
        append_text(text, TARGET_NAME, "%s%llu", i == 0 ? "" : ", ", (unsigned long long)at[i]);
    append_text(text, TARGET_NAME, "]");
}

static void draw_loss(const scan_result *of, const scan_target *target, const element_loss *loss,
                      const char *name)
{
    char text[TARGET_NAME], code[24], scale[24];
    number shown;
    fpfmt_ratio ratio;
    table_cell(STYLE_NAME, name);
    show_index(text, of, loss->index);
    table_cell(STYLE_PLAIN, text);
    fpfmt_ratio_from(&ratio, fpfmt_from_f64(loss->value));
    show_ratio(shown, &ratio, 9, LEAD_HANG);
    table_cell(STYLE_INPUT, shown);
    show_code(code, &target->format, loss->code);
    if (target->block != NULL)
        print_text(text, sizeof text, "%s × %s", code,
                   show_code(scale, &target->block->scale, loss->scale));
    else
        print_text(text, sizeof text, "%s", code);
    table_cell(STYLE_PLAIN, text);
    fpfmt_value result = fpfmt_from_f64(loss->result);
    if (fpfmt_ratio_from(&ratio, result))
        show_ratio(shown, &ratio, 9, LEAD_HANG);
    else
        show_value(shown, &target->format, result, false, LEAD_HANG);
    table_cell(STYLE_PLAIN, shown);
    table_cell(STYLE_WARN, word_for(&status_words, status_of_loss(target, loss)));
    table_row();
}

void draw_worst(const scan_result *of, const target_list *targets)
{
    static const char *const heads[] = { "worst", "index", "value", "code", "becomes", "status" };
    bool any = false;
    for (size_t t = 0; t < targets->count; t++)
        any |= of->columns[t].worst_count > 0;
    if (!any)
        return;
    out_line();
    table_begin(2);
    table_drop(3, 1);
    for (int c = 0; c < 6; c++)
        table_cell(STYLE_DIM, heads[c]);
    table_row();
    for (size_t t = 0; t < targets->count; t++) {
        char name[TARGET_NAME];
        name_target(name, &targets->rows[t]);
        for (size_t i = 0; i < of->columns[t].worst_count; i++)
            draw_loss(of, &targets->rows[t], &of->columns[t].worst[i], i == 0 ? name : "");
    }
    table_flush();
}
