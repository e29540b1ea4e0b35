/* scan_report.c - results of scans as they come, and all of them together
 * SPDX-License-Identifier: MIT */

#include "command/scan_report.h"

#include "command/views.h"
#include "kit/say.h"
#include "screens/scan_screen.h"

void begin_report(scan_report *made, const request *chosen, const target_list *targets)
{
    size_t count = 0;
    *made = (scan_report){ .chosen = chosen, .targets = targets };
    made->all = new_result(targets, 0);
    made->flat = chosen->form != FORM_JSON && chosen->form != FORM_JSONL;
    if (chosen->form == FORM_SCREEN)
        return;
    for (const field *here = made->flat ? scan_row_fields : tensor_fields; here->name != NULL;
         here++)
        made->fields[count++] = here;
    records_open(&made->rows, chosen->form, fpinspect_schema);
    records_begin(&made->rows, "tensors", made->fields, count);
}

static void show(scan_report *to, const scan_result *of)
{
    tensor_facts made;
    if (to->chosen->form == FORM_SCREEN) {
        draw_scan(of, to->targets);
        return;
    }
    make_tensor_facts(&made, of, to->targets);
    const column_facts *columns = made.columns.rows;
    if (!to->flat)
        records_row(&to->rows, &made);
    for (size_t t = 0; t < to->targets->count && to->flat; t++)
        records_row(&to->rows, &columns[t]);
    release_tensor_facts(&made);
}

void put_result(scan_report *to, const scan_result *of)
{
    show(to, of);
    add_result(to->all, of, to->targets->count, 0);
    to->count++;
}

/* ---- conditions ---- */

static void judge(const scan_report *of)
{
    const value_counts *values = &of->all->values;
    for (size_t t = 0; t < of->targets->count; t++)
        for (size_t i = 0; i < of->chosen->limit_count; i++) {
            const fail_limit *limit = &of->chosen->limits[i];
            uint64_t count = count_outcome(&of->all->columns[t].stats, limit->outcome);
            char name[TARGET_NAME];
            name_target(name, &of->targets->rows[t]);
            if (is_past_limit(limit, count, values->count - values->zero, name))
                fail_condition();
        }
}

void end_report(scan_report *of)
{
    if (of->count > 1)
        show(of, of->all);
    if (of->count > 0)
        judge(of);
    if (of->chosen->form != FORM_SCREEN)
        records_close(&of->rows);
    release_result(of->all, of->targets->count);
}
