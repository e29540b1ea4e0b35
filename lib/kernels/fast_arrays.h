/* fast_arrays.h - the kernels of a vector set
 * SPDX-License-Identifier: MIT
 *
 * An encoder goes by the first of these that reaches it: the set's instructions for its format
 * (native), the four vectors of direct.h, the elements of fast.h, the loops of loops.h. */

/* Included by vector sets, once per carrier, behind loops.h; includes fast.h, direct.h and scan.h,
 * and asks for their macros. Besides, the set defines, once for both carriers
 *
 *   macro                     takes, gives
 *   ENTER_CONVERSION(k)       makes the environment what SUM and encode_native need for this
 * encoder; gives the unsigned that LEAVE_CONVERSION wants LEAVE_CONVERSION(k, saved) puts the
 * environment back, flags included
 *
 * and functions with the carrier's width in their names, before this file:
 *
 *   function                  takes, gives
 *   store_bytes_32, _64       (to, a, b, c, d): the low bytes of the words of four vectors, in
 * order; store_pairs_32, _64       the low two bytes; store_fours_32, _64       the low four. to
 * has any alignment, and nothing behind is written load_bytes_32, _64        (from): as many codes
 * of one byte as a vector has lanes, as words; load_pairs_32, _64        codes of two bytes;
 *   load_fours_32, _64        codes of four. Nothing behind is read
 *   encode_native             (k, to, from, n): n floats to codes of two bytes, for k->native
 *                             NATIVE_HALF, to nearest even or toward zero, and NATIVE_BFLOAT, to
 *                             nearest even; 32 bits only
 *   decode_native             (k, table, to, from, n): n codes to floats without flags; false, and
 *                             nothing is done, if the set has no way of its own; 32 bits only
 *
 * Made are encode_fast and round_fast, fpfmt_encode_kernels, and decode_fast, an
 * fpfmt_decode_kernel, each with the carrier's width behind its name: they are the set's members.
 */

#include "fast.h"

enum { NAME(BLOCK) = 4 * sizeof(VEC) / sizeof(WORD) };

/* Words to words, codes or values; count is a multiple of the lanes. cut_method, mode, carried and
 * common are constants of the caller. random holds a word for each element in STOCHASTIC_A, and is
 * not read in other modes. */
INLINE void NAME(fast_loop)(const NAME(constants) * from_memory, int cut_method, int mode,
                            bool carried, bool common, unsigned char *to, const unsigned char *from,
                            size_t count, const WORD *random)
{
    const NAME(constants) c = *from_memory;
    VEC x, bits = SPLAT(0);
    for (size_t i = 0; i < count; i += NAME(LANES)) {
        memcpy(&x, from + i * sizeof(WORD), sizeof x);
        if (mode == FPFMT_ROUND_STOCHASTIC_A)
            memcpy(&bits, random + i, sizeof bits);
        x = NAME(fast_element)(&c, cut_method, mode, FIXUP_ALL, carried, false, common, x, bits);
        memcpy(to + i * sizeof(WORD), &x, sizeof x);
    }
}

/* fast_loop with common as a constant. */
INLINE void NAME(fast_case)(const NAME(constants) * c, int cut_method, int mode, bool carried,
                            unsigned char *to, const unsigned char *from, size_t count,
                            const WORD *random)
{
    if (c->common)
        NAME(fast_loop)(c, cut_method, mode, carried, true, to, from, count, random);
    else
        NAME(fast_loop)(c, cut_method, mode, carried, false, to, from, count, random);
}

_Static_assert(FPFMT_ROUND_COUNT == 13,
               "give the new rounding mode its case in fast_words, or keep cut_method_of from it");

/* fast_loop with common and mode as constants. Modes with chance that come here, from
 * DECIDE_CHANCE_32, differ by their random words alone: see draw_32. */
INLINE void NAME(fast_words)(const NAME(constants) * c, int cut_method, int mode, bool carried,
                             unsigned char *to, const unsigned char *from, size_t count,
                             const WORD *random)
{
#define CASE(mode)                                                                                 \
    case mode: NAME(fast_case)(c, cut_method, mode, carried, to, from, count, random); break;
    switch (mode) {
        CASE(FPFMT_ROUND_NEAREST_EVEN)
        CASE(FPFMT_ROUND_NEAREST_AWAY)
        CASE(FPFMT_ROUND_NEAREST_ZERO)
        CASE(FPFMT_ROUND_TOWARD_ZERO)
        CASE(FPFMT_ROUND_AWAY_FROM_ZERO)
        CASE(FPFMT_ROUND_UPWARD)
        CASE(FPFMT_ROUND_DOWNWARD)
        CASE(FPFMT_ROUND_TO_ODD)
    default:
        NAME(fast_case)(c, cut_method, FPFMT_ROUND_STOCHASTIC_A, carried, to, from, count, random);
    }
#undef CASE
}

/* fast_loop with all of its constants: code that is compiled four times for each carrier, and
 * called by name as words_kernel below. */
static TARGET void NAME(shift_words)(const NAME(constants) * c, int mode, unsigned char *to,
                                     const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, CUT_BY_SHIFT, mode, false, to, from, count, random);
}

