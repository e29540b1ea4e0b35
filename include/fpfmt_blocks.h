/* fpfmt_blocks.h - block formats: elements of few bits that share a scale
 * SPDX-License-Identifier: MIT
 *
 * A block format is a row: elements, a scale, how many elements share it, and for some a second
 * scale, of the whole tensor. A recipe is a row too: how the scale follows from the block. What a
 * block holds is element x scale x tensor scale, exactly, and always a binary64.
 *
 * OCP Microscaling Formats (MX) v1.0 has the first of them; NVIDIA's NVFP4, DeepSeek's tiles,
 * llama.cpp's q8_0 and q4_0 and bitsandbytes' NF4 and FP4 are others. */

/* Before the guard: fpfmt.h includes this header at its end, so that either may come first. */
#include "fpfmt.h"

#ifndef FPFMT_BLOCKS_H
#define FPFMT_BLOCKS_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- code books ---- */

/* Elements that are numbered values. In a mode to nearest a value goes to the entry that thresholds
 * say: the number of them that lie below it, or on it where on_takes_upper; so they settle ties.
 * Other modes take the two entries around it, and go to one or the other as in any format. */
typedef struct {
    const char *name, *title;
    uint8_t width;           /* bits of a code, from 1 to 8 */
    bool has_sign;           /* the top bit of a code is a sign, and the entries are magnitudes */
    bool on_takes_upper;
    uint16_t count;          /* of entries: at most as many as codes without their sign */
    const float *values;     /* of the entries, rising; the first is 0 where has_sign */
    const uint8_t *codes;    /* of the entries; NULL: 0, 1, 2, ... */
    const float *thresholds; /* count - 1: number i lies between values i and i + 1; NULL: half way,
                              * exactly */
    fpfmt_reserved reserved;
} fpfmt_book;

/* Book index of those built in, from 0; NULL past the end. */
FPFMT_API const fpfmt_book *fpfmt_book_at(size_t index);

/* What an entry's code stands for; of codes that no entry has, 0. */
FPFMT_API fpfmt_value fpfmt_book_decode(const fpfmt_book *book, uint64_t code);

/* ---- block formats ---- */

enum { FPFMT_BLOCK_NAME_SIZE = 64 };

/* As many elements as the tensor has in that direction. */
#define FPFMT_BLOCK_ALL UINT32_MAX

/* How the codes of a block lie beside each other where blocks are stored as bytes. */
typedef enum {
    FPFMT_BLOCK_LOW_FIRST,  /* element 0 in the low bits of byte 0 */
    FPFMT_BLOCK_HIGH_FIRST, /* in the high ones: bitsandbytes */
    FPFMT_BLOCK_HALVES      /* low halves of bytes, then high halves: llama.cpp */
} fpfmt_block_order;

/* A block format. Fill one in by hand, or let fpfmt_find_block do it; fpfmt_block_defect checks
 * it. */
typedef struct {
    char name[FPFMT_BLOCK_NAME_SIZE];
    fpfmt_format element;    /* of a code book: an unsigned integer of its width */
    fpfmt_format scale;
    fpfmt_format tensor;     /* of the tensor's scale; read where levels is 2 */
    const fpfmt_book *book;  /* NULL: elements are codes of a format */
    uint8_t levels;          /* 1, or 2: there is a scale of the whole tensor too */
    uint8_t order;           /* a fpfmt_block_order */
    uint32_t size, rows;     /* elements that share a scale along the axis, and across it: 1 but for
                              * tiles; or FPFMT_BLOCK_ALL */
    const char *recipe;      /* the name of the one that its maker uses */
    const char *title;       /* NULL in block formats of your own */
    fpfmt_reserved reserved;
} fpfmt_block;

/* A row of the table: the names of its parts. fpfmt_find_block makes a fpfmt_block of it. */
typedef struct {
    const char *name, *aliases, *title;
    const char *element; /* a format or a code book */
    const char *scale, *tensor; /* formats; NULL for no scale of the tensor */
    uint32_t size, rows;
    const char *recipe;
    uint8_t order;
} fpfmt_block_row;

