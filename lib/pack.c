/* pack.c - codes of a few bits without gaps between them
 * SPDX-License-Identifier: MIT
 *
 * Eight codes of w bits are w bytes. In a word with a code in each byte, neighbours move together
 * three times: into fields of 16, 32 and 64 bits that hold 2, 4 and 8 codes at their low ends. High
 * first is the same between two reversals of the bytes. */

#include "bits.h"
#include "bulk.h"
#include "refuse.h"
#include "shape.h"

/* Elements that are converted at a time: a multiple of eight, so that codes of any width end with a
 * byte. Measured on Zen 3 with avx2: 128 takes 8 to 19 % longer, 512 7 to 8 % less. ./dev bench
 * --only 'packed' */
enum { CONVERTED = 256 };

/* The low half of every field of 16, 32 and 64 bits. */
static const uint64_t low_halves[3] = { UINT64_C(0x00FF00FF00FF00FF), UINT64_C(0x0000FFFF0000FFFF),
                                        UINT64_C(0x00000000FFFFFFFF) };

/* How codes lie; and for unpacking, of fields of 16, 32 and 64 bits, the mask of the codes that
 * stay in each low half: 1, 2 and 4 codes. */
typedef struct {
    int width;
    bool high_first;
    uint64_t low_codes[3];
} packing;

/* low_codes[i] is low_bits(width << i) in every field of 16 << i bits: the division makes the ones
 * that it is multiplied by. */
static packing packing_of(int width, fpfmt_pack_order order)
{
    packing it = { .width = width, .high_first = order == FPFMT_PACK_HIGH_FIRST };
    for (int i = 0; i < 3; i++)
        it.low_codes[i] = low_bits(width << i) * (UINT64_MAX / low_bits(16 << i));
    return it;
}

/* Eight bytes, the first one lowest; compilers see one instruction. */
static inline uint64_t load_eight(const uint8_t *from)
{
    uint64_t low =
        from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
    uint64_t high =
        from[4] | (uint32_t)from[5] << 8 | (uint32_t)from[6] << 16 | (uint32_t)from[7] << 24;
    return high << 32 | low;
}

/* A word to eight bytes, the lowest first. */
static inline void store_eight(uint8_t *to, uint64_t word)
{
    to[0] = (uint8_t)word;
    to[1] = (uint8_t)(word >> 8);
    to[2] = (uint8_t)(word >> 16);
    to[3] = (uint8_t)(word >> 24);
    to[4] = (uint8_t)(word >> 32);
    to[5] = (uint8_t)(word >> 40);
    to[6] = (uint8_t)(word >> 48);
    to[7] = (uint8_t)(word >> 56);
}

/* The bytes of a word in the opposite order. */
static inline uint64_t reverse(uint64_t word)
{
    word = (word & low_halves[0]) << 8 | (word >> 8 & low_halves[0]);
    word = (word & low_halves[1]) << 16 | (word >> 16 & low_halves[1]);
    return word << 32 | word >> 32;
}

/* Eight codes, a byte each, to the 8 * width low bits. In step i every field of 16 << i bits has
 * codes at the low end of both halves, and those of the upper half move down by the gap between
 * them, (8 - width) << i. */
static inline uint64_t gather(const packing *it, uint64_t word)
{
    word = it->high_first ? reverse(word) : word;
    word &= low_bits(it->width) * UINT64_C(0x0101010101010101);
    for (int i = 0; i < 3; i++)
        word = (word & low_halves[i]) | (word & ~low_halves[i]) >> ((8 - it->width) << i);
    return it->high_first ? reverse(word) >> (64 - 8 * it->width) : word;
}

/* The way back of gather: 8 * width low bits to eight codes, a byte each. Bits above are dropped.
 */
static inline uint64_t spread(const packing *it, uint64_t word)
{
    word <<= 64 - 8 * it->width;
    word = it->high_first ? reverse(word) : word >> (64 - 8 * it->width);
    for (int i = 3; i-- > 0;)
        word = (word & it->low_codes[i]) | (word & ~it->low_codes[i]) << ((8 - it->width) << i);
    return it->high_first ? reverse(word) : word;
}

/* n codes to packed bytes. Eight at a time are stored as a whole word, of which the bytes behind
 * the codes' own are written again by the next; as long as that word ends within the packed bytes.
 * What is left goes by way of a word in memory. Packed bytes may lie on the codes or before them: a
 * word ends no further than the eight codes that it was made of, which have been read. */
static inline void pack_all(uint8_t *packed, const uint8_t *codes, size_t n, packing it)
{
    size_t size = fpfmt_packed_size((unsigned)it.width, n), at = 0, bytes = (size_t)it.width;
    uint8_t word[8];
    for (; at + 8 <= size && n >= 8; at += bytes, codes += 8, n -= 8)
        store_eight(packed + at, gather(&it, load_eight(codes)));
    for (; n > 0; at += bytes) {
        size_t count = n < 8 ? n : 8;
        memset(word, 0, sizeof word);
        memcpy(word, codes, count);
        store_eight(word, gather(&it, load_eight(word)));
        memcpy(packed + at, word, size - at < bytes ? size - at : bytes);
        codes += count;
        n -= count;
    }
}

