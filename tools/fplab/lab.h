/* lab.h - what an experiment is
 * SPDX-License-Identifier: MIT
 *
 * An experiment is a row: its options are a table, what they set is a struct of its own, and what
 * it finds are paragraphs and rows of named columns on a page (rows.h), which become a screen or
 * the records that a program reads. */

#ifndef FPLAB_LAB_H
#define FPLAB_LAB_H

#include <fpfmt.h>

#include "rows.h"
#include "settings.h"

typedef struct {
    const char *name, *usage;  /* the usage is its operands, as "START STEP COUNT"; "" for none */
    const char *summary;       /* one line, without a full stop */
    const char *example;       /* a command that shows it */
    const option_row *options; /* its own; targets are offsets in its settings */
    const void *usual;         /* its settings without any option; NULL: all are 0 */
    size_t size;               /* bytes of its settings, which begin with common_settings */
    size_t least, most;        /* how many operands */

    /* What completions offer where an operand stands, called without a row; NULL for nothing. */
    option_offer *offer_operand;

    /* Gets its settings, all options read, and so many operands. What is wrong with them it tells
     * by complain(), and then prints nothing. */
    void (*run)(void *settings, lab_page *page, char **operands, size_t count);
} experiment;

extern const experiment update_experiment, sum_experiment, dot_experiment, scale_experiment,
    init_experiment, train_experiment, view_experiment;

#endif
