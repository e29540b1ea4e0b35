/* fpfmt.h - bit-exact floating-point formats: formats, policies, numbers one by one
 * SPDX-License-Identifier: MIT
 *
 * This is the public interface of libfpfmt; it includes the four other headers at its end:
 *
 *     fpfmt_text.h    words for what the library names, exact rationals, numbers as text
 *     fpfmt_arrays.h  prepared conversions, views, packed codes, statistics, arithmetic on arrays
 *     fpfmt_sums.h    accumulators, dot products, products of matrices
 *     fpfmt_blocks.h  elements that share a scale: MX, NVFP4 and others
 *
 * A format is a row, a number is an exact value, and exactly one function rounds:
 *
 *     text -> value -> fpfmt_encode -> code -> fpfmt_decode -> value -> text
 *
 * Rules that hold for every function:
 *   1. Arguments come in this order: the format or plan of the codes that are made (else of those
 *      that are read), the operation upon them, outputs, inputs, policy, kernels, flags; what
 *      explains a result comes last. Printers begin with their text, as snprintf does.
 *   2. A length follows its array, or the last of several arrays of that length. Sizes of text
 *      include the terminating NUL.
 *   3. A NULL policy is the default one; NULL flags are not wanted; flags are OR-ed in.
 *   4. Nothing allocates, keeps state, reads the environment or the locale, or sets errno.
 *   5. Arithmetic has an answer for every input. What can fail returns false, 0 or NULL, or a
 *      fpfmt_status, and fails where a format or a name is NULL. What cannot fail must not be given
 *      NULL for a format: measuring, coding and decoding single values, classes, neighbours,
 *      arithmetic, explanations, fpfmt_contains, fpfmt_policy_for, fpfmt_outcome_of and
 *      fpfmt_print_shortest.
 * Formats are the library's main noun: fpfmt_named, _at, _find, _suggest, _defect and _measure are
 * of formats, and say so only where they are of something else, as fpfmt_policy_at.
 * Not promised: the layout of structs and the numbers of enumerators between 0.x releases. */

#ifndef FPFMT_H
#define FPFMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of these headers, in its one home: configure reads the three numbers here. For #if,
 * 0.1.2 is 102, and as text it is "0.1.2". */
#define FPFMT_VERSION_MAJOR 0
#define FPFMT_VERSION_MINOR 1
#define FPFMT_VERSION_PATCH 0
#define FPFMT_VERSION_NUMBER \
    (FPFMT_VERSION_MAJOR * 10000 + FPFMT_VERSION_MINOR * 100 + FPFMT_VERSION_PATCH)
#define FPFMT_VERSION \
    FPFMT_DOTTED(FPFMT_VERSION_MAJOR, FPFMT_VERSION_MINOR, FPFMT_VERSION_PATCH)
#define FPFMT_DOTTED(a, b, c) FPFMT_QUOTED(a.b.c)
#define FPFMT_QUOTED(text) #text

#if defined __GNUC__
#define FPFMT_API __attribute__((visibility("default")))
#else
#define FPFMT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs, to compare with FPFMT_VERSION of this header. */
FPFMT_API const char *fpfmt_version(void);

/* Room in the structures that callers fill in, for what later releases add there. All of it is
 * zero, as designated initialisers leave it; else the structure has a defect, or the call refuses
 * it. */
typedef struct {
    const void *pointers[2];
    ptrdiff_t numbers[2];
} fpfmt_reserved;

/* ---- values ---- */

typedef enum {
    FPFMT_KIND_ZERO,
    FPFMT_KIND_SUBNORMAL, /* nonzero, below the smallest normal of the format it came from */
    FPFMT_KIND_NORMAL,
    FPFMT_KIND_INFINITE,
    FPFMT_KIND_QUIET_NAN,
    FPFMT_KIND_SIGNALING_NAN
} fpfmt_kind;

/* What was cut off, beside half of the last bit or step kept. */
typedef enum {
    FPFMT_REMAINDER_NONE,
    FPFMT_REMAINDER_BELOW_HALF,
    FPFMT_REMAINDER_HALF,
    FPFMT_REMAINDER_ABOVE_HALF
} fpfmt_remainder;

