/* environment.h - what the environment and the terminal say about how a screen should look
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_ENVIRONMENT_H
#define FPFMT_KIT_ENVIRONMENT_H

#include <stdbool.h>

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color_choice;

/* How a screen should look: a tool begins with the usual display, which variables of the
 * environment and then options override. */
typedef struct {
    int color; /* COLOR_... */
    bool ascii;
    int width;   /* columns; 0 for those of the terminal */
    bool screen; /* it is people who will see it, and not a program */
} display;

enum { WIDTH_LEAST = 40, WIDTH_MOST = 10000 };

/* As wide as the terminal, in ASCII where the locale's characters are not those of UTF-8. */
display usual_display(void);

/* The run's output looks like that from now on. COLOR_AUTO is in colour on a terminal that is not
 * dumb. Where no width is wanted it is the terminal's, and 80 where there is none; a note says
 * that it is too small for a screen. */
void use_display(const display *wanted);

#endif
