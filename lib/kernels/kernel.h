/* kernel.h - what a prepared conversion is made of, and what a set of kernels offers
 * SPDX-License-Identifier: MIT
 *
 * The constants of a conversion are computed once, from a format's row and a policy (encoder.c,
 * decoder.c); a set of kernels then reads these constants and never a format. The scalar set is
 * complete and is the definition: every other set gives its bits, whatever the floating-point
 * environment, and leaves that environment as it found it. */

#ifndef FPFMT_KERNEL_H
#define FPFMT_KERNEL_H

#include <string.h>

#include <fpfmt.h>

#include "carrier.h"
#include "modes.h"

/* Words that the kernels use throughout:
 *
 *   carrier            binary32 or binary64, the host's float or double, that values come in as or
 *                      go out as; kernels see its bits as unsigned words, uint32_t or uint64_t
 *   carrier magnitude  a carrier's bits without the sign bit: as integers they order as the values
 *   carried            a value of the format, kept as the carrier that equals it; a format is
 *                      carried if that is possible for all its values
 *   magnitude code     a code without its sign, which counts the format's steps from zero: see
 *                      shape.h
 *   step               the distance between two neighbouring values of the format
 *   away               away from zero: the magnitude code that was cut off is raised by one
 *   mask               all bits one for yes, all zero for no */

/* How the element function (element.h) decides whether a magnitude that was cut off goes away. A
 * mode takes the first of these that can express it: later ones take more operations. */
enum {
    DECIDE_EVEN,      /* to nearest, ties to even */
    DECIDE_THRESHOLD, /* twice the rest against 0, 1 or 2 steps: every other mode without chance */
    DECIDE_CHANCE_32, /* the first 32 bits of the rest and 32 random bits carry; binary32 only */
    DECIDE_CHANCE_64, /* the first 64 bits of the rest and 64 random bits carry */
    DECIDE_REFERENCE  /* not at all: the element function does not reach it, fpfmt_encode serves */
};

/* How a vector set cuts a magnitude off at a step of the format: see fast.h for the last two. */
enum {
    CUT_BY_ELEMENT, /* by the element function, as the scalar set does; always possible */
    CUT_BY_SHIFT,   /* by an integer addition and a shift */
    CUT_BY_SUM      /* by the addition of a power of two in the carrier */
};

/* Conversions between binary32 and a format that have an instruction, or nearly: binary16 (F16C),
 * bfloat16 (the upper half of the word), and, of decoders only, codes of up to 8 bits whose fields
 * fit into those of binary16, times a power of two. */
enum { NATIVE_NONE, NATIVE_HALF, NATIVE_BFLOAT, NATIVE_SMALL };

/* What clamping a magnitude to fpfmt_encoder.clamp leaves to be set right in its code. */
enum {
    FIXUP_NONE, /* nothing: overflow, infinity and NaN all become the clamp's code */
    FIXUP_NAN,  /* NaN */
    FIXUP_ALL   /* all three: no one code serves for overflow and infinity of both signs */
};

/* The constants of a conversion from one carrier to a format under a policy. A pair is for the two
 * signs, positive first. Constants are read in the carrier's width, 32 or 64 bits. A code and a
 * carried value include their sign unless the comment says magnitude. encoder.c sets all of them,
 * but with DECIDE_REFERENCE only decision, bytes, carries, width, rounding and random_bits, and
 * overflow_value, infinity_value, nan_value_set and min_value only where carries holds. */
