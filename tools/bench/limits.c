/* limits.c - the streaming limit: reads and writes what a conversion does, and computes nothing
 * SPDX-License-Identifier: MIT */

#include "bench.h"

typedef uint64_t vector16 __attribute__((vector_size(16), may_alias));
typedef uint64_t vector32 __attribute__((vector_size(32), may_alias));
typedef uint64_t vector64 __attribute__((vector_size(64), may_alias));

/* Compilers make a call of memcpy of a loop that copies, unless told that memory is looked at. */
#define KEEP_LOOP __asm__ volatile("" : : : "memory")

/* Only the ratio of the widths matters: narrow reads factor vectors for each that it writes, widen
 * writes each vector that it reads factor times. */
#define NARROW(name, attribute, vector, factor)                                                    \
    attribute static bool name(const contender *it, void *to, const void *from, size_t n)          \
    {                                                                                              \
        const vector *in = from;                                                                   \
        vector *out = to;                                                                          \
        size_t count = n * it->write / sizeof(vector);                                             \
        _Pragma("GCC unroll 4") for (size_t i = 0; i < count; i++)                                 \
        {                                                                                          \
            vector all = in[i * factor];                                                           \
            _Pragma("GCC unroll 8") for (size_t j = 1; j < factor; j++) all |= in[i * factor + j]; \
            out[i] = all;                                                                          \
            KEEP_LOOP;                                                                             \
        }                                                                                          \
        return true;                                                                               \
    }

#define WIDEN(name, attribute, vector, factor)                                                     \
    attribute static bool name(const contender *it, void *to, const void *from, size_t n)          \
    {                                                                                              \
        const vector *in = from;                                                                   \
        vector *out = to;                                                                          \
        size_t count = n * it->read / sizeof(vector);                                              \
        _Pragma("GCC unroll 4") for (size_t i = 0; i < count; i++)                                 \
        {                                                                                          \
            vector all = in[i];                                                                    \
            _Pragma("GCC unroll 8") for (size_t j = 0; j < factor; j++) out[i * factor + j] = all; \
            KEEP_LOOP;                                                                             \
        }                                                                                          \
        return true;                                                                               \
    }

enum { SHAPES = 7 };

#define ALL(attribute, bytes)                                                                      \
    NARROW(narrow_8_##bytes, attribute, vector##bytes, 8)                                          \
    NARROW(narrow_4_##bytes, attribute, vector##bytes, 4)                                          \
    NARROW(narrow_2_##bytes, attribute, vector##bytes, 2)                                          \
    NARROW(copy_##bytes, attribute, vector##bytes, 1)                                              \
    WIDEN(widen_2_##bytes, attribute, vector##bytes, 2)                                            \
    WIDEN(widen_4_##bytes, attribute, vector##bytes, 4)                                            \
    WIDEN(widen_8_##bytes, attribute, vector##bytes, 8)                                            \
    static pass *const limits_##bytes[SHAPES] = {                                                  \
        narrow_8_##bytes, narrow_4_##bytes, narrow_2_##bytes, copy_##bytes,                        \
        widen_2_##bytes,  widen_4_##bytes,  widen_8_##bytes,                                       \
    };

ALL(, 16)

#if defined __x86_64__ || defined __i386__

ALL(__attribute__((target("avx2"))), 32)
ALL(__attribute__((target("avx512f,avx512bw"))), 64)

size_t limit_vector(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
        return sizeof(vector64);
    return __builtin_cpu_supports("avx2") ? sizeof(vector32) : sizeof(vector16);
}

static pass *const *limits(void)
{
    size_t bytes = limit_vector();
    return bytes == sizeof(vector64)   ? limits_64
           : bytes == sizeof(vector32) ? limits_32
                                       : limits_16;
}

#else

size_t limit_vector(void)
{
    return sizeof(vector16);
}

static pass *const *limits(void)
{
    return limits_16;
}

#endif

pass *limit_pass(size_t read, size_t write)
{
    size_t shape = SHAPES / 2;
    for (; read > write; read /= 2)
        shape--;
    for (; write > read; write /= 2)
        shape++;
    return limits()[shape];
}
