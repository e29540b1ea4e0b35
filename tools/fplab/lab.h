/* lab.h - what the experiments share: options, complaints, rows for people and programs
 * SPDX-License-Identifier: MIT
 *
 * An experiment is a row here: its options are a table, which reads itself, and what it finds are
 * rows of named columns, which print themselves on a screen, as TSV or as JSON. */

#ifndef LAB_H
#define LAB_H

#include <fpfmt.h>

#include "../fpinspect/out.h"
#include "../fpinspect/say.h"

/* ---- options ---- */

typedef struct {
    fpfmt_format *rows;
    size_t count;
} lab_formats;

typedef enum {
    LAB_FLAG,   /* bool; takes no argument */
    LAB_TEXT,   /* const char *, any text */
    LAB_COUNT,  /* uint64_t, decimal, from least to most */
    LAB_FORMAT, /* fpfmt_format, by any name */
    LAB_FORMATS /* lab_formats, a list with commas; sets as ieee count too */
} lab_kind;

/* An option --name: what it sets is at target, and stays as it is without the option. */
typedef struct {
    const char *name;     /* NULL ends a table */
    const char *argument; /* what it takes, in capitals, for the help; NULL for flags */
    const char *summary;
    lab_kind kind;
    void *target;
    uint64_t least, most; /* of LAB_COUNT */
} lab_option;

/* ---- experiments ---- */

typedef struct {
    const char *name, *usage; /* the usage is its operands, as "START STEP COUNT" */
    const char *summary;      /* one line */
    const char *example;      /* a command that shows it */
    const lab_option *options;
    int least, most; /* how many operands */
    /* Gets so many operands; the options are read already. What is wrong it tells by complain(),
     * and then prints nothing: main returns exit_status(). */
    void (*run)(int argc, char **argv);
} experiment;

extern const experiment update_experiment, sum_experiment, dot_experiment, scale_experiment,
    init_experiment, train_experiment, view_experiment;

/* What every experiment takes: --seed N. */
extern uint64_t lab_seed;

/* Does a person read, and not a program? */
bool lab_on_screen(void);

/* ---- operands; false after a complaint that names what it was ---- */

/* A number, finite. With ratio not NULL also the exact one: numbers that fpfmt_parse_ratio does not
 * take are then refused. */
bool lab_number(fpfmt_value *value, fpfmt_ratio *ratio, const char *text, const char *what);
bool lab_count(uint64_t *count, const char *text, const char *what, uint64_t least, uint64_t most);

/* The formats of a list as the option would read it. */
bool lab_read_formats(lab_formats *formats, const char *list);

/* memory with room for count items of that size, or the end of the program. */
void *lab_allocate(size_t count, size_t size);

/* Bytes of one code in an array, and code index of such an array. */
size_t lab_code_bytes(const fpfmt_format *format);
void lab_store(void *codes, size_t index, const fpfmt_format *format, uint64_t code);
uint64_t lab_load(const void *codes, size_t index, const fpfmt_format *format);

/* ---- what is printed ---- */

/* A paragraph for people, broken at 80 columns; programs do not get it. */
void lab_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An empty line for people. */
void lab_gap(void);

typedef enum { LAB_EVERYWHERE, LAB_SCREEN, LAB_MACHINE } lab_place;

typedef struct {
    const char *name;    /* for programs; NULL ends a table */
    const char *heading; /* for people; NULL: the name */
    lab_place place;     /* who sees it */
    align aligned;
    style look;
} lab_column;

/* Rows: begin once, then for each row as many cells as there are columns. On a screen, lab_rows
 * again is a further table, under headings again; programs get one list. In JSON all cells are
 * texts, and "-", which stands for what does not exist, is null. */
void lab_rows(const lab_column *columns);
void lab_cell(const char *text, const char *shown); /* shown NULL: text for people too */
void lab_cellf(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lab_end_row(void);
void lab_flush(void); /* on a screen: what stands in the table so far is drawn */

/* done of total: on a terminal a line of standard error, once a run takes long. */
void lab_progress(uint64_t done, uint64_t total);

#endif