typedef struct {
    /* Which code runs. Read by bulk.c and by the loops of a set. */
    uint8_t decision, bytes;   /* DECIDE_...; bytes of one code in an array: 1, 2 or 4 */
    bool carries;              /* the carrier holds every value of the format, and rounding
                                * in the carrier was asked for */
    uint8_t width, rounding;   /* bits of a code; FPFMT_ROUND_... */
    uint8_t random_bits;       /* the N of a stochastic mode: 1 to 32, or 64; else 0 */
    uint8_t chance;            /* of the mode's row: CHANCE_... */
    bool policy_bits;          /* random_bits is the policy's number: fpfmt_mode_asks_for_bits */
    uint8_t cut_method, fixup; /* CUT_BY_...; FIXUP_..., of codes only */
    uint8_t native;            /* NATIVE_..., never NATIVE_SMALL */
    bool flags_from_input;     /* the inputs alone tell the flags: scan.h may find them */

    /* Ends of the range as carrier magnitudes. Read by fast.h, direct.h, scan.h and fused.h. */
    uint64_t clamp;            /* larger ones are replaced by it where fixup is not FIXUP_ALL: its
                                * code is the one that overflow and infinity have */
    uint64_t past_max;         /* one step past max[0], as if the format went on there */
    uint64_t overflow_from[2]; /* the least that overflows, in a mode without chance */

    /* The input, as carrier bits and as a place in the format. Read by element.h; biased_emin,
     * fraction_bits and extra_bits by every template. */
    uint64_t source_mask;       /* the bits that count: all, or all but a sign that is dropped */
    uint64_t flush_input_below; /* smaller carrier magnitudes count as zero; 0 for none */
    uint64_t biased_emin;       /* the carrier's exponent field of 2^emin, the smallest normal */
    uint64_t fraction_bits;     /* of the format */
    uint64_t extra_bits;        /* fraction bits that the carrier has beyond the format's */

    /* Whether what was cut off goes away. Read by goes_away and carries in element.h. */
    uint64_t equal_chance; /* mask: a rest has one chance, however small it is */
    uint64_t nearest;      /* mask: only a rest beyond the half goes away, or on it by tie */
    uint64_t tie[2];       /* 1: ties go away from an even code, of this sign; else 0 */
    uint64_t tie_odd;      /* 1: of an odd code the opposite is true */
    uint64_t never[2];     /* mask: no rest goes away from an even code, of this sign */
    uint64_t never_odd;    /* mask: of an odd code the opposite is true */

    /* Tininess and overflow. Read by element.h; tiny_below by scan.h; max by fast.h. */
    uint64_t tiny_below[2];       /* smaller carrier magnitudes give tiny results; 0 for none */
    uint64_t tiny_after_rounding; /* mask: those that a chance takes to 2^emin are not tiny */
    uint64_t flush_tiny;          /* mask: tiny results become zero */
    uint64_t max[2];              /* magnitude codes: larger ones overflow */
    uint64_t overflow_if_cut[2];  /* the magnitude code that overflows too if anything was cut off,
                                   * where overflow is tested before rounding; else all ones */

    /* What overflow and infinite inputs become, and the flags that they raise. */
    uint64_t overflow_code[2], overflow_value[2], overflow_flags[2];
    uint64_t infinity_code[2], infinity_value[2], infinity_flags[2];

    /* Signs of codes: see with_sign in element.h. negate is also the code's sign bit wherever add
     * is 0, which fast.h relies on. */
    uint64_t negate, zero_negate; /* bits that a negative code flips; those that a zero flips */
    uint64_t add;                 /* 1 in two's complement, where flipping takes 1 more; else 0 */
    uint64_t code_mask;           /* the bits of a code */
    uint64_t negative_zero;       /* mask: the format has a -0 */
    uint64_t min_value;           /* the smallest positive value, carried */

    /* A NaN is the bits of its payload that are kept, and the bits that are set. Keeping counts in
     * places of the code, or of the carrier for ..._value_... Read by element.h and fast.h. */
    uint64_t nan_keep, nan_set[2];
    uint64_t nan_value_keep, nan_value_set[2];
    uint64_t nan_nonzero; /* bits of the carrier's payload of which one must be left over, as
                           * all zero would be infinity: without any, the last bit kept is
                           * set. 0 where the quiet bit is set anyhow */
    uint64_t nan_flags, signaling_flags; /* what any NaN raises, and what a signaling one does */
} fpfmt_encoder;

