/* commands.h - the table of what fpinspect can do
 * SPDX-License-Identifier: MIT
 *
 * A command is a row: what it takes, which facts it gathers and in which forms it prints them. What
 * a row does not say that it takes is refused, so that no option is ever silently without effect.
 */

#ifndef FPINSPECT_COMMANDS_H
#define FPINSPECT_COMMANDS_H

#include "kit/options.h"
#include "values/request.h"

typedef struct command_row {
    option_row option; /* that asks for it; its name is "" for values alone */
    const char *takes; /* names of other options that mean something to it, separated by blanks */
    uint64_t operands; /* values at the most */
    unsigned forms;    /* bits 1 << FORM_... */

    /* Facts of which there is an array: gather fills the list (memory of the run) or complains and
     * returns false; draw shows it to people, and programs get it by its schema. */
    bool (*gather)(fact_list *facts, const request *chosen);
    void (*draw)(const request *chosen, const fact_list *facts);
    const char *list;  /* what JSON calls the array */
    bool about_format; /* which JSON says is about the format that the option names */
    const field *fields;
    size_t size;

    /* A command that streams, or whose fields depend on its options, does all by itself. */
    void (*run)(const request *chosen);
} command_row;

/* The row whose option has this name; NULL if there is none. */
const command_row *command_named(const char *name);

/* The options of all rows, as a table in memory of the run. */
const option_row *command_options(void);

/* Whether the request keeps to its command's row; false after a complaint. */
bool keeps_to_row(const request *chosen);

/* Gathers the facts and prints them in the form that was asked for. */
void run_command(const request *chosen);

#endif
