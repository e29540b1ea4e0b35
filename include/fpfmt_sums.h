/* fpfmt_sums.h - sums and products of arrays, as hardware and programs accumulate them
 * SPDX-License-Identifier: MIT
 *
 * An accumulator, a row of the table or your own, says how products a[i] x b[i] join a sum. Sums,
 * dot products and products of matrices take one, and the format of the result. */

/* Before the guard: fpfmt.h includes this header at its end, so that either may come first. */
#include "fpfmt.h"

#ifndef FPFMT_SUMS_H
#define FPFMT_SUMS_H

#ifdef __cplusplus
extern "C" {
#endif

/* How products a[i] x b[i] join the sum. */
typedef enum {
    FPFMT_ACCUMULATE_EXACT,        /* all of them exactly; one rounding */
    FPFMT_ACCUMULATE_FMA,          /* one by one: sum = a x b + sum, rounded once */
    FPFMT_ACCUMULATE_MULTIPLY_ADD, /* one by one: the product is rounded, and then the sum */
    FPFMT_ACCUMULATE_PAIRWISE,     /* rounded products; sums of halves, the first of n / 2 */
    FPFMT_ACCUMULATE_KAHAN,        /* rounded products; what a sum lost is taken from the next */
    FPFMT_ACCUMULATE_ALIGNED,      /* groups and the sum, aligned to the largest exponent and cut
                                    * below fraction_bits: NVIDIA's tensor cores; with late_bits
                                    * the sum joins after the group: AMD's CDNA3 */
    FPFMT_ACCUMULATE_ODD_FIRST,    /* pairs by FMA, element 1 before 0: Intel's VDPBF16PS */
    FPFMT_ACCUMULATE_TWO_CHAINS,   /* even and odd elements of a group by FMA from 0, then the sum
                                    * of both, then that and the sum: Intel's AMX */
    FPFMT_ACCUMULATE_PAIR_TO_ODD,  /* pairs: products, their sum, and the sum to odd: Arm's BFDOT */
    FPFMT_ACCUMULATE_PAIR_FUSED,   /* pairs: a x b + a x b rounded once, and the sum */
    FPFMT_ACCUMULATE_GROUP_TREE    /* groups of 2 or 4: rounded products, sums of pairs, of those,
                                    * and the sum: AMD's CDNA2 */
} fpfmt_method;
enum { FPFMT_ACCUMULATE_COUNT = FPFMT_ACCUMULATE_GROUP_TREE + 1 };

/* An accumulator: a row of the table, or your own. */
typedef struct {
    const char *name, *summary;
    const char *promoted;         /* a name with a promotion in it: promote:N is nv-hopper/N; NULL
                                   * for none */
    const char *inputs, *outputs; /* names of the formats it takes, by blanks; NULL for any */
    const char *checked, *open;   /* what the row was checked against, and what nobody knows */
    uint8_t method;               /* a fpfmt_method */
    uint8_t group;                /* elements of a group, at most FPFMT_GROUP_MAX */
    uint8_t fraction_bits;        /* that aligned terms keep, at most 40 */
    uint8_t kept_bits;            /* fraction bits of a group's result, if fewer than those of the
                                   * output; 0 for these */
    bool nearest;                 /* a group's result is rounded to nearest even, not toward zero */
    bool apart;                   /* groups sum up from 0; the start is added at the end of 32 */
    bool interleaved;             /* of 32 elements those with i % 4 < 2 are the first group */
    uint8_t subnormal;            /* FPFMT_SUBNORMAL_...: what is flushed */
    uint32_t promote;             /* after so many elements the sum is added to one in the output
                                   * format, to nearest even, and begins again at 0; 0 for never */
    uint8_t late_bits;            /* not 0: the start is no term, but added to the products' sum, of
                                   * which so many fraction bits below a larger start are kept, at
                                   * most 40; all that is cut from then on is cut downward */
    uint8_t total_bits;           /* fraction bits that the total of both keeps; 0 for all */
    uint8_t start_reach;          /* a start whose exponent is further below that of the products is
                                   * dropped; 0 for none */
    bool parities;                /* even and odd elements of a group are aligned apart, and then
                                   * their sums, with a start that is added late */
    uint8_t joined;               /* so many products, which share their scales, are summed exactly,
                                   * and times these are one term of a group of at most 64 elements;
                                   * 0 for 1 */
    bool scales_late;             /* sums that are promoted are of elements alone; the product of both
                                   * scales, rounded, joins by fma */
    const fpfmt_format *inner;    /* the format of the sum of FMA, MULTIPLY_ADD, PAIRWISE and KAHAN;
                                   * NULL for the output format, and in all others */
    fpfmt_reserved reserved;
} fpfmt_accumulator;
enum { FPFMT_GROUP_MAX = 32 };

/* Which field is out of range, as a sentence; NULL if none is. */
FPFMT_API const char *fpfmt_accumulator_defect(const fpfmt_accumulator *how);

/* Is it the model of an engine, which has its hardware's policy and raises no flags? */
FPFMT_API bool fpfmt_accumulator_is_engine(const fpfmt_accumulator *how);

/* Row index of the table, from 0; NULL past the end. Rows of one engine share a name. */
FPFMT_API const fpfmt_accumulator *fpfmt_accumulator_at(size_t index);

/* Fill in *row by name, with :FORMAT for inner and /N for promote behind it, as fma:bf16/128, or
 * by the name for promotion with :N. Of an engine it is the row that takes products of the inputs
 * to the output. AMBIGUOUS: the engine has none. UNSOUND: what follows the name is not understood.
 */
FPFMT_API fpfmt_status fpfmt_find_accumulator(fpfmt_accumulator *row, const char *name,
                                              const fpfmt_format *to, const fpfmt_format *a,
                                              const fpfmt_format *b);

/* Scales of a series: size elements share one, and these are stride codes apart. codes NULL: all
 * ones. */
typedef struct {
    const fpfmt_format *format;
    const void *codes;
    ptrdiff_t stride;
    size_t size;
} fpfmt_scales;

/* n codes of a format, stride elements apart; codes NULL: all ones. Each counts as its product with
 * its scale, exactly. */
typedef struct {
    const fpfmt_format *format;
    const void *codes;
    ptrdiff_t stride;
    fpfmt_scales scales;
    fpfmt_reserved reserved;
} fpfmt_series;

/* start + a[0] x b[0] + a[1] x b[1] + ... as the accumulator sums up, in and to codes of to; n 0
 * gives the start. Of the policy the reference models take all, but promoted sums are added under
 * the default one; rounding number r of the call, from 0, has the random bits of index first + r.
 * An engine's model has the policy that its hardware fixes, and raises no flags. Refused, with NaN,
 * are reserved room that is not zero, and what fpfmt_scales_defect tells; with 0, NULL for to. */
FPFMT_API uint64_t fpfmt_dot(const fpfmt_format *to, const fpfmt_accumulator *how, uint64_t start,
                             fpfmt_series a, fpfmt_series b, size_t n, const fpfmt_policy *policy,
                             unsigned *flags);

/* start + a[0] + a[1] + ..., as products with 1. */
FPFMT_API uint64_t fpfmt_sum(const fpfmt_format *to, const fpfmt_accumulator *how, uint64_t start,
                             fpfmt_series a, size_t n, const fpfmt_policy *policy, unsigned *flags);

/* Why an accumulator does not take operands with these formats and scales, as a sentence; NULL if it
 * does. That is a defect of the accumulator, an operand that is NULL or has codes without a format,
 * and what would not be exact: every product of an element and a scale must be a binary64; aligned
 * accumulators take scales that are 0 or powers of two, of either sign, but any where products are
 * joined, which then have to share them, also at a promotion; and where scales come late a promoted
 * sum must not cross one. What is aligned is an integer: formats of both operands have 62 fraction
 * bits at most; a sum of joined products, in products of both formats' smallest steps, and the
 * significands of both scales have 62 bits together; and so has the sum of a group of joined
 * products, of the largest elements and scales just below 2, with fraction_bits below the point. */
FPFMT_API const char *fpfmt_scales_defect(const fpfmt_accumulator *how, const fpfmt_series *a,
                                          const fpfmt_series *b);

/* Scales of a matrix: that of element [i][j] is at codes + (i / rows) * row + (j / columns) *
 * column, counted in codes. codes NULL: all ones. */
typedef struct {
    const fpfmt_format *format;
    const void *codes;
    ptrdiff_t row, column;
    size_t rows, columns;
} fpfmt_matrix_scales;

/* Codes of a matrix: element [i][j] is at codes + i * row + j * column, counted in elements. */
typedef struct {
    const fpfmt_format *format;
    const void *codes;
    ptrdiff_t row, column;
    fpfmt_matrix_scales scales;
    fpfmt_reserved reserved;
} fpfmt_matrix;

/* C = alpha A B + beta C, where A is m by k, B k by n, and C m by n codes of to. With alpha 1 each
 * element is the dot product of a row and a column that starts at beta C: 0 for beta 0, where C is
 * not read, C for 1, else rounded, which is then rounding 0 of the element. With other alpha it
 * starts at 0, and alpha times it, plus beta C as before, is rounded once, as rounding 5 k + 3. */
typedef struct {
    const fpfmt_format *to;
    const fpfmt_accumulator *how;
    const fpfmt_policy *policy; /* NULL: the default one */
    fpfmt_matrix a, b;
    void *c;
    ptrdiff_t row, column;      /* strides of C */
    size_t m, n, k;
    double alpha, beta;
    uint64_t index[2];          /* rounding r of element [i][j] has index first + i x index[0] +
                                 * j x index[1] + r; both 0: no two are alike, with 5 k + 4 for j */
    void *workspace;            /* NULL, or room that makes it faster, aligned for float */
    size_t workspace_bytes;
    const fpfmt_kernels *set;   /* NULL: the best one */
    fpfmt_reserved reserved;
} fpfmt_product;

/* Pieces of C give the bits of the whole. Refused besides what array calls refuse: NaN as alpha or
 * beta, C that overlaps A, B, their scales or itself, and what fpfmt_scales_defect tells. */
FPFMT_API bool fpfmt_gemm(const fpfmt_product *product, unsigned *flags);

/* As much workspace as is of use. */
FPFMT_API size_t fpfmt_gemm_workspace(const fpfmt_product *product);

/* One group of an aligned accumulator, told as data. Term 0 is the sum before it, the others its
 * products; the values are (-1)^negative * significand * 2^(exponent - point). */
typedef struct {
    struct {
        bool negative;
        int16_t point;         /* fraction bits of the significand, which is below 4 but where
                                * products are joined */
        int32_t exponent;      /* of a product: that of a and that of b together */
        uint64_t significand;  /* 0: the term is not aligned */
        uint64_t kept;         /* in units of 2^(largest - fraction_bits) */
        uint64_t lost;         /* the bits below, at their place in the significand */
    } term[FPFMT_GROUP_MAX + 1];
    size_t count;              /* of terms */
    int32_t largest;           /* exponent of all terms */
    int64_t sum;               /* of what was kept */
    bool special;              /* a term is infinite or NaN: nothing was aligned */
    uint64_t code;             /* the result, in the output format */
    uint64_t reserved[4];      /* 0 */
} fpfmt_alignment;

/* The first group of a dot product, of at most how->group elements; false if how does not align, n
 * is 0 or fpfmt_dot would refuse. The start is none of its terms, but 0, where it is added later:
 * where groups sum up apart, or are promoted, or have late_bits. With parities it is of the even
 * elements. */
FPFMT_API bool fpfmt_align(const fpfmt_format *to, const fpfmt_accumulator *how,
                           fpfmt_alignment *group, uint64_t start, fpfmt_series a, fpfmt_series b,
                           size_t n);

#ifdef __cplusplus
}
#endif

#endif
