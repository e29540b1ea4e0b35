/* names.c - from a name to a format: rows, aliases, and the two grammars
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include <string.h>

#include "names.h"
#include "shape.h"

/* LONGEST: characters of a name that edits are counted in, which bounds a table on the stack; the
 * longest alias has fewer. HITS: rows of one name that can be told; no name of the table has more
 * than two. */
enum { LONGEST = 40, HITS = 4 };

/* Characters of a longer text, without a NUL behind them. */
typedef struct {
    const char *start;
    size_t length;
} word;

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t length_of(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return n;
}

/* The next of a list of words separated by blanks; false at its end. */
static bool next_word(const char **list, word *next)
{
    const char *at = *list;
    while (at != NULL && *at == ' ')
        at++;
    if (at == NULL || *at == '\0')
        return false;
    next->start = at;
    while (*at != '\0' && *at != ' ')
        at++;
    next->length = (size_t)(at - next->start);
    *list = at;
    return true;
}

/* Whether a name is the word: byte for byte, or folded, without case, '_' and '-'. */
static bool same(word a, const char *name, bool folded)
{
    const char *end = a.start + a.length;
    if (!folded)
        return length_of(name) == a.length && memcmp(a.start, name, a.length) == 0;
    for (;; a.start++, name++) {
        while (a.start < end && (*a.start == '_' || *a.start == '-'))
            a.start++;
        while (*name == '_' || *name == '-')
            name++;
        if (a.start == end || *name == '\0')
            return a.start == end && *name == '\0';
        if (lower(*a.start) != lower(*name))
            return false;
    }
}

bool fpfmt_is_called(const char *own, const char *aliases, const char *name, bool folded)
{
    word first = { own, length_of(own) }, alias;
    if (same(first, name, folded))
        return true;
    while (next_word(&aliases, &alias))
        if (same(alias, name, folded))
            return true;
    return false;
}

/* The rows of this name: those that match byte for byte or, if none does, after folding; up to
 * HITS. So F8_E4M3, which safetensors has for one row, finds that one, and f8e4m3, which after
 * folding is MLIR's name of another too, finds both. None for NULL. */
static size_t find_rows(const fpfmt_format *hits[HITS], const char *name)
{
    size_t n = 0;
    for (int folded = 0; folded < 2 && n == 0 && name != NULL; folded++)
        for (size_t i = 0; fpfmt_at(i) != NULL && n < HITS; i++)
            if (fpfmt_is_called(fpfmt_at(i)->name, fpfmt_at(i)->aliases, name, folded))
                hits[n++] = fpfmt_at(i);
    return n;
}

const fpfmt_format *fpfmt_named(const char *name)
{
    const fpfmt_format *hits[HITS];
    return find_rows(hits, name) == 1 ? hits[0] : NULL;
}

/* Takes a number of up to four digits, enough for any width or bias of a sound format; false if
 * there is none, or one digit too many. */
static bool read_number(const char **at, int *number)
{
    int digits = 0;
    for (*number = 0; is_digit(**at) && digits < 5; ++*at, digits++)
        *number = *number * 10 + (**at - '0');
    return digits > 0 && digits < 5;
}

/* Takes a word, given in lower case, if it comes next in any case. */
static bool read_word(const char **at, const char *expected)
{
    const char *from = *at;
    for (; *expected != '\0'; expected++, from++)
        if (lower(*from) != *expected)
            return false;
    *at = from;
    return true;
}

/* IEEE P3109 v4.0 section 4.2: binary<K>p<P><s|u><e|f>; K > 2, 0 < P < K, or P = K if unsigned. K
 * is the width, P the precision, so that P - 1 fraction bits and the sign leave the exponent bits;
 * the bias is half of their range. NaN is in the place of -0, or in an unsigned format at the top,
 * and infinity below that in extended ones. False if it is no such name; other fields of *format
 * stay as they are. */
static bool read_p3109(fpfmt_format *format, const char *at)
{
    int k, p;
    if (!read_word(&at, "binary") || !read_number(&at, &k) || !read_word(&at, "p") ||
        !read_number(&at, &p))
        return false;
    bool is_signed = read_word(&at, "s");
    if (!is_signed && !read_word(&at, "u"))
        return false;
    bool extended = read_word(&at, "e");
    if (!extended && !read_word(&at, "f"))
        return false;
    int exponent_bits = k - p + !is_signed;
    if (*at != '\0' || k < 3 || k > 64 || p < 1 || exponent_bits < 1)
        return false;
    format->sign_bits = is_signed;
    format->exponent_bits = (uint8_t)exponent_bits;
    format->fraction_bits = (uint8_t)(p - 1);
    /* Beyond 12 exponent bits the row is unsound whatever its bias. */
    format->bias = (int32_t)(exponent_bits > 12 ? 4096 : 1 << (exponent_bits - 1));
    format->nans = is_signed ? FPFMT_NANS_NEGATIVE_ZERO : FPFMT_NANS_ALL_ONES;
    format->infinity = extended ? FPFMT_INFINITY_TOP : FPFMT_INFINITY_NONE;
    format->overflow = extended ? FPFMT_OVERFLOW_INF : FPFMT_OVERFLOW_MAX;
    format->specials = FPFMT_SPECIALS_P3109;
    return true;
}

