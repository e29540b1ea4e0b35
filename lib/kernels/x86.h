/* x86.h - what the processor and the system have
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_X86_H
#define FPFMT_X86_H

#include <stdbool.h>

/* AVX2, F16C and FMA; with AVX-512 F, BW, VL, DQ and VBMI; and whether the system saves the
 * registers. */
bool fpfmt_has_avx2(void);
bool fpfmt_has_avx512(void);

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

/* MXCSR: to nearest, all exceptions masked, subnormals as they are. */
enum { MASKED = 0x1F80, SUBNORMALS_LOST = 0x8040 };

/* Makes subnormals count; what MXCSR was, to return to. */
static inline unsigned fpfmt_settle(void)
{
    unsigned saved = _mm_getcsr();
    if (saved & SUBNORMALS_LOST)
        _mm_setcsr(saved & ~(unsigned)SUBNORMALS_LOST);
    __asm__ volatile("" : : : "memory");
    return saved;
}

static inline void fpfmt_return(unsigned saved)
{
    __asm__ volatile("" : : : "memory");
    if (saved & SUBNORMALS_LOST)
        _mm_setcsr(saved);
}

#endif

#endif
