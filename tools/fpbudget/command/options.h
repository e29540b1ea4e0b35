/* options.h - the command line of fpbudget: tables of options, and how they are read
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_OPTIONS_H
#define FPBUDGET_OPTIONS_H

#include "facts/question.h"
#include "kit/environment.h"
#include "kit/options.h"

/* What a command line asks for; bits, so that an option can say which of them take it. */
enum { COMMAND_MEMORY = 1, COMMAND_FLOPS = 2, COMMAND_LISTS = 4 };

/* The words memory and flops, which mean their bits. */
extern const word_table command_words;

typedef struct {
    const char *command; /* "memory", "flops", or the option of a list; NULL: none of them */
    unsigned commands;   /* the bit of that; 0 for none */
    bool several;        /* more than one of them was asked for */
    bool help, version;
    bool explain;
    int form; /* FORM_... of kit/records.h */
    display display;
    question asked;
    const option_row **given; /* the options, in their order */
    size_t given_count;
} command_line;

/* The options that a command takes, given by its bit; 0: all that there are. */
option_tables options_of(unsigned command);

/* Reads the arguments behind the program's name, each by itself. False after a complaint. */
bool read_command_line(command_line *line, int argc, char **argv);

#endif
