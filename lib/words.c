/* words.c - names, other spellings and a line of plain words for what a policy or a result can be
 * SPDX-License-Identifier: MIT
 *
 * Programs read options and print results with these words, so that no two of them call a mode by
 * two names. Each table has a row for every enumerator of its family; where the header has the
 * number of enumerators, a static assertion holds the table to that number, so that an enumerator
 * without a word does not compile, and tests/test_words.c looks for the others. */

#include <fpfmt.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Aliases: long names, then those of RISC-V, SMT-LIB and MPFR, and what people write. */
static const fpfmt_word roundings[] = {
    { "rne", "nearest-even rte rnte rndn tonearest",
      "to the nearest value; a tie goes to the even code", FPFMT_ROUND_NEAREST_EVEN },
    { "rna", "nearest-away rmm rnta rndna", "to the nearest value; a tie goes away from zero",
      FPFMT_ROUND_NEAREST_AWAY },
    { "rnz", "nearest-zero", "to the nearest value; a tie goes toward zero",
      FPFMT_ROUND_NEAREST_ZERO },
    { "rtz", "toward-zero rz rndz truncate", "toward zero: digits that do not fit are dropped",
      FPFMT_ROUND_TOWARD_ZERO },
    { "raz", "away-from-zero ra rnda", "away from zero, to the next larger magnitude",
      FPFMT_ROUND_AWAY_FROM_ZERO },
    { "rup", "up upward rtp ru rp rndu", "up, toward +infinity", FPFMT_ROUND_UPWARD },
    { "rdn", "down downward rtn rd rm rndd", "down, toward -infinity", FPFMT_ROUND_DOWNWARD },
    { "rto", "to-odd odd ro", "to the neighbour with the odd code, so that rounding again is safe",
      FPFMT_ROUND_TO_ODD },
    { "sr", "stochastic", "to either neighbour by chance, the nearer one more often",
      FPFMT_ROUND_STOCHASTIC },
    { "sr-a", "stochastic-a", "as sr with N random bits; the distance is cut to N bits",
      FPFMT_ROUND_STOCHASTIC_A },
    { "sr-b", "stochastic-b", "as sr with N random bits; the distance is rounded, ties up",
      FPFMT_ROUND_STOCHASTIC_B },
    { "sr-c", "stochastic-c", "as sr with N random bits; the distance is rounded, ties to even",
      FPFMT_ROUND_STOCHASTIC_C },
    { "sr-eq", "stochastic-equal", "to either neighbour with the same chance, however near",
      FPFMT_ROUND_STOCHASTIC_EQUAL },
};
_Static_assert(COUNT(roundings) == FPFMT_ROUND_COUNT, "give the new rounding mode its words");

static const fpfmt_word overflows[] = {
    { "spec", "", "what the format's own specification says", FPFMT_OVERFLOW_SPEC },
    { "inf", "infinity", "infinity; NaN in a format without infinity", FPFMT_OVERFLOW_INF },
    { "nan", "", "NaN; the largest finite value in a format without NaN", FPFMT_OVERFLOW_NAN },
    { "max", "saturate sat", "the largest finite value, also for infinite inputs",
      FPFMT_OVERFLOW_MAX },
    { "max-finite", "", "the largest finite value; infinite inputs stay infinite",
      FPFMT_OVERFLOW_MAX_FINITE },
    { "symmetric", "", "as max; two's complement then never gives its lowest code",
      FPFMT_OVERFLOW_SYMMETRIC },
    { "invalid", "", "fixed point: as max, but invalid and no overflow; other formats: as spec",
      FPFMT_OVERFLOW_INVALID },
};
_Static_assert(COUNT(overflows) == FPFMT_OVERFLOW_COUNT, "give the new overflow rule its words");

static const fpfmt_word overflow_tests[] = {
    { "after", "after-rounding", "overflow is what lies past the largest value once rounded",
      FPFMT_OVERFLOW_TEST_AFTER_ROUNDING },
    { "before", "before-rounding", "overflow is what lies past the largest value as it came",
      FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING },
};

static const fpfmt_word subnormals[] = {
    { "keep", "", "subnormal values go in and come out as they are", FPFMT_SUBNORMAL_KEEP },
    { "flush-results", "ftz", "results below the smallest normal value become zero",
      FPFMT_SUBNORMAL_FLUSH_RESULTS },
    { "flush-inputs", "daz", "subnormal inputs count as zero", FPFMT_SUBNORMAL_FLUSH_INPUTS },
    { "flush", "ftz-daz", "both subnormal inputs and subnormal results become zero",
      FPFMT_SUBNORMAL_FLUSH_RESULTS | FPFMT_SUBNORMAL_FLUSH_INPUTS },
};

