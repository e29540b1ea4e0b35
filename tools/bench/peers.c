/* peers.c - how others convert, where they are installed
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <string.h>

#include "kit/list.h"

/* An element at a time, as the peers offer it. */
#define LOOP(name, target, source, expression)                                                     \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        target *out = to;                                                                          \
        const source *in = from;                                                                   \
        (void)it;                                                                                  \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = expression;                                                                   \
        return true;                                                                               \
    }

/* The same of two operands. */
#define LOOP_OF_TWO(name, type, expression)                                                        \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        type *out = to;                                                                            \
        const type *a = operand_at(it, from, n, 0), *b = operand_at(it, from, n, 1);               \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = expression;                                                                   \
        return true;                                                                               \
    }

/* Since version 15 clang has the type without AVX512-FP16. */
#if defined __FLT16_MANT_DIG__ && (!defined __clang__ || __clang_major__ >= 15)
#define HAS_FLOAT16 1
__extension__ typedef _Float16 compiler_half;
LOOP(float16_encode_f32, compiler_half, float, (compiler_half)in[i])
LOOP(float16_encode_f64, compiler_half, double, (compiler_half)in[i])
LOOP(float16_decode_f32, float, compiler_half, (float)in[i])
LOOP(float16_decode_f64, double, compiler_half, (double)in[i])
LOOP(float16_round_f32, float, float, (float)(compiler_half)in[i])
LOOP(float16_round_f64, double, double, (double)(compiler_half)in[i])
LOOP_OF_TWO(float16_add, compiler_half, (compiler_half)(a[i] + b[i]))
LOOP_OF_TWO(float16_multiply, compiler_half, (compiler_half)(a[i] * b[i]))
LOOP_OF_TWO(float16_divide, compiler_half, (compiler_half)(a[i] / b[i]))
#else
#define HAS_FLOAT16 0
#endif

#if __has_include(<fp16.h>)
#define HAS_FP16 1
#include <fp16.h>
LOOP(fp16_encode_f32, uint16_t, float, fp16_ieee_from_fp32_value(in[i]))
LOOP(fp16_decode_f32, float, uint16_t, fp16_ieee_to_fp32_value(in[i]))
#else
#define HAS_FP16 0
#endif

/* Without its table, which is in its library. */
#if __has_include(<Imath/half.h>)
#define HAS_IMATH 1
#define IMATH_HALF_NO_LOOKUP_TABLE
#include <Imath/half.h>
LOOP(imath_encode_f32, uint16_t, float, imath_float_to_half(in[i]))
LOOP(imath_decode_f32, float, uint16_t, imath_half_to_float(in[i]))
#else
#define HAS_IMATH 0
#endif

#if defined PEER_MPFR
#define HAS_MPFR 1
#include <mpfr.h>

typedef struct {
    mpfr_exp_t emin, emax;
    mpfr_t number;
} mpfr_state;

/* MPFR's significands are below 1. Within the exponents of the format, a subnormal one has less
 * precision. */
static void begin_mpfr(mpfr_state *saved, const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    saved->emin = mpfr_get_emin();
    saved->emax = mpfr_get_emax();
    mpfr_init2(saved->number, limits.precision);
    mpfr_set_emin(limits.emin - limits.precision + 2);
    mpfr_set_emax(limits.emax + 1);
}

static bool end_mpfr(mpfr_state *saved)
{
    mpfr_clear(saved->number);
    mpfr_set_emin(saved->emin);
    mpfr_set_emax(saved->emax);
    return true;
}

#define MPFR_LOOP(name, type, set, get)                                                            \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        mpfr_state state;                                                                          \
        type *out = to;                                                                            \
        const type *in = from;                                                                     \
        begin_mpfr(&state, it->format);                                                            \
        for (size_t i = 0; i < n; i++) {                                                           \
            int ternary = set(state.number, in[i], MPFR_RNDN);                                     \
            mpfr_subnormalize(state.number, ternary, MPFR_RNDN);                                   \
            out[i] = get(state.number, MPFR_RNDN);                                                 \
        }                                                                                          \
        return end_mpfr(&state);                                                                   \
    }
