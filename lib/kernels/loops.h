/* loops.h - the kernels of a set, from the element functions
 * SPDX-License-Identifier: MIT
 *
 * Includes element.h, and like it is included once per set and carrier; the set defines PHILOX, its
 * generator, too. Elements go by tiles in local arrays, so that no alignment, overlap or tail reaches
 * the vectors. A short tile is filled up with zeros, which raise nothing. */

#include "element.h"

enum { NAME(LANES) = sizeof(VEC) / sizeof(WORD) };

INLINE void NAME(store_codes)(unsigned char *to, const WORD tile[TILE], size_t bytes, size_t count)
{
    uint8_t narrow[TILE];
    uint16_t half[TILE];
    uint32_t whole[TILE];
    switch (bytes) {
    case 1:
        for (size_t i = 0; i < TILE; i++)
            narrow[i] = (uint8_t)tile[i];
        memcpy(to, narrow, sizeof *narrow * count);
        break;
    case 2:
        for (size_t i = 0; i < TILE; i++)
            half[i] = (uint16_t)tile[i];
        memcpy(to, half, sizeof *half * count);
        break;
    default:
        for (size_t i = 0; i < TILE; i++)
            whole[i] = (uint32_t)tile[i];
        memcpy(to, whole, sizeof *whole * count);
    }
}

INLINE void NAME(load_codes)(WORD tile[TILE], const unsigned char *from, size_t bytes, size_t count)
{
    uint8_t narrow[TILE] = { 0 };
    uint16_t half[TILE] = { 0 };
    uint32_t whole[TILE] = { 0 };
    switch (bytes) {
    case 1:
        memcpy(narrow, from, sizeof *narrow * count);
        for (size_t i = 0; i < TILE; i++)
            tile[i] = narrow[i];
        break;
    case 2:
        memcpy(half, from, sizeof *half * count);
        for (size_t i = 0; i < TILE; i++)
            tile[i] = half[i];
        break;
    default:
        memcpy(whole, from, sizeof *whole * count);
        for (size_t i = 0; i < TILE; i++)
            tile[i] = whole[i];
    }
}

/* The random words of a tile; low is used by 32-bit lanes with 64 random bits. */
typedef struct {
    WORD high[TILE], low[TILE];
} NAME(drawn);

/* A tile to codes or to carried values; returns the flags of all, if they are wanted. */
INLINE WORD NAME(run)(const fpfmt_encoder *k, int decide, bool carried, bool flagged,
                      WORD out[TILE], const WORD in[TILE], const NAME(drawn) *random)
{
    VEC raised = SPLAT(0), x, high = SPLAT(0), low = SPLAT(0);
    WORD all = 0, each[NAME(LANES)];
    for (size_t i = 0; i < TILE; i += NAME(LANES)) {
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
                          bool carried, bool flagged, WORD out[TILE], const WORD in[TILE])
{
    NAME(drawn) random;
    switch (k->decide) {
    case DECIDE_EVEN: return NAME(run)(k, DECIDE_EVEN, carried, flagged, out, in, NULL);
    case DECIDE_LIMIT: return NAME(run)(k, DECIDE_LIMIT, carried, flagged, out, in, NULL);
#if WORD_BITS == 32
    case DECIDE_CHANCE_32:
        draw_32(k, draw, index, PHILOX, random.high);
        return run_32(k, DECIDE_CHANCE_32, carried, flagged, out, in, &random);
#endif
    default: {
        uint64_t words[TILE];
        draw_64(k, draw, index, PHILOX, words);
        for (size_t i = 0; i < TILE; i++) {
            random.high[i] = (WORD)(words[i] >> (64 - WORD_BITS));
            random.low[i] = (WORD)words[i];
        }
        return NAME(run)(k, DECIDE_CHANCE_64, carried, flagged, out, in, &random);
    }
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
    for (size_t done = 0; done < n; done += count, from += sizeof *in * count, to += bytes * count) {
        count = n - done < TILE ? n - done : TILE;
        uint64_t index = draw->index + done;
        memset(in, 0, sizeof in);
        memcpy(in, from, sizeof *in * count);
        if (flags != NULL)
            raised |= NAME(decided)(&k, draw, index, carried, true, made, in);
        else
            NAME(decided)(&k, draw, index, carried, false, made, in);
        if (carried)
            memcpy(to, made, sizeof *made * count);
        else
            NAME(store_codes)(to, made, bytes, count);
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

static TARGET void NAME(decode_loop)(const fpfmt_decoder *decoder, const uint16_t table[256],
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
        NAME(load_codes)(in, from + k.bytes * done, k.bytes, count);
        for (size_t i = 0; i < TILE; i += NAME(LANES)) {
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