/* One number, exactly. Finite and not zero: (-1)^negative * significand * 2^(exponent - 63) with
 * the top bit of significand set; inexact is not 0 where a tail was cut below its bit 0, and then
 * which FPFMT_REMAINDER_...: integers of 64 bits are rounded by that. 1 may also stand for a tail
 * of which nothing more is known.
 * NaN: significand is the payload (without the quiet bit) as an integer, payload_bits the width of
 * the field it came from; 0 means that it is a plain integer, as in the text nan(0x20). */
typedef struct {
    uint8_t kind; /* a fpfmt_kind */
    bool negative;
    uint8_t inexact; /* a fpfmt_remainder */
    uint8_t payload_bits;
    int32_t exponent;
    uint64_t significand;
} fpfmt_value;

/* Of codes fpfmt_is_nan and its kin tell the same. Finite is what is neither infinite nor NaN. */
static inline bool fpfmt_value_is_nan(fpfmt_value value)
{
    return value.kind >= FPFMT_KIND_QUIET_NAN;
}

static inline bool fpfmt_value_is_infinite(fpfmt_value value)
{
    return value.kind == FPFMT_KIND_INFINITE;
}

static inline bool fpfmt_value_is_finite(fpfmt_value value)
{
    return value.kind < FPFMT_KIND_INFINITE;
}

static inline bool fpfmt_value_is_zero(fpfmt_value value)
{
    return value.kind == FPFMT_KIND_ZERO;
}

/* ---- formats ---- */

/* Which codes are NaN. */
typedef enum {
    FPFMT_NANS_NONE,
    FPFMT_NANS_IEEE,         /* exponent all ones, fraction not 0; the top fraction bit is quiet */
    FPFMT_NANS_ALL_ONES,     /* the largest magnitude, of either sign */
    FPFMT_NANS_NEGATIVE_ZERO /* the code that would be -0 */
} fpfmt_nans;

/* Which codes are infinite. */
typedef enum {
    FPFMT_INFINITY_NONE,
    FPFMT_INFINITY_IEEE, /* exponent all ones, fraction 0 */
    FPFMT_INFINITY_TOP   /* the largest magnitude that is not NaN */
} fpfmt_infinity;

/* What an exponent field of 0 means. */
typedef enum {
    FPFMT_EXPONENT_ZERO_SUBNORMALS,       /* zero and subnormals */
    FPFMT_EXPONENT_ZERO_NORMALS,          /* a normal binade; there is no zero (E8M0) */
    FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS /* code 0 is zero, the others normal (DLFloat16) */
} fpfmt_exponent_zero;

/* How nearest-even breaks a tie. */
typedef enum {
    FPFMT_TIE_EVEN_CODE, /* to the even code: the even significand, from 1 fraction bit on */
    FPFMT_TIE_LARGER     /* to the larger magnitude unless the other is 0: IEEE 754-2019 4.3.1 */
} fpfmt_tie;

/* What becomes of a magnitude that rounds past the largest. */
typedef enum {
    FPFMT_OVERFLOW_SPEC,       /* as the format's row says; not allowed in a row */
    FPFMT_OVERFLOW_INF,        /* infinity; where there is none, as NAN */
    FPFMT_OVERFLOW_NAN,        /* NaN; where there is none, as MAX */
    FPFMT_OVERFLOW_MAX,        /* the largest finite value, for infinite inputs too */
    FPFMT_OVERFLOW_MAX_FINITE, /* the largest finite value, but an infinite input stays infinite */
    FPFMT_OVERFLOW_SYMMETRIC,  /* MAX, and two's complement leaves its lowest code unused */
    FPFMT_OVERFLOW_INVALID     /* fixed point: MAX, but it raises invalid alone; others: SPEC */
} fpfmt_overflow;
enum { FPFMT_OVERFLOW_COUNT = FPFMT_OVERFLOW_INVALID + 1 };

/* Whose rules hold past the last value, and for 1/0. */
typedef enum {
    FPFMT_SPECIALS_IEEE, /* IEEE 754's: infinity */
    FPFMT_SPECIALS_P3109 /* P3109's: NaN; see fpfmt_next_up, and arithmetic */
} fpfmt_specials;