MPFR_LOOP(mpfr_round_f32, float, mpfr_set_flt, mpfr_get_flt)
MPFR_LOOP(mpfr_round_f64, double, mpfr_set_d, mpfr_get_d)

#define MPFR_LOOP_OF_TWO(name, operation)                                                          \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        mpfr_state state;                                                                          \
        mpfr_t left, right;                                                                        \
        float *out = to;                                                                           \
        const float *a = operand_at(it, from, n, 0), *b = operand_at(it, from, n, 1);              \
        begin_mpfr(&state, it->format);                                                            \
        mpfr_inits2(24, left, right, (mpfr_ptr)NULL);                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            mpfr_set_flt(left, a[i], MPFR_RNDN);                                                   \
            mpfr_set_flt(right, b[i], MPFR_RNDN);                                                  \
            mpfr_subnormalize(state.number, operation(state.number, left, right, MPFR_RNDN),       \
                              MPFR_RNDN);                                                          \
            out[i] = mpfr_get_flt(state.number, MPFR_RNDN);                                        \
        }                                                                                          \
        mpfr_clears(left, right, (mpfr_ptr)NULL);                                                  \
        return end_mpfr(&state);                                                                   \
    }
MPFR_LOOP_OF_TWO(mpfr_add_f32, mpfr_add)
MPFR_LOOP_OF_TWO(mpfr_multiply_f32, mpfr_mul)
#else
#define HAS_MPFR 0
#endif

static const peer plain_peers[] = {
#if HAS_FLOAT16
    { "_float16", "encode_f32", "fp16", float16_encode_f32 },
    { "_float16", "encode_f64", "fp16", float16_encode_f64 },
    { "_float16", "decode_f32", "fp16", float16_decode_f32 },
    { "_float16", "decode_f64", "fp16", float16_decode_f64 },
    { "_float16", "round_f32", "fp16", float16_round_f32 },
    { "_float16", "round_f64", "fp16", float16_round_f64 },
    { "_float16", "arith_add", "fp16", float16_add },
    { "_float16", "arith_multiply", "fp16", float16_multiply },
    { "_float16", "arith_divide", "fp16", float16_divide },
#endif
#if HAS_FP16
    { "fp16", "encode_f32", "fp16", fp16_encode_f32 },
    { "fp16", "decode_f32", "fp16", fp16_decode_f32 },
#endif
#if HAS_IMATH
    { "imath", "encode_f32", "fp16", imath_encode_f32 },
    { "imath", "decode_f32", "fp16", imath_decode_f32 },
#endif
#if HAS_MPFR
    { "mpfr", "round_f32", "fp16 bf16 e5m2", mpfr_round_f32 },
    { "mpfr", "round_f64", "fp16 bf16 e5m2", mpfr_round_f64 },
    { "mpfr", "arith_add_f32", "fp16 bf16 e5m2", mpfr_add_f32 },
    { "mpfr", "arith_multiply_f32", "fp16 bf16 e5m2", mpfr_multiply_f32 },
#endif
    { NULL, NULL, NULL, NULL },
};

static const peer *const tables[] = {
    plain_peers,  matrix_peers,
#if defined PEER_ONEDNN
    onednn_peers,
#endif
#if defined PEER_EIGEN
    eigen_peers,
#endif
    NULL,
};

static bool takes_part(const peer *one, const trial *it)
{
    return strcmp(one->operation, it->operation->name) == 0 &&
           is_word_of(one->formats, it->format_name) && strcmp(it->mode->name, "rne") == 0;
}

bool peer_at(size_t index, const trial *it, contender *who)
{
    for (size_t i = 0; tables[i] != NULL; i++)
        for (const peer *one = tables[i]; one->name != NULL; one++)
            if (takes_part(one, it) && index-- == 0) {
                *who =
                    (contender){ .operation = one->operation, .set = one->name, .run = one->run };
                return true;
            }
    return false;
}

void name_peers(FILE *out)
{
    const char *last = "";
    for (size_t i = 0; tables[i] != NULL; i++)
        for (const peer *one = tables[i]; one->name != NULL; last = one++->name)
            if (strcmp(one->name, last) != 0)
                fprintf(out, " %s", one->name);
}