/* Row index of the table, from 0; NULL past the end. */
FPFMT_API const fpfmt_block_row *fpfmt_block_at(size_t index);

/* Fill in *block by name: of a row, an alias, or ELEMENT@SCALE/SIZE, where ELEMENT is any format or
 * code book, SCALE any format, or two of them joined by @, the scale of blocks and of the tensor,
 * and SIZE a number, ROWSxCOLUMNS for a tile, or the word channel or tensor: e2m1@e8m0/32,
 * e2m1@e4m3@fp32/16, e4m3@fp32/128x128, nf4@fp32/64. Case, '_' and '-' do not matter. UNKNOWN leaves
 * *block alone; UNSOUND fills it for fpfmt_block_defect to explain. */
FPFMT_API fpfmt_status fpfmt_find_block(fpfmt_block *block, const char *name);

/* Which rule of soundness a block format breaks, as a sentence that names the field; NULL if it is
 * sound, which NULL is not. */
FPFMT_API const char *fpfmt_block_defect(const fpfmt_block *block);

/* The largest magnitude that an element may have: the largest value of its format, or of the book's
 * entries the one farthest from 0, with its sign. */
FPFMT_API fpfmt_value fpfmt_block_largest(const fpfmt_block *block);

/* ---- recipes ---- */

/* How the scale follows from amax, the largest magnitude of the block, which FLOOR, CEIL and EVEN
 * divide by the tensor's scale first. M is the largest element, emax its binade. FLOAT,
 * FLOAT_POWER and INVERSE take block formats without a scale of the tensor. */
typedef enum {
    FPFMT_SCALE_FLOOR,    /* 2^(floor(log2 amax) - emax): OCP MX v1.0 6.3 */
    FPFMT_SCALE_CEIL,     /* 2^(ceil(log2 amax) - emax) */
    FPFMT_SCALE_EVEN,     /* 2^(floor(log2 r) - emax), where r is amax rounded half up to as many
                           * bits as an element has */
    FPFMT_SCALE_QUOTIENT, /* amax / (M x tensor scale), rounded once as scale_rounding says */
    FPFMT_SCALE_BEST_OF_TWO, /* that, or 3/2 as much: which of the two has the smaller sum of
                              * squared errors, the first of equal ones; M is 6, and 4 for it */
    FPFMT_SCALE_FLOAT,    /* amax / M in binary32; where M has one sign only, the extreme / M */
    FPFMT_SCALE_FLOAT_POWER, /* that, up to a power of two */
    FPFMT_SCALE_INVERSE,  /* M / amax in binary32, and its inverse is stored; or given as
                           * tensor->encode, and amax not asked for */
    FPFMT_SCALE_ENGINE,   /* TransformerEngine's order of binary32 operations */
    FPFMT_SCALE_TORCHAO   /* torchao's */
} fpfmt_scale_rule;
enum { FPFMT_SCALE_COUNT = FPFMT_SCALE_TORCHAO + 1 };

/* How a value becomes what is rounded to an element. */
typedef enum {
    FPFMT_STEP_EXACT,    /* value / (scale x tensor scale), as stored, exactly; 0 by a scale of 0 */
    FPFMT_STEP_QUOTIENT, /* value / scale in binary32, with the scale before it was stored */
    FPFMT_STEP_PRODUCT   /* value x the scale's inverse, both in binary32 */
} fpfmt_scale_step;
enum { FPFMT_STEP_COUNT = FPFMT_STEP_PRODUCT + 1 };

