/* loops.h - the kernels of a set, from the element functions
 * SPDX-License-Identifier: MIT
 *
 * Includes element.h, and like it is included once per set and carrier; the set defines PHILOX, its
 * generator, too. Elements go by tiles in local arrays, so that no alignment, overlap or tail
 * reaches the vectors. A short tile is filled up with zeros, which raise nothing. */

#include "element.h"

enum { NAME(LANES) = sizeof(VEC) / sizeof(WORD) };

/* Fills up the last vector; returns the words that take part. */
INLINE size_t NAME(load_words)(WORD tile[TILE], const unsigned char *from, size_t count)
{
    size_t whole = (count + NAME(LANES) - 1) / NAME(LANES) * NAME(LANES);
    if (whole > count)
        memset(tile + whole - NAME(LANES), 0, sizeof(VEC));
    memcpy(tile, from, sizeof *tile * count);
    return whole;
}

/* Codes of 1, 2 or 4 bytes, sixteen at a time: compilers vectorise loops of a known length. */
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

/* The same, specialised. */
INLINE void NAME(store_tile)(unsigned char *to, const WORD tile[TILE], size_t bytes, size_t count)
{
    switch (bytes) {
    case 1: NAME(store_codes)(to, tile, 1, count); break;
    case 2: NAME(store_codes)(to, tile, 2, count); break;
    default: NAME(store_codes)(to, tile, 4, count);
    }
}

INLINE void NAME(load_tile)(WORD tile[TILE], const unsigned char *from, size_t bytes, size_t count)
{
    switch (bytes) {
    case 1: NAME(load_codes)(tile, from, 1, count); break;
    case 2: NAME(load_codes)(tile, from, 2, count); break;
    default: NAME(load_codes)(tile, from, 4, count);
    }
}

#if WORD_BITS == 32
enum { DRAWN = TILE + 4 * BLOCKS_MORE };

/* Of each element 32 bits that carry with the first 32 of the rest where a mode goes away by the
 * top N bits of the element's word: these bits, and half a unit of them more where the mode rounds
 * the distance to N bits, ties up. Returns those of the first element, within words. */
INLINE const uint32_t *draw_32(const fpfmt_encoder *k, const fpfmt_draw *draw, uint64_t index,
                               size_t count, uint32_t words[DRAWN])
{
    uint32_t *random = words + index % 4, unit = UINT32_C(1) << (32 - k->random_bits);
    vec_32 half = SPLAT(k->chance == CHANCE_TIES_UP ? unit >> 1 : 0), x;
    PHILOX(draw->policy->seed, 0, index / 4, (index % 4 + count + 3) / 4, words);
    for (size_t i = 0; unit > 1 && i < count; i += LANES_32) {
        memcpy(&x, random + i, sizeof x);
        x = (x & SPLAT(~(unit - 1))) | half;
        memcpy(random + i, &x, sizeof x);
    }
    return random;
}
#endif

/* The random words of a tile; low is used by 32-bit lanes with 64 random bits. */
typedef struct {
    const WORD *high, *low;
} NAME(drawn);

/* A tile to codes or to carried values; returns the flags of all, if they are wanted. */
INLINE WORD NAME(run)(const fpfmt_encoder *k, int decide, bool carried, bool flagged,
                      WORD out[TILE], const WORD in[TILE], size_t count, const NAME(drawn) * random)
{
    VEC raised = SPLAT(0), x, high = SPLAT(0), low = SPLAT(0);
    WORD all = 0, each[NAME(LANES)];
    for (size_t i = 0; i < count; i += NAME(LANES)) {
        memcpy(&x, in + i, sizeof x);
        if (decide == DECIDE_CHANCE_32 || decide == DECIDE_CHANCE_64)
            memcpy(&high, random->high + i, sizeof high);
        if (decide == DECIDE_CHANCE_64 && WORD_BITS == 32)
            memcpy(&low, random->low + i, sizeof low);
        NAME(element) it = NAME(encode)(k, decide, x, high, low);
        memcpy(out + i, carried ? &it.value : &it.code, sizeof x);
        raised |= it.flags;
    }
    if (!flagged)
        return 0;
    memcpy(each, &raised, sizeof each);
    for (size_t i = 0; i < NAME(LANES); i++)
        all |= each[i];
    return all;
}

/* The same, specialised by the way to decide. */
INLINE WORD NAME(decided)(const fpfmt_encoder *k, const fpfmt_draw *draw, uint64_t index,
                          bool carried, bool flagged, WORD out[TILE], const WORD in[TILE],
                          size_t count)
{
    WORD high[TILE], low[TILE];
    uint64_t wide[TILE];
    NAME(drawn) random = { high, low };
    switch (k->decide) {
    case DECIDE_EVEN: return NAME(run)(k, DECIDE_EVEN, carried, flagged, out, in, count, NULL);
    case DECIDE_LIMIT: return NAME(run)(k, DECIDE_LIMIT, carried, flagged, out, in, count, NULL);
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

INLINE void NAME(by_tiles)(const fpfmt_encoder *encoder, bool carried, void *out,
                           const void *values, size_t n, const fpfmt_draw *draw, unsigned *flags)
{
    const fpfmt_encoder k = *encoder;
    const unsigned char *from = values;
    unsigned char *to = out;
    size_t bytes = carried ? sizeof(WORD) : k.bytes, count;
    WORD in[TILE], made[TILE], raised = 0;
    for (size_t done = 0; done < n;
         done += count, from += sizeof *in * count, to += bytes * count) {
        count = n - done < TILE ? n - done : TILE;
        uint64_t index = draw->index + done;
        size_t whole = NAME(load_words)(in, from, count);
        if (flags != NULL)
            raised |= NAME(decided)(&k, draw, index, carried, true, made, in, whole);
        else
            NAME(decided)(&k, draw, index, carried, false, made, in, whole);
        if (carried)
            memcpy(to, made, sizeof *made * count);
        else
            NAME(store_tile)(to, made, bytes, count);
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

static TARGET void NAME(decode_loop)(const fpfmt_decoder *decoder, const uint8_t table[2][256],
                                     void *values, const void *codes, size_t n, unsigned *flags)
{
    const fpfmt_decoder k = *decoder;
    const unsigned char *from = codes;
    unsigned char *to = values;
    size_t count;
    WORD in[TILE], made[TILE], each[NAME(LANES)], any = 0;
    VEC x, signaling, signals = SPLAT(0);
    (void)table;
    for (size_t done = 0; done < n; done += count) {
        count = n - done < TILE ? n - done : TILE;
        NAME(load_tile)(in, from + k.bytes * done, k.bytes, count);
        for (size_t i = 0; i < count; i += NAME(LANES)) {
            memcpy(&x, in + i, sizeof x);
            x = NAME(decode)(&k, x, &signaling);
            memcpy(made + i, &x, sizeof x);
            signals |= signaling;
        }
        memcpy(to + sizeof *made * done, made, sizeof *made * count);
    }
    memcpy(each, &signals, sizeof each);
    for (size_t i = 0; i < NAME(LANES); i++)
        any |= each[i];
    if (flags != NULL && any != 0)
        *flags |= FPFMT_FLAG_INVALID;
}
