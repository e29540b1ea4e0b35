/* kernel.h - what a prepared conversion is made of, and what a set of kernels offers
 * SPDX-License-Identifier: MIT
 *
 * A carrier is the binary32 or binary64 that values come in or go out as. Kernels see its bits as
 * unsigned words. Every set gives the bits of the scalar one, whatever the floating-point
 * environment, and leaves that environment as it found it. */

#ifndef FPFMT_KERNEL_H
#define FPFMT_KERNEL_H

#include <string.h>

#include <fpfmt.h>

enum { CARRIER_32, CARRIER_64, CARRIERS };

/* How an element decides whether its magnitude goes up. */
enum {
    DECIDE_EVEN,      /* to nearest, ties to even */
    DECIDE_LIMIT,     /* by limits: every other mode without chance */
    DECIDE_CHANCE_32, /* where the rest and 32 random bits carry */
    DECIDE_CHANCE_64, /* where the rest and 64 random bits carry */
    DECIDE_REFERENCE  /* outside the element function's reach: by fpfmt_encode */
};

/* The ways that vector sets have besides the element function: see fast.h. */
enum {
    WAY_LOOP, /* the element function */
    WAY_SHIFT,
    WAY_SUM
};

/* Conversions of binary32 that have an instruction, or nearly: binary16, bfloat16, and codes of up
 * to 8 bits whose fields fit those of binary16, times a power of two. */
enum { NATIVE_NONE, NATIVE_HALF, NATIVE_BFLOAT, NATIVE_SMALL };

/* What has to be set right after a fast way, per element. */
enum { PATCH_NOTHING, PATCH_NAN, PATCH_ALL };

/* From a carrier to a format under a policy. Pairs are for the two signs, positive first. Words are
 * read in the carrier's width; what is a yes or no is a mask. Values are carrier bits; codes and
 * carried values have their sign where nothing else is said. */
typedef struct {
    uint8_t decide, bytes; /* bytes of one code in an array */
    bool carries;          /* every value of the format is one of the carrier */
    uint8_t width, rounding, random_bits;
    uint8_t way, patch, native; /* of vector sets; patch: of codes */
    bool scans;                 /* flags can be told from the input alone */
    uint64_t limit;             /* what larger magnitudes are cut to, if only patch is left to do */
    uint64_t next;              /* the first magnitude past the largest of the format */
    uint64_t over_from[2];      /* the first that overflows, without chance */

    uint64_t source_mask;         /* the carrier's bits that count */
    uint64_t flush_input;         /* smaller carrier magnitudes count as zero */
    uint64_t first;               /* the carrier's exponent field of the smallest normal */
    uint64_t fraction_bits, drop; /* of the format; and how many fewer than the carrier's */
    uint64_t equal_chance;        /* a rest counts however small it is */
    uint64_t nearest, tie, tie_odd, never[2], never_odd; /* DECIDE_LIMIT: see goes_away */

    uint64_t tiny[2];    /* carrier magnitudes below are tiny */
    uint64_t tiny_after; /* but for those that a chance takes to the smallest normal */
    uint64_t flush_tiny; /* what is tiny becomes zero */
    uint64_t max[2];     /* magnitude codes: past them it overflows */
    uint64_t before[2];  /* those that overflow if anything was cut off */
    uint64_t over[2], over_value[2], over_flags[2];
    uint64_t infinity[2], infinity_value[2], infinity_flags[2];

    uint64_t negate, zero_negate, add, code_mask; /* see with_sign */
    uint64_t negative_zero;                       /* there is one */
    uint64_t min_value;                           /* the smallest positive value, carried */

    uint64_t nan_keep, nan_set[2]; /* a NaN: bits of the payload kept, bits set */
    uint64_t nan_value_keep, nan_value_set[2];
    uint64_t nan_bare; /* without any of these payload bits, the last one kept is set */
    uint64_t nan_flags, signaling_flags;
} fpfmt_encoder;

