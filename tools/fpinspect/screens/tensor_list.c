/* tensor_list.c - the tensors of files, as people see them
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "facts/tensor_list.h"
#include "kit/memory.h"
#include "kit/out.h"
#include "kit/table.h"
#include "kit/text.h"
#include "screens/view.h"

enum { CELL_TEXT = 240 };

static void cell_shape(const char *shape)
{
    char text[CELL_TEXT] = "[";
    for (size_t at = 0; shape[at] != '\0'; at++)
        append_text(text, sizeof text, shape[at] == ' ' ? ", " : "%c", shape[at]);
    append_text(text, sizeof text, "]");
    table_cell(STYLE_PLAIN, text);
}

static void draw_tensor(const listed_tensor *of)
{
    char text[CELL_TEXT];
    bool same = of->format != NULL && strcmp(of->format, of->type) == 0;
    char *name = as_line(*of->tensor == '\0' ? of->file : of->tensor);
    table_cell(STYLE_NAME, name);
    release(name);
    table_cell(STYLE_PLAIN, of->type);
    table_cell(of->format == NULL ? STYLE_WARN : STYLE_INPUT, of->format == NULL ? "not read"
                                                              : same             ? ""
                                                                                 : of->format);
    cell_shape(of->shape);
    print_text(text, sizeof text, "%llu", (unsigned long long)of->bytes);
    table_cell(STYLE_PLAIN, text);
    *text = '\0';
    if (of->is_scale)
        print_text(text, sizeof text, "scales");
    else if (of->scheme != NULL)
        print_text(text, sizeof text, "%s", of->scheme);
    table_cell(STYLE_DIM, text);
    table_row();
}

void draw_tensors(const request *chosen, const fact_list *facts)
{
    static const char *const heads[] = { "tensor", "type", "format", "shape", "bytes", "" };
    const listed_tensor *rows = facts->rows;
    for (size_t i = 0; i < facts->count; i++) {
        bool first = i == 0 || strcmp(rows[i].file, rows[i - 1].file) != 0;
        if (first && i > 0)
            table_flush();
        if (first && chosen->operand_count > 1) {
            if (i > 0)
                out_line();
            outf(STYLE_DIM, "file ");
            out(STYLE_NAME, rows[i].file);
            out_line();
        }
        if (first) {
            table_begin(0);
            table_align(4, ALIGN_RIGHT);
            table_drop(2, 1);
            for (size_t c = 0; c < sizeof heads / sizeof heads[0]; c++)
                table_cell(STYLE_DIM, heads[c]);
            table_row();
        }
        draw_tensor(&rows[i]);
    }
    table_flush();
}
