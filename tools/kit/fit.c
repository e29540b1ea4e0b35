/* fit.c - how wide the columns of a table are, so that its rows fit the screen
 * SPDX-License-Identifier: MIT */

#include "kit/fit.h"

#include "kit/cells.h"

/* The columns of all that are shown, with what is between them. */
static int total_width(const kit_table *table, int columns)
{
    int total = table->indent, shown = 0;
    for (int column = 0; column < columns; column++)
        if (!table->dropped[column]) {
            total += table->widths[column];
            shown++;
        }
    return total + (shown > 0 ? shown - 1 : 0) * table->gutter;
}

/* Widens the columns for their cells, those of more than so many columns left out, or counted as so
 * many; returns how many columns there are. */
static int measure(kit_table *table, int widest, bool all)
{
    const char *limit = table->text + table->length, *end;
    int column = 0, count = 0;
    for (const char *cell = table->text; cell < limit; cell = end + 1) {
        int columns = cell_width(cell, &end);
        if (columns > widest)
            columns = all ? widest : 0;
        if (columns > table->widths[column] && !is_label(cell))
            table->widths[column] = columns;
        count = column + 1 > count ? column + 1 : count;
        column = *end == '\2' || column == TABLE_COLUMNS - 1 ? 0 : column + 1;
    }
    return count;
}

/* The columns of the widest row as it is printed without a fit. */
static int widest_row(const kit_table *table)
{
    const char *limit = table->text + table->length, *end;
    int widest = 0;
    cells row;
    for (const char *at = table->text; at < limit;) {
        at = read_row(table, at, &row);
        int start = table->indent, used = 0;
        for (int i = 0; i < row.count; i++) {
            int columns = cell_width(row.cell[i], &end), width = table->widths[row.column[i]];
            int from = start < used + table->gutter && i > 0 ? used + table->gutter : start;
            if (columns > 0)
                used = from + (table->right[row.column[i]] && columns < width ? width : columns);
            start += width + table->gutter;
        }
        widest = used > widest ? used : widest;
    }
    return widest;
}

/* What all rows cost if one column were so wide. A broken word or number is harder to read than
 * more lines, and above all where its row has no other. */
static int cost_with(const kit_table *table, int column, int width)
{
    enum { LINE = 2, BROKEN = 1, FIRST_BROKEN = 8 };
    const char *limit = table->text + table->length, *end;
    int total = 0;
    cells row;
    for (const char *at = table->text; at < limit;) {
        int most = 1, broken = 0;
        at = read_row(table, at, &row);
        for (int i = 0; i < row.count; i++) {
            int room = row.column[i] == column ? width : table->widths[row.column[i]];
            bool whole = is_label(row.cell[i]) || cell_width(row.cell[i], &end) <= room;
            int lines = whole ? 1 : lines_in(row.cell[i], room, &broken);
            most = lines > most ? lines : most;
        }
        total += LINE * most + BROKEN * broken + (broken > 0 ? FIRST_BROKEN : 0);
    }
    return total;
}

/* Makes the column narrower for which that costs least, the widest one of several. Columns of
 * numbers, which stand at the right, are broken if no other is left. */
static bool narrow_one(kit_table *table, int columns, bool numbers)
{
    enum { LEAST = 6, NAMES = 24 }; /* the first column has names, which are read whole */
    int best = -1, least_cost = 0;
    for (int column = 0; column < columns; column++) {
        if (table->dropped[column] || (table->right[column] && !numbers) ||
            table->widths[column] <= (column == 0 ? NAMES : LEAST))
            continue;
        int cost = cost_with(table, column, table->widths[column] - 1);
        if (best < 0 || cost < least_cost ||
            (cost == least_cost && table->widths[column] > table->widths[best])) {
            best = column;
            least_cost = cost;
        }
    }
    if (best >= 0)
        table->widths[best]--;
    return best >= 0;
}

static void fit(kit_table *table, int columns)
{
    int room = this_run()->width;
    for (int rank = 1; rank <= TABLE_COLUMNS && widest_row(table) > room; rank++)
        for (int column = 0; column < columns; column++)
            table->dropped[column] |= table->rank[column] == rank;
    if (widest_row(table) <= room)
        return;
    measure(table, room, true);
    while (total_width(table, columns) > room &&
           (narrow_one(table, columns, false) || narrow_one(table, columns, true)))
        continue;
    table->fitted = true;
}

void fit_table(kit_table *table)
{
    enum { WIDEST = 72 }; /* a wider cell takes from the columns behind it, if there is room */
    if (!table->fitted)
        fit(table, measure(table, WIDEST, false));
}
