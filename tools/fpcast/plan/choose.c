/* choose.c - what becomes of each tensor
 * SPDX-License-Identifier: MIT */

#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "plan/plan.h"

/* ---- rules ---- */

typedef struct {
    const target **targets; /* of the rules; NULL: kept */
    const target *as;
    bool *used;
} choices;

/* Every target that is named must be one, whether a tensor gets it or not. */
static bool read_targets(choices *all, const request *asked)
{
    all->targets = allocate(asked->rule_count + 1, sizeof(const target *));
    all->used = allocate(asked->rule_count + 1, sizeof *all->used);
    for (size_t i = 0; i < asked->rule_count; i++)
        if (asked->rules[i].target != NULL &&
            (all->targets[i] = find_target(asked, asked->rules[i].target)) == NULL)
            return false;
    return asked->as == NULL || (all->as = find_target(asked, asked->as)) != NULL;
}

/* The rule of a tensor: one that keeps it, else the last that fits; -1 for none. */
static long rule_of(choices *all, const request *asked, const char *name)
{
    long found = -1;
    bool keeps = false;
    for (size_t i = 0; i < asked->rule_count; i++) {
        if (fnmatch(asked->rules[i].pattern, name, 0) != 0)
            continue;
        all->used[i] = true;
        if (asked->rules[i].target == NULL || !keeps)
            found = (long)i;
        keeps |= asked->rules[i].target == NULL;
    }
    return found;
}

/* ---- one tensor ---- */

static bool refuse(const cast_plan *made, const file_tensor *of, const char *why)
{
    complain_of_tensor(made->in, of, "%s", why);
    return false;
}

static bool is_float(const file_tensor *of)
{
    return of->block != NULL || of->scheme.rule != NULL ||
           (of->format != NULL && of->format->exponent_bits != 0);
}

/* Why a tensor cannot be quantised in a layout; NULL if it can. */
static const char *hindrance(const file_tensor *of, const target *to)
{
    const layout *how = to->layout;
    if (of->columns_first)
        return "its columns come first, and blocks are of rows; cast it to .safetensors first";
    if (of->rank < 1 || (to->block.rows > 1 && of->rank < 2 && to->block.rows != FPFMT_BLOCK_ALL))
        return "it has too few dimensions for such blocks";
    if (of->count == 0)
        return "it has no elements";
    if (how->packed && row_length(of) % to->block.size != 0)
        return "its rows are no whole number of blocks";
    return NULL;
}

/* Are these blocks what the file has already? */
static bool is_same_scheme(const file_tensor *of, const target *to)
{
    const tensor_scheme *has = &of->scheme;
    uint64_t size = to->block.size == FPFMT_BLOCK_ALL ? row_length(of) : to->block.size;
    bool whole = to->block.rows == FPFMT_BLOCK_ALL;
    return has->rule != NULL && strcmp(of->format->name, to->block.element.name) == 0 &&
           strcmp(has->scale_format->name, to->block.scale.name) == 0 &&
           (whole ? has->columns == 0 : has->columns == size && has->rows == to->block.rows) &&
           (has->whole != NO_TENSOR) == (to->block.levels == 2);
}

/* Quotients come rounded to odd with 53 bits, which serve for targets of 51. */
static bool is_too_precise(const file_tensor *of, const fpfmt_format *to)
{
    return of->scheme.rule != NULL && of->scheme.whole_divides &&
           (fpfmt_measure(to).precision > 51 || to->exponent_bits > 8);
}

static const char already[] = "it is so already";

/* A tensor without a rule of its own stays as it is where it cannot become what all others do. */
static bool keep_or_refuse(const cast_plan *made, cast *it, const char *why, bool explicit)
{
    it->why = why;
    return !explicit || refuse(made, it->from, why);
}

static bool choose_format(cast_plan *made, cast *it, const target *to, bool explicit)
{
    const file_tensor *of = it->from;
    bool plain = of->scheme.rule == NULL && of->block == NULL;
    stored how;
    if (!store_format(&how, made->kind, &to->format, made->asked->codes)) {
        complain("%s has no name in files of %s; with --codes its codes are written as unsigned "
                 "integers",
                 to->name, made->kind == OUT_NPY ? "NumPy" : "safetensors");
        return false;
    }
    if (is_too_precise(of, &to->format))
        return refuse(made, of,
                      "its values are quotients, which fp64 would round twice; cast it "
                      "to fp32 or narrower");
    if (plain && strcmp(of->format->name, to->format.name) == 0)
        return keep_or_refuse(made, it, already, false);
    if (how.packed && of->count % 8 * how.bits % 8 != 0)
        return keep_or_refuse(made, it, "its elements would end within a byte", explicit);
    it->does = DEED_CONVERT;
    it->to = to;
    return true;
}

static bool choose_block(cast_plan *made, cast *it, const target *to, bool explicit)
{
    if (made->kind != OUT_SAFETENSORS)
        return refuse(made, it->from,
                      "elements and their scales are two tensors, which only "
                      "safetensors can hold");
    if (is_same_scheme(it->from, to))
        return keep_or_refuse(made, it, already, false);
    if (it->from->rank < 2 && !explicit)
        return keep_or_refuse(made, it, "it has not two dimensions", false);
    const char *why = hindrance(it->from, to);
    if (why != NULL)
        return keep_or_refuse(made, it, why, explicit);
    it->does = DEED_QUANTIZE;
    it->to = to;
    return true;
}

static bool choose(cast_plan *made, choices *all, cast *it)
{
    const file_tensor *of = it->from;
    long rule = rule_of(all, made->asked, of->name);
    const target *to = rule < 0 ? all->as : all->targets[rule];
    it->does = DEED_COPY;
    if (to == NULL || !is_float(of)) {
        it->why = to != NULL ? "it is of no float format" : rule >= 0 ? "--keep" : NULL;
        return true;
    }
    return to->is_block ? choose_block(made, it, to, rule >= 0)
                        : choose_format(made, it, to, rule >= 0);
}

/* ---- all of them ---- */

/* Scales of a tensor that has none any more are left out, and those of one that is kept are kept.
 */
static void follow_scales(cast_plan *made)
{
    for (size_t i = 0; i < made->count; i++)
        if (made->casts[i].from->is_scale)
            made->casts[i].does = DEED_LEAVE_OUT;
    for (size_t i = 0; i < made->count; i++) {
        const tensor_scheme *scheme = &made->casts[i].from->scheme;
        if (scheme->rule == NULL || made->casts[i].does != DEED_COPY)
            continue;
        made->casts[scheme->scales].does = DEED_COPY;
        if (scheme->whole != NO_TENSOR)
            made->casts[scheme->whole].does = DEED_COPY;
    }
}

bool choose_targets(cast_plan *made)
{
    choices all = { NULL, NULL, NULL };
    tensor_file *in = made->in;
    made->count = in->count;
    made->casts = allocate(in->count + 1, sizeof *made->casts);
    if (!read_targets(&all, made->asked))
        return false;
    for (size_t i = 0; i < in->count; i++) {
        made->casts[i].from = &in->tensors[i];
        if (!in->tensors[i].is_scale && !choose(made, &all, &made->casts[i]))
            return false;
    }
    follow_scales(made);
    for (size_t i = 0; i < made->asked->rule_count; i++)
        if (!all.used[i])
            note("no tensor has a name like '%s'",
                 quoted(made->asked->rules[i].pattern, strlen(made->asked->rules[i].pattern)));
    return true;
}
