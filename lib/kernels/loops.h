/* loops.h - the kernels of a set, from the element functions
 * SPDX-License-Identifier: MIT
 *
 * These loops do everything that encode, round and decode kernels are asked for. The scalar set is
 * made of them alone; vector sets fall back on them where fast.h does not reach. */

/* Includes element.h, and is included once per set and carrier as that is, before any other
 * template; end.h ends both.
 *
 *   macro         who defines it         takes, gives
 *   PHILOX        the set, for 32 bits   its generator of random words: an fpfmt_philox (draw.h)
 *   and those of element.h
 *
 *   function      gives
 *   encode_loop   an fpfmt_encode_kernel for codes of 1, 2 or 4 bytes, any decision but
 *                 DECIDE_REFERENCE
 *   round_loop    an fpfmt_encode_kernel for carried values, where k->carries
 *   decode_loop   an fpfmt_decode_kernel, any decoder without reference
 *   load_words, store_tile, load_tile, draw_32: used by the templates that come after this one
 *
 * Elements go by tiles of TILE in local arrays, one word each, so that no alignment, overlap or
 * tail reaches the vectors. A tile's words are whole vectors: TILE is a multiple of the lanes, and
 * a short tile is filled up with zeros, which raise no flag in any format that the element function
 * reaches. */

#include "element.h"

enum { NAME(LANES) = sizeof(VEC) / sizeof(WORD) };

/* Reads count words, at most TILE, and fills up the last vector with zeros. Returns how many words
 * take part: count rounded up to whole vectors. */
INLINE size_t NAME(load_words)(WORD tile[TILE], const unsigned char *from, size_t count)
{
    size_t whole = (count + NAME(LANES) - 1) / NAME(LANES) * NAME(LANES);
    if (whole > count)
        memset(tile + whole - NAME(LANES), 0, sizeof(VEC));
    memcpy(tile, from, sizeof *tile * count);
    return whole;
}

/* The low bytes of count words, at most TILE, to codes of 1, 2 or 4 bytes. Words are narrowed in an
 * array of their own, in inner loops of sixteen: compilers vectorise loops of a known length, and
 * one memcpy then writes count codes and nothing behind them. What the loop reads past count is
 * inside the tile. bytes is a constant of the caller. */
INLINE void NAME(store_codes)(unsigned char *to, const WORD tile[TILE], size_t bytes, size_t count)
{
    uint8_t narrow[TILE];
    uint16_t half[TILE];
    uint32_t whole[TILE];
    for (size_t i = 0; i < count; i += 16)
        for (size_t j = i; j < i + 16; j++) {
            if (bytes == 1)
                narrow[j] = (uint8_t)tile[j];
            else if (bytes == 2)
                half[j] = (uint16_t)tile[j];
            else
                whole[j] = (uint32_t)tile[j];
        }
    memcpy(to, bytes == 1 ? (void *)narrow : bytes == 2 ? (void *)half : whole, bytes * count);
}

/* The way back: count codes to words. The sixteen codes behind them are zero, as the last inner
 * loop and after it the last vector read on; hence also the room behind TILE. */
INLINE void NAME(load_codes)(WORD tile[TILE], const unsigned char *from, size_t bytes, size_t count)
{
    uint8_t narrow[TILE + 16];
    uint16_t half[TILE + 16];
    uint32_t whole[TILE + 16];
    void *codes = bytes == 1 ? (void *)narrow : bytes == 2 ? (void *)half : whole;
    memcpy(codes, from, bytes * count);
    memset((unsigned char *)codes + bytes * count, 0, bytes * 16);
    for (size_t i = 0; i < count; i += 16)
        for (size_t j = i; j < i + 16; j++)
            tile[j] = bytes == 1 ? narrow[j] : bytes == 2 ? half[j] : (WORD)whole[j];
}

/* store_codes with bytes as a constant, so that each size has a loop of its own. */
INLINE void NAME(store_tile)(unsigned char *to, const WORD tile[TILE], size_t bytes, size_t count)
{
    switch (bytes) {
    case 1: NAME(store_codes)(to, tile, 1, count); break;
    case 2: NAME(store_codes)(to, tile, 2, count); break;
    default: NAME(store_codes)(to, tile, 4, count);
    }
}