static const fpfmt_word nans[] = {
    { "quiet", "", "made quiet; sign and payload are kept as far as they fit", FPFMT_NAN_QUIET },
    { "canonical", "", "the positive quiet NaN without a payload", FPFMT_NAN_CANONICAL },
    { "preserve", "", "kept as it is, signaling or not", FPFMT_NAN_PRESERVE },
    { "opposite-zero", "", "as quiet; the zero of the other sign in a format without NaN",
      FPFMT_NAN_OPPOSITE_ZERO },
};
_Static_assert(COUNT(nans) == FPFMT_NAN_COUNT, "give the new rule for NaN its words");

static const fpfmt_word negatives[] = {
    { "spec", "", "a negative value in an unsigned format is NaN unless it rounds to 0",
      FPFMT_NEGATIVE_SPEC },
    { "zero", "", "a negative value in an unsigned format becomes 0", FPFMT_NEGATIVE_ZERO },
    { "drop", "", "a negative value in an unsigned format loses its sign", FPFMT_NEGATIVE_DROP },
};

static const fpfmt_word tininesses[] = {
    { "after", "after-rounding", "tiny is what lies below the smallest normal value once rounded",
      FPFMT_TININESS_AFTER_ROUNDING },
    { "before", "before-rounding", "tiny is what lies below the smallest normal value as it came",
      FPFMT_TININESS_BEFORE_ROUNDING },
};

static const fpfmt_word specials[] = {
    { "ieee", "ieee-754", "1/0 is infinite, and infinity lies beyond the largest value",
      FPFMT_SPECIALS_IEEE },
    { "p3109", "", "1/0 is NaN, and NaN lies beyond the last value", FPFMT_SPECIALS_P3109 },
};

static const fpfmt_word flags[] = {
    { "inexact", "", "the result is not exactly the value", FPFMT_FLAG_INEXACT },
    { "underflow", "", "the result is tiny, and not exactly the value", FPFMT_FLAG_UNDERFLOW },
    { "overflow", "", "the value lies past the largest one of the format", FPFMT_FLAG_OVERFLOW },
    { "divide-by-zero", "divbyzero", "the result of finite operands is exactly infinite, as 1/0",
      FPFMT_FLAG_DIVIDE_BY_ZERO },
    { "invalid", "", "there is no result that makes sense, as for 0/0", FPFMT_FLAG_INVALID },
};

/* Of NaN a reader sees one class, whether it signals or not; fpfmt_word_for knows. */
static const fpfmt_word classes[] = {
    { "zero", "", "0 or -0", FPFMT_KIND_ZERO },
    { "subnormal", "denormal", "below the smallest normal value, with fewer digits",
      FPFMT_KIND_SUBNORMAL },
    { "normal", "", "a number with all the digits of its format", FPFMT_KIND_NORMAL },
    { "inf", "infinity infinite", "infinity of either sign", FPFMT_KIND_INFINITE },
    { "nan", "", "not a number", FPFMT_KIND_QUIET_NAN },
};

/* What became of a value. */
static const fpfmt_word outcomes[] = {
    { "exact", "", "the value itself", FPFMT_OUTCOME_EXACT },
    { "inexact", "", "a value near it", FPFMT_OUTCOME_INEXACT },
    { "subnormal", "", "a value near it, but below the smallest normal one: with fewer digits",
      FPFMT_OUTCOME_SUBNORMAL },
    { "underflow", "", "0: it was too small", FPFMT_OUTCOME_UNDERFLOW },
    { "overflow", "", "infinity or NaN: it was too large", FPFMT_OUTCOME_OVERFLOW },
    { "saturated", "", "a finite value: it lay past that end of the format",
      FPFMT_OUTCOME_SATURATED },
    { "invalid", "", "nothing that makes sense", FPFMT_OUTCOME_INVALID },
    { "divide-by-zero", "divbyzero", "what a division by zero gives",
      FPFMT_OUTCOME_DIVIDE_BY_ZERO },
};
_Static_assert(COUNT(outcomes) == FPFMT_OUTCOME_COUNT, "give the new outcome its words");

