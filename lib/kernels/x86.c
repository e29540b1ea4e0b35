/* x86.c - what the processor and the system have
 * SPDX-License-Identifier: MIT */

#include "x86.h"

#if defined __x86_64__ && defined __GNUC__

#include <cpuid.h>
#include <stdint.h>

/* Bits of cpuid's answers, as Intel's and AMD's manuals number them (Intel SDM volume 2A, CPUID),
 * and of the states that XCR0 has saved (volume 1, 13.3): YMM_STATE is of SSE and AVX, ZMM_STATE of
 * these and of the mask registers and both kinds of 512-bit registers. */
enum {
    OSXSAVE = 1 << 27, /* leaf 1, ecx */
    F16C = 1 << 29,
    FMA = 1 << 12,
    AVX2 = 1 << 5, /* leaf 7, ebx */
    AVX512F = 1 << 16,
    AVX512DQ = 1 << 17,
    AVX512BW = 1 << 30,
    AVX512VBMI = 1 << 1, /* leaf 7, ecx */
    YMM_STATE = 0x06,
    ZMM_STATE = 0xE6
};

/* Leaf 7, ebx; no int holds bit 31, as an enumerator must. */
static const uint32_t avx512vl = UINT32_C(1) << 31;

/* XCR0, which states the system saves. Only where OSXSAVE is set: elsewhere the instruction traps.
 */
static uint32_t saved_states(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Whether all bits are set of cpuid's leaf 1 in ecx, OSXSAVE among them, of leaf 7 in ebx and ecx,
 * and of XCR0. */
static bool has(uint32_t leaf_1, uint32_t ebx_7, uint32_t ecx_7, uint32_t states)
{
    unsigned a, b, c, d;
    if (!__get_cpuid_count(1, 0, &a, &b, &c, &d) || (c & leaf_1) != leaf_1 ||
        (saved_states() & states) != states)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & ebx_7) == ebx_7 && (c & ecx_7) == ecx_7;
}

bool fpfmt_has_avx2(void)
{
    return has(OSXSAVE | F16C | FMA, AVX2, 0, YMM_STATE);
}

bool fpfmt_has_avx512(void)
{
    return has(OSXSAVE | F16C | FMA, AVX2 | AVX512F | AVX512DQ | AVX512BW | avx512vl, AVX512VBMI,
               ZMM_STATE);
}

#endif
