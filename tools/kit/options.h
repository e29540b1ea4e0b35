/* options.h - the command line, described by tables and read by them
 * SPDX-License-Identifier: MIT
 *
 * An option is a row: its name, its letter, what it takes, which words are legal there, what it is
 * for, and how its argument is read into the settings of the tool. Everything else follows from the
 * rows: what getopt_long is told, --help, the complaint about an option that is none, and what a
 * shell's completion offers. */

#ifndef FPFMT_KIT_OPTIONS_H
#define FPFMT_KIT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kit/environment.h"
#include "kit/words.h"

typedef struct option_row option_row;

/* Reads the argument of an option, "" for an option that takes none, into the settings of the tool.
 * False after a complaint. */
typedef bool option_reader(void *settings, const option_row *row, const char *text);

/* What a completion has to go on: the text typed so far, as "ieee,fp" of --as=ieee,fp. */
typedef struct {
    const char *before; /* what stays in front of a candidate, as "--as=ieee," */
    const char *typed;  /* how a candidate must begin, as "fp" */
} completion;

/* Calls offer_word for each word that may stand there. */
typedef void option_offer(const completion *now, const option_row *row);

struct option_row {
    const char *name;    /* without its two hyphens; NULL ends a table */
    char letter;         /* -l for --list-formats; 0 for none */
    const char *takes;   /* what the argument is, in capitals, for the help; NULL for none */
    const char *summary; /* what the option is for, in a few words without a full stop */
    option_reader *read;
    size_t target;        /* offset in the settings of what the reader sets */
    option_offer *offer;  /* legal words, for completions; NULL where any text may stand */
    const void *of;       /* the reader's and the offer's: a word_table of legal words, say */
    uint64_t least, most; /* of read_whole */
    int value;            /* of set_value */
    /* Variables of the environment that set the option where the command line does not, separated
     * by blanks, an earlier one before a later one: NAME, whose value is the argument, or
     * NAME=ARGUMENT. A variable that is empty counts for none. */
    const char *environment;
    bool hidden;         /* not in the help: for scripts of completions */
    const char *heading; /* a new paragraph of the help begins here, under these words */
    unsigned commands;   /* the tool's: bits of the commands that take the option, 0 for all */
};

/* ---- readers that tools share; target says where the result goes ---- */

option_reader set_true;    /* bool */
option_reader set_value;   /* int: the row's value */
option_reader set_text;    /* const char *: the text itself */
option_reader set_whole;   /* uint64_t: a whole number from least to most */
option_reader set_int;     /* int: a whole number from least to most */
option_reader set_word;    /* int: the meaning of a word of the word_table of */
option_reader set_color;   /* int, COLOR_... of environment.h; auto leaves it as it was */
option_reader set_format;  /* fpfmt_format, by any name */
option_reader set_formats; /* format_list: formats and sets are added to what there is */

/* ---- offers that tools share ---- */

/* Offers a word, with what it means (NULL for nothing), if it begins as what was typed. */
void offer_word(const completion *now, const char *name, const char *summary);

option_offer offer_words;   /* of the word_table of */
option_offer offer_formats; /* names of rows and their aliases */
option_offer offer_targets; /* formats, and sets of them */
option_offer offer_policies;
option_offer offer_rounding; /* modes, and those that need a number of random bits with one */
option_offer offer_blocks;   /* block formats */
option_offer offer_recipes;
option_offer offer_accumulators;
option_offer offer_files; /* leaves it to the shell */

/* --color, --ascii and --width of a display at this offset in the settings. */
#define DISPLAY_OPTIONS(place)                                                                     \
    { .name = "color",                                                                             \
      .takes = "WHEN",                                                                             \
      .summary = "auto, always or never",                                                          \
      .read = set_color,                                                                           \
      .target = (place) + offsetof(display, color),                                                \
      .offer = offer_words,                                                                        \
      .of = &color_words,                                                                          \
      .environment = "NO_COLOR=never CLICOLOR_FORCE=always FORCE_COLOR=always" },                  \
        { .name = "ascii",                                                                         \
          .summary = "use ASCII only",                                                             \
          .read = set_true,                                                                        \
          .target = (place) + offsetof(display, ascii) },                                          \
    {                                                                                              \
        .name = "width", .takes = "N", .summary = "columns of the screen", .read = set_int,        \
        .target = (place) + offsetof(display, width), .least = WIDTH_LEAST, .most = WIDTH_MOST,    \
        .environment = "COLUMNS"                                                                   \
    }

extern const word_table color_words; /* COLOR_... */

/* A whole number from least to most, in decimal digits; false after a complaint in which what, as
 * "--seed" or "COUNT", names the thing that takes it. */
bool read_whole(uint64_t *number, const char *text, const char *what, uint64_t least,
                uint64_t most);

/* As read_whole, without a complaint; *number is undefined where the result is false. */
bool parse_whole(uint64_t *number, const char *text, uint64_t least, uint64_t most);

/* ---- reading ---- */

/* The options that a command takes: tables, NULL behind the last. */
typedef const option_row *const *option_tables;

/* Whether an argument that begins with '-' is an operand all the same, as a negative number is. */
typedef bool operand_test(const char *argument);

/* How a command line is read. */
typedef struct {
    const char *name; /* of the command in hints, as "fplab sum" in "try 'fplab sum --help'" */
    option_tables tables;
    void *settings;           /* what the readers get */
    operand_test *is_operand; /* NULL where every argument that begins with '-' is an option */
    /* Called for each option before its reader; NULL for nothing. False after a complaint. */
    bool (*accepts)(void *settings, const option_row *row);
} option_reading;

typedef struct {
    char **operands; /* as they came, options left out */
    size_t count;
    bool good; /* false after a complaint */
} arguments;

/* Sets the options that variables of the environment name. A value that an option would not take is
 * as good as none: whoever set the variable may not have thought of this program. */
void read_variables(const option_reading *how);

/* Reads argv[0] up to argv[argc - 1], which are all arguments: no program's name among them.
 * Options and operands may be mixed; after -- all are operands. All that can be read is, so that a
 * user is told of every mistake at once. */
arguments read_arguments(const option_reading *how, int argc, char **argv);

/* ---- help and completions ---- */

/* The rows of these tables with their summaries, for --help. */
void print_options(option_tables tables);

/* The same where no option has a letter, as a manual writes options: "--as FORMATS", with a blank
 * in place of '=', and summaries from column 25 on. */
void print_options_spaced(option_tables tables);

/* Their names alone, as many to a line of 80 columns as fit, each heading before its first one. */
void print_options_packed(option_tables tables);

/* What the last of these words may become, which is the one that is being typed and may be empty: a
 * candidate a line, with a tab and its summary behind it. Names of files are left to the shell by a
 * line that begins with ":files", with a tab and what stays in front of each name behind it. True
 * if the last word may be an operand: it begins no option, and no option takes it. */
bool print_candidates(option_tables tables, int argc, char **argv);

/* The scripts of completions ask: PROGRAM --complete WORD..., the last of which is being typed.
 * Prints the candidates then; false of any other command line. */
bool completes(option_tables tables, int argc, char **argv);

/* As print_candidates, for the names of commands, which stand where an operand would. */
void print_command_candidates(const word_table *commands, int argc, char **argv);

#endif
