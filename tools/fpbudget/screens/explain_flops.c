/* explain_flops.c - the formulas of a budget of FLOPs with the numbers put in
 * SPDX-License-Identifier: MIT */

#include "kit/text.h"
#include "screens/items.h"
#include "screens/screens.h"

static void explain_pass(const pass *now, const flops_budget *made, const question *asked)
{
    number text, attention = "", parameters = "";
    append_text(parameters, sizeof parameters, "× %s", asked->parameters.text);
    if (made->has_attention)
        append_text(attention, sizeof attention, "× %s × %s × %s", asked->layers.text,
                    asked->hidden.text, asked->sequence.text);
    pass_text(text, sizeof text, now, made->has_attention, parameters, attention);
    append_text(text, sizeof text, " = ");
    append_exact(text, now->each.ratio);
    if (made->has_tokens) {
        append_text(text, sizeof text, "; × %s = ", asked->tokens.text);
        append_exact(text, now->all.ratio);
    }
    tell_twice(now->name, now->row->why, text);
}

/* Of a run that was measured: its MFU, and its time where the number of tokens is known. */
static void explain_speed(const flops_budget *made, const question *asked, const char *devices)
{
    number text = "";
    append_text(text, sizeof text, "%s tokens a second × ", asked->speed.text);
    append_exact(text, made->passes[PASS_MODEL].each.ratio);
    append_text(text, sizeof text, " / (%s × ", devices);
    append_exact(text, made->peak);
    append_text(text, sizeof text, ")");
    append_result(text, made->mfu, 10);
    tell("MFU", text);
    if (!made->has_time)
        return;
    *text = '\0';
    append_text(text, sizeof text, "%s / %s", asked->tokens.text, asked->speed.text);
    append_result(text, made->seconds, 10);
    append_text(text, sizeof text, " seconds");
    tell("time", text);
}

/* Of a run that is planned: its time. */
static void explain_time(const flops_budget *made, const question *asked, const char *devices)
{
    number text = "";
    append_exact(text, made->is_matmul ? made->product.flops : made->passes[PASS_MODEL].all.ratio);
    append_text(text, sizeof text, " / (%s × ", devices);
    append_exact(text, made->peak);
    append_text(text, sizeof text, " × %s)", asked->mfu.text != NULL ? asked->mfu.text : "0.5");
    append_result(text, made->seconds, 10);
    append_text(text, sizeof text, " seconds");
    tell("time", text);
}

void explain_flops(const flops_budget *made, const question *asked)
{
    out_line();
    for (size_t i = 0; i < made->pass_count; i++)
        explain_pass(&made->passes[i], made, asked);
    if (made->is_matmul) {
        tell("why names", "a name says which axes meet: what is in both operands and not in the "
                          "result is summed, and no position or transpose has to be remembered");
        tell("backward", "the gradients of the two operands each cost as many FLOPs: twice this");
    }
    const char *devices = asked->devices.text != NULL ? asked->devices.text : "1";
    if (asked->speed.text != NULL)
        explain_speed(made, asked, devices);
    else if (made->has_time)
        explain_time(made, asked, devices);
}