#define FPFMT_NAME_SIZE 24

/* A format. Fill one in by hand, or let fpfmt_find do it. exponent_bits 0 is fixed point with
 * bias fraction bits, in two's complement or without a sign: value = code / 2^bias. fpfmt_defect
 * checks a row. */
typedef struct {
    char name[FPFMT_NAME_SIZE];
    uint8_t sign_bits, exponent_bits, fraction_bits;
    uint8_t nans, infinity, exponent_zero, overflow, tie; /* members of the types above */
    uint8_t specials; /* FPFMT_SPECIALS_... of its specification: a fact for who makes a policy. No
                       * function of the library reads it, but fpfmt_defect: a policy's specials
                       * decide, in every format, and no code means anything else for it */
    fpfmt_reserved reserved;
    int32_t bias;
    const char *title;    /* what it is, in a few words; NULL in formats of your own */
    const char *aliases;  /* other names, separated by blanks; NULL for none */
    const char *sets;     /* the sets it belongs to, separated by blanks; NULL for none */
    const char *caution;  /* for who came by an alias: which format this is; NULL for none */
} fpfmt_format;

typedef enum { FPFMT_FOUND, FPFMT_UNKNOWN, FPFMT_AMBIGUOUS, FPFMT_UNSOUND } fpfmt_status;

/* The row of the table with this name or alias, NULL if there is not exactly one. Grammar names
 * (binary8p4se, e5m3b7fn) are fpfmt_find's. */
FPFMT_API const fpfmt_format *fpfmt_named(const char *name);

/* Row index of the table, from 0; NULL past the end. */
FPFMT_API const fpfmt_format *fpfmt_at(size_t index);

/* Fill in *format by any name: of a row, an alias (byte for byte first, then without case, '_' and
 * '-'), IEEE P3109's binary<K>p<P><s|u><e|f>, or e<E>m<M>[b<bias>][ieee|fn|fnuz|none][u].
 * UNKNOWN and AMBIGUOUS leave *format alone; UNSOUND fills it for fpfmt_defect to explain. */
FPFMT_API fpfmt_status fpfmt_find(fpfmt_format *format, const char *name);

/* What an unknown or ambiguous name may have meant: prints candidate index, the likeliest first, as
 * the printers below do; 0 past the last. FPFMT_NAME_SIZE is room enough. */
FPFMT_API size_t fpfmt_suggest(char *text, size_t size, const char *name, size_t index);

/* Which rule of soundness the row breaks, as a sentence; NULL if it is sound, which NULL is not.
 * Every value of a sound format is exactly a binary64. Unsound formats must not be passed to other
 * functions. */
FPFMT_API const char *fpfmt_defect(const fpfmt_format *format);

/* What follows from a row. Codes are of positive values except lowest. */
typedef struct {
    int width, precision;   /* bits; the hidden bit included in precision */
    int emin, emax;         /* log2 of the smallest normal's binade, and of the largest value's */
    bool has_zero, has_negative_zero, has_subnormals, has_infinity, has_nan;
    uint64_t max, lowest, min_normal, min_positive;
    uint64_t infinity, nan; /* 0 where there is none */
    uint64_t reserved[2];
} fpfmt_limits;
FPFMT_API fpfmt_limits fpfmt_measure(const fpfmt_format *format);

/* Is every value of inner, its -0, infinities and NaN included, a value of outer? */
FPFMT_API bool fpfmt_contains(const fpfmt_format *outer, const fpfmt_format *inner);

/* ---- policies: everything about a rounding that is not the format ---- */

