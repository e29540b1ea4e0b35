/* rows.h - what an experiment prints: paragraphs and tables for people, records for programs
 * SPDX-License-Identifier: MIT
 *
 * An experiment says everything once, on a page. A page on a screen shows paragraphs and tables; a
 * page for programs leaves the paragraphs out, and makes of all tables one list of records. */

#ifndef FPLAB_ROWS_H
#define FPLAB_ROWS_H

#include "kit/records.h"
#include "kit/table.h"

typedef struct lab_page lab_page;

/* A page in a form, of which FORM_SCREEN is the one for people. JSON says which experiment it is
 * of, and the seed, which is read when the first row is begun. Both must stay until lab_close. */
lab_page *lab_open(form how, const char *experiment, const uint64_t *seed);
void lab_close(lab_page *page);

/* Does a person read the page, and not a program? */
bool lab_on_screen(const lab_page *page);

/* A paragraph for people, broken at the width of the screen. */
void lab_say(const lab_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* An empty line for people, before what comes next. */
void lab_gap(const lab_page *page);

/* ---- rows ---- */

typedef enum { LAB_EVERYWHERE, LAB_SCREEN, LAB_MACHINE } lab_place;

typedef struct {
    const char *name;    /* for programs; NULL ends a table */
    const char *heading; /* for people; NULL: the name */
    lab_place place;     /* who sees the column */
    align aligned;
    style look;
} lab_column;

/* Begins rows with these columns, which must stay until lab_close. On a screen, a further call
 * begins a further table, under headings again. A program gets one list of records, whose fields
 * are the columns of the first call: later ones must have names for programs that are the same. */
void lab_rows(lab_page *page, const lab_column *columns);

/* The next cell of a row, of which each has as many as there are columns: text for programs, and
 * for people what is shown, or the text where that is NULL. The text "-" stands for what does not
 * exist, and is null in JSON. */
void lab_cell(lab_page *page, const char *text, const char *shown);
void lab_cellf(lab_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lab_end_row(lab_page *page);

/* On a screen, draws what stands in the table so far. */
void lab_flush(const lab_page *page);

#endif
