/* loss_cells.h - cells of tables that say what rounding did to many elements
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_LOSS_CELLS_H
#define FPFMT_KIT_LOSS_CELLS_H

#include <fpfmt.h>

#include "kit/out.h"

/* A share of so many values, exactly or with ≈, in this style if it is not 0. */
void cell_share(uint64_t count, uint64_t of, style how);

/* A number of a column that is approximate throughout: its heading has the ≈. */
void cell_about(bool known, double value, const char *unit);

/* The largest relative error, as a percentage. */
void cell_relative(const fpfmt_stats *stats);

#endif
