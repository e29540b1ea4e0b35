/* combinations.c - which options go together, and which need others
 * SPDX-License-Identifier: MIT */

#include "combinations.h"

#include <stdio.h>
#include <string.h>

#include "../fpinspect/say.h"

bool has_shape(const options *chosen)
{
    return chosen->layers.text != NULL;
}

/* All of these options, or none of them: they make the shape of a model. */
static bool whole_shape(const char *what, const char *const names[], const amount *const sizes[],
                        size_t count)
{
    char missing[80] = "";
    size_t given = 0;
    for (size_t i = 0; i < count; i++) {
        if (sizes[i]->text != NULL)
            given++;
        else
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " --%s",
                     names[i]);
    }
    if (given > 0 && given < count)
        complain("%s also:%s", what, missing);
    return given == 0 || given == count;
}

static bool memory_goes(const options *chosen)
{
    static const char *const names[] = { "layers", "hidden", "heads", "sequence" };
    const amount *const sizes[] = { &chosen->layers, &chosen->hidden, &chosen->heads,
                                    &chosen->sequence };
    bool divides = chosen->recipe != NULL && chosen->recipe->divides != 0;
    bool shape = has_shape(chosen);
    if (!whole_shape("activations need", names, sizes, 4))
        return false;
    if (!shape && chosen->batch.text != NULL)
        complain("--batch is of activations, which need --layers --hidden --heads --sequence");
    else if (!shape && chosen->recompute != NULL)
        complain("--recompute is of activations, which need --layers --hidden --heads --sequence");
    else if (shape && !is_whole(over(chosen->hidden.value, chosen->heads.value)))
        complain("--hidden %s is no multiple of --heads %s", chosen->hidden.text,
                 chosen->heads.text);
    else if (divides && chosen->devices.text == NULL)
        complain("recipe %s divides among devices: say how many with --devices",
                 chosen->recipe->name);
    else if (!shape && chosen->parameters.text == NULL && chosen->device == NULL &&
             chosen->memory.text == NULL)
        complain("say how large the model is with --params, or what it has to fit with --device or "
                 "--memory");
    else
        return true;
    return false;
}

/* An option that was given and cannot count here. */
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

static bool matmul_goes(const options *chosen)
{
    const use uses[] = {
        { "params", chosen->parameters.text != NULL },
        { "tokens", chosen->tokens.text != NULL },
        { "layers", chosen->layers.text != NULL },
        { "hidden", chosen->hidden.text != NULL },
        { "sequence", chosen->sequence.text != NULL },
        { "recompute", chosen->recompute != NULL },
        { "tokens-per-second", chosen->speed.text != NULL },
    };
    return none_given(uses, sizeof uses / sizeof uses[0],
                      "is of a whole model, and --matmul of one product");
}

static bool peak_goes(const options *chosen)
{
    const use uses[] = {
        { "mfu", chosen->mfu.text != NULL },
        { "compute", chosen->compute != NULL },
        { "devices", chosen->devices.text != NULL },
        { "tokens-per-second", chosen->speed.text != NULL },
    };
    if (chosen->device == NULL && chosen->peak.text == NULL)
        return none_given(uses, sizeof uses / sizeof uses[0],
                          "needs the peak of a device: --device or --peak");
    if (chosen->peak.text != NULL)
        return none_given(&uses[1], 1, "picks a peak of --device, and --peak says one");
    int peak = chosen->compute != NULL ? chosen->compute->peak : PEAK_HALF;
    if (chosen->device->peak[peak] != NULL)
        return true;
    complain("there is no figure of %s for %s; --peak takes one",
             chosen->compute != NULL ? chosen->compute->name : "bf16", chosen->device->name);
    return false;
}

static bool flops_go(const options *chosen)
{
    static const char *const names[] = { "layers", "hidden", "sequence" };
    const amount *const sizes[] = { &chosen->layers, &chosen->hidden, &chosen->sequence };
    if (!peak_goes(chosen))
        return false;
    if (chosen->matmul != NULL)
        return matmul_goes(chosen);
    if (!whole_shape("the attention term needs", names, sizes, 3))
        return false;
    if (chosen->parameters.text == NULL)
        complain("say how large the model is with --params, or name the axes of one product with "
                 "--matmul");
    else if (!has_shape(chosen) && chosen->recompute != NULL &&
             chosen->recompute->kind == RECOMPUTE_SELECTIVE)
        complain("--recompute selective repeats the attention term, which needs --layers --hidden "
                 "--sequence");
    else if (chosen->mfu.text != NULL && chosen->speed.text != NULL)
        complain("--mfu and --tokens-per-second say the same thing: one of them is enough");
    else if (chosen->mfu.text != NULL && chosen->tokens.text == NULL)
        complain("--mfu tells a time, which needs --tokens");
    else
        return true;
    return false;
}

bool go_together(const options *chosen)
{
    return chosen->job == JOB_MEMORY  ? memory_goes(chosen)
           : chosen->job == JOB_FLOPS ? flops_go(chosen)
                                      : true;
}
