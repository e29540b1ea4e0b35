/* fpfmt_text.h - words for what the library names, exact rationals, and numbers as text
 * SPDX-License-Identifier: MIT
 *
 * Text becomes a value that is exact or tells that it was cut, and a value becomes text that reads
 * back as it. Rationals hold what no value does, as 1/3 or a percentage of it. */

/* Before the guard: fpfmt.h includes this header at its end, so that either may come first. */
#include "fpfmt.h"

#ifndef FPFMT_TEXT_H
#define FPFMT_TEXT_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- words: names of modes, rules, flags and outcomes, to read and to print ---- */

/* What became of a value: what of its flags, its sign and its result a reader wants to know. */
typedef enum {
    FPFMT_OUTCOME_EXACT,
    FPFMT_OUTCOME_INEXACT,
    FPFMT_OUTCOME_SUBNORMAL,     /* tiny and inexact, but not 0, in a format with subnormals */
    FPFMT_OUTCOME_UNDERFLOW,     /* became 0 */
    FPFMT_OUTCOME_OVERFLOW,      /* past the largest value: became infinite or NaN */
    FPFMT_OUTCOME_SATURATED,     /* past an end of the format: became a finite value */
    FPFMT_OUTCOME_INVALID,
    FPFMT_OUTCOME_DIVIDE_BY_ZERO,
    FPFMT_OUTCOME_COUNT
} fpfmt_outcome;

/* Of a value that was rounded to a code of the format: the value, what the code decodes to, and the
 * flags that were raised, those of the arithmetic that led to the value included. */
FPFMT_API fpfmt_outcome fpfmt_outcome_of(const fpfmt_format *format, fpfmt_value from,
                                         fpfmt_value stored, unsigned flags);

typedef enum {               /* what a word's meaning is */
    FPFMT_WORDS_ROUNDING,    /* FPFMT_ROUND_... */
    FPFMT_WORDS_OVERFLOW,
    FPFMT_WORDS_OVERFLOW_TEST,
    FPFMT_WORDS_SUBNORMAL,
    FPFMT_WORDS_NAN,
    FPFMT_WORDS_NEGATIVE,
    FPFMT_WORDS_TININESS,
    FPFMT_WORDS_SPECIALS,
    FPFMT_WORDS_FLAG,
    FPFMT_WORDS_CLASS,       /* FPFMT_KIND_..., both NaNs as nan */
    FPFMT_WORDS_OUTCOME,
    FPFMT_WORDS_COUNT
} fpfmt_words;

/* summary says in one line of plain words what the name stands for. */
typedef struct {
    const char *name;
    const char *aliases; /* other spellings, separated by blanks; "" for none */
    const char *summary;
    unsigned meaning;
} fpfmt_word;

/* Word index of a family, from 0; NULL past the end. */
FPFMT_API const fpfmt_word *fpfmt_word_at(fpfmt_words family, size_t index);

/* The word with this name or alias, whatever its case; NULL if there is none. */
FPFMT_API const fpfmt_word *fpfmt_word_named(fpfmt_words family, const char *name);

/* The word that means this; NULL if there is none. */
FPFMT_API const fpfmt_word *fpfmt_word_for(fpfmt_words family, unsigned meaning);

/* ---- exact rationals, of a bounded size ---- */

#define FPFMT_NATURAL_LIMBS 512

typedef struct {
    uint32_t length; /* limbs in use; the last one is not 0 */
    uint32_t limb[FPFMT_NATURAL_LIMBS];
} fpfmt_natural;

/* (-1)^negative * numerator / denominator, not always in lowest terms; zero may be negative. */
typedef struct {
    bool negative;
    fpfmt_natural numerator, denominator;
} fpfmt_ratio;

/* False, and *ratio is undefined, where the value is not finite or was cut, or where a result
 * would take more than 16256 bits; divide also where b is 0, power where 0 has a negative exponent.
 * Outputs may be inputs. */
