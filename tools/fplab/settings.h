/* settings.h - what every experiment may be asked for, and the options that say so
 * SPDX-License-Identifier: MIT
 *
 * An experiment has a struct of settings of its own, which begins with the common ones: the rows of
 * common_options and about_options hold offsets that count from there. */

#ifndef FPLAB_SETTINGS_H
#define FPLAB_SETTINGS_H

#include "kit/environment.h"
#include "kit/options.h"

typedef struct {
    uint64_t seed;      /* of all that is random; 0 unless it was said */
    bool has_seed;      /* it was said */
    int form;           /* FORM_... of kit/records.h */
    bool several_forms; /* options asked for different forms */
    bool help, version; /* nothing but a summary, or the version, is wanted */
    display display;
} common_settings;

/* Stands behind a struct of settings whose first member is common. */
#define BEGINS_WITH_COMMON(type)                                                                   \
    _Static_assert(offsetof(type, common) == 0, "common options count offsets from the beginning")

/* --seed, the forms for programs, and the looks of a screen. */
extern const option_row common_options[];

/* --help and --version, which no help lists. */
extern const option_row about_options[];

#endif