typedef enum {
    FPFMT_ROUND_NEAREST_EVEN,
    FPFMT_ROUND_NEAREST_AWAY,
    FPFMT_ROUND_NEAREST_ZERO,
    FPFMT_ROUND_TOWARD_ZERO,
    FPFMT_ROUND_AWAY_FROM_ZERO,
    FPFMT_ROUND_UPWARD,
    FPFMT_ROUND_DOWNWARD,
    FPFMT_ROUND_TO_ODD, /* if inexact, the neighbour whose code is odd */
    /* Away from zero with a chance, where d is the distance from the lower neighbour in steps, read
     * from the 64-bit significand: of a value that was cut, exact for N <= 62 - precision. */
    FPFMT_ROUND_STOCHASTIC,      /* d, from 64 random bits; d to 64 bits */
    FPFMT_ROUND_STOCHASTIC_A,    /* with N = random_bits: d cut to N bits (IEEE P3109 v4.0) */
    FPFMT_ROUND_STOCHASTIC_B,    /* d rounded to N bits, ties up */
    FPFMT_ROUND_STOCHASTIC_C,    /* d rounded to N bits, ties to even */
    FPFMT_ROUND_STOCHASTIC_EQUAL /* 1/2 unless exact */
} fpfmt_rounding;
enum {
    FPFMT_ROUND_DETERMINISTIC_COUNT = FPFMT_ROUND_STOCHASTIC, /* modes that take no random bits, */
    FPFMT_ROUND_DETERMINISTIC_MAX = 16,                       /* and how many there may ever be */
    FPFMT_ROUND_COUNT = FPFMT_ROUND_STOCHASTIC_EQUAL + 1      /* all modes */
};

typedef enum {
    FPFMT_OVERFLOW_TEST_AFTER_ROUNDING,
    FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING
} fpfmt_overflow_test;

enum {                                /* bits */
    FPFMT_SUBNORMAL_KEEP = 0,
    FPFMT_SUBNORMAL_FLUSH_RESULTS = 1, /* tiny results become zero of their sign: FTZ */
    FPFMT_SUBNORMAL_FLUSH_INPUTS = 2   /* values of kind SUBNORMAL count as zero: DAZ */
};

typedef enum {
    FPFMT_NAN_QUIET,        /* quieted; sign and the payload's top bits kept where they fit */
    FPFMT_NAN_CANONICAL,    /* the positive quiet NaN with payload 0 */
    FPFMT_NAN_PRESERVE,     /* not quieted; a payload that would vanish keeps one bit */
    FPFMT_NAN_OPPOSITE_ZERO /* QUIET; without a NaN, the zero of opposite sign (ml_dtypes) */
} fpfmt_nan;
enum { FPFMT_NAN_COUNT = FPFMT_NAN_OPPOSITE_ZERO + 1 };

/* A negative value into an unsigned format. */
typedef enum {
    FPFMT_NEGATIVE_SPEC, /* 0 if it rounds to 0 or the mode points there, else NaN and invalid; in
                            fixed point past the range like any other, at its end 0 */
    FPFMT_NEGATIVE_ZERO, /* 0, inexact */
    FPFMT_NEGATIVE_DROP  /* the sign is ignored */
} fpfmt_negative;

typedef enum { FPFMT_TININESS_AFTER_ROUNDING, FPFMT_TININESS_BEFORE_ROUNDING } fpfmt_tininess;

/* Stochastic modes: the exponent is unbounded, so that what lands past the largest value overflows
 * as in nearest, and what lies below the smallest becomes it with the chance x / smallest. The
 * random bits of an element are a function of (seed, index). Philox4x32-10 with the key seed gives
 * N bits as the top of word index mod 4 of counter {index / 4, 0, 0} (low and high word, then two
 * words), and 64 bits as words 2 (index mod 2), the low half, and the next of counter
 * {index / 2, 1, 0}. Element i of an array has index first + i, a single value first. */

/* All zero is the default; &(fpfmt_policy){ .rounding = FPFMT_ROUND_TOWARD_ZERO } makes of
 * fpfmt_to_i64 what a cast does in C. Each of the first eight bytes holds a member of the type that
 * is called by its name, as fpfmt_rounding; bits, of subnormal. Bytes of reserved must be 0. */
typedef struct {
    uint8_t rounding, overflow, overflow_test, subnormal, nan, negative, tininess, specials;
    uint8_t random_bits; /* N of STOCHASTIC_A, _B and _C, from 1 to 32 */
    uint8_t reserved[7];
    uint64_t seed, first;
} fpfmt_policy;

