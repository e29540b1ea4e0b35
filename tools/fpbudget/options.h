/* options.h - the command line, read and checked
 * SPDX-License-Identifier: MIT */

#ifndef OPTIONS_H
#define OPTIONS_H

#include "activations.h"
#include "devices.h"
#include "exact.h"
#include "recipes.h"

/* What is done; bits, so that an option can say which of them take it. */
typedef enum {
    JOB_MEMORY = 1,
    JOB_FLOPS = 2,
    JOB_LIST_RECIPES = 4,
    JOB_LIST_OPTIMIZERS = 8,
    JOB_LIST_DEVICES = 16,
    JOB_LIST_FORMATS = 32,
    JOB_HELP = 64,
    JOB_VERSION = 128
} job_kind;

/* An item of --store: what it names, and how that is kept. */
typedef struct {
    char name[32];
    bool none; /* not kept at all */
    storage kept;
} store_item;

enum { MOST_ITEMS = 32, MOST_ASSUMPTIONS = 16 };

typedef struct {
    job_kind job;
    amount parameters, tokens, layers, hidden, heads, sequence, batch, devices, tensors;
    amount memory, peak, mfu, speed; /* bytes, FLOP/s, a share, tokens a second */
    const recipe_row *recipe;
    const optimizer_row *optimizer; /* NULL: the recipe's */
    const device_row *device;       /* NULL: none */
    const compute_row *compute;     /* NULL: not given */
    const recompute_row *recompute; /* NULL: not given */
    const char *matmul;             /* NULL: none */
    store_item items[MOST_ITEMS];   /* of --weights and --store, later ones above earlier ones */
    size_t item_count;
    bool explain, json, ascii, color;
    int width;
} options;

/* Fills in *chosen. False after a complaint. */
bool read_options(options *chosen, int argc, char **argv);

/* An option, for the help: its name, what it takes (NULL for nothing), the commands that take it
 * (0 for all), and what it says. */
typedef struct {
    const char *name, *takes;
    unsigned jobs;
    const char *summary;
} option_help;

/* Option index, from 0; false past the last. */
bool option_at(option_help *told, size_t index);

void print_help(void);
void list_recipes(void);
void list_optimizers(void);
void list_devices(void);
void list_formats(void);

#endif
