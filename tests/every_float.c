/* every_float.c - the codes of every binary32 input, by slices
 * SPDX-License-Identifier: MIT */

#include "every_float.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays.h"

enum { EACH = 61 };

static const char *const formats[] = { "bf16",     "fp16", "e4m3", "e5m2", "e4m3fnuz",
                                       "e5m2fnuz", "e3m2", "e2m1", "tf32", "int8f6" };
static const char *const modes[] = { "rne", "rna", "rnz", "rtz", "raz", "rup", "rdn", "rto" };
static const struct {
    const char *name;
    uint8_t overflow;
} overflows[] = { { "spec", FPFMT_OVERFLOW_SPEC }, { "max", FPFMT_OVERFLOW_MAX } };
enum {
    FORMATS = sizeof formats / sizeof formats[0],
    ROWS = FORMATS * FPFMT_ROUND_DETERMINISTIC_COUNT * 2
};

_Static_assert(sizeof modes / sizeof modes[0] == FPFMT_ROUND_DETERMINISTIC_COUNT,
               "a mode has no name");

row *rows;
size_t row_count;
outcome *outcomes; /* shared with the processes that fill them in */

static const uint32_t *values_of(const fpfmt_format *format)
{
    size_t codes = (size_t)1 << fpfmt_measure(format).width;
    const fpfmt_policy policy = { .rounding = 0 };
    uint32_t *values = malloc(codes * sizeof *values);
    for (size_t code = 0; values != NULL && code < codes; code++)
        values[code] = (uint32_t)expected_value(format, &policy, code, sizeof(float));
    return values;
}

/* Where infinity and all beyond become the largest value anyway, one rule for overflow is enough.
 */
