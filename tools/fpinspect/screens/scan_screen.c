/* scan_screen.c - what formats would do to the values of a tensor, as people see it
 * SPDX-License-Identifier: MIT */

#include "screens/scan_screen.h"

#include <stdio.h>
#include <string.h>

#include "kit/loss_cells.h"
#include "kit/losses.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/out.h"
#include "kit/table.h"
#include "kit/text.h"
#include "screens/screen.h"

enum { AXIS_STEP = 8, MARK_ROOM = 8 };

/* The binades of the picture: so many columns, each of so many binades, from the lowest up. */
typedef struct {
    int low, per_column, columns, indent;
} picture;

/* ---- the headline ---- */

/* A group of words that belong together, three blanks behind what is there, or below it. */
static void show_group(style how, const char *text)
{
    enum { GAP = 3, BELOW = 4 };
    bool fits = width_of(text) + GAP <= out_left();
    if (!fits)
        out_line();
    out_blanks(fits ? GAP : BELOW);
    out(how, text);
}

static void show_count(const char *what, uint64_t count)
{
    char text[40];
    snprintf(text, sizeof text, "%llu %s", (unsigned long long)count, what);
    show_group(count > 0 ? STYLE_PLAIN : STYLE_DIM, text);
}

static void headline(const scan_result *of)
{
    number least, largest;
    const value_counts *values = &of->values;
    bool one = of->tensor != NULL;
    char *name = as_line(!one ? "all tensors" : *of->tensor != '\0' ? of->tensor : of->file);
    out(STYLE_NAME, name);
    release(name);
    if (one)
        outf(STYLE_PLAIN, "   %s [", of->format);
    for (const char *at = of->shape; one && *at != '\0'; at++)
        outf(STYLE_PLAIN, *at == ' ' ? ", " : "%c", *at);
    if (one)
        out(STYLE_PLAIN, "]");
    if (one && of->scheme != NULL)
        outf(STYLE_DIM, "   %s", of->scheme);
    show_count(values->count == 1 ? "value" : "values", values->count);
    show_count("zero", values->zero);
    show_count("NaN", values->nan);
    show_count("Inf", values->infinite);
    if (!fpfmt_value_is_zero(values->largest)) {
        fpfmt_ratio low, high;
        fpfmt_ratio_from(&low, values->least);
        fpfmt_ratio_from(&high, values->largest);
        show_ratio(least, &low, 8, LEAD_NONE);
        show_ratio(largest, &high, 8, LEAD_NONE);
        char range[2 * sizeof(number) + 16];
        snprintf(range, sizeof range, "|x| %s … %s", least, largest);
        show_group(STYLE_PLAIN, range);
    }
    out_line();
}

/* ---- the picture ---- */

static uint64_t in_column(const value_counts *values, const picture *over, int column)
{
    uint64_t count = 0;
    for (int k = 0; k < over->per_column; k++) {
        int binade = over->low + column * over->per_column + k - BINADE_LEAST;
        count += binade < BINADES ? values->in_binade[binade] : 0;
    }
    return count;
}

static bool plan_picture(picture *made, const value_counts *values, int indent)
{
    if (fpfmt_value_is_zero(values->largest))
        return false;
    int low = values->least.exponent, high = values->largest.exponent;
    int room = out_width() - indent - 1;
    *made = (picture){ .low = low, .per_column = 1, .indent = indent };
    made->per_column = (high - low) / room + 1;
    made->low -= (low % made->per_column + made->per_column) % made->per_column;
    made->columns = (high - made->low) / made->per_column + 1;
    return true;
}

static void label(const picture *over, const char *text, style how)
{
    out_blanks(2);
    out(how, text);
    int width = width_of(text);
    out_blanks(over->indent - 2 > width ? over->indent - 2 - width : 1);
}