/* The constants of the exact conversion from a format to one carrier, with the conventions of
 * fpfmt_encoder. Read by decode in element.h where nothing else is said. */
typedef struct {
    bool carries;             /* the carrier holds every value of the format; bulk.c */
    bool reference;           /* the element function does not reach it: fpfmt_decode serves */
    bool has_table;           /* a plan's table of 256 values serves, as each is the upper half of
                               * a binary32; avx512_native.h */
    uint8_t bytes, native;    /* bytes of one code in an array; NATIVE_...; the sets */
    uint64_t code_mask;       /* the bits of a code; others are ignored */
    uint64_t sign_bit;        /* 0 in a format without sign */
    uint64_t negate, add;     /* as in the encoder: to complement twice is to do nothing */
    uint64_t extra_bits;      /* fraction bits that the carrier has beyond the format's */
    uint64_t hidden_from;     /* the magnitude code from which on the hidden bit is one; 0 where
                               * the carrier's subnormals are the format's, as one shift then
                               * serves both; all ones in fixed point, which has none */
    uint64_t flush_below;     /* smaller magnitude codes count as zero; 0 for none */
    uint64_t normal_exponent; /* in the carrier's exponent field: what a shifted code lacks */
    uint64_t subnormal_exponent; /* and what an integer number of steps lacks: log2 of a step */
    uint64_t has_infinity;       /* mask */
    uint64_t infinity;           /* the magnitude code of infinity */
    uint64_t nan_mask, first_nan, last_nan; /* code & nan_mask is from first to last: NaN */
    uint64_t quiet;             /* the quiet bit of a code; 0 where no NaN signals, or stays so */
    uint64_t nan_keep, nan_set; /* as in the encoder, in places of the carrier */
    uint64_t nan_sign;          /* the carrier's sign bit where a NaN keeps its sign, else 0 */
    uint32_t scale;             /* NATIVE_SMALL: the bits of the binary32 that a binary16 of the
                                 * code's fields is to be multiplied by */
    uint8_t width, half_shift;  /* bits of a code; from its fraction up to that of binary16 */
} fpfmt_decoder;

/* What random bits are drawn from: policy->seed, and the index of the call's element 0. */
typedef struct {
    const fpfmt_policy *policy;
    uint64_t index;
} fpfmt_draw;

/* Kernels that convert arrays; a set has one of each for each carrier. Codes take encoder->bytes
 * each, at any alignment; values are carriers, at any alignment; n is not 0. An output may lie on
 * its input, or before it, if its elements are not the larger ones: a kernel works from front to
 * back, writes no element before it has read it, and writes nothing behind the last one. flags may
 * be NULL; else what the elements raise is OR-ed in. table is NULL, or for decoders that have one
 * the bytes 2 (in [0]) and 3 (in [1]) of their 256 values as binary32. The encoder's decision is
 * not DECIDE_REFERENCE, nor is the decoder's reference set. */
typedef void fpfmt_encode_kernel(const fpfmt_encoder *, void *out, const void *values, size_t n,
                                 const fpfmt_draw *, unsigned *flags);
typedef void fpfmt_decode_kernel(const fpfmt_decoder *, const uint8_t table[2][256], void *values,
                                 const void *codes, size_t n, unsigned *flags);

/* values[i] = a[i] operation b[i] operation c[i], carriers all, for add, subtract, multiply,
 * divide, sqrt and fma; NULL stands for operands that the operation does not take. The result is
 * rounded to odd, and an exact zero sum has the sign that rounding up (OPERATE_UPWARD) or down
 * (OPERATE_DOWNWARD) gives it, IEEE 754-2019 6.3; or it is rounded to nearest even
 * (OPERATE_NEAREST). n is from 1 to OPERATE_TILE. Returns how many results are infinite, NaN or the
 * largest value, and their places, rising, in special, which has room for n: the caller makes these
 * anew, as an overflow that was rounded to odd cannot be told from the largest value. */
