/* view.h - what people see, and what programs read
 * SPDX-License-Identifier: MIT */

#ifndef VIEW_H
#define VIEW_H

#include "../fpinspect/out.h"
#include "flops.h"
#include "memory.h"

void view_memory(const memory_budget *made, const options *chosen);
void view_flops(const flops_budget *made, const options *chosen);

/* --explain: the formulas with the numbers put in, and the activations by term. */
void explain_memory(const memory_budget *made, const options *chosen);
void explain_flops(const flops_budget *made, const options *chosen);

/* --json */
void json_memory(const memory_budget *made, const options *chosen);
void json_flops(const flops_budget *made, const options *chosen);

/* ---- pieces that screens share ---- */

/* A name, and behind it a text that keeps to a column of its own. */
void view_item(const char *name, style how, const char *text);

/* What was taken for granted, a line each. */
void view_assumptions(const char *const sentences[], size_t count);

/* Parameters as they were given, or all digits of the number found. */
void parameters_text(number text, const memory_budget *made, const options *chosen);

/* What a device may do at the most, in TFLOP/s, with the format of its products. */
void peak_text(number text, const flops_budget *made, const options *chosen);

/* Seconds as "≈143.94 days", in the largest unit of which there is one. */
void time_text(number text, exact seconds);

/* "6 N + 12 L h s" of a pass, with what stands for N and for L h s. */
void pass_text(number text, const pass *now, const flops_budget *made, const char *parameters,
               const char *attention);

/* The device's name, or "a device" where there is none. */
const char *device_name(const options *chosen);

#endif