/* The suffixes of the custom grammar; the first is what no suffix means. */
static const struct {
    char text[5];
    uint8_t nans, infinity, overflow;
} suffixes[] = {
    { "ieee", FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, FPFMT_OVERFLOW_INF },
    { "fnuz", FPFMT_NANS_NEGATIVE_ZERO, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_NAN },
    { "fn", FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_NAN },
    { "none", FPFMT_NANS_NONE, FPFMT_INFINITY_NONE, FPFMT_OVERFLOW_MAX },
};

/* e<E>m<M>[b<bias>][ieee|fn|fnuz|none][u]. *bare: there is no suffix; *stem: where it would be, in
 * characters. Without a bias it is IEEE's, 2^(E - 1) - 1, or one more for fnuz, as in the formats
 * of that kind. Without fraction bits a tie goes to the larger magnitude, IEEE 754-2019 4.3.1, as
 * there is no even significand to go to. False if it is no such name. */
static bool read_custom(fpfmt_format *format, const char *name, bool *bare, size_t *stem)
{
    const char *at = name;
    int exponent_bits, fraction_bits, bias = 0;
    if (!read_word(&at, "e") || !read_number(&at, &exponent_bits) || !read_word(&at, "m") ||
        !read_number(&at, &fraction_bits) || exponent_bits < 1 || exponent_bits > 63 ||
        fraction_bits > 63)
        return false;
    bool biased = read_word(&at, "b");
    if (biased) {
        bool negative = read_word(&at, "-");
        if (!read_number(&at, &bias))
            return false;
        bias = negative ? -bias : bias;
    }
    *stem = (size_t)(at - name);
    size_t suffix = 0;
    while (suffix < 4 && !read_word(&at, suffixes[suffix].text))
        suffix++;
    *bare = suffix == 4;
    suffix = *bare ? 0 : suffix;
    bool is_unsigned = read_word(&at, "u");
    if (*at != '\0')
        return false;
    if (!biased) {
        int usual = exponent_bits > 12 ? 4096 : 1 << (exponent_bits - 1);
        bias = usual - (suffixes[suffix].nans != FPFMT_NANS_NEGATIVE_ZERO);
    }
    format->sign_bits = !is_unsigned;
    format->exponent_bits = (uint8_t)exponent_bits;
    format->fraction_bits = (uint8_t)fraction_bits;
    format->bias = (int32_t)bias;
    format->nans = suffixes[suffix].nans;
    format->infinity = suffixes[suffix].infinity;
    format->overflow = suffixes[suffix].overflow;
    format->tie = fraction_bits == 0 ? FPFMT_TIE_LARGER : FPFMT_TIE_EVEN_CODE;
    return true;
}

/* The row called e<E>m<M> if it is not IEEE: then e<E>m<M> with a bias and no suffix could mean
 * its kind or the grammar's. */
static const fpfmt_format *kin_of(const fpfmt_format *custom)
{
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const fpfmt_format *row = fpfmt_at(i);
        const char *at = row->name;
        int e, m;
        if (row->infinity != FPFMT_INFINITY_IEEE && read_word(&at, "e") && read_number(&at, &e) &&
            read_word(&at, "m") && read_number(&at, &m) && *at == '\0' &&
            e == custom->exponent_bits && m == custom->fraction_bits)
            return row;
    }
    return NULL;
}

/* A name of a row comes before the grammars, which some rows are in too. *format is filled by a
 * sound or an unsound format of a grammar, under the name in lower case, and left alone otherwise.
 */
