/* train.h - a training run: what it is asked for, where it stands, what it saw
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_H
#define FPLAB_TRAIN_H

#include "mlp.h"
#include "optimizer.h"
#include "train_data.h"

/* Everything that decides the bits of a run. Each is an option, and a word in a checkpoint. */
typedef enum {
    SETTING_AS,
    SETTING_WEIGHTS,
    SETTING_GRADIENTS,
    SETTING_DW,
    SETTING_DX,
    SETTING_RECIPE,
    SETTING_ROUND,
    SETTING_POLICY,
    SETTING_OPTIMIZER,
    SETTING_MASTER,
    SETTING_STATE,
    SETTING_UPDATE,
    SETTING_ACCUMULATE,
    SETTING_TENSOR_SCALE,
    SETTING_LOSS_SCALE,
    SETTING_RATE,
    SETTING_BATCH,
    SETTING_HIDDEN,
    SETTINGS
} setting;

typedef struct {
    const char *name, *usual; /* NULL: as the optimizer says */
    bool may_change;          /* when a run is resumed */
} setting_row;
extern const setting_row setting_rows[SETTINGS];

/* As other settings say, and as the recipe of a block format or to nearest even. */
#define SETTING_SAME "same"
#define SETTING_USUAL "usual"
enum { SETTING_ROOM = 160 };

/* One column of the results: the settings as text, and what they mean. */
typedef struct {
    const char *text[SETTINGS];
    char spelt[SETTING_POLICY + 1][SETTING_ROOM]; /* those of operands, by the names of rows */
    const char *varied, *label; /* the name of what differs between the columns, and what it is */
    const optimizer *rule;
    fpfmt_format parameter, state;
    fpfmt_policy update;
    mlp_numbers numbers;
    uint64_t batch, hidden, interval; /* interval: good steps until the loss scale doubles */
    bool has_master, dynamic;
    int32_t loss_scale; /* its log2, to begin with */
} train_policy;

enum { TRAIN_POLICIES = 8, LOSS_SCALE_MOST = 100 };

/* The policies that the texts ask for, one of which may be a list; NULL is what is usual. Their
 * number, 0 after a complaint. */
size_t read_train_policies(train_policy policies[TRAIN_POLICIES], const char *const texts[SETTINGS],
                           const dataset *data);

/* A setting as it stands in a checkpoint, whatever way it was typed. */
void spell_setting(char spelt[SETTING_ROOM], const train_policy *policy, setting which);

/* How often a state of the optimizer is 0 after a step though it should not be. Weights of layer l
 * are place 2 l, its biases 2 l + 1. */
enum { TRAIN_PLACES = 2 * MLP_LAYERS };
typedef struct {
    uint64_t first;               /* step in which it is; 0: none */
    uint64_t worst, most;         /* the first step with the most parameters, and how many */
    uint64_t all;                 /* of all steps */
    uint64_t where[TRAIN_PLACES]; /* those of the worst step */
    uint64_t now[TRAIN_PLACES];   /* those of the step that is going on */
} vanishing;

/* A run. What stands before the results is what a checkpoint holds. */
typedef struct {
    const train_policy *policy;
    const dataset *data;
    mlp net;
    fpfmt_value *states[OPTIMIZER_STATES];
    uint32_t *order;            /* the rows of the data, shuffled */
    uint64_t position;          /* of the next row in it */
    uint64_t step, moves, good; /* steps; those that moved; since the scale changed */
    int32_t loss_scale;         /* its log2, within LOSS_SCALE_MOST of 0 */
    uint64_t seed;

    optimizer_use use;
    uint64_t updates, lost;   /* of parameters, but for those of 0; those that changed nothing */
    uint64_t weights, unseen; /* the same of weights; those that moved the parameter and not the
                                 operand */
    vanishing vanished[OPTIMIZER_STATES];
    uint64_t skipped, broken; /* steps left out; the first whose loss was not finite, 0 for none */
    uint64_t right;           /* rows of the data that get their class */
    fpfmt_value total;        /* the loss of all of them */
    fpfmt_value *losses;      /* of the steps of this run */
} train_run;

/* Room for a run of so many steps, before its first step. */
void begin_run(train_run *run, const train_policy *policy, const dataset *data, uint64_t seed,
               uint64_t steps);

/* One step of the session: index counts them from 0. */
void take_step(train_run *run, uint64_t index);

/* All optimizer states are 0 again. */
void forget_states(train_run *run);

/* What the screen and the rows tell. */
typedef struct {
    const dataset *data;
    uint64_t seed;
    train_run *runs;
    size_t count;
    uint64_t steps, first; /* steps of the session, and those before it */
    uint64_t forgotten;    /* after so many steps the last run lost its states; UINT64_MAX: never */
    const char *saved;     /* the checkpoint that was written, NULL for none; its size */
    size_t saved_bytes;
    bool without_states;
} train_results;

#endif