/* From a format to a carrier, exactly. */
typedef struct {
    bool carries, reference; /* reference: outside the element function's reach */
    bool has_table;          /* of 256 values, each the upper half of a binary32 */
    uint8_t bytes, native;
    uint64_t code_mask, sign_bit, negate, add; /* as in the encoder */
    uint64_t drop, hidden;      /* hidden: the magnitude code from which a hidden bit counts */
    uint64_t flush;             /* smaller magnitude codes count as zero */
    uint64_t normal, subnormal; /* what to add to carrier bits: exponents */
    uint64_t has_infinity, infinity;
    uint64_t nan_mask, first_nan, last_nan, quiet; /* of code & nan_mask; quiet: its bit, or 0 */
    uint64_t nan_keep, nan_set, nan_sign;
    uint32_t scale;            /* NATIVE_SMALL: the binary32 of that power */
    uint8_t width, half_shift; /* half_shift: from its fraction to that of binary16 */
} fpfmt_decoder;

/* What random bits are drawn from: index is that of element 0. */
typedef struct {
    const fpfmt_policy *policy;
    uint64_t index;
} fpfmt_draw;

/* A set, its members by carrier. Codes take encoder->bytes each; flags may be NULL; n is not 0. An
 * output may lie on its input, element by element. table: NULL, or for decoders that have one the
 * low and the high bytes of the upper halves of their values. */
typedef void fpfmt_encode_kernel(const fpfmt_encoder *, void *out, const void *values, size_t n,
                                 const fpfmt_draw *, unsigned *flags);
typedef void fpfmt_decode_kernel(const fpfmt_decoder *, const uint8_t table[2][256], void *values,
                                 const void *codes, size_t n, unsigned *flags);

/* values[i] = a[i] operation b[i] operation c[i], rounded to odd, with the sign of an exact zero as
 * rounding up or down has it, or to nearest even; only add, subtract, multiply, divide, sqrt and
 * fma. Returns how many results are infinite, NaN or the largest value, and their places in
 * special. n is at most OPERATE_TILE; operands that are not taken are NULL. */
enum { OPERATE_UPWARD, OPERATE_DOWNWARD, OPERATE_NEAREST };
enum { OPERATE_TILE = 1024 };
typedef size_t fpfmt_operate_kernel(int operation, int how, void *values, uint16_t *special,
                                    const void *a, const void *b, const void *c, size_t n);

/* To nearest even and without flags, all in one: of binary16 and bfloat16 from codes to codes, of
 * these and others from float to float. Nothing of out may lie on an operand. Returns how many
 * elements are done, 0 if the set has no such kernel for the encoder, with the places of those that
 * are left, as above. */
enum {
    FUSED_HALF_CODES,
    FUSED_BFLOAT_CODES,
    FUSED_HALF_VALUES,
    FUSED_BFLOAT_VALUES,
    FUSED_VALUES,
    FUSED_NONE
};
enum { FUSED_SPECIAL = 64 };
typedef size_t fpfmt_fused_kernel(const fpfmt_encoder *, int operation, int how, bool codes,
                                  void *out, uint32_t special[FUSED_SPECIAL], size_t *found,
                                  const void *a, const void *b, const void *c, size_t n);

/* A tile of C = A B + C in floats: sums is rows by columns, a rows by k with a row every TILE_DEPTH
 * floats, b k by columns. Every sum takes its products in the order of k, by fma to nearest even;
 * with a step each is rounded once to binary16 or bfloat16. Returns whether one is NaN, which then
 * may have any sign and payload. */
enum { STEP_NONE, STEP_HALF, STEP_BFLOAT };
enum { TILE_ROWS = 12, TILE_COLUMNS = 32, TILE_DEPTH = 192 }; /* the most of any set */
typedef bool fpfmt_tile_kernel(int step, float *sums, const float *a, const float *b, size_t k);

struct fpfmt_kernels {
    const char *name;
    bool (*runs_here)(void);
    fpfmt_encode_kernel *encode[CARRIERS], *round[CARRIERS];
    fpfmt_decode_kernel *decode[CARRIERS];
    fpfmt_operate_kernel *operate[CARRIERS]; /* NULL: fpfmt_operate serves */
    fpfmt_fused_kernel *fused;               /* of binary32; NULL: operate serves */
    fpfmt_tile_kernel *tile;                 /* NULL: fpfmt_dot serves */
    uint8_t tile_rows, tile_columns;
    bool steps; /* the tile kernel has them */
};

extern const fpfmt_kernels fpfmt_scalar_kernels, fpfmt_avx2_kernels, fpfmt_avx512_kernels;

#endif