fpfmt_status fpfmt_find(fpfmt_format *format, const char *name)
{
    const fpfmt_format *hits[HITS];
    if (name == NULL)
        return FPFMT_UNKNOWN;
    size_t n = find_rows(hits, name), length = length_of(name), stem = 0;
    if (n == 1)
        *format = *hits[0];
    if (n > 0)
        return n == 1 ? FPFMT_FOUND : FPFMT_AMBIGUOUS;

    fpfmt_format made = { .name = "" };
    bool bare = false;
    if (length >= FPFMT_NAME_SIZE ||
        (!read_p3109(&made, name) && !read_custom(&made, name, &bare, &stem)))
        return FPFMT_UNKNOWN;
    if (bare && kin_of(&made) != NULL)
        return FPFMT_AMBIGUOUS;
    for (size_t i = 0; i < length; i++)
        made.name[i] = lower(name[i]);
    *format = made;
    return fpfmt_defect(format) == NULL ? FPFMT_FOUND : FPFMT_UNSOUND;
}

/* How many edits (insert, delete, replace, swap neighbours) lead from one name to another, without
 * case; names count to 40 characters. */
static unsigned edits_between(const char *a, const char *b)
{
    unsigned row[3][LONGEST + 1]; /* rows i - 2, i - 1 and i of the table of edits, taken in turn */
    size_t a_length = length_of(a), b_length = length_of(b);
    a_length = a_length > LONGEST ? LONGEST : a_length;
    b_length = b_length > LONGEST ? LONGEST : b_length;
    for (size_t j = 0; j <= b_length; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            unsigned best = last[j - 1] + (x != y);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]) &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[a_length % 3][b_length];
}

/* How many edits a slip of the keyboard may take: a third of the longer name, three at the most.
 * Past that the nearest name is any name: "fp128" is two edits from "fp32". */
static unsigned most_edits(const char *a, const char *b)
{
    size_t a_length = length_of(a), b_length = length_of(b);
    size_t third = (a_length > b_length ? a_length : b_length) / 3;
    return third < 3 ? (unsigned)third : 3;
}

/* Makes a candidate the best, if it takes fewer edits than the least so far. */
static void consider(char best[FPFMT_NAME_SIZE], unsigned *least, word candidate, const char *name)
{
    char text[FPFMT_NAME_SIZE];
    if (candidate.length >= sizeof text)
        return;
    memcpy(text, candidate.start, candidate.length);
    text[candidate.length] = '\0';
    unsigned edits = edits_between(text, name);
    if (edits < *least && edits <= most_edits(text, name)) {
        *least = edits;
        memcpy(best, text, candidate.length + 1);
    }
}

/* The name or alias nearest to an unknown name, of those that it may be a slip of. */
static bool nearest(char text[FPFMT_NAME_SIZE], const char *name)
{
    unsigned least = LONGEST;
    bool any = false;
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const fpfmt_format *row = fpfmt_at(i);
        word own = { row->name, length_of(row->name) }, alias;
        unsigned before = least;
        consider(text, &least, own, name);
        for (const char *list = row->aliases; next_word(&list, &alias);)
            consider(text, &least, alias, name);
        any |= least < before;
    }
    return any;
}

/* What the name may have meant: one of several rows, one of the readings of e<E>m<M> without a
 * suffix, or the name that is nearest. False past the last candidate. */
static bool find_candidate(char text[FPFMT_NAME_SIZE], const char *name, size_t index)
{
    const fpfmt_format *hits[HITS];
    if (name == NULL)
        return false;
    size_t n = find_rows(hits, name), length = length_of(name), stem = 0;
    fpfmt_format made = { .name = "" };
    bool bare = false;
    if (n > 0) {
        if (index < n)
            memcpy(text, hits[index]->name, FPFMT_NAME_SIZE);
        return index < n;
    }
    if (length + sizeof suffixes[0].text < FPFMT_NAME_SIZE &&
        read_custom(&made, name, &bare, &stem) && bare && kin_of(&made) != NULL) {
        bool has_nan = kin_of(&made)->nans != FPFMT_NANS_NONE;
        const size_t readings[] = { 0, 2, has_nan ? 1 : 3, 3 };
        if (index >= (has_nan ? 4 : 3))
            return false;
        const char *suffix = suffixes[readings[index]].text;
        size_t added = length_of(suffix);
        memcpy(text, name, stem);
        memcpy(text + stem, suffix, added);
        memcpy(text + stem + added, name + stem, length - stem + 1);
        return true;
    }
    return index == 0 && length > 0 && nearest(text, name);
}

size_t fpfmt_suggest(char *text, size_t size, const char *name, size_t index)
{
    char candidate[FPFMT_NAME_SIZE];
    if (!find_candidate(candidate, name, index))
        return 0;
    size_t length = length_of(candidate), shown = length < size ? length : size - 1;
    if (size > 0) {
        memcpy(text, candidate, shown);
        text[shown] = '\0';
    }
    return length;
}
