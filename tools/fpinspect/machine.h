/* machine.h - output for programs: fields, JSON, bare values
 * SPDX-License-Identifier: MIT */

#ifndef MACHINE_H
#define MACHINE_H

#include "report.h"
#include "words.h"

extern const word_table field_words; /* the fields of --print */

/* Is it a field of what --stepwise computes? */
bool is_stepwise_field(int meaning);

void machine_begin(const options *chosen);
void machine_row(report *made, const options *chosen);
void machine_end(const options *chosen);

#endif