/* A target for which a named policy rounds in another mode: every format whose codes mean what
 * those of this row of the format table do, by whatever name it came. */
typedef struct {
    const char *format; /* the row's name */
    uint8_t rounding;
} fpfmt_policy_exception;

/* A named policy: what an ecosystem does. The field policy is for the targets that are no
 * exception; fpfmt_policy_for and fpfmt_find_policy give the one for any target. */
typedef struct {
    const char *name, *summary;
    fpfmt_policy policy;
    const fpfmt_policy_exception *exceptions; /* up to one whose format is NULL; NULL for none */
} fpfmt_policy_row;

/* Row index of the table, from 0; NULL past the end. Row 0 is the default. */
FPFMT_API const fpfmt_policy_row *fpfmt_policy_at(size_t index);

/* The row of that name, NULL if there is none. Case, '_' and '-' do not matter. */
FPFMT_API const fpfmt_policy_row *fpfmt_policy_named(const char *name);

/* The row's policy for one target, exceptions applied. */
FPFMT_API fpfmt_policy fpfmt_policy_for(const fpfmt_format *format, const fpfmt_policy_row *row);

/* The policy of that name for one target, exceptions applied. False, and *policy is left alone, if
 * there is no such name, or format is NULL. */
FPFMT_API bool fpfmt_find_policy(const fpfmt_format *format, fpfmt_policy *policy,
                                 const char *name);

/* Which field of the policy is out of range, as a sentence; NULL if none is. */
FPFMT_API const char *fpfmt_policy_defect(const fpfmt_policy *policy);

/* ---- codes and values ---- */

enum {                       /* flags, IEEE 754-2019 clause 7; the numbers are SoftFloat's */
    FPFMT_FLAG_INEXACT = 1,
    FPFMT_FLAG_UNDERFLOW = 2,
    FPFMT_FLAG_OVERFLOW = 4,
    FPFMT_FLAG_DIVIDE_BY_ZERO = 8,
    FPFMT_FLAG_INVALID = 16
};

/* The value of a code, exact. Bits above the format's width are ignored. */
FPFMT_API fpfmt_value fpfmt_decode(const fpfmt_format *format, uint64_t code);

/* The code of a value: the one place that rounds. */
FPFMT_API uint64_t fpfmt_encode(const fpfmt_format *format, fpfmt_value value,
                                const fpfmt_policy *policy, unsigned *flags);

/* The random bits R of element index under a stochastic policy: N bits, 64, or 1; else 0. */
FPFMT_API uint64_t fpfmt_random_bits(uint64_t index, const fpfmt_policy *policy);

/* Encode with random bits of your own in place of (seed, first): away where chance + R >= 2^N. */
FPFMT_API uint64_t fpfmt_encode_random(const fpfmt_format *format, fpfmt_value value,
                                       uint64_t random, const fpfmt_policy *policy,
                                       unsigned *flags);

/* Decode in one format, encode in another. */
FPFMT_API uint64_t fpfmt_convert(const fpfmt_format *to, const fpfmt_format *from, uint64_t code,
                                 const fpfmt_policy *policy, unsigned *flags);

/* x rounded to the format under the default policy, as a double; exact in every format. */
FPFMT_API double fpfmt_round(const fpfmt_format *format, double x);

/* Exact in. A float or double that is subnormal gives kind SUBNORMAL; integers never do. */
FPFMT_API fpfmt_value fpfmt_from_f32(float x);
FPFMT_API fpfmt_value fpfmt_from_f64(double x);
FPFMT_API fpfmt_value fpfmt_from_i64(int64_t x);
FPFMT_API fpfmt_value fpfmt_from_u64(uint64_t x);