/* load_codes with bytes as a constant. */
INLINE void NAME(load_tile)(WORD tile[TILE], const unsigned char *from, size_t bytes, size_t count)
{
    switch (bytes) {
    case 1: NAME(load_codes)(tile, from, 1, count); break;
    case 2: NAME(load_codes)(tile, from, 2, count); break;
    default: NAME(load_codes)(tile, from, 4, count);
    }
}

#if WORD_BITS == 32
/* Room for the words of a tile: the generator writes whole blocks of four words from the one that
 * the first element is in, and up to BLOCKS_MORE blocks more than it was asked for. */
enum { DRAWN = TILE + 4 * BLOCKS_MORE };

/* For DECIDE_CHANCE_32: of each of count elements from index on, the 32 bits that carry with the
 * first 32 bits of the rest where the mode goes away. These are the top N bits of the element's
 * word in STOCHASTIC_A, and in STOCHASTIC_B half a unit of them more: to round the rest to N bits,
 * ties up, and to add R is to cut the sum of the rest, the half and R. Both need the rest's first
 * 32 bits only, as N is at most 32, and for the half in B at most 31.
 *
 * The words are made in words, in whole blocks; the result points to the first element's. The
 * vector that masks the last elements may go beyond them, but not beyond the room. */
INLINE const uint32_t *draw_32(const fpfmt_encoder *k, const fpfmt_draw *draw, uint64_t index,
                               size_t count, uint32_t words[DRAWN])
{
    uint32_t *random = words + index % 4, unit = UINT32_C(1) << (32 - k->random_bits);
    vec_32 half = SPLAT(k->chance == CHANCE_TIES_UP ? unit >> 1 : 0), x;
    PHILOX(draw->policy->seed, 0, index / 4, ((size_t)(index % 4) + count + 3) / 4, words);
    for (size_t i = 0; unit > 1 && i < count; i += LANES_32) {
        memcpy(&x, random + i, sizeof x);
        x = (x & SPLAT(~(unit - 1))) | half;
        memcpy(random + i, &x, sizeof x);
    }
    return random;
}
#endif

/* The random words of a tile. low holds the second 32 bits, and is read in 32-bit lanes with
 * DECIDE_CHANCE_64 only. */
typedef struct {
    const WORD *high, *low;
} NAME(drawn);

/* A tile to codes or to carried values; returns the flags of all elements together, or 0 if they
 * are not wanted. decision, carried and flagged are constants of the caller; random may be NULL in
 * modes without chance. count is a multiple of the lanes. */
INLINE WORD NAME(run)(const fpfmt_encoder *k, int decision, bool carried, bool flagged,
                      WORD out[TILE], const WORD in[TILE], size_t count, const NAME(drawn) * random)
{
    VEC raised = SPLAT(0), x, high = SPLAT(0), low = SPLAT(0);
    WORD all = 0, each[NAME(LANES)];
    for (size_t i = 0; i < count; i += NAME(LANES)) {
        memcpy(&x, in + i, sizeof x);
        if (decision == DECIDE_CHANCE_32 || decision == DECIDE_CHANCE_64)
            memcpy(&high, random->high + i, sizeof high);
        if (decision == DECIDE_CHANCE_64 && WORD_BITS == 32)
            memcpy(&low, random->low + i, sizeof low);
        NAME(element) element = NAME(encode)(k, decision, x, high, low);
        memcpy(out + i, carried ? &element.value : &element.code, sizeof x);
        raised |= element.flags;
    }
    if (!flagged)
        return 0;
    memcpy(each, &raised, sizeof each);
    for (size_t i = 0; i < NAME(LANES); i++)
        all |= each[i];
    return all;
}

/* run with decision as a constant; what random words a mode takes are drawn here, for elements from
 * index on. */