/* A block of zeros. */
typedef enum {
    FPFMT_BLOCK_ZERO_RULE, /* the scale that the rule gives */
    FPFMT_BLOCK_ZERO_LEAST,/* the smallest positive scale */
    FPFMT_BLOCK_ZERO_ONE,  /* 1 */
    FPFMT_BLOCK_ZERO_ZEROS /* the scale that the rule gives, and elements of 0 whatever it is */
} fpfmt_block_zero;
enum { FPFMT_BLOCK_ZERO_COUNT = FPFMT_BLOCK_ZERO_ZEROS + 1 };

/* A NaN in a block, and an infinity. */
typedef enum {
    FPFMT_BLOCK_NAN_SCALE,  /* the scale is NaN, and with it the block */
    FPFMT_BLOCK_NAN_ELEMENT /* it is no part of amax; the element is what its format makes of it */
} fpfmt_block_nan;
enum { FPFMT_BLOCK_NAN_COUNT = FPFMT_BLOCK_NAN_ELEMENT + 1 };

typedef enum {
    FPFMT_BLOCK_INFINITE_NAN, /* the scale is NaN; as is one past the largest scale */
    FPFMT_BLOCK_INFINITE_MAX, /* the largest scale; for one past the largest too */
    FPFMT_BLOCK_INFINITE_RULE /* what the rule's arithmetic gives */
} fpfmt_block_infinite;
enum { FPFMT_BLOCK_INFINITE_COUNT = FPFMT_BLOCK_INFINITE_RULE + 1 };

/* Values below 2^-126. */
typedef enum { FPFMT_BLOCK_SUBNORMAL_KEEP, FPFMT_BLOCK_SUBNORMAL_FLUSH } fpfmt_block_subnormal;
enum { FPFMT_BLOCK_SUBNORMAL_COUNT = FPFMT_BLOCK_SUBNORMAL_FLUSH + 1 };

enum { FPFMT_RECIPE_NAME_SIZE = 96 };

/* A recipe: a row of the table, or your own. In the table the options of special blocks are the
 * vendor's. */
typedef struct {
    char name[FPFMT_RECIPE_NAME_SIZE];
    const char *summary, *source;
    uint8_t rule, step;      /* a fpfmt_scale_rule, a fpfmt_scale_step */
    uint8_t rounding;        /* of elements where no policy is given; a fpfmt_rounding */
    uint8_t scale_rounding;  /* of scales; a fpfmt_rounding */
    uint8_t zero, nan, infinite, subnormal; /* members of the types above */
    float least;             /* a smaller amax counts as this */
    float least_scale;       /* a smaller scale is raised to this */
    float tensor_bound;      /* of the scales of blocks, where that of the tensor is made; 0: the
                              * largest scale */
    fpfmt_reserved reserved;
} fpfmt_recipe;

/* Row index of the table, from 0; NULL past the end. */
FPFMT_API const fpfmt_recipe *fpfmt_recipe_at(size_t index);

/* Fill in *recipe by name, with options of special blocks behind it: rceil:inf=nan:zero=one. The
 * words are zero=rule|least|one|zeros, nan=scale|element, inf=nan|max|rule, subnormal=keep|flush.
 * UNKNOWN leaves *recipe alone; UNSOUND, and *recipe is left alone: an option is not understood. */
FPFMT_API fpfmt_status fpfmt_find_recipe(fpfmt_recipe *recipe, const char *name);

/* Why the recipe does not fit the block format, as a sentence; NULL if it does. */
FPFMT_API const char *fpfmt_recipe_defect(const fpfmt_block *block, const fpfmt_recipe *recipe);

/* ---- scales of tensors ---- */

/* What every element is also multiplied with. encode is the inverse as its maker rounds it; 0: 1 /
 * decode. Block formats without a scale of the tensor heed encode alone, and that only under
 * INVERSE. */
typedef struct {
    float decode, encode;
} fpfmt_tensor_scale;

/* The scale of a tensor whose largest magnitude is amax, so that its largest block has the largest
 * scale: amax / (M x largest scale), in the recipe's order of operations. 1 for amax 0. False for a
 * block format without a scale of the tensor, and for NaN, infinite or negative amax. */
