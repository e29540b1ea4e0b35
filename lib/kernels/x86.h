/* x86.h - what the processor and the system have
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_X86_H
#define FPFMT_X86_H

#include <stdbool.h>

/* AVX2, F16C and FMA; with AVX-512 F, BW, VL, DQ and VBMI; and whether the system saves the
 * registers. */
bool fpfmt_has_avx2(void);
bool fpfmt_has_avx512(void);

#endif