static TARGET void NAME(sum_words)(const NAME(constants) * c, int mode, unsigned char *to,
                                   const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, CUT_BY_SUM, mode, false, to, from, count, random);
}

static TARGET void NAME(shift_values)(const NAME(constants) * c, int mode, unsigned char *to,
                                      const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, CUT_BY_SHIFT, mode, true, to, from, count, random);
}

static TARGET void NAME(sum_values)(const NAME(constants) * c, int mode, unsigned char *to,
                                    const unsigned char *from, size_t count, const WORD *random)
{
    NAME(fast_words)(c, CUT_BY_SUM, mode, true, to, from, count, random);
}

/* BLOCK words to codes of bytes 1, 2 or 4. */
INLINE void NAME(store_words)(unsigned char *to, size_t bytes, const WORD words[NAME(BLOCK)])
{
    VEC p, q, r, s;
    memcpy(&p, words, sizeof p);
    memcpy(&q, words + NAME(LANES), sizeof q);
    memcpy(&r, words + 2 * NAME(LANES), sizeof r);
    memcpy(&s, words + 3 * NAME(LANES), sizeof s);
    switch (bytes) {
    case 1: NAME(store_bytes)(to, p, q, r, s); break;
    case 2: NAME(store_pairs)(to, p, q, r, s); break;
    default: NAME(store_fours)(to, p, q, r, s);
    }
}

#if WORD_BITS == 32
#include "direct.h"
#endif
#include "scan.h"

typedef void NAME(words_kernel)(const NAME(constants) *, int mode, unsigned char *to,
                                const unsigned char *from, size_t count, const WORD *random);

/* To carried values, or to codes as wide as they are, without an array in between. Whole vectors go
 * from where they are to where they belong; what is left of less than a vector goes by way of one,
 * filled up with zeros. By chance, pieces are of a tile, for which random words are drawn; a piece
 * is whole vectors too but for the last one, so that count shrinks to them. */
INLINE void NAME(same_width)(const fpfmt_encoder *k, NAME(words_kernel) * convert, bool carried,
                             unsigned char *to, const unsigned char *from, size_t n,
                             const fpfmt_draw *draw)
{
    const NAME(constants) c = NAME(spread)(k, carried);
    bool drawn = k->decision == DECIDE_CHANCE_32;
    WORD in[TILE];
    uint32_t drawn_words[DRAWN];
    const uint32_t *random = drawn_words;
    size_t piece = drawn ? TILE : SIZE_MAX, count, whole;
    for (size_t done = 0; done < n; done += count) {
        const unsigned char *at = from;
        unsigned char *out = to;
        count = n - done < piece ? n - done : piece;
        whole = count - count % NAME(LANES);
        if (whole == 0) {
            whole = NAME(load_words)(in, from, count);
            at = out = (unsigned char *)in;
        } else {
            count = whole;
        }
        if (drawn)
            random = draw_32(k, draw, draw->index + done, count, drawn_words);
        convert(&c, k->rounding, out, at, whole, (const WORD *)random);
        if (out != to)
            memcpy(to, out, count * sizeof(WORD));
        from += count * sizeof(WORD);
        to += count * sizeof(WORD);
    }
}

/* To codes narrower than the carrier, by tiles: fast_loop writes words to an array in the cache, of
 * which blocks of four vectors are narrowed and stored. A tile that is no whole number of blocks is
 * stored to an array first, as a block would write behind the end; what a block then reads behind
 * count is inside words. */
INLINE void NAME(narrower)(const fpfmt_encoder *k, NAME(words_kernel) * convert, unsigned char *to,
                           const unsigned char *from, size_t n, const fpfmt_draw *draw)
{
    const NAME(constants) c = NAME(spread)(k, false);
    unsigned char narrow[TILE * sizeof(WORD)];
    WORD in[TILE], words[TILE];
    uint32_t drawn_words[DRAWN];
    const uint32_t *random = drawn_words;
    size_t count, whole;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < TILE ? n - done : TILE;
        const unsigned char *at = from;
        whole = count;
        if (count % NAME(LANES) != 0) {
            whole = NAME(load_words)(in, from, count);
            at = (unsigned char *)in;
        }
        if (k->decision == DECIDE_CHANCE_32)
            random = draw_32(k, draw, draw->index + done, count, drawn_words);
        convert(&c, k->rounding, (unsigned char *)words, at, whole, (const WORD *)random);
        unsigned char *out = count % NAME(BLOCK) == 0 ? to : narrow;
        for (size_t i = 0; i < count; i += NAME(BLOCK))
            NAME(store_words)(out + i * k->bytes, k->bytes, words + i);
        if (out == narrow)
            memcpy(to, narrow, count * k->bytes);
        from += count * sizeof(WORD);
        to += count * k->bytes;
    }
}

/* Without flags, by the first way that reaches the encoder; its cut_method is not CUT_BY_ELEMENT.
 */