FPFMT_API bool fpfmt_scale_tensor(fpfmt_tensor_scale *scale, const fpfmt_block *block,
                                  const fpfmt_recipe *recipe, float amax);

/* Delayed scaling: the scale of this step follows from the largest magnitudes of steps before.
 * Fill in history and length, the rest is 0 to begin with. */
typedef struct {
    float *history;    /* amax of the last steps, the latest first */
    size_t length;
    bool latest;       /* the scale follows from the latest alone, not from the largest */
    uint8_t margin;    /* binades that the largest value stays below the largest element */
    fpfmt_tensor_scale scale; /* for the next step; decode 0: none yet, which is taken as 1 */
} fpfmt_amax_history;

/* Puts the amax of this step before the others, the oldest falls out; then scale is (M / largest) /
 * 2^margin, or stays as it is where the largest is 0, infinite or NaN. False for length 0, NULL,
 * and a margin past 127. */
FPFMT_API bool fpfmt_delay_scale(fpfmt_amax_history *it, const fpfmt_format *element, float amax);

/* ---- one block, told as data ---- */

/* What a block is scaled with. */
typedef struct {
    fpfmt_value extreme; /* the first of the values with the largest magnitude: amax with its sign */
    uint64_t code;       /* of the scale */
    fpfmt_value stored;  /* its value, by the tensor's scale */
    fpfmt_value factor;  /* what values are divided by, or multiplied with: see the step */
    uint8_t step;        /* a fpfmt_scale_step */
    bool has_exponent;   /* the rule gives a power of two: */
    int32_t exponent;    /* its log2, before the scale's range ends it */
    int32_t emax;        /* of the elements, which that took off */
    bool is_nan;         /* so is the whole block */
    bool is_zero;        /* all elements become 0 */
    uint64_t reserved[4];
} fpfmt_block_scale;

/* The scale of a block of n values; of BEST_OF_TWO it is the better one. tensor NULL: 1. */
FPFMT_API bool fpfmt_scale_block(const fpfmt_block *block, const fpfmt_recipe *recipe,
                                 fpfmt_block_scale *scale, const fpfmt_value *values, size_t n,
                                 const fpfmt_tensor_scale *tensor);

/* What is rounded to an element: the value by its scale, as the recipe's step says; 0 where all
 * elements become 0. */
FPFMT_API fpfmt_value fpfmt_block_scaled(const fpfmt_recipe *recipe, const fpfmt_block_scale *scale,
                                         fpfmt_value value);

/* The element's code of one value of the block; a value past the largest is clamped to it, unless
 * the policy names another rule for overflow. Subnormal inputs are flushed if the recipe says so,
 * whatever the policy does. The rounding is that of the policy or, for NULL, the
 * recipe's. flags: what the rounding raised, underflow where a value became 0 that was not clipped
 * there, and inexact exactly where the block holds another value. */
FPFMT_API uint64_t fpfmt_block_encode(const fpfmt_block *block, const fpfmt_recipe *recipe,
                                      const fpfmt_block_scale *scale, fpfmt_value value,
                                      const fpfmt_policy *policy, unsigned *flags);

/* What the block holds there: the element times the stored scale, exactly. */
FPFMT_API fpfmt_value fpfmt_block_decode(const fpfmt_block *block, uint64_t code,
                                         fpfmt_value stored);

/* The value of a scale's code, by the tensor's scale; tensor NULL: 1. */
FPFMT_API fpfmt_value fpfmt_block_stored(const fpfmt_block *block, uint64_t code,
                                         const fpfmt_tensor_scale *tensor);

/* ---- arrays of blocks ---- */

/* A prepared block format, in the caller's memory and constant afterwards. */
typedef struct {
    fpfmt_block block;
    fpfmt_recipe recipe;
    fpfmt_policy policy;
    fpfmt_plan elements, scales;
    uint64_t prepared[8];
} fpfmt_block_plan;

