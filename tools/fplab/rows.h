/* rows.h - rows and paragraphs: what of them is main's
 * SPDX-License-Identifier: MIT */

#ifndef ROWS_H
#define ROWS_H

#include "lab.h"

/* The form of all rows, a screen's if neither JSON nor TSV; and the experiment's name. */
void rows_setup(bool json, bool tsv, const char *name);

/* After the last row. */
void rows_finish(void);

#endif