void make_rows(void)
{
    rows = calloc(ROWS, sizeof *rows);
    outcomes = mmap(NULL, ROWS * sizeof *outcomes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool done = rows != NULL && outcomes != MAP_FAILED;
    for (size_t f = 0; done && f < FORMATS; f++) {
        const fpfmt_format *format = fpfmt_named(formats[f]);
        const uint32_t *values = values_of(format);
        done = values != NULL;
        for (size_t m = 0; m < FPFMT_ROUND_DETERMINISTIC_COUNT; m++)
            for (size_t o = 0; o < 2 - (format->overflow == FPFMT_OVERFLOW_MAX); o++) {
                row *it = &rows[row_count++];
                fpfmt_policy policy = { .rounding = (uint8_t)m, .overflow = overflows[o].overflow };
                it->format = format;
                it->values = values;
                it->mode = modes[m];
                it->overflow = overflows[o].name;
                for (size_t s = 0; set_here(s) != NULL && s < SETS; s++)
                    fpfmt_prepare(&it->plan[s], format, &policy, set_here(s));
            }
    }
    if (!done) {
        printf("Bail out! no memory\n");
        exit(EXIT_FAILURE);
    }
}

void fill_block(float in[BLOCK], unsigned slice, uint32_t place, uint32_t step)
{
    uint32_t words[BLOCK];
    for (size_t i = 0; i < BLOCK; i++, place += step) {
        uint32_t group = place & 0x3FFFFFF;
        uint32_t low = slice ^ group ^ group >> 6 ^ group >> 12 ^ group >> 18 ^ group >> 24;
        words[i] = group << 6 | (low & 63);
    }
    memcpy(in, words, sizeof words);
}

static void widen(uint32_t wide[BLOCK], const void *codes, size_t bytes)
{
    const uint8_t *narrow = codes;
    const uint16_t *half = codes;
    for (size_t i = 0; bytes == 1 && i < BLOCK; i++)
        wide[i] = narrow[i];
    for (size_t i = 0; bytes == 2 && i < BLOCK; i++)
        wide[i] = half[i];
    if (bytes == 4)
        memcpy(wide, codes, BLOCK * sizeof *wide);
}

/* Volatile, for gcc 12 makes shifts and sums of vectors of a known multiplier, which take longer.
 */
static const uint64_t fnv_basis = 0xCBF29CE484222325;
static const volatile uint64_t fnv_prime = 0x100000001B3;

static void hash_codes(uint64_t lane[LANES], const uint32_t codes[BLOCK])
{
    const uint64_t prime = fnv_prime;
    uint64_t h[LANES];
    memcpy(h, lane, sizeof h);
    for (size_t i = 0; i < BLOCK; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            h[j] = (h[j] ^ codes[i + j]) * prime;
    memcpy(lane, h, sizeof h);
}

uint64_t hash_of(const outcome *it)
{
    uint64_t h = fnv_basis;
    for (size_t j = 0; j < LANES; j++)
        h = (h ^ it->lane[j]) * fnv_prime;
    return h;
}

static void differs(outcome *to, const row *it, size_t set, const char *what, const float *in,
                    uint64_t got, uint64_t expected)
{
    if (to->mismatches++ == 0)
        snprintf(to->first, sizeof to->first,
                 "%s %s %s %s %s: %08" PRIX64 " gives %" PRIX64 ", not %" PRIX64,
                 fpfmt_kernels_name(it->plan[set].set), what, it->format->name, it->mode,
                 it->overflow, load_word(in, sizeof *in), got, expected);
}

/* Elements of one set and of another that came before. */
static void compare(outcome *to, const row *it, size_t set, const char *what, const float *in,
                    const unsigned char *got, const unsigned char *expected, size_t bytes)
{
    if (memcmp(got, expected, BLOCK * bytes) == 0)
        return;
    for (size_t i = 0; i < BLOCK; i++) {
        uint64_t a = load_word(got + i * bytes, bytes), b = load_word(expected + i * bytes, bytes);
        if (a != b)
            differs(to, it, set, what, in + i, a, b);
    }
}

/* What a set made of a block. */
typedef struct {
    _Alignas(64) unsigned char codes[4 * BLOCK], values[4 * BLOCK];
    unsigned flags;
} made;

static void run_set(made *to, const row *it, size_t set, const float *in, bool rounds)
{
    to->flags = 0;
    fpfmt_plan_encode_f32(&it->plan[set], to->codes, in, BLOCK, 0, NULL);
    if (rounds)
        fpfmt_plan_round_f32(&it->plan[set], (void *)to->values, in, BLOCK, 0, &to->flags);
}

static void check_values(outcome *to, const row *it, size_t set, const float *in,
                         const unsigned char *values, const uint32_t codes[BLOCK])
{
    uint32_t got[BLOCK], expected[BLOCK], wrong = 0;
    memcpy(got, values, sizeof got);
    for (size_t i = 0; i < BLOCK; i++) {
        expected[i] = it->values[codes[i]];
        wrong |= got[i] ^ expected[i];
    }
    for (size_t i = 0; wrong != 0 && i < BLOCK; i++)
        if (got[i] != expected[i])
            differs(to, it, set, "round", in + i, got[i], expected[i]);
}

void try_block(const row *it, unsigned slice, uint32_t place, const float in[BLOCK],
               const effort *how)
{
    static made first, other;
    static uint32_t codes[BLOCK];
    outcome *to = &outcomes[it - rows];
    size_t bytes = code_bytes(it->format), set = how->first_set;
    bool waits = ((size_t)(it - rows) + slice) % how->turns != 0;
    if (set == 0 && waits && set_here(1) != NULL)
        set++;
    run_set(&first, it, set, in, how->rounds);
    widen(codes, first.codes, bytes);
    hash_codes(to->lane, codes);
    for (size_t i = (EACH - place % EACH) % EACH; i < BLOCK; i += EACH) {
        uint64_t expected = expected_code(it->format, &it->plan[set].policy,
                                          load_word(in + i, sizeof *in), sizeof *in, 0, NULL);
        if (codes[i] != expected)
            differs(to, it, set, "encode", in + i, codes[i], expected);
    }
    if (how->rounds)
        check_values(to, it, set, in, first.values, codes);
    for (size_t s = set + 1; how->rounds && set_here(s) != NULL && s < SETS; s++) {
        run_set(&other, it, s, in, true);
        compare(to, it, s, "encode", in, other.codes, first.codes, bytes);
        compare(to, it, s, "round", in, other.values, first.values, sizeof *in);
        if (other.flags != first.flags)
            differs(to, it, s, "flags from", in, other.flags, first.flags);
    }
}

void begin_outcomes(void)
{
    memset(outcomes, 0, ROWS * sizeof *outcomes);
    for (size_t r = 0; r < row_count; r++)
        for (size_t j = 0; j < LANES; j++)
            outcomes[r].lane[j] = fnv_basis;
}

/* Some rows of a slice, whole, as long as there is somebody to wait for it. */
static void run_rows(unsigned slice, size_t first_row, size_t row_step, const effort *how)
{
    static float in[BLOCK];
    const pid_t parent = getppid();
    for (uint32_t block = 0; block < BLOCKS && getppid() == parent; block++) {
        fill_block(in, slice, block * BLOCK, 1);
        for (size_t r = first_row; r < row_count; r += row_step)
            try_block(&rows[r], slice, block * BLOCK, in, how);
    }
}

bool run_slice(unsigned slice, const effort *how)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = processors < 1 ? 1 : processors > 16 ? 16 : (size_t)processors;
    pid_t workers[16];
    bool done = true;
    begin_outcomes();
    fflush(stdout);
    for (size_t w = 0; w < count; w++) {
        workers[w] = fork();
        if (workers[w] == 0) {
            run_rows(slice, w, count, how);
            _exit(EXIT_SUCCESS);
        }
    }
    for (size_t w = 0; w < count; w++) {
        int status = -1;
        while (workers[w] > 0 && waitpid(workers[w], &status, 0) < 0 && errno == EINTR)
            continue;
        done = done && status == 0;
    }
    return done;
}
