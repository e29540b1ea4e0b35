/* fpfmt_arrays.h - arrays of codes and of numbers, by prepared plans
 * SPDX-License-Identifier: MIT
 *
 * An array of codes has one code per element in the narrowest of uint8_t, uint16_t, uint32_t and
 * uint64_t that holds the format; bits above its width are ignored on input and 0 on output. Arrays
 * may have any alignment. An output may lie on its input or before it, if its elements are not the
 * larger ones; any other overlap is refused.
 *
 * What is refused returns false, writes nothing and raises nothing: a plan that is not prepared, a
 * NULL array with n > 0, a size past PTRDIFF_MAX, forbidden overlap, a carrier (float or double)
 * that does not hold every value of the format where values come out. In a build with
 * --enable-checking it stops with a sentence instead: it is a fault of the caller. */

/* Before the guard: fpfmt.h includes this header at its end, so that either may come first. */
#include "fpfmt.h"

#ifndef FPFMT_ARRAYS_H
#define FPFMT_ARRAYS_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- codes one by one ---- */

/* Bytes of a code in an array of codes of this format: 1, 2, 4 or 8. */
FPFMT_API size_t fpfmt_code_bytes(const fpfmt_format *format);

/* Code number index of an array, read and written. */
FPFMT_API uint64_t fpfmt_load_code(const fpfmt_format *format, const void *codes, size_t index);
FPFMT_API void fpfmt_store_code(const fpfmt_format *format, void *codes, size_t index,
                                uint64_t code);

/* ---- prepared conversions ---- */

/* A set of kernels, one per instruction set; all give the same bits in any floating-point
 * environment, and leave it as it was. Set index of those built in, the plainest first; NULL past
 * the end. */
typedef struct fpfmt_kernels fpfmt_kernels;
FPFMT_API const fpfmt_kernels *fpfmt_kernels_at(size_t index);
FPFMT_API const char *fpfmt_kernels_name(const fpfmt_kernels *set); /* scalar, avx2, avx512 */
FPFMT_API bool fpfmt_kernels_run_here(const fpfmt_kernels *set);

/* A prepared conversion, in the caller's memory and constant afterwards: threads may share it. */
enum { FPFMT_PLAN_WORDS = 320 };
typedef struct {
    fpfmt_format format;
    fpfmt_policy policy;
    const fpfmt_kernels *set;
    uint64_t prepared[FPFMT_PLAN_WORDS];
} fpfmt_plan;

/* Choose kernels, constants and tables; set NULL is the best that runs here. False if the format
 * or the policy has a defect, or the set does not run here. */
FPFMT_API bool fpfmt_prepare(fpfmt_plan *plan, const fpfmt_format *format,
                             const fpfmt_policy *policy, const fpfmt_kernels *set);

/* n values to codes, and codes to values. Element i has the random bits of index policy.first +
 * first + i, so that pieces of an array give the bits of the whole. Decoding is exact: of the
 * policy, it heeds the rule for NaN, and for subnormal inputs: subnormal codes. */
FPFMT_API bool fpfmt_plan_encode_f32(const fpfmt_plan *plan, void *codes, const float *values,
                                     size_t n, uint64_t first, unsigned *flags);
FPFMT_API bool fpfmt_plan_encode_f64(const fpfmt_plan *plan, void *codes, const double *values,
                                     size_t n, uint64_t first, unsigned *flags);
FPFMT_API bool fpfmt_plan_decode_f32(const fpfmt_plan *plan, float *values, const void *codes,
                                     size_t n, unsigned *flags);
FPFMT_API bool fpfmt_plan_decode_f64(const fpfmt_plan *plan, double *values, const void *codes,
                                     size_t n, unsigned *flags);

/* n values rounded to the format and carried on as they came: encode and decode in one. */
FPFMT_API bool fpfmt_plan_round_f32(const fpfmt_plan *plan, float *rounded, const float *values,
                                    size_t n, uint64_t first, unsigned *flags);
FPFMT_API bool fpfmt_plan_round_f64(const fpfmt_plan *plan, double *rounded, const double *values,
                                    size_t n, uint64_t first, unsigned *flags);

