/* question.h - what a budget is asked about: a model, its training, and devices
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_QUESTION_H
#define FPBUDGET_QUESTION_H

#include "facts/activations.h"
#include "facts/amount.h"
#include "facts/devices.h"
#include "facts/recipes.h"
#include "facts/storage.h"

/* An item of --store: the part, group of parts or term it names, and how that is kept. */
typedef struct {
    char name[32];
    bool none;    /* not kept at all */
    storage kept; /* else: how */
} store_item;

enum { MOST_ITEMS = 32 };

/* What options say, each of which may be missing: an amount without a text, NULL for a row. */
typedef struct {
    amount parameters, layers, hidden, heads; /* the model */
    amount tokens, sequence, batch;           /* the data; batch is of one device at a time */
    amount tensors;                           /* that the parameters are */
    amount devices;
    amount memory, peak; /* of a device: bytes, FLOP/s */
    amount mfu, speed;   /* a share of the peak; tokens a second of all devices */
    const recipe_row *recipe;
    const optimizer_row *optimizer; /* in place of the recipe's */
    const recompute_row *recompute;
    const device_row *device;
    const compute_row *compute;   /* the format of products */
    const char *matmul;           /* the axes of one product, which is then all that is asked */
    store_item items[MOST_ITEMS]; /* of --weights and --store, in their order */
    size_t item_count;
} question;

/* The sentences of what a budget takes for granted, at the most. */
enum { MOST_ASSUMPTIONS = 16 };

#endif