static const struct {
    const fpfmt_word *words;
    size_t count;
} families[] = {
    [FPFMT_WORDS_ROUNDING] = { roundings, COUNT(roundings) },
    [FPFMT_WORDS_OVERFLOW] = { overflows, COUNT(overflows) },
    [FPFMT_WORDS_OVERFLOW_TEST] = { overflow_tests, COUNT(overflow_tests) },
    [FPFMT_WORDS_SUBNORMAL] = { subnormals, COUNT(subnormals) },
    [FPFMT_WORDS_NAN] = { nans, COUNT(nans) },
    [FPFMT_WORDS_NEGATIVE] = { negatives, COUNT(negatives) },
    [FPFMT_WORDS_TININESS] = { tininesses, COUNT(tininesses) },
    [FPFMT_WORDS_SPECIALS] = { specials, COUNT(specials) },
    [FPFMT_WORDS_FLAG] = { flags, COUNT(flags) },
    [FPFMT_WORDS_CLASS] = { classes, COUNT(classes) },
    [FPFMT_WORDS_OUTCOME] = { outcomes, COUNT(outcomes) },
};
_Static_assert(COUNT(families) == FPFMT_WORDS_COUNT, "give the new family its table of words");

const fpfmt_word *fpfmt_word_at(fpfmt_words family, size_t index)
{
    if ((size_t)family >= COUNT(families) || index >= families[family].count)
        return NULL;
    return &families[family].words[index];
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is name, without case, one of the words of a list that blanks separate? A name that is empty or
 * has a blank in it is none. */
static bool is_among(const char *list, const char *name)
{
    while (*list != '\0') {
        const char *at = name;
        for (; *list != '\0' && *list != ' ' && lower(*list) == lower(*at); list++)
            at++;
        if (*at == '\0' && at != name && (*list == '\0' || *list == ' '))
            return true;
        while (*list != '\0' && *list != ' ')
            list++;
        while (*list == ' ')
            list++;
    }
    return false;
}

const fpfmt_word *fpfmt_word_named(fpfmt_words family, const char *name)
{
    const fpfmt_word *word;
    for (size_t i = 0; name != NULL && (word = fpfmt_word_at(family, i)) != NULL; i++)
        if (is_among(word->name, name) || is_among(word->aliases, name))
            return word;
    return NULL;
}

const fpfmt_word *fpfmt_word_for(fpfmt_words family, unsigned meaning)
{
    const fpfmt_word *word;
    if (family == FPFMT_WORDS_CLASS && meaning == FPFMT_KIND_SIGNALING_NAN)
        meaning = FPFMT_KIND_QUIET_NAN;
    for (size_t i = 0; (word = fpfmt_word_at(family, i)) != NULL; i++)
        if (word->meaning == meaning)
            return word;
    return NULL;
}

/* The flags may be those of a whole expression: in 1/(1/0) the inner division raises divide by
 * zero, and what is rounded is 0. So only an infinity or NaN comes from the division.
 * A negative value that became 0 in an unsigned format lay past the end of the format, unless it
 * was so small that its magnitude would have become 0 too: then it raised underflow. Where a format
 * has no subnormals, what is tiny and not 0 became the smallest normal value. */
fpfmt_outcome fpfmt_outcome_of(const fpfmt_format *format, fpfmt_value from, fpfmt_value stored,
                               unsigned raised)
{
    bool finite = stored.kind < FPFMT_KIND_INFINITE, tiny = (raised & FPFMT_FLAG_UNDERFLOW) != 0;
    bool clipped = from.negative && format->sign_bits == 0 && !tiny && !fpfmt_value_is_zero(from);
    if (format->exponent_bits == 0) /* nothing is tiny there: below a step it was too small */
        clipped &= from.exponent >= -format->bias;
    if (raised & FPFMT_FLAG_INVALID)
        return FPFMT_OUTCOME_INVALID;
    if (raised & FPFMT_FLAG_DIVIDE_BY_ZERO && from.kind >= FPFMT_KIND_INFINITE)
        return FPFMT_OUTCOME_DIVIDE_BY_ZERO;
    if (raised & FPFMT_FLAG_OVERFLOW)
        return finite ? FPFMT_OUTCOME_SATURATED : FPFMT_OUTCOME_OVERFLOW;
    if (!(raised & FPFMT_FLAG_INEXACT))
        return FPFMT_OUTCOME_EXACT;
    if (stored.kind == FPFMT_KIND_ZERO)
        return clipped ? FPFMT_OUTCOME_SATURATED : FPFMT_OUTCOME_UNDERFLOW;
    return tiny && fpfmt_measure(format).has_subnormals ? FPFMT_OUTCOME_SUBNORMAL
                                                        : FPFMT_OUTCOME_INEXACT;
}
