/* limits.c - the streaming limit: reads and writes what a conversion does, and computes nothing;
 * and for arithmetic on float what the processor's own takes
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

#define PLAIN(name, attribute, vector, expression)                                                 \
    attribute static bool name(const contender *it, void *to, const void *from, size_t n)          \
    {                                                                                              \
        const vector *a = operand_at(it, from, n, 0), *b = operand_at(it, from, n, 1);             \
        const vector *c = operand_at(it, from, n, 2);                                              \
        vector *out = to;                                                                          \
        (void)c;                                                                                   \
        for (size_t i = 0; i < n * sizeof(float) / sizeof(vector); i++)                            \
            out[i] = expression;                                                                   \
        return true;                                                                               \
    }

/* Bytes read for each written, or less the bytes written for each read. */
static const int shapes[] = { 8, 4, 3, 2, 1, -2, -4, -8 };
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

#define ALL(attribute, bytes)                                                                      \
    NARROW(narrow_8_##bytes, attribute, vector##bytes, 8)                                          \
    NARROW(narrow_4_##bytes, attribute, vector##bytes, 4)                                          \
    NARROW(narrow_3_##bytes, attribute, vector##bytes, 3)                                          \
    NARROW(narrow_2_##bytes, attribute, vector##bytes, 2)                                          \
    NARROW(copy_##bytes, attribute, vector##bytes, 1)                                              \
    WIDEN(widen_2_##bytes, attribute, vector##bytes, 2)                                            \
    WIDEN(widen_4_##bytes, attribute, vector##bytes, 4)                                            \
    WIDEN(widen_8_##bytes, attribute, vector##bytes, 8)                                            \
    static pass *const limits_##bytes[SHAPES] = {                                                  \
        narrow_8_##bytes, narrow_4_##bytes, narrow_3_##bytes, narrow_2_##bytes,                    \
        copy_##bytes,     widen_2_##bytes,  widen_4_##bytes,  widen_8_##bytes,                     \
    };                                                                                             \
    typedef float floats##bytes __attribute__((vector_size(bytes), may_alias, aligned(4)));        \
    PLAIN(add_##bytes, attribute, floats##bytes, a[i] + b[i])                                      \
    PLAIN(multiply_##bytes, attribute, floats##bytes, a[i] * b[i])                                 \
    PLAIN(divide_##bytes, attribute, floats##bytes, a[i] / b[i])                                   \
    PLAIN(fma_##bytes, attribute, floats##bytes, a[i] * b[i] + c[i])

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
    int ratio = read >= write ? (int)(read / write) : -(int)(write / read);
    size_t shape = 0;
    while (shape + 1 < SHAPES && shapes[shape] > ratio)
        shape++;
    return limits()[shape];
}

/* The widest vectors that run here. */
#if defined __x86_64__ || defined __i386__
#define PLAIN_PASS(operation)                                                                      \
    bool plain_##operation(const contender *it, void *to, const void *from, size_t n)              \
    {                                                                                              \
        return (limit_vector() == 64   ? operation##_64                                            \
                : limit_vector() == 32 ? operation##_32                                            \
                                       : operation##_16)(it, to, from, n);                         \
    }
#else
#define PLAIN_PASS(operation)                                                                      \
    bool plain_##operation(const contender *it, void *to, const void *from, size_t n)              \
    {                                                                                              \
        return operation##_16(it, to, from, n);                                                    \
    }
#endif
PLAIN_PASS(add)
PLAIN_PASS(multiply)
PLAIN_PASS(divide)
PLAIN_PASS(fma)