FPFMT_API bool fpfmt_ratio_from(fpfmt_ratio *ratio, fpfmt_value value);
FPFMT_API bool fpfmt_ratio_add(fpfmt_ratio *sum, const fpfmt_ratio *a, const fpfmt_ratio *b);
FPFMT_API bool fpfmt_ratio_subtract(fpfmt_ratio *difference, const fpfmt_ratio *a,
                                    const fpfmt_ratio *b);
FPFMT_API bool fpfmt_ratio_multiply(fpfmt_ratio *product, const fpfmt_ratio *a,
                                    const fpfmt_ratio *b);
FPFMT_API bool fpfmt_ratio_divide(fpfmt_ratio *quotient, const fpfmt_ratio *a,
                                    const fpfmt_ratio *b);
FPFMT_API bool fpfmt_ratio_power(fpfmt_ratio *power, const fpfmt_ratio *base, int64_t exponent);
FPFMT_API bool fpfmt_ratio_is_zero(const fpfmt_ratio *ratio);

/* The square root; false of what is negative, and never for its length. *exact (if not NULL) says
 * whether a is the square of a ratio; else the root is cut, to at least 1000 bits. */
FPFMT_API bool fpfmt_ratio_sqrt(fpfmt_ratio *root, const fpfmt_ratio *a, bool *exact);

/* The top 64 bits, and in inexact what there is more. */
FPFMT_API fpfmt_value fpfmt_ratio_value(const fpfmt_ratio *ratio);

/* ---- text: ASCII, never the locale ---- */

/* Read a number at the start of text: decimal, C hexadecimal (a missing exponent is p0), inf, nan,
 * nan(0x..), snan(0x..), each with a sign; '_' between digits; a fraction p/q; a power b^n of a
 * number and an integer. Returns the characters read, 0 if there is no number. *why (if not NULL)
 * says why the rest was not read, NULL if nothing is left. Beyond 10^4690 and below 10^-4690
 * the exponent is clamped to +-2^24 and the value is inexact: every format has the right result. */
FPFMT_API size_t fpfmt_parse(fpfmt_value *value, const char *text, size_t length, const char **why);

/* The same text as an exact ratio. 0 too for inf and nan, and for what needs too many digits. */
FPFMT_API size_t fpfmt_parse_ratio(fpfmt_ratio *ratio, const char *text, size_t length,
                                   const char **why);

/* Each printer works as snprintf: returns the length without the NUL, writes what fits. Decimals
 * are plain from 1e-4 to below 1e16, else d.ddde-8. Specials are inf, -inf, nan. */

/* The exact decimal. A value of a format takes at most 775 characters; 0 for what was cut. */
FPFMT_API size_t fpfmt_print_exact(char *text, size_t size, fpfmt_value value);

/* The fewest significant digits that read back as this code under nearest-even and the format's own
 * overflow; of these the closest to the value, of two as close the even one. */
FPFMT_API size_t fpfmt_print_shortest(char *text, size_t size, const fpfmt_format *format,
                                      uint64_t code);

/* C hexadecimal, normalised to 0x1.xp+n with no trailing zeros; zero is 0x0p+0. */
FPFMT_API size_t fpfmt_print_hex(char *text, size_t size, fpfmt_value value);

/* A finite decimal where one exists, else p/q in lowest terms. */
FPFMT_API size_t fpfmt_print_ratio(char *text, size_t size, const fpfmt_ratio *ratio);

/* p/q in lowest terms; p alone if q is 1. */
FPFMT_API size_t fpfmt_print_fraction(char *text, size_t size, const fpfmt_ratio *ratio);

/* Rounded to nearest-even at 1 to 17 significant digits, no text for other numbers of them. *exact
 * (if not NULL) says whether nothing was lost; if so there are no trailing zeros. */
FPFMT_API size_t fpfmt_print_rounded(char *text, size_t size, const fpfmt_ratio *ratio, int digits,
                                     bool *exact);

#ifdef __cplusplus
}
#endif

#endif
