/* train_numbers.h - what operands of a training run are rounded to, as options say it
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_NUMBERS_H
#define FPLAB_TRAIN_NUMBERS_H

#include "train.h"

/* The length of an operand's name, which a slash ends: ELEMENT@SCALE/SIZE has one of its own. */
size_t operand_name_length(const char *text);

/* A format that training can work with; false after a complaint. */
bool read_number_format(fpfmt_format *format, const char *name, const char *option);

/* The formats of operands and how they are rounded, from the texts of the policy. False after a
 * complaint. */
bool read_operands(train_policy *policy);

/* The accumulators, once all formats are known. */
bool read_sums(train_policy *policy);

#endif