/* n codes of one format to another, rounded once, under the policy of to. */
FPFMT_API bool fpfmt_plan_convert(const fpfmt_plan *to, void *codes, const fpfmt_plan *from,
                                  const void *source, size_t n, uint64_t first, unsigned *flags);

/* One shot, without a plan: for short arrays, and for long ones called once. The same rules, with
 * the defects of fpfmt_prepare. */
FPFMT_API bool fpfmt_encode_f32(const fpfmt_format *format, void *codes, const float *values,
                                size_t n, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API bool fpfmt_encode_f64(const fpfmt_format *format, void *codes, const double *values,
                                size_t n, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API bool fpfmt_decode_f32(const fpfmt_format *format, float *values, const void *codes,
                                size_t n, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API bool fpfmt_decode_f64(const fpfmt_format *format, double *values, const void *codes,
                                size_t n, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API bool fpfmt_round_f32(const fpfmt_format *format, float *rounded, const float *values,
                               size_t n, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API bool fpfmt_round_f64(const fpfmt_format *format, double *rounded, const double *values,
                               size_t n, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API bool fpfmt_convert_codes(const fpfmt_format *to, void *codes, const fpfmt_format *from,
                                   const void *source, size_t n, const fpfmt_policy *policy,
                                   unsigned *flags);

/* ---- statistics ---- */

/* What rounding does to an array. The sums are exact, in units of 2^-2148: sum[0] + 2^64 sum[1] +
 * ..., with room for 2^64 elements. */
enum { FPFMT_SUM_LIMBS = 68 };
typedef struct {
    uint64_t count;     /* of elements; each is also counted in one of the next seven */
    uint64_t exact;     /* raised nothing */
    uint64_t inexact, subnormal; /* subnormal: tiny and inexact, but did not become 0 */
    uint64_t underflow; /* became 0 */
    uint64_t overflow;  /* past the largest value: became infinite or NaN */
    uint64_t saturated; /* past an end of the format: became a finite value */
    uint64_t invalid;
    uint64_t nan, infinite; /* elements that were so before rounding */
    uint64_t finite;        /* pairs x, y of an element and what it became that are both finite:
                             * what follows is of these */
    uint64_t nonzero;       /* those of them with x not 0 */
    fpfmt_value absolute, relative; /* the largest |x - y|, and the largest |x - y| / |x| with
                                     * x not 0; cut to 64 bits */
    uint64_t absolute_index, relative_index; /* of the first element with that error */
    uint64_t signal[FPFMT_SUM_LIMBS], noise[FPFMT_SUM_LIMBS]; /* of x^2, and of (x - y)^2 */
    uint64_t relative_squares[5]; /* in units of 2^-160: of the squares of |x - y| / |x|, with x not
                                   * 0, each rounded to 24 bits to nearest even; 2^48 at most */
    uint64_t reserved[2];
} fpfmt_stats;

/* Round as fpfmt_plan_round does, and add to *stats what that did to each element; the rounded
 * values are not kept. Element i has index first + i. *stats is all zero to begin with. */
FPFMT_API bool fpfmt_plan_stats_f32(const fpfmt_plan *plan, fpfmt_stats *stats, const float *values,
                                    size_t n, uint64_t first);
FPFMT_API bool fpfmt_plan_stats_f64(const fpfmt_plan *plan, fpfmt_stats *stats,
                                    const double *values, size_t n, uint64_t first);

/* Statistics of pieces of an array add up, in any order, to those of the whole, bit for bit. */
FPFMT_API void fpfmt_stats_add(fpfmt_stats *total, const fpfmt_stats *piece);

/* The sums of x^2, of (x - y)^2 and of relative squares, cut to 64 bits. The root of noise / finite
 * is the rms error, 10 log10(signal / noise) the SQNR in dB, and the root of relative / nonzero
 * the rms relative error. */
FPFMT_API fpfmt_value fpfmt_stats_signal(const fpfmt_stats *stats);
FPFMT_API fpfmt_value fpfmt_stats_noise(const fpfmt_stats *stats);
FPFMT_API fpfmt_value fpfmt_stats_relative(const fpfmt_stats *stats);

/* ---- views, and packed codes ---- */

/* An array of any strides: element [i][k]... is at data + i * strides[0] + k * strides[1] + ...,
 * counted in elements. Strides may be negative, and 0 in an input; NULL is an array without gaps,
 * its last index the fastest. rank 0 is one element; shape and strides have rank entries. */
enum { FPFMT_VIEW_RANK_MAX = 16 };
typedef struct {
    void *data; /* of inputs, it is only read */
    int rank;
    const size_t *shape;
    const ptrdiff_t *strides;
    fpfmt_reserved reserved;
} fpfmt_view;

typedef enum {
    FPFMT_VIEW_ENCODE_F32,
    FPFMT_VIEW_ENCODE_F64,
    FPFMT_VIEW_DECODE_F32,
    FPFMT_VIEW_DECODE_F64,
    FPFMT_VIEW_ROUND_F32,
    FPFMT_VIEW_ROUND_F64
} fpfmt_view_operation;
enum { FPFMT_VIEW_COUNT = FPFMT_VIEW_ROUND_F64 + 1 };

/* One of the plan calls above, between views of one shape. The element that is number i when the
 * last index is the fastest has index first + i. Refused besides what these refuse: other ranks,
 * and an output whose strides do not nest, so that an element could be written twice. In place, the
 * strides must be the same; and if the codes are smaller than the values, or the output begins
 * before the input, addresses must rise with the number of the element. */
FPFMT_API bool fpfmt_plan_view(const fpfmt_plan *plan, fpfmt_view_operation operation,
                               fpfmt_view out, fpfmt_view in, uint64_t first, unsigned *flags);

/* Codes of 1 to 8 bits without gaps between them: element 0 in the low bits of byte 0, or in the
 * high ones. Two of FP4 take a byte, four of FP6 three; the rest of the last byte is 0. */
typedef enum { FPFMT_PACK_LOW_FIRST, FPFMT_PACK_HIGH_FIRST } fpfmt_pack_order;

/* Bytes of n packed codes; 0 for a width that is not from 1 to 8. */
FPFMT_API size_t fpfmt_packed_size(unsigned width, size_t n);

/* From and to arrays of codes. Packed codes may lie on the unpacked ones or before them, unpacked
 * ones apart. False: another width or order, or what array calls refuse. */
FPFMT_API bool fpfmt_pack(unsigned width, fpfmt_pack_order order, void *packed,
                          const uint8_t *codes, size_t n);
FPFMT_API bool fpfmt_unpack(unsigned width, fpfmt_pack_order order, uint8_t *codes,
                            const void *packed, size_t n);

/* fpfmt_plan_encode_f32 and fpfmt_plan_decode_f32 with packed codes of up to 8 bits. */
FPFMT_API bool fpfmt_plan_encode_packed_f32(const fpfmt_plan *plan, fpfmt_pack_order order,
                                            void *packed, const float *values, size_t n,
                                            uint64_t first, unsigned *flags);
FPFMT_API bool fpfmt_plan_decode_packed_f32(const fpfmt_plan *plan, fpfmt_pack_order order,
                                            float *values, const void *packed, size_t n,
                                            unsigned *flags);

/* ---- arithmetic ---- */

/* Element by element: out[i] = a[i] operation b[i] operation c[i]; NULL for operands that are not
 * taken. Operands and results are codes of the plan's format, or carried: then any float or double
 * will do, and the result is one rounded to the format. Element i has index first + i. The output
 * may lie on an operand; what is refused is said at the top. */
FPFMT_API bool fpfmt_plan_operate(const fpfmt_plan *plan, fpfmt_operation operation, void *codes,
                                  const void *a, const void *b, const void *c, size_t n,
                                  uint64_t first, unsigned *flags);
FPFMT_API bool fpfmt_plan_operate_f32(const fpfmt_plan *plan, fpfmt_operation operation,
                                      float *values, const float *a, const float *b, const float *c,
                                      size_t n, uint64_t first, unsigned *flags);
FPFMT_API bool fpfmt_plan_operate_f64(const fpfmt_plan *plan, fpfmt_operation operation,
                                      double *values, const double *a, const double *b,
                                      const double *c, size_t n, uint64_t first, unsigned *flags);

#ifdef __cplusplus
}
#endif

#endif
