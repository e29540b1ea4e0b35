/* fit.h - how wide the columns of a table are, so that its rows fit the screen
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_FIT_H
#define FPFMT_KIT_FIT_H

#include "kit/run.h"

/* Chooses widths for the rows that the table holds: those of their cells, and where the rows are
 * too wide for the screen, what table.h says of columns that are dropped and cells that are broken.
 * Once cells were broken the widths stay, so that later rows stand below the first ones. */
void fit_table(kit_table *table);

#endif
