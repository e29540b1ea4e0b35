/* combinations.c - which options go together, and which need others
 * SPDX-License-Identifier: MIT */

#include "command/combinations.h"

#include "facts/flops_budget.h"
#include "kit/records.h"
#include "kit/say.h"
#include "kit/text.h"

/* Whether the command takes the option. Without a command none of its own is taken. */
static bool belongs(const command_line *line, const option_row *row)
{
    if (row->commands == 0 || (row->commands & line->commands) != 0)
        return true;
    if (line->commands == COMMAND_MEMORY || line->commands == COMMAND_FLOPS)
        complain("--%s is an option of 'fpbudget %s'", row->name,
                 word_for(&command_words, row->commands));
    else if ((row->commands & COMMAND_LISTS) != 0)
        complain("--%s goes with 'fpbudget memory', 'fpbudget flops' and the lists alone",
                 row->name);
    else
        complain("--%s goes with 'fpbudget memory' and 'fpbudget flops' alone", row->name);
    return false;
}

/* Whether all of these options were given, or none of them: together they make the shape of a
 * model. what begins the complaint, as "activations need". */
static bool whole_shape(const char *what, const char *const names[], const amount *const sizes[],
                        size_t count)
{
    char missing[80] = "";
    size_t given = 0;
    for (size_t i = 0; i < count; i++) {
        if (sizes[i]->text != NULL)
            given++;
        else
            append_text(missing, sizeof missing, " --%s", names[i]);
    }
    if (given > 0 && given < count)
        complain("%s also:%s", what, missing);
    return given == 0 || given == count;
}

static bool memory_goes(const question *asked)
{
    static const char *const names[] = { "layers", "hidden", "heads", "sequence" };
    const amount *const sizes[] = { &asked->layers, &asked->hidden, &asked->heads,
                                    &asked->sequence };
    bool divides = asked->recipe != NULL && asked->recipe->divides != 0;
    bool shape = asked->layers.text != NULL;
    if (!whole_shape("activations need", names, sizes, 4))
        return false;
    if (!shape && asked->batch.text != NULL)
        complain("--batch is of activations, which need --layers --hidden --heads --sequence");
    else if (!shape && asked->recompute != NULL)
        complain("--recompute is of activations, which need --layers --hidden --heads --sequence");
    else if (shape && !is_whole(over(asked->hidden.value, asked->heads.value)))
        complain("--hidden %s is no multiple of --heads %s", asked->hidden.text, asked->heads.text);
    else if (divides && asked->devices.text == NULL)
        complain("recipe %s divides among devices: say how many with --devices",
                 asked->recipe->name);
    else if (!shape && asked->parameters.text == NULL && asked->device == NULL &&
             asked->memory.text == NULL)
        complain("say how large the model is with --params, or what it has to fit with --device or "
                 "--memory");
    else
        return true;
    return false;
}

/* An option, and whether it was given, where it cannot count. */
typedef struct {
    const char *name;
    bool given;
} use;

static bool none_given(const use *uses, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++)
        if (uses[i].given) {
            complain("--%s %s", uses[i].name, why);
            return false;
        }
    return true;
}

static bool matmul_goes(const question *asked)
{
    const use uses[] = {
        { "params", asked->parameters.text != NULL },
        { "tokens", asked->tokens.text != NULL },
        { "layers", asked->layers.text != NULL },
        { "hidden", asked->hidden.text != NULL },
        { "sequence", asked->sequence.text != NULL },
        { "recompute", asked->recompute != NULL },
        { "tokens-per-second", asked->speed.text != NULL },
    };
    return none_given(uses, sizeof uses / sizeof uses[0],
                      "is of a whole model, and --matmul of one product");
}

static bool peak_goes(const question *asked)
{
    const use uses[] = {
        { "mfu", asked->mfu.text != NULL },
        { "compute", asked->compute != NULL },
        { "devices", asked->devices.text != NULL },
        { "tokens-per-second", asked->speed.text != NULL },
    };
    if (asked->device == NULL && asked->peak.text == NULL)
        return none_given(uses, sizeof uses / sizeof uses[0],
                          "needs the peak of a device: --device or --peak");
    if (asked->peak.text != NULL)
        return none_given(&uses[1], 1, "picks a peak of --device, and --peak says one");
    const compute_row *compute = compute_of(asked);
    if (asked->device->peak[compute->peak] != NULL)
        return true;
    complain("there is no figure of %s for %s; --peak takes one", compute->name,
             asked->device->name);
    return false;
}

static bool flops_go(const question *asked)
{
    static const char *const names[] = { "layers", "hidden", "sequence" };
    const amount *const sizes[] = { &asked->layers, &asked->hidden, &asked->sequence };
    if (!peak_goes(asked))
        return false;
    if (asked->matmul != NULL)
        return matmul_goes(asked);
    if (!whole_shape("the attention term needs", names, sizes, 3))
        return false;
    if (asked->parameters.text == NULL)
        complain("say how large the model is with --params, or name the axes of one product with "
                 "--matmul");
    else if (asked->layers.text == NULL && asked->recompute != NULL &&
             asked->recompute->kind == RECOMPUTE_SELECTIVE)
        complain("--recompute selective repeats the attention term, which needs --layers --hidden "
                 "--sequence");
    else if (asked->mfu.text != NULL && asked->speed.text != NULL)
        complain("--mfu and --tokens-per-second say the same thing: one of them is enough");
    else if (asked->mfu.text != NULL && asked->tokens.text == NULL)
        complain("--mfu tells a time, which needs --tokens");
    else
        return true;
    return false;
}

bool go_together(const command_line *line)
{
    if (line->several) {
        complain("only one of memory, flops and the lists at a time");
        return false;
    }
    for (size_t i = 0; i < line->given_count; i++)
        if (!belongs(line, line->given[i]))
            return false;
    if (line->explain && line->form != FORM_SCREEN) {
        complain("--explain draws a screen, and another form was asked for");
        return false;
    }
    return line->commands == COMMAND_MEMORY  ? memory_goes(&line->asked)
           : line->commands == COMMAND_FLOPS ? flops_go(&line->asked)
                                             : true;
}
