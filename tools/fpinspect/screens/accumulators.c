/* accumulators.c - the accumulators: what they take and do, and how sure that is
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/table.h"
#include "screens/view.h"

enum { MOST_NOTES = 32, MOST_TAKEN = 16 };

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
    switch (row->method) {
    case FPFMT_ACCUMULATE_ALIGNED:
        if (row->late_bits != 0) {
            snprintf(text, 80, "%s%d%s, %d fraction bits, start last",
                     row->parities ? "2 × " : "groups of ",
                     row->parities ? row->group / 2 : row->group, row->parities ? " by parity" : "",
                     row->fraction_bits);
            break;
        }
        if (row->kept_bits != 0)
            snprintf(kept, sizeof kept, " to %d", row->kept_bits);
        snprintf(text, 80, "%s%d%s, %d fraction bits, %s%s",
                 row->interleaved ? "2 × " : "groups of ", row->group,
                 row->interleaved  ? " interleaved"
                 : row->joined > 1 ? " in exact sums"
                                   : "",
                 row->fraction_bits, row->nearest ? "nearest even" : "toward zero", kept);
        break;
    case FPFMT_ACCUMULATE_ODD_FIRST: strcpy(text, "pairs by FMA, the odd element first"); break;
    case FPFMT_ACCUMULATE_TWO_CHAINS:
        snprintf(text, 80, "groups of %d, even and odd elements apart", row->group);
        break;
    case FPFMT_ACCUMULATE_PAIR_TO_ODD: strcpy(text, "pairs, every step to odd"); break;
    case FPFMT_ACCUMULATE_PAIR_FUSED: strcpy(text, "fused pairs"); break;
    case FPFMT_ACCUMULATE_GROUP_TREE:
        snprintf(text, 80, "groups of %d, sums of pairs", row->group);
        break;
    default: break;
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

/* Formats with long names have a line to themselves, as a wider column would leave 80 of them no
 * room for what the engine does. */
static void put_takes(const char *takes, size_t length)
{
    if (length <= MOST_TAKEN) {
        table_cell(STYLE_PLAIN, takes);
        return;
    }
    table_label(STYLE_PLAIN, takes);
    table_row();
    table_cell(STYLE_PLAIN, "");
}

/* A row of an engine stands below its name, that of a reference model beside it. */
static void show_row(const fpfmt_accumulator *row, bool named, const char *marks,
                     const char *doubts)
{
    char takes[64], does[80];
    if (row->inputs == NULL) {
        table_cell(STYLE_NAME, row->name);
        table_cell(STYLE_PLAIN, row->summary);
    } else {
        if (!named) {
            show_name(row);
            table_row();
        }
        snprintf(takes, sizeof takes, "    %s → %s", row->inputs, row->outputs);
        put_takes(takes, strlen(row->inputs) + strlen(row->outputs));
        describe(does, row);
        table_cell(STYLE_PLAIN, does);
    }
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

void draw_accumulators(const request *chosen, const fact_list *facts)
{
    const fpfmt_accumulator *row, *last = NULL;
    notes checked = { .count = 0 }, open = { .count = 0 };
    char marks[MOST_NOTES], doubts[MOST_NOTES];
    (void)chosen;
    (void)facts;
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
    out_line();
    out_wrapped(0, "Accumulators without formats take any. NAME:FORMAT rounds every step to that "
                   "format, as fma:bf16. NAME/N adds the sum to one in the output format after N "
                   "products, and begins again at 0; promote:N is nv-hopper/N.");
}
