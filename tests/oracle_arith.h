/* oracle_arith.h - operations on exact numbers, by MPFR
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_ORACLE_ARITH_H
#define FPFMT_TESTS_ORACLE_ARITH_H

#include "oracle.h"

enum { OPERANDS = 3 };

/* How many operands it takes. */
unsigned oracle_operands(int operation);

/* The result of an operation (FPFMT_OPERATION_...) before it is rounded, in 256 bits and jammed: on
 * the same side of every value and midpoint as itself. Of the policy the direction, flushed inputs
 * and specials matter; what the operation raises is OR-ed in. */
void oracle_operate(oracle_number *result, int operation,
                    const oracle_number *const operand[OPERANDS], const fpfmt_policy *policy,
                    unsigned *flags);

/* A number rounded to an integer, unless the format's steps at it are not finer than 1; inexact if
 * it changed. In modes without chance. */
void oracle_to_integral(oracle_number *result, const oracle_format *format,
                        const oracle_number *number, const fpfmt_policy *policy, unsigned *flags);

#endif
