/* philox.h - random words of many counters at a time
 * SPDX-License-Identifier: MIT
 *
 * Included by vector sets, which define MULTIPLY (lower halves of lanes to whole ones) and
 * STORE_COUNTERS (four words of each lane, as one array). See random.h for the generator. */

enum { COUNTERS = sizeof(vec_64) / sizeof(uint64_t), AT_A_TIME = 4 };

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

static inline __attribute__((always_inline)) TARGET counters philox_step(counters it, vec_64 key_0,
                                                                         vec_64 key_1)
{
    vec_64 even = MULTIPLY(it.a, SPREAD(UINT64_C(0xD2511F53)));
    vec_64 odd = MULTIPLY(it.c, SPREAD(UINT64_C(0xCD9E8D57)));
    return (counters){ (odd >> 32) ^ it.b ^ key_0, odd, (even >> 32) ^ it.d ^ key_1, even };
}

/* Writes whole groups: up to AT_A_TIME * COUNTERS - 1 blocks more than count. */
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
