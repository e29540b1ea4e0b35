/* decibels.h - ratios of powers as decibels
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_DECIBELS_H
#define FPINSPECT_DECIBELS_H

#include <fpfmt.h>

/* 10 log10 of signal / noise, to about 5 digits, alike on every machine; false where it is infinite
 * or there is none. */
bool decibels(double *made, fpfmt_value signal, fpfmt_value noise);

#endif