enum { OPERATE_UPWARD, OPERATE_DOWNWARD, OPERATE_NEAREST };

/* Elements that operate.c computes at a time, in three buffers of operands and one of results, of
 * doubles 32 KiB and of floats half of that: about what the first cache holds. Measured on Zen 3
 * with avx2: 512 takes 6 to 22 % longer, 2048 from 6 % less to 3 % longer, and 84 KiB of stack in
 * place of
 * 42. At most 65536, for places in uint16_t. ./dev bench --only 'arith_add.* avx2 L2 weights' */
enum { OPERATE_TILE = 1024 };
typedef size_t fpfmt_operate_kernel(int operation, int how, void *values, uint16_t *special,
                                    const void *a, const void *b, const void *c, size_t n);

/* The operation and the rounding to the format in one go, of binary32, to nearest even and without
 * flags: codes of binary16 or bfloat16 in and out, or carried values of any format that has
 * CUT_BY_SUM. Nothing of out may lie on an operand. Returns how many elements are done, from the
 * first on; 0 if the set has no such kernel for this encoder and operation. *found of them, whose
 * places are in special, are infinite or NaN and left for the caller; where special may run full,
 * the kernel stops early and the caller comes again. */
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

/* A tile of C = A B + C in floats: sums is rows by columns of the set, row after row; a is rows by
 * k, a row every TILE_DEPTH floats; b is k by columns; k is from 1 to TILE_DEPTH. Every sum takes
 * its products in the order of k, by fma to nearest even; with a step each sum is then rounded, as
 * if once, to binary16 or bfloat16. Returns whether a sum is NaN, which may then have any sign and
 * payload: the caller makes it anew. */
enum { STEP_NONE, STEP_HALF, STEP_BFLOAT };

/* The rows and columns of avx512's tile, the most of any set. avx2's has half of each. */
enum { TILE_ROWS = 12, TILE_COLUMNS = 32 };

/* The most products of a sum between two visits to C. A tile reads TILE_DEPTH x (rows + columns)
 * floats for each pass, which the first cache should hold: with avx512 that is 33 KiB, of 48 in Ice
 * Lake. Less depth loads and stores the sums more often. avx2's tile of 22 x TILE_DEPTH floats
 * could be twice as deep: measured on Zen 3, 96 takes 13 to 33 % longer, 384 takes 9 to 16 % less,
 * 512 13 to 19 % less, and 768 gains nothing over 512. ./dev bench --only 'gemm_fp32' */
enum { TILE_DEPTH = 192 };
typedef bool fpfmt_tile_kernel(int step, float *sums, const float *a, const float *b, size_t k);

/* Blocks of size floats, one behind the other. amax: the bits of the largest magnitude of each, NaN
 * above all. scale: each value times the factor of its block in binary32, to nearest even; keeps:
 * what is not 0 but smaller than 2^-126 becomes that; else the result tells whether a product of
 * numbers that are not 0 became 0. unscale: each value times the factor of its block and then times
 * last, both to nearest even. restore: the same from codes of one byte; false, and nothing is done,
 * where the set has no way to it for this decoder, size or factor. Factors are finite and not 0;
 * values may be anything, but where infinity meets 0 the NaN may have any sign. Outputs are no
 * inputs. */
typedef void fpfmt_amax_kernel(uint32_t *largest, const float *values, size_t blocks, size_t size);
typedef bool fpfmt_scale_kernel(float *scaled, const float *values, const float *factors,
                                bool keeps, size_t blocks, size_t size);
typedef void fpfmt_unscale_kernel(float *values, const float *elements, const float *factors,
                                  float last, size_t blocks, size_t size);
typedef bool fpfmt_restore_kernel(const fpfmt_decoder *, float *values, const uint8_t *codes,
                                  const float *factors, float last, size_t blocks, size_t size);