static TARGET void NAME(convert)(const fpfmt_encoder *k, bool carried, unsigned char *to,
                                 const unsigned char *from, size_t n, const fpfmt_draw *draw)
{
    bool shifts = k->cut_method == CUT_BY_SHIFT;
    unsigned saved = ENTER_CONVERSION(k);
#if WORD_BITS == 32
    if (!carried && k->native != NATIVE_NONE)
        encode_native(k, to, from, n);
    else if (!carried && k->decision == DECIDE_EVEN && k->fixup != FIXUP_ALL && k->bytes <= 2)
        encode_direct(k, to, from, n);
    else
#endif
        if (carried)
        NAME(same_width)
    (k, shifts ? NAME(shift_values) : NAME(sum_values), true, to, from, n, draw);
    else if (k->bytes == sizeof(WORD))
        NAME(same_width)(k, shifts ? NAME(shift_words) : NAME(sum_words), false, to, from, n, draw);
    else NAME(narrower)(k, shifts ? NAME(shift_words) : NAME(sum_words), to, from, n, draw);
    LEAVE_CONVERSION(k, saved);
}

/* With flags, where k->flags_from_input holds: a piece is scanned and then converted, while it is
 * still in the nearest cache. The scan comes first, as the output may lie on the input.
 * PIECE_MEASURED
 */
INLINE void NAME(with_flags)(const fpfmt_encoder *k, bool carried, unsigned char *to,
                             const unsigned char *from, size_t n, const fpfmt_draw *draw,
                             unsigned *flags)
{
    enum { PIECE = 4 * TILE };
    WORD in[TILE];
    size_t bytes = carried ? sizeof(WORD) : k->bytes, count, whole;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < PIECE ? n - done : PIECE;
        whole = count - count % NAME(LANES);
        *flags |= NAME(scan)(k, from, whole);
        if (whole < count) {
            size_t rest = NAME(load_words)(in, from + whole * sizeof(WORD), count - whole);
            *flags |= NAME(scan)(k, (unsigned char *)in, rest);
        }
        NAME(convert)(k, carried, to, from, count, draw);
        from += count * sizeof(WORD);
        to += count * bytes;
    }
}

/* What the fast ways do not take, an encoder of CUT_BY_ELEMENT or flags that the inputs do not
 * tell, is done by the loop. */
static TARGET void NAME(encode_fast)(const fpfmt_encoder *k, void *codes, const void *values,
                                     size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    if (flags == NULL && k->cut_method != CUT_BY_ELEMENT)
        NAME(convert)(k, false, codes, values, n, draw);
    else if (k->flags_from_input)
        NAME(with_flags)(k, false, codes, values, n, draw, flags);
    else
        NAME(encode_loop)(k, codes, values, n, draw, flags);
}

static TARGET void NAME(round_fast)(const fpfmt_encoder *k, void *rounded, const void *values,
                                    size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    if (flags == NULL && k->cut_method != CUT_BY_ELEMENT)
        NAME(convert)(k, true, rounded, values, n, draw);
    else if (k->flags_from_input)
        NAME(with_flags)(k, true, rounded, values, n, draw, flags);
    else
        NAME(round_loop)(k, rounded, values, n, draw, flags);
}

/* Whole vectors of codes of 1, 2 or 4 bytes, which is a constant of the caller, to values; returns
 * how many codes they were. *any: one of them is a signaling NaN whose flag counts. */
INLINE size_t NAME(decode_vectors)(const fpfmt_decoder *decoder, size_t bytes, unsigned char *to,
                                   const unsigned char *from, size_t n, bool *any)
{
    const fpfmt_decoder k = *decoder;
    VEC signals = SPLAT(0), signaling;
    size_t done = 0;
    for (; n - done >= NAME(LANES); done += NAME(LANES)) {
        const unsigned char *at = from + bytes * done;
        VEC x = bytes == 1   ? NAME(load_bytes)(at)
                : bytes == 2 ? NAME(load_pairs)(at)
                             : NAME(load_fours)(at);
        x = NAME(decode)(&k, x, &signaling);
        memcpy(to + sizeof(WORD) * done, &x, sizeof x);
        signals |= signaling;
    }
    *any = ANY(SAME(signals, SPLAT((WORD)0 - 1)));
    return done;
}

/* The set's own ways know no flags, and serve where none are wanted or no NaN can raise one. The
 * loop does what is left of less than a vector. */
static TARGET void NAME(decode_fast)(const fpfmt_decoder *k, const uint8_t table[2][256],
                                     void *values, const void *codes, size_t n, unsigned *flags)
{
    size_t done;
    bool any = false;
#if WORD_BITS == 32
    if ((flags == NULL || k->quiet == 0) && decode_native(k, table, values, codes, n))
        return;
#endif
    switch (k->bytes) {
    case 1: done = NAME(decode_vectors)(k, 1, values, codes, n, &any); break;
    case 2: done = NAME(decode_vectors)(k, 2, values, codes, n, &any); break;
    default: done = NAME(decode_vectors)(k, 4, values, codes, n, &any);
    }
    if (flags != NULL && any)
        *flags |= FPFMT_FLAG_INVALID;
    if (done < n)
        NAME(decode_loop)
    (k, table, (unsigned char *)values + sizeof(WORD) * done,
     (const unsigned char *)codes + k->bytes * done, n - done, flags);
}