INLINE WORD NAME(decided)(const fpfmt_encoder *k, const fpfmt_draw *draw, uint64_t index,
                          bool carried, bool flagged, WORD out[TILE], const WORD in[TILE],
                          size_t count)
{
    WORD high[TILE], low[TILE];
    uint64_t wide[TILE];
    NAME(drawn) random = { high, low };
    switch (k->decision) {
    case DECIDE_EVEN: return NAME(run)(k, DECIDE_EVEN, carried, flagged, out, in, count, NULL);
    case DECIDE_THRESHOLD:
        return NAME(run)(k, DECIDE_THRESHOLD, carried, flagged, out, in, count, NULL);
#if WORD_BITS == 32
    case DECIDE_CHANCE_32: {
        uint32_t words[DRAWN];
        random.high = draw_32(k, draw, index, count, words);
        return run_32(k, DECIDE_CHANCE_32, carried, flagged, out, in, count, &random);
    }
#endif
    default:
        draw_64(k, draw, index, count, PHILOX, wide);
        for (size_t i = 0; i < count; i++) {
            high[i] = (WORD)(wide[i] >> (64 - WORD_BITS));
            low[i] = (WORD)wide[i];
        }
        return NAME(run)(k, DECIDE_CHANCE_64, carried, flagged, out, in, count, &random);
    }
}

/* An array, tile by tile: the body of encode_loop and round_loop, for which carried is a constant.
 * The encoder is copied, as stores to the output could change it for all that the compiler knows.
 */
INLINE void NAME(by_tiles)(const fpfmt_encoder *encoder, bool carried, void *out,
                           const void *values, size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    const fpfmt_encoder k = *encoder;
    const unsigned char *from = values;
    unsigned char *to = out;
    size_t bytes = carried ? sizeof(WORD) : k.bytes, count;
    WORD in[TILE], words[TILE], raised = 0;
    for (size_t done = 0; done < n;
         done += count, from += sizeof *in * count, to += bytes * count) {
        count = n - done < TILE ? n - done : TILE;
        uint64_t index = draw->index + done;
        size_t whole = NAME(load_words)(in, from, count);
        if (flags != NULL)
            raised |= NAME(decided)(&k, draw, index, carried, true, words, in, whole);
        else
            NAME(decided)(&k, draw, index, carried, false, words, in, whole);
        if (carried)
            memcpy(to, words, sizeof *words * count);
        else
            NAME(store_tile)(to, words, bytes, count);
    }
    if (flags != NULL)
        *flags |= (unsigned)raised;
}

static TARGET void NAME(encode_loop)(const fpfmt_encoder *k, void *codes, const void *values,
                                     size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    NAME(by_tiles)(k, false, codes, values, n, draw, flags);
}

static TARGET void NAME(round_loop)(const fpfmt_encoder *k, void *rounded, const void *values,
                                    size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    NAME(by_tiles)(k, true, rounded, values, n, draw, flags);
}

/* The zeros behind a short tile are no signaling NaN in any format, so that flags need no mask. */
static TARGET void NAME(decode_loop)(const fpfmt_decoder *decoder, const uint8_t table[2][256],
                                     void *values, const void *codes, size_t n, unsigned *flags)
{
    const fpfmt_decoder k = *decoder;
    const unsigned char *from = codes;
    unsigned char *to = values;
    size_t count;
    WORD in[TILE], words[TILE], each[NAME(LANES)], any = 0;
    VEC x, signaling, signals = SPLAT(0);
    (void)table;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < TILE ? n - done : TILE;
        NAME(load_tile)(in, from + k.bytes * done, k.bytes, count);
        for (size_t i = 0; i < count; i += NAME(LANES)) {
            memcpy(&x, in + i, sizeof x);
            x = NAME(decode)(&k, x, &signaling);
            memcpy(words + i, &x, sizeof x);
            signals |= signaling;
        }
        memcpy(to + sizeof *words * done, words, sizeof *words * count);
    }
    memcpy(each, &signals, sizeof each);
    for (size_t i = 0; i < NAME(LANES); i++)
        any |= each[i];
    if (flags != NULL && any != 0)
        *flags |= FPFMT_FLAG_INVALID;
}
