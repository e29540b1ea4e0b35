/* view_accumulators.c - the accumulators: what they take and do, and how sure that is
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "options.h"
#include "out.h"
#include "records.h"

static const char *const fields[] = { "accumulator",   "summary",   "inputs",   "outputs", "group",
                                      "fraction_bits", "kept_bits", "rounding", "checked", "open" };
enum { FIELDS = sizeof fields / sizeof fields[0], MOST_NOTES = 32 };

static const char *or_dash(const char *text)
{
    return text != NULL ? text : "-";
}

static const char *count_or_dash(char text[8], unsigned count)
{
    snprintf(text, 8, "%u", count);
    return count > 0 ? text : "-";
}

/* How the result of a group or a step is rounded, where the row fixes it. */
static const char *rounding_of(const fpfmt_accumulator *row)
{
    if (row->method == FPFMT_ACCUMULATE_ALIGNED && !row->nearest)
        return "toward-zero";
    if (row->method == FPFMT_ACCUMULATE_PAIR_TO_ODD)
        return "to-odd";
    return fpfmt_accumulator_is_engine(row) ? "nearest-even" : "-";
}

static void for_machine(output_kind output)
{
    char group[8], fraction[8], kept[8];
    const fpfmt_accumulator *row;
    records rows = { .output = output, .list = "accumulators", .names = fields, .count = FIELDS };
    records_begin(&rows);
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++) {
        const char *const texts[FIELDS] = { row->name,
                                            row->summary,
                                            or_dash(row->inputs),
                                            or_dash(row->outputs),
                                            count_or_dash(group, row->group),
                                            count_or_dash(fraction, row->fraction_bits),
                                            count_or_dash(kept, row->kept_bits),
                                            rounding_of(row),
                                            or_dash(row->checked),
                                            or_dash(row->open) };
        records_row(&rows, texts);
    }
    records_end(&rows);
}

/* What rows share, each told once, below them. */
typedef struct {
    struct {
        const char *text;
        size_t length;
    } note[MOST_NOTES];
    size_t count;
} notes;

static size_t note_number(notes *made, const char *text, size_t length)
{
    size_t i = 0;
    while (i < made->count &&
           (made->note[i].length != length || strncmp(made->note[i].text, text, length) != 0))
        i++;
    if (i == made->count && i < MOST_NOTES - 1) {
        made->note[i].text = text;
        made->note[made->count++].length = length;
    }
    return i;
}

/* What an engine's row does, in its parameters. */
static void describe(char text[80], const fpfmt_accumulator *row)
{
    char kept[16] = "";
    *text = '\0';
    switch ((fpfmt_method)row->method) {
    case FPFMT_ACCUMULATE_ALIGNED:
        if (row->kept_bits != 0)
            snprintf(kept, sizeof kept, " to %d", row->kept_bits);
        snprintf(text, 80, "%s%d%s, %d fraction bits, %s%s",
                 row->interleaved ? "2 × " : "groups of ", row->group,
                 row->interleaved ? " interleaved" : "", row->fraction_bits,
                 row->nearest ? "nearest even" : "toward zero", kept);
        break;
    case FPFMT_ACCUMULATE_ODD_FIRST: strcpy(text, "pairs by FMA, the odd element first"); break;
    case FPFMT_ACCUMULATE_TWO_CHAINS:
        snprintf(text, 80, "groups of %d, even and odd elements apart", row->group);
        break;
    case FPFMT_ACCUMULATE_PAIR_TO_ODD: strcpy(text, "pairs, every step to odd"); break;
    case FPFMT_ACCUMULATE_PAIR_FUSED: strcpy(text, "fused pairs"); break;
    case FPFMT_ACCUMULATE_EXACT:
    case FPFMT_ACCUMULATE_FMA:
    case FPFMT_ACCUMULATE_MULTIPLY_ADD:
    case FPFMT_ACCUMULATE_PAIRWISE:
    case FPFMT_ACCUMULATE_KAHAN: break;
    }
}

/* The marks of the notes that a text is made of, joined by semicolons, in order. */
static void mark(char marks[MOST_NOTES], const char *text, notes *made, char first)
{
    bool used[MOST_NOTES] = { false };
    size_t n = 0;
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ";");
        used[note_number(made, text, length)] = true;
        text += length + strspn(text + length, "; ");
    }
    for (size_t i = 0; i < MOST_NOTES - 1; i++)
        if (used[i])
            marks[n++] = (char)(first + (char)i);
    marks[n] = '\0';
}

static void show_name(const fpfmt_accumulator *row)
{
    char name[32];
    snprintf(name, sizeof name, "%-17s  ", row->name);
    table_label(STYLE_NAME, name);
    table_piece(STYLE_PLAIN, row->summary);
}

/* A row of an engine stands below its name, that of a reference model beside it. */
static void show_row(const fpfmt_accumulator *row, bool named, const char *marks,
                     const char *doubts)
{
    char takes[64], does[80];
    if (!named)
        show_name(row);
    if (row->inputs != NULL) {
        if (!named)
            table_row();
        snprintf(takes, sizeof takes, "    %s → %s", row->inputs, row->outputs);
        table_cell(STYLE_PLAIN, takes);
    }
    describe(does, row);
    table_cell(STYLE_PLAIN, does);
    table_cell(STYLE_DIM, marks);
    table_piece(STYLE_DIM, *doubts != '\0' ? " " : "");
    table_piece(STYLE_DIM, doubts);
    table_row();
}

static void show_notes(const char *title, const notes *made, char first)
{
    enum { LEFT = 7 };
    out_line();
    out(STYLE_DIM, title);
    out_line();
    for (size_t i = 0; i < made->count; i++) {
        char text[200];
        outf(STYLE_DIM, "    %c  ", (char)(first + (char)i));
        snprintf(text, sizeof text, "%.*s", (int)made->note[i].length, made->note[i].text);
        out_wrapped_from(LEFT, LEFT, text);
    }
}

/* What may stand in a name, and the names for promotion that rows have, each once. */
static void show_grammar(void)
{
    const fpfmt_accumulator *row, *last = NULL;
    char text[400] = "Accumulators without formats take any. NAME:FORMAT rounds every step to that "
                     "format, as fma:bf16. NAME/N adds the sum to one in the output format after N "
                     "products, and begins again at 0";
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++) {
        if (row->promoted == NULL || (last != NULL && strcmp(last->promoted, row->promoted) == 0))
            continue;
        last = row;
        snprintf(text + strlen(text), sizeof text - strlen(text), "; %s:N is %s/N", row->promoted,
                 row->name);
    }
    strcat(text, ".");
    out_line();
    out_wrapped(0, text);
}

static void for_people(void)
{
    const fpfmt_accumulator *row, *last = NULL;
    notes checked = { .count = 0 }, open = { .count = 0 };
    char marks[MOST_NOTES], doubts[MOST_NOTES];
    table_begin(0);
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++, last = row) {
        bool named = last != NULL && strcmp(last->name, row->name) == 0 &&
                     strcmp(last->summary, row->summary) == 0;
        mark(marks, row->checked, &checked, '1');
        mark(doubts, row->open, &open, 'a');
        show_row(row, named, marks, doubts);
    }
    table_flush();
    show_notes("Checked against", &checked, '1');
    show_notes("Open", &open, 'a');
    show_grammar();
}

void list_accumulators(const options *chosen)
{
    if (chosen->output == OUTPUT_SCREEN)
        for_people();
    else
        for_machine(chosen->output);
}
