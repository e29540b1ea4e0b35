/* x86.h - what the processor and the system have
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_X86_H
#define FPFMT_X86_H

#include <stdbool.h>

/* Whether the processor has AVX2, F16C and FMA, and the system saves the 256-bit registers when it
 * switches between programs: without that they may be lost at any time. */
bool fpfmt_has_avx2(void);

/* Whether it has all of that, and AVX-512 F, BW, VL, DQ and VBMI with the 512-bit and mask
 * registers.
 */
bool fpfmt_has_avx512(void);

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

/* MXCSR, Intel SDM volume 1, 10.2.3. MASKED is its value at the start of a program: to nearest, all
 * exceptions masked, no flag raised, subnormals as they are. SUBNORMALS_LOST are bit 15, which
 * flushes subnormal results to zero, and bit 6, which takes subnormal operands for zero. */
enum { MASKED = 0x1F80, SUBNORMALS_LOST = 0x8040 };

/* Makes subnormals count; gives what MXCSR was, for fpfmt_return. MXCSR is written only if it has
 * to be, as that takes as long as some ten operations. Between the two stand only instructions that
 * say themselves how they round and that they raise nothing, so that the rest of MXCSR may be
 * anything. The barriers keep what reads and writes memory in between; what is computed comes from
 * there and goes there. */
static inline unsigned fpfmt_settle(void)
{
    unsigned saved = _mm_getcsr();
    if (saved & SUBNORMALS_LOST)
        _mm_setcsr(saved & ~(unsigned)SUBNORMALS_LOST);
    __asm__ volatile("" : : : "memory");
    return saved;
}

/* Puts back what fpfmt_settle found. */
static inline void fpfmt_return(unsigned saved)
{
    __asm__ volatile("" : : : "memory");
    if (saved & SUBNORMALS_LOST)
        _mm_setcsr(saved);
}

/* Makes MXCSR what it is at the start of a program, for operations of C that round as it says; gives
 * what it was, flags included, for fpfmt_leave_plain. */
static inline unsigned fpfmt_enter_plain(void)
{
    unsigned saved = _mm_getcsr();
    __asm__ volatile("" : : : "memory");
    _mm_setcsr(MASKED);
    __asm__ volatile("" : : : "memory");
    return saved;
}

static inline void fpfmt_leave_plain(unsigned saved)
{
    __asm__ volatile("" : : : "memory");
    _mm_setcsr(saved);
}

#endif

#endif
