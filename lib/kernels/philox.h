/* philox.h - random words of many counters at a time
 * SPDX-License-Identifier: MIT
 *
 * Philox4x32-10 as random.h has it, one counter to a lane of 64 bits. The generator's two products
 * of 32 x 32 bits are the one multiplication that vectors have for lanes of 64 bits, which reads
 * their lower halves: no word has to be moved to another lane between rounds. */

/* Included once by a vector set, before loops.h.
 *
 *   macro              takes, gives
 *   TARGET             attribute of the set's functions
 *   vec_64             as many lanes of 64 bits as a vector has
 *   MULTIPLY(a, b)     the product of the lower halves of each lane, in the whole lane
 *   STORE_COUNTERS     function (to, a, b, c, d): of each lane the lower half of a, b, c and d, one
 *                      behind the other, lane by lane: 4 x COUNTERS words
 *   PHILOX             the name of the generator that is made: an fpfmt_philox (draw.h)
 *
 * COUNTERS and SPREAD stay defined; all other names of this file are its own. */

enum { COUNTERS = sizeof(vec_64) / sizeof(uint64_t), AT_A_TIME = 4 };
_Static_assert((int)AT_A_TIME *(int)COUNTERS <= (int)BLOCKS_MORE,
               "a caller leaves too little room");

/* The four words of a counter, each in the lower half of its lane; what is in the upper half does
 * not matter. */
typedef struct {
    vec_64 a, b, c, d;
} counters;

#define SPREAD(x) ((vec_64){ 0 } + (uint64_t)(x))

static inline __attribute__((always_inline)) TARGET counters philox_start(vec_64 number,
                                                                          uint32_t word_2)
{
    number &= SPREAD(last_block(word_2));
    return (counters){ number, number >> 32, SPREAD(word_2), SPREAD(0) };
}

/* One round: philox_round of random.h. */
static inline __attribute__((always_inline)) TARGET counters philox_step(counters it, vec_64 key_0,
                                                                         vec_64 key_1)
{
    vec_64 even = MULTIPLY(it.a, SPREAD(UINT64_C(0xD2511F53)));
    vec_64 odd = MULTIPLY(it.c, SPREAD(UINT64_C(0xCD9E8D57)));
    return (counters){ (odd >> 32) ^ it.b ^ key_0, odd, (even >> 32) ^ it.d ^ key_1, even };
}

/* Four vectors of counters run side by side, as each round waits for the multiplication of the one
 * before. Writes whole groups: up to AT_A_TIME * COUNTERS - 1 blocks more than count. The keys are
 * added in lanes of 64 bits: a carry out of the lower half changes the upper one, which does not
 * matter. */
static TARGET void PHILOX(uint64_t seed, uint32_t word_2, uint64_t block, size_t count,
                          uint32_t *words)
{
    uint64_t lane[COUNTERS];
    vec_64 lanes;
    for (size_t i = 0; i < COUNTERS; i++)
        lane[i] = i;
    memcpy(&lanes, lane, sizeof lanes);
    for (size_t done = 0; done < count; done += AT_A_TIME * COUNTERS) {
        vec_64 key_0 = SPREAD(seed), key_1 = SPREAD(seed >> 32);
        uint32_t *to = words + 4 * done;
        vec_64 number = lanes + SPREAD(block + done);
        counters p = philox_start(number, word_2);
        counters q = philox_start(number + SPREAD(COUNTERS), word_2);
        counters r = philox_start(number + SPREAD(2 * COUNTERS), word_2);
        counters s = philox_start(number + SPREAD(3 * COUNTERS), word_2);
        for (int round = 0; round < 10; round += 2) {
            vec_64 next_0 = key_0 + SPREAD(0x9E3779B9), next_1 = key_1 + SPREAD(0xBB67AE85);
            p = philox_step(philox_step(p, key_0, key_1), next_0, next_1);
            q = philox_step(philox_step(q, key_0, key_1), next_0, next_1);
            r = philox_step(philox_step(r, key_0, key_1), next_0, next_1);
            s = philox_step(philox_step(s, key_0, key_1), next_0, next_1);
            key_0 = next_0 + SPREAD(0x9E3779B9);
            key_1 = next_1 + SPREAD(0xBB67AE85);
        }
        STORE_COUNTERS(to, p.a, p.b, p.c, p.d);
        STORE_COUNTERS(to + 4 * COUNTERS, q.a, q.b, q.c, q.d);
        STORE_COUNTERS(to + 8 * COUNTERS, r.a, r.b, r.c, r.d);
        STORE_COUNTERS(to + 12 * COUNTERS, s.a, s.b, s.c, s.d);
    }
}
