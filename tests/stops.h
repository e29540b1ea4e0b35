/* stops.h - whether a checking build stops a call of its caller's fault
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_STOPS_H
#define FPFMT_TESTS_STOPS_H

#include <stdbool.h>

/* In a process of its own: does the call stop it, and say why in one line? */
bool stops(void (*call)(void));

#endif
