/* train_settings.h - what a training run may be asked for, and the options that say so
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_SETTINGS_H
#define FPLAB_TRAIN_SETTINGS_H

#include "settings.h"
#include "train.h"

enum { MOST_TRAIN_STEPS = 1000000 };

typedef struct {
    common_settings common;
    const char *texts[SETTINGS]; /* as typed; NULL: as a checkpoint or the usual setting says */
    const char *data;            /* X.npy,Y.npy; NULL for the irises */
    const char *saved, *resumed; /* checkpoints to write and to go on from; NULL for none */
    uint64_t steps;              /* 0: not said */
    uint64_t every;              /* steps between checkpoints; 0: one at the end */
    bool stochastic;
    bool omitted; /* the optimizer's states are left out, or lost */
} train_settings;
BEGINS_WITH_COMMON(train_settings);

extern const train_settings usual_training;
extern const option_row train_options[];

#endif