/* recipe NULL: the one that the block format names; policy NULL: the recipe's rounding; set NULL:
 * the best. False if any of them has a defect. */
FPFMT_API bool fpfmt_prepare_blocks(fpfmt_block_plan *plan, const fpfmt_block *block,
                                    const fpfmt_recipe *recipe, const fpfmt_policy *policy,
                                    const fpfmt_kernels *set);

/* Scales of n values that lie one behind the other, or codes of a scale in an array: the last block
 * is as long as is left. 1 where blocks are the whole, and 0 where they have no size. */
FPFMT_API size_t fpfmt_block_count(const fpfmt_block *block, size_t n);

/* n values to codes of elements and of scales, a block behind the other. Element i has the random
 * bits of index policy.first + first + i. Refused, besides what array calls refuse: tiles, and
 * outputs that overlap anything; NaN, infinity or 0 as scale of the tensor. */
FPFMT_API bool fpfmt_quantize_f32(const fpfmt_block_plan *plan, void *codes, void *scales,
                                  const float *values, size_t n, const fpfmt_tensor_scale *tensor,
                                  uint64_t first, unsigned *flags);
FPFMT_API bool fpfmt_quantize_f64(const fpfmt_block_plan *plan, void *codes, void *scales,
                                  const double *values, size_t n, const fpfmt_tensor_scale *tensor,
                                  uint64_t first, unsigned *flags);

/* And back: element x scale x tensor scale, rounded once to nearest even, which of doubles is
 * exact. */
FPFMT_API bool fpfmt_dequantize_f32(const fpfmt_block_plan *plan, float *values, const void *codes,
                                    const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                                    unsigned *flags);
FPFMT_API bool fpfmt_dequantize_f64(const fpfmt_block_plan *plan, double *values, const void *codes,
                                    const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                                    unsigned *flags);

/* The same of views, and of codes of any format: format is fp32's or fp64's row for floats. Blocks
 * run along the axis, from 0; tiles across the one before it, which there must be. codes has the
 * shape of values; scales has it too, but along the axis, and before it for tiles, as many as there
 * are blocks, and 1 in every direction for blocks of the whole tensor. Element number i when the
 * last index is the fastest has index first + i. stats, if not NULL, is added to as by
 * fpfmt_plan_stats_f32. */
FPFMT_API bool fpfmt_quantize(const fpfmt_block_plan *plan, fpfmt_stats *stats, fpfmt_view codes,
                              fpfmt_view scales, const fpfmt_format *format, fpfmt_view values,
                              int axis, const fpfmt_tensor_scale *tensor, uint64_t first,
                              unsigned *flags);
FPFMT_API bool fpfmt_dequantize(const fpfmt_block_plan *plan, const fpfmt_format *format,
                                fpfmt_view values, fpfmt_view codes, fpfmt_view scales, int axis,
                                const fpfmt_tensor_scale *tensor, unsigned *flags);

/* ---- blocks as bytes ---- */

/* Bytes of n elements stored block by block: the code of a scale, low byte first, then the codes of
 * its elements without gaps, in the block's order. 0 where blocks have no size of their own. */
FPFMT_API size_t fpfmt_block_bytes(const fpfmt_block *block, size_t n);

/* From and to arrays of codes and scales; the rest of the last block is 0. Outputs overlap nothing.
 */
FPFMT_API bool fpfmt_join_blocks(const fpfmt_block *block, void *bytes, const void *codes,
                                 const void *scales, size_t n);
FPFMT_API bool fpfmt_split_blocks(const fpfmt_block *block, void *codes, void *scales,
                                  const void *bytes, size_t n);

/* Bits of storage per value of a full block, scales included but for that of the tensor, as a
 * value; of blocks without a size of their own, those of an element. */
FPFMT_API fpfmt_value fpfmt_block_bits(const fpfmt_block *block);

#ifdef __cplusplus
}
#endif

#endif
