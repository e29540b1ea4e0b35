/* screens.h - budgets and lists as people see them, and budgets as JSON
 * SPDX-License-Identifier: MIT
 *
 * Screens draw what facts/ counted, and decide nothing. All of them write to the output of the
 * run. */

#ifndef FPBUDGET_SCREENS_H
#define FPBUDGET_SCREENS_H

#include "facts/flops_budget.h"
#include "facts/memory_budget.h"

/* explain: also the formulas with the numbers put in, and the activations by term. */
void draw_memory(const memory_budget *made, const question *asked, bool explain);
void draw_flops(const flops_budget *made, const question *asked, bool explain);

/* The part of these screens that explain adds. */
void explain_memory(const memory_budget *made, const question *asked);
void explain_flops(const flops_budget *made, const question *asked);

/* One object of the schema fpbudget/1, with a line break behind it. */
void json_memory(const memory_budget *made, const question *asked);
void json_flops(const flops_budget *made, const question *asked);

/* Each draws the list that the function of its name in facts/lists.h gathers. */
void draw_recipes(const fact_list *facts);
void draw_optimizers(const fact_list *facts);
void draw_devices(const fact_list *facts);
void draw_blocks(const fact_list *facts);

#endif