/* Statistics of floats x that became y, bits both. A pair is plain if its difference is a float, no
 * number that takes part is near an end of binary32, and its count follows from the ranges; what
 * has to be so stands in fpfmt_ranges. All other pairs are left to the caller, and a set may leave
 * more of them.
 *
 * Sums of squares are kept by exponents: a significand of 24 bits has a square of less than 2^48,
 * and 2^16 of these fit into a bin, which is the caller's to see to. An exponent has bins in turn,
 * so that an addition need not wait for the one before. */
enum { TALLY_TILE = 256, TALLY_TURNS = 4, TALLY_TERMS = 1 << 16 };
typedef uint64_t fpfmt_bins[256 * TALLY_TURNS]; /* by the exponent field of a float, and turn */

/* Magnitudes as bits. Plain pairs have x and y 0 and alike, or x from least up, no more than most
 * both, and the signs are equal, or y is 0; without has_sign x is positive. Of these a pair counts
 * as exact if both are alike, as underflow if y is 0 and x up to largest, as inexact if x is from
 * smallest to largest, as subnormal if x is below tiny and y below stays, and as saturated if x is
 * from beyond up; else it is not plain. */
typedef struct {
    uint32_t least, most;
    uint32_t smallest, largest, tiny, stays, beyond;
    bool has_sign;
} fpfmt_ranges;

/* What a tally tells of a tile: which pairs were plain, bit i % 8 of byte i / 8, and of these how
 * many there were of each kind, zero those of x = 0; the float |x - y| of each, and that divided by
 * |x| to nearest even, 0 where x is, and of all others; and the largest ones. */
typedef struct {
    uint8_t is_plain[TALLY_TILE / 8];
    uint32_t plain, zero, exact, underflow, subnormal, saturated;
    uint32_t largest_error, largest_relative;
    uint32_t error[TALLY_TILE], relative[TALLY_TILE];
} fpfmt_tally;

/* n pairs, a multiple of 8, at most TALLY_TILE; to the bins of x^2, (x - y)^2 and ((x - y) / x)^2
 * is added. */
enum { TALLY_SIGNAL, TALLY_NOISE, TALLY_RELATIVE, TALLY_SUMS };
typedef void fpfmt_tally_kernel(const fpfmt_ranges *, fpfmt_bins bins[TALLY_SUMS], fpfmt_tally *,
                                const uint32_t *x, const uint32_t *y, size_t n);
extern fpfmt_tally_kernel fpfmt_tally_avx2;

/* A set of kernels for one instruction set. A NULL member says that the set does not do it, and its
 * user takes what the comment names. */
struct fpfmt_kernels {
    const char *name;
    bool (*runs_here)(void); /* the processor and the system have what the set needs */
    fpfmt_encode_kernel *encode[CARRIERS], *round[CARRIERS]; /* to codes; to carried values */
    fpfmt_decode_kernel *decode[CARRIERS];
    fpfmt_operate_kernel *operate[CARRIERS]; /* NULL: fpfmt_operate serves */
    fpfmt_fused_kernel *fused;               /* of binary32; NULL: operate serves */
    fpfmt_amax_kernel *amax;                 /* NULL: quantize.c serves, for the next two too */
    fpfmt_scale_kernel *scale;
    fpfmt_unscale_kernel *unscale;
    fpfmt_restore_kernel *restore;   /* NULL: decode and unscale serve */
    fpfmt_tally_kernel *tally;       /* in every set */
    fpfmt_tile_kernel *tile;         /* NULL: fpfmt_dot serves */
    uint8_t tile_rows, tile_columns; /* of tile */
    bool steps;                      /* tile does STEP_HALF and STEP_BFLOAT */
};

extern const fpfmt_kernels fpfmt_scalar_kernels, fpfmt_avx2_kernels, fpfmt_avx512_kernels;

#endif
