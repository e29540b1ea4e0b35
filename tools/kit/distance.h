/* distance.h - what to say of a name that is none: the one it may be a slip of, or all there are
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_DISTANCE_H
#define FPFMT_KIT_DISTANCE_H

enum { ALL_NAMES_SIZE = 600 };

/* A search for what was meant. Begin it as { .typed = ..., .elsewhere = ... }, consider every legal
 * name, then ask for the hint. */
typedef struct {
    const char *typed;         /* what is no name */
    const char *elsewhere;     /* where the names are listed, as "try 'tool --help'"; NULL: the hint
                                  lists them */
    const char *nearest;       /* NULL: no name is within reach of a slip */
    unsigned edits;            /* from typed to nearest */
    char all[ALL_NAMES_SIZE];  /* what was considered, each name once, as "a, b, c" */
    char hint[ALL_NAMES_SIZE]; /* what hint_of returns */
} name_search;

/* A legal name. Of two that are equally near the first is kept. */
void consider_name(name_search *search, const char *name);

/* What may follow "unknown word 'x'": "; did you mean 'y'?" where y is near enough to be a slip of
 * the keyboard, else "; there are a, b, c" or where these are listed. The lead, as "--", stands
 * before the name. */
const char *hint_of(name_search *search, const char *lead);

#endif