/* The way back of pack_all; the output lies apart from the input. */
static inline void unpack_all(uint8_t *codes, const uint8_t *packed, size_t n, packing it)
{
    size_t size = fpfmt_packed_size((unsigned)it.width, n), at = 0, bytes = (size_t)it.width;
    uint8_t word[8];
    for (; at + 8 <= size && n >= 8; at += bytes, codes += 8, n -= 8)
        store_eight(codes, spread(&it, load_eight(packed + at)));
    for (; n > 0; at += bytes) {
        size_t count = n < 8 ? n : 8;
        memset(word, 0, sizeof word);
        memcpy(word, packed + at, size - at < bytes ? size - at : bytes);
        store_eight(word, spread(&it, load_eight(word)));
        memcpy(codes, word, count);
        codes += count;
        n -= count;
    }
}

size_t fpfmt_packed_size(unsigned width, size_t n)
{
    if (width < 1 || width > 8)
        return 0;
    return n / 8 * width + (n % 8 * width + 7) / 8;
}

static bool is_packing(unsigned width, fpfmt_pack_order order)
{
    if (width < 1 || width > 8)
        return refuse("packed codes have from 1 to 8 bits");
    if (order != FPFMT_PACK_LOW_FIRST && order != FPFMT_PACK_HIGH_FIRST)
        return refuse("there is no such order of packed codes");
    return true;
}

/* Packed codes take fewer bytes than anything they are made of: they are in step with it. */
static bool packs_apart(const void *out, size_t out_bytes, const void *in, size_t in_bytes,
                        bool out_is_packed)
{
    if (out_bytes == 0 || in_bytes == 0)
        return true;
    return has_room(out, out_bytes, 1) && has_room(in, in_bytes, 1) &&
           may_write(range_of(out, out_bytes), range_of(in, in_bytes), out_is_packed);
}

bool fpfmt_pack(unsigned width, fpfmt_pack_order order, void *packed, const uint8_t *codes,
                size_t n)
{
    if (!is_packing(width, order))
        return false;
    if (!packs_apart(packed, fpfmt_packed_size(width, n), codes, n, true))
        return false;
    pack_all(packed, codes, n, packing_of((int)width, order));
    return true;
}

bool fpfmt_unpack(unsigned width, fpfmt_pack_order order, uint8_t *codes, const void *packed,
                  size_t n)
{
    if (!is_packing(width, order))
        return false;
    if (!packs_apart(codes, n, packed, fpfmt_packed_size(width, n), false))
        return false;
    unpack_all(codes, packed, n, packing_of((int)width, order));
    return true;
}

/* The inside of a plan for packed codes in this order; NULL if there are none. */
static const fpfmt_prepared *inside_for(const fpfmt_plan *plan, fpfmt_pack_order order, size_t n)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    if (inside == NULL)
        refuse("a plan is not prepared");
    else if (n > PTRDIFF_MAX / sizeof(float))
        refuse("an array is longer than PTRDIFF_MAX bytes");
    else if (is_packing((unsigned)shape_width(&plan->format), order))
        return inside;
    return NULL;
}

/* A job of the plan in floats, whose element 0 has index first beyond the policy's. */
static fpfmt_job job_of(const fpfmt_plan *plan, uint64_t first, unsigned *flags)
{
    return (fpfmt_job){ .format = &plan->format,
                        .policy = &plan->policy,
                        .set = plan->set,
                        .carrier = CARRIER_32,
                        .index = plan->policy.first + first,
                        .flags = flags };
}

bool fpfmt_plan_encode_packed_f32(const fpfmt_plan *plan, fpfmt_pack_order order, void *packed,
                                  const float *values, size_t n, uint64_t first, unsigned *flags)
{
    const fpfmt_prepared *inside = inside_for(plan, order, n);
    const unsigned char *from = (const unsigned char *)values;
    uint8_t codes[CONVERTED], *to = packed;
    if (inside == NULL)
        return false;
    packing it = packing_of(shape_width(&plan->format), order);
    size_t width = (size_t)it.width, bytes = fpfmt_packed_size((unsigned)width, n), count;
    if (!packs_apart(packed, bytes, values, n * sizeof *values, true))
        return false;
    fpfmt_job job = job_of(plan, first, flags);
    for (; n > 0; n -= count, from += count * sizeof *values, to += count / 8 * width) {
        count = n < CONVERTED ? n : CONVERTED;
        fpfmt_encode_all(&job, &inside->encoder[CARRIER_32], codes, from, count, false);
        pack_all(to, codes, count, it);
        job.index += count;
    }
    return true;
}

bool fpfmt_plan_decode_packed_f32(const fpfmt_plan *plan, fpfmt_pack_order order, float *values,
                                  const void *packed, size_t n, unsigned *flags)
{
    const fpfmt_prepared *inside = inside_for(plan, order, n);
    const uint8_t *from = packed;
    unsigned char *to = (unsigned char *)values;
    uint8_t codes[CONVERTED];
    if (inside == NULL)
        return false;
    if (!inside->decoder[CARRIER_32].carries)
        return refuse("the carrier does not hold every value of the format");
    packing it = packing_of(shape_width(&plan->format), order);
    size_t width = (size_t)it.width, bytes = fpfmt_packed_size((unsigned)width, n), count;
    if (!packs_apart(values, n * sizeof *values, packed, bytes, false))
        return false;
    fpfmt_job job = job_of(plan, 0, flags);
    for (; n > 0; n -= count, to += count * sizeof *values, from += count / 8 * width) {
        count = n < CONVERTED ? n : CONVERTED;
        unpack_all(codes, from, count, it);
        fpfmt_decode_all(&job, &inside->decoder[CARRIER_32], inside->table, to, codes, count);
    }
    return true;
}