static void draw_histogram(const picture *over, const value_counts *values)
{
    static const char *const levels[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    uint64_t most = 1;
    for (int c = 0; c < over->columns; c++)
        most = in_column(values, over, c) > most ? in_column(values, over, c) : most;
    label(over, "log2|x|", STYLE_DIM);
    for (int c = 0; c < over->columns; c++) {
        uint64_t count = in_column(values, over, c);
        double share = (double)count / (double)most;
        int level = count == 0 ? 0 : (int)(share * 8);
        out(STYLE_INPUT, levels[count > 0 && level == 0 ? 1 : level]);
    }
    out_line();
    out_blanks(over->indent);
    for (int c = 0; c < over->columns;) {
        int binade = over->low + c * over->per_column;
        char text[16] = "";
        if (binade % (AXIS_STEP * over->per_column) == 0)
            print_text(text, sizeof text, "%d", binade);
        int width = (int)strlen(text);
        bool fits = width > 0 && c + width <= over->columns;
        if (fits)
            out(STYLE_DIM, text);
        else
            out_blanks(1);
        c += fits ? width : 1;
    }
    out_line();
}

typedef struct {
    const char *mark, *meaning;
    style how;
} fate_row;
static const fate_row fates[] = {
    [HELD_NORMAL] = { "━", "normal", STYLE_GOOD },
    [HELD_SUBNORMAL] = { "┄", "subnormal", STYLE_WARN },
    [HELD_ZERO] = { "×", "becomes 0", STYLE_LOST },
    [HELD_OVER] = { "▲", "past the largest", STYLE_LOST },
};

/* The worst that happens within a column. */
static binade_fate fate_of_column(const scan_target *target, const picture *over, int column)
{
    binade_fate worst = HELD_NORMAL;
    for (int k = 0; k < over->per_column; k++) {
        binade_fate fate = fate_of(target, over->low + column * over->per_column + k);
        worst = fate > worst ? fate : worst;
    }
    return worst;
}

static void draw_ranges(const picture *over, const target_list *targets, bool shown[4])
{
    for (size_t t = 0; t < targets->count; t++) {
        const scan_target *target = &targets->rows[t];
        char name[TARGET_NAME];
        name_target(name, target);
        if (target->block != NULL)
            continue;
        label(over, name, STYLE_NAME);
        for (int c = 0; c < over->columns; c++) {
            binade_fate fate = fate_of_column(target, over, c);
            out(fates[fate].how, fates[fate].mark);
            shown[fate] = true;
        }
        out_line();
    }
}

/* ---- the table ---- */

/* Whether anything became NaN but by overflow, and whether errors leave anything out. */
typedef struct {
    bool invalid, partial;
} losses;

static losses losses_of(const scan_result *of, const target_list *targets)
{
    losses lost = { false, false };
    const value_counts *values = &of->values;
    for (size_t t = 0; t < targets->count; t++) {
        const fpfmt_stats *stats = &of->columns[t].stats;
        lost.invalid |= stats->invalid > 0;
        lost.partial |= stats->finite < values->count - values->nan - values->infinite;
    }
    return lost;
}

static void draw_row(const scan_result *of, const scan_column *column, const scan_target *target,
                     losses lost)
{
    const fpfmt_stats *stats = &column->stats;
    char name[TARGET_NAME], power[24];
    double rms = 0, sqnr = 0;
    int scale;
    name_target(name, target);
    bool has_rms = rms_relative(&rms, stats, &of->values);
    bool has_sqnr = decibels(&sqnr, fpfmt_stats_signal(stats), fpfmt_stats_noise(stats));
    table_cell(STYLE_NAME, name);
    uint64_t regular = stats->count - of->values.zero;
    cell_share(stats->underflow, regular, STYLE_LOST);
    cell_share(stats->subnormal, regular, STYLE_WARN);
    cell_share(stats->overflow + stats->saturated, regular, STYLE_LOST);
    if (lost.invalid)
        cell_share(stats->invalid, stats->count, STYLE_LOST);
    cell_relative(stats);
    cell_about(has_rms, rms * 100, "%");
    cell_about(has_sqnr, sqnr, "dB");
    bool better = best_scale(&scale, target, &of->values);
    table_cell(better ? STYLE_PLAIN : STYLE_DIM, better ? show_power(power, scale) : "-");
    table_row();
}

static void draw_table_of(const scan_result *of, const target_list *targets, losses lost)
{
    /* drop: which columns a narrow screen goes without, the first of them first. */
    static const struct {
        const char *head;
        int drop;
    } columns[] = { { "format", 0 },    { "→ 0", 0 },     { "subnormal", 0 },
                    { "overflow", 0 },  { "invalid", 0 }, { "worst rel", 3 },
                    { "rms rel ≈", 1 }, { "SQNR ≈", 0 },  { "best 2^k", 2 } };
    enum { COLUMNS = sizeof columns / sizeof columns[0], INVALID = 4 };
    table_begin(2);
    for (int i = 0, c = 0; i < COLUMNS; i++) {
        if (i == INVALID && !lost.invalid)
            continue;
        table_align(c, c == 0 ? ALIGN_LEFT : ALIGN_RIGHT);
        if (columns[i].drop > 0)
            table_drop(c, columns[i].drop);
        table_cell(STYLE_DIM, columns[i].head);
        c++;
    }
    table_row();
    for (size_t t = 0; t < targets->count; t++)
        draw_row(of, &of->columns[t], &targets->rows[t], lost);
    table_flush();
}

static void explain(const char *text)
{
    out_blanks(2);
    out(STYLE_DIM, text);
    out_line();
}

static void draw_legend(const bool shown[4], bool scaled, losses lost)
{
    const char *gap = "";
    out_blanks(2);
    for (int f = 0; f < 4; f++)
        if (shown[f]) {
            outf(STYLE_DIM, "%s%s %s", gap, fates[f].mark, fates[f].meaning);
            gap = "  ";
        }
    outf(STYLE_DIM, "%sshares are of values that are not 0", *gap == '\0' ? "" : "   ");
    out_line();
    if (scaled)
        explain("best 2^k: the smallest scale with the fewest zeros and no overflow");
    if (lost.invalid)
        explain("invalid, of all values: NaN that the format lacks, and what shares a block with "
                "NaN or Inf");
    if (lost.partial)
        explain("errors are those of the values that stay finite");
}

/* ---- a tensor ---- */

void draw_file_name(const char *path)
{
    outf(STYLE_DIM, "file ");
    out(STYLE_NAME, path);
    out_line();
    out_gap();
}

void draw_scan(const scan_result *of, const target_list *targets)
{
    picture over;
    bool shown[4] = { false }, scaled = false;
    int indent = 10;
    for (size_t t = 0; t < targets->count; t++) {
        char name[TARGET_NAME];
        int scale;
        name_target(name, &targets->rows[t]);
        if (targets->rows[t].block == NULL && width_of(name) + 4 > indent)
            indent = width_of(name) + 4;
        scaled |= best_scale(&scale, &targets->rows[t], &of->values);
    }
    indent = indent < 12 ? 12 : indent;
    headline(of);
    if (of->values.count == 0) {
        out_gap();
        return;
    }
    out_line();
    if (plan_picture(&over, &of->values, indent)) {
        draw_histogram(&over, &of->values);
        draw_ranges(&over, targets, shown);
        out_line();
    }
    losses lost = losses_of(of, targets);
    draw_table_of(of, targets, lost);
    out_line();
    draw_legend(shown, scaled, lost);
    draw_worst(of, targets);
    out_gap();
}