/* One rounding out. */
FPFMT_API float fpfmt_to_f32(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API double fpfmt_to_f64(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags);

/* To an integer by the policy's rounding, by the cut tail too; inexact if it changed. What does not
 * fit raises invalid alone and gives the nearest limit, NaN gives 0 (as Arm's FCVTZS; IEEE 754-2019
 * 7.2 j). */
FPFMT_API int64_t fpfmt_to_i64(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags);
FPFMT_API uint64_t fpfmt_to_u64(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags);

/* ---- operations on codes that never round: IEEE 754-2019 5.5.1, 5.7.2, 5.3.1 ---- */

typedef enum {
    FPFMT_CLASS_SIGNALING_NAN,
    FPFMT_CLASS_QUIET_NAN,
    FPFMT_CLASS_NEGATIVE_INFINITY,
    FPFMT_CLASS_NEGATIVE_NORMAL,
    FPFMT_CLASS_NEGATIVE_SUBNORMAL,
    FPFMT_CLASS_NEGATIVE_ZERO,
    FPFMT_CLASS_POSITIVE_ZERO,
    FPFMT_CLASS_POSITIVE_SUBNORMAL,
    FPFMT_CLASS_POSITIVE_NORMAL,
    FPFMT_CLASS_POSITIVE_INFINITY
} fpfmt_class;
FPFMT_API fpfmt_class fpfmt_classify(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_nan(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_signaling(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_infinite(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_finite(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_zero(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_subnormal(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_normal(const fpfmt_format *format, uint64_t code);
FPFMT_API bool fpfmt_is_negative(const fpfmt_format *format, uint64_t code); /* NaN and -0 too */

/* Sign operations raise nothing and keep NaN payloads. Where the negative does not exist: -0 is 0,
 * two's complement saturates, unsigned formats give NaN (0 where there is none). */
FPFMT_API uint64_t fpfmt_negate(const fpfmt_format *format, uint64_t code);
FPFMT_API uint64_t fpfmt_abs(const fpfmt_format *format, uint64_t code);
FPFMT_API uint64_t fpfmt_copy_sign(const fpfmt_format *format, uint64_t code, uint64_t sign);

/* The least value above, the greatest below. Past the last value of a format without infinity the
 * code stays. NaN is quieted, invalid if it signalled. Under P3109 specials there is NaN where
 * nothing lies beyond, and beyond infinity. */
FPFMT_API uint64_t fpfmt_next_up(const fpfmt_format *format, uint64_t code,
                                 const fpfmt_policy *policy, unsigned *flags);
FPFMT_API uint64_t fpfmt_next_down(const fpfmt_format *format, uint64_t code,
                                   const fpfmt_policy *policy, unsigned *flags);

/* The unit in the last place at a value: the step of the format in that binade, the step of the
 * subnormals below, and that of the largest binade above. NaN for NaN and infinity. */
FPFMT_API fpfmt_value fpfmt_ulp(const fpfmt_format *format, fpfmt_value value);

/* ---- comparison and selection: IEEE 754-2019 5.11, 5.10, 9.6; P3109 ---- */

typedef enum { FPFMT_LESS = -1, FPFMT_EQUAL, FPFMT_GREATER, FPFMT_UNORDERED } fpfmt_relation;

/* How a relates to b, whatever formats they came from: -0 equals 0, and NaN is UNORDERED. Invalid
 * is raised by the quiet form for signaling NaN alone, by the signaling form for every NaN. A value
 * with a cut tail is compared exactly; two that agree up to the cut are UNORDERED, without a flag:
 * nobody knows. */
FPFMT_API fpfmt_relation fpfmt_compare_quiet(fpfmt_value a, fpfmt_value b, unsigned *flags);
FPFMT_API fpfmt_relation fpfmt_compare_signaling(fpfmt_value a, fpfmt_value b, unsigned *flags);

/* totalOrder and totalOrderMag: -1, 0 or 1 as a comes before, with or after b. -0 comes before 0;
 * NaN is farthest from 0 on its sign's side, quiet beyond signaling, then by the payload as an
 * integer. With means: alike but for the format they came from. */
FPFMT_API int fpfmt_total_order(fpfmt_value a, fpfmt_value b);
FPFMT_API int fpfmt_total_order_magnitude(fpfmt_value a, fpfmt_value b);

/* P3109's TotalOrder: NaN, of which there is one, comes before -Inf; -0 is 0. */
FPFMT_API int fpfmt_total_order_p3109(fpfmt_value a, fpfmt_value b);

enum {                          /* bits; 0 is minimum */
    FPFMT_SELECT_MAXIMUM = 1,   /* the larger value instead of the smaller */
    FPFMT_SELECT_MAGNITUDE = 2, /* by magnitude; of two alike, by value */
    FPFMT_SELECT_NUMBER = 4,    /* NaN loses to what is not NaN */
    FPFMT_SELECT_FINITE = 8     /* infinities lose to finite values */
};

/* One of two values, as it is. -0 is less than 0; NaN wins unless told otherwise, the first of two,
 * and is quieted; signaling NaN raises invalid even where it loses. The names of IEEE 754-2019 9.6
 * and of P3109 are 0, or MAXIMUM for maximum..., with these:
 *     minimum  0                      minimumMagnitude        MAGNITUDE
 *     minimumNumber  NUMBER           minimumMagnitudeNumber  MAGNITUDE | NUMBER
 *     MinimumFinite  NUMBER | FINITE */
FPFMT_API fpfmt_value fpfmt_select(unsigned how, fpfmt_value a, fpfmt_value b, unsigned *flags);

/* scaleB and logB of IEEE 754-2019 5.3.3. value * 2^n, rounded once; no n is too large. */
FPFMT_API uint64_t fpfmt_scalb(const fpfmt_format *to, fpfmt_value value, int64_t n,
                               const fpfmt_policy *policy, unsigned *flags);

/* log2 of the value's binade, subnormal or not, as a value: -Inf and divide by zero for 0, +Inf for
 * infinities, NaN for NaN, quieted, with invalid if it signalled. */
FPFMT_API fpfmt_value fpfmt_logb(fpfmt_value value, unsigned *flags);

/* ---- arithmetic: IEEE 754-2019 5.4.1, 5.3.1, 9.2; P3109 ---- */

/* Operands are exact, from any formats: bf16 x e4m3 + fp32 into fp16 is one call and one rounding.
 *   NaN: the first operand that is NaN, quieted; invalid if any operand signals. What has no value
 *     (Inf - Inf, 0 x Inf, 0/0, Inf/Inf, the root of a negative number, the remainder of Inf or by
 *     0) is the positive quiet NaN with payload 0, and invalid. Beside a NaN, 0 x Inf is invalid too,
 *     and the result is that NaN, payload and all.
 *   Sign of zero: an exact sum of zero is +0, under DOWNWARD -0, unless all its terms are
 *     zeros of one sign; a remainder of zero has the sign of the first operand.
 *   x / 0 is an exact infinity, and raises divide by zero alone, whatever the format makes of it.
 *     Under P3109 specials it is NaN, for infinite x and as reciprocal or root of 0 too.
 *   Under FLUSH_INPUTS operands of kind SUBNORMAL are zeros of their sign, without a flag.
 * An operand that was cut (inexact) counts as what was kept of it, and the result as cut; a build
 * with --enable-checking stops. */
typedef enum {
    FPFMT_OPERATION_ADD,       /* a + b */
    FPFMT_OPERATION_SUBTRACT,  /* a - b */
    FPFMT_OPERATION_MULTIPLY,  /* a x b */
    FPFMT_OPERATION_DIVIDE,    /* a / b */
    FPFMT_OPERATION_REMAINDER, /* a - b x n, n the integer nearest to a / b, the even one of two */
    FPFMT_OPERATION_HYPOT,     /* sqrt(a^2 + b^2); infinite if a or b is, but under P3109 specials
                                * NaN if the other is */
    FPFMT_OPERATION_SQRT,      /* sqrt(a); -0 for -0 */
    FPFMT_OPERATION_RECIP,     /* 1 / a */
    FPFMT_OPERATION_RSQRT,     /* 1 / sqrt(a) */
    FPFMT_OPERATION_FMA,       /* a x b + c */
    FPFMT_OPERATION_FAA        /* a + b + c */
} fpfmt_operation;
enum { FPFMT_OPERATION_COUNT = FPFMT_OPERATION_FAA + 1 };

/* How many operands it takes, 1 to 3; 0 past the last operation. */
FPFMT_API unsigned fpfmt_operands(fpfmt_operation operation);

/* The result before it is rounded, cut to 64 bits, its exponent clamped to +-2^24; of the policy
 * the rounding's direction, flushed inputs and specials matter. Operands that are not taken may be
 * anything. */
FPFMT_API fpfmt_value fpfmt_exact(fpfmt_operation operation, fpfmt_value a, fpfmt_value b,
                                  fpfmt_value c, const fpfmt_policy *policy, unsigned *flags);

/* The result. */
FPFMT_API uint64_t fpfmt_operate(const fpfmt_format *to, fpfmt_operation operation, fpfmt_value a,
                                 fpfmt_value b, fpfmt_value c, const fpfmt_policy *policy,
                                 unsigned *flags);

/* The same by name. */
FPFMT_API uint64_t fpfmt_add(const fpfmt_format *to, fpfmt_value a, fpfmt_value b,
                             const fpfmt_policy *policy, unsigned *flags);
FPFMT_API uint64_t fpfmt_subtract(const fpfmt_format *to, fpfmt_value a, fpfmt_value b,
                                  const fpfmt_policy *policy, unsigned *flags);
FPFMT_API uint64_t fpfmt_multiply(const fpfmt_format *to, fpfmt_value a, fpfmt_value b,
                                  const fpfmt_policy *policy, unsigned *flags);
FPFMT_API uint64_t fpfmt_divide(const fpfmt_format *to, fpfmt_value a, fpfmt_value b,
                                const fpfmt_policy *policy, unsigned *flags);
FPFMT_API uint64_t fpfmt_sqrt(const fpfmt_format *to, fpfmt_value a, const fpfmt_policy *policy,
                              unsigned *flags);
FPFMT_API uint64_t fpfmt_fma(const fpfmt_format *to, fpfmt_value a, fpfmt_value b, fpfmt_value c,
                             const fpfmt_policy *policy, unsigned *flags);

/* The integral value of the format next to it in the policy's direction, inexact if it changed:
 * roundToIntegralExact. Where the format's steps are wider than 1, one of its values; where it does
 * not hold the integer, what encoding that gives. */
FPFMT_API uint64_t fpfmt_round_to_integral(const fpfmt_format *to, fpfmt_value value,
                                           const fpfmt_policy *policy, unsigned *flags);

/* ---- one rounding, told as data ---- */

typedef enum {
    FPFMT_RANGE_SPECIAL, /* zero, infinite or NaN: nothing was rounded */
    FPFMT_RANGE_BELOW,   /* nonzero, below the smallest positive value */
    FPFMT_RANGE_SUBNORMAL,
    FPFMT_RANGE_NORMAL,
    FPFMT_RANGE_ABOVE /* in a binade above the largest value's */
} fpfmt_range;

typedef struct {
    fpfmt_value value;
    uint8_t range, remainder;     /* a fpfmt_range, and a fpfmt_remainder */
    uint8_t guard, round, sticky; /* the first discarded bit, the second, and any after them */
    bool away;                    /* the magnitude was rounded up */
    int32_t emin, quantum;        /* log2 of the smallest normal, and of the step used */
    uint64_t kept;                /* the magnitude in whole steps, hidden bit included, UINT64_MAX
                                   * for more; BELOW in a format without subnormals 0, and
                                   * remainder is measured in the smallest value */
    uint64_t code;                /* the result, and its flags */
    unsigned flags;
    uint64_t otherwise[FPFMT_ROUND_DETERMINISTIC_MAX]; /* the result in each mode without chance */
    uint64_t toward, from_zero;   /* the results of not going away from zero, and of going */
    uint64_t chance;              /* of going: chance / 2^chance_bits, in the policy's stochastic
                                   * mode, or with the distance as chance in the others; results
                                   * that are flushed are told as if they were not */
    int chance_bits;
    uint64_t reserved[4];
} fpfmt_explanation;
FPFMT_API fpfmt_explanation fpfmt_explain(const fpfmt_format *format, fpfmt_value value,
                                          const fpfmt_policy *policy);

#ifdef __cplusplus
}
#endif

#include "fpfmt_text.h"
#include "fpfmt_arrays.h"
#include "fpfmt_sums.h"
#include "fpfmt_blocks.h"

#endif
