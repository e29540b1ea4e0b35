/* run.h - one run of a tool: its streams, its memory, its screen, and how it ends
 * SPDX-License-Identifier: MIT
 *
 * A process may perform any number of runs, one after the other: everything that a run changes is
 * in its kit_run, and all memory that it took ends with it. The functions of the kit work on the
 * run that is going on, which is the one thing that the kit keeps in a variable of its own. */

#ifndef FPFMT_KIT_RUN_H
#define FPFMT_KIT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { EXIT_DONE = 0, EXIT_CONDITION = 1, EXIT_TROUBLE = 2 };

enum { QUOTED_SIZE = 256, TABLE_COLUMNS = 64, TABLE_ROWS = 64, RUN_FILES = 8 };
enum { USUAL_HANG = 4 }; /* columns before what goes on below its line */

/* The table that is being drawn; table.c says what its text means. */
typedef struct {
    char *text;
    size_t length;
    int indent, gutter, rows, column;
    int widths[TABLE_COLUMNS];
    bool right[TABLE_COLUMNS];
    unsigned char rank[TABLE_COLUMNS]; /* which columns go first; 0 for those that stay */
    bool dropped[TABLE_COLUMNS];
    bool fitted; /* the widths are chosen for the screen: what is wider is broken */
} kit_table;

typedef struct kit_run kit_run;
struct kit_run {
    const char *program; /* as messages name it */
    FILE *in, *out, *err;
    int status;                  /* one of EXIT_... so far */
    bool ascii, color;           /* how out() writes */
    int width;                   /* columns of the screen */
    int at, owed;                /* columns of the line so far, and blanks behind them */
    bool gap;                    /* an empty line is owed, too, before what comes next */
    int hang;                    /* where the line goes on below if it does not fit */
    char quoted[2][QUOTED_SIZE]; /* what quoted() returns, in turn */
    int quotes;                  /* how often it did */
    kit_table table;             /* what stands on the screen but is not aligned yet */
    struct memory_block *blocks; /* all memory of the run; see memory.c */
    FILE *files[RUN_FILES];      /* those that are open; see files.c */
    struct replacement *replacements; /* new files without their name; see replace.c */
    size_t allocations;          /* how often memory was asked for */
    size_t fails_at; /* which of these, from 1, finds none; 0, but in tests: none does */
    void (*stop)(kit_run *run) __attribute__((noreturn)); /* what stop_run does */
};

/* Performs a command as one run of a program, on these streams, and returns its exit status. What
 * the command writes is flushed, and a write that failed is told; the streams stay open. */
int perform_run(const char *program, int (*command)(int argc, char **argv), int argc, char **argv,
                FILE *in, FILE *out, FILE *err);

/* The run that is going on. */
kit_run *this_run(void);

/* Ends the run from whatever depth, as one that has no memory left: its command goes no further. A
 * complaint has said why. */
_Noreturn void stop_run(void);

/* For hosts that do not come through perform_run: makes a run the one that is going on, and ends
 * it, with its exit status as the result. run->program, the streams and stop are the caller's. */
void start_run(kit_run *run);
int finish_run(kit_run *run);

#endif
