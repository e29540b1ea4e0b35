/* rounds.c - the arrays, what they hold, and the clock
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "kit/run.h"
#include "kit/say.h"

#define MIB ((size_t)1 << 20)

/* Values are drawn for a block and repeated beyond it, far past what a branch predictor learns. */
enum { BLOCK = 1 << 20 };

/* The arrays begin at different offsets in their pages. */
enum { SOURCE_OFFSET = 0, TARGET_OFFSET = 17 * 64 };

static unsigned char *source, *target;
static size_t longest; /* bytes of an array that no cache holds */
static double *mixed, *weights;

/* ---- what the arrays hold ---- */

/* Splitmix64: 64 bits from a counter. */
static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Between 0 and 1, both excluded. */
static double uniform(uint64_t *state)
{
    return ((double)(next_bits(state) >> 12) + 0.5) * 0x1p-52;
}

static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(6.283185307179586 * uniform(state));
}

/* Normals in very different binades; one in 250 is zero, infinite, NaN or subnormal in binary32. */
static double mixture(uint64_t *state)
{
    double sign = next_bits(state) & 1 ? -1 : 1;
    switch (next_bits(state) % 1000) {
    case 0: return sign * 0.0;
    case 1: return sign * HUGE_VAL;
    case 2: return sign * (double)NAN;
    case 3: return sign * 0x1p-126 * uniform(state);
    default: return normal(state) * exp2(38 * uniform(state) - 20);
    }
}

static double weight(uint64_t *state)
{
    return 0.02 * normal(state);
}

static double *drawn(double (*draw)(uint64_t *state))
{
    uint64_t state = 1;
    double *values = malloc(BLOCK * sizeof *values);
    for (size_t i = 0; values != NULL && i < BLOCK; i++)
        values[i] = draw(&state);
    return values;
}

void fill_source(const trial *it)
{
    const double *values = strcmp(it->data, "mixed") == 0 ? mixed : weights;
    size_t side = it->size->side, elements = side != 0 ? side * side : it->n;
    size_t n = elements * it->operation->operands, width = it->read / it->operation->operands;
    size_t piece = n < BLOCK ? n : BLOCK;
    float *floats = (float *)(void *)source;
    if (it->operation->reads == 0)
        fpfmt_encode_f64(&it->source, source, values, piece, NULL, NULL);
    else if (width == sizeof *values)
        memcpy(source, values, piece * sizeof *values);
    else
        for (size_t i = 0; i < piece; i++)
            floats[i] = (float)values[i];
    for (size_t done = piece; done < n; done += piece)
        memcpy(source + done * width, source, (n - done < piece ? n - done : piece) * width);
}

/* ---- arrays ---- */

/* On huge pages, which are asked for before the first write. */
static unsigned char *huge_array(size_t bytes)
{
    unsigned char *array = aligned_alloc(2 * MIB, bytes);
    if (array == NULL)
        return NULL;
#if defined MADV_HUGEPAGE
    madvise(array, bytes, MADV_HUGEPAGE);
#endif
    return memset(array, 0, bytes);
}

void prepare_arrays(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size_t)sysconf(_SC_PHYS_PAGES);
    longest = 256 * MIB;
    while (longest > 2 * MIB && longest / page > pages / 8)
        longest /= 2;
    source = huge_array(longest + 2 * MIB);
    target = huge_array(longest + 2 * MIB);
    mixed = drawn(mixture);
    weights = drawn(weight);
    if (source == NULL || target == NULL || mixed == NULL || weights == NULL) {
        complain("there is too little memory");
        stop_run();
    }
    source += SOURCE_OFFSET;
    target += TARGET_OFFSET;
}

/* With several operands half as many. */
size_t count_elements(const array_size *size, size_t widest, size_t operands)
{
    size_t bytes = (size->bytes == 0 ? longest : size->bytes) / (operands > 1 ? 2 : 1);
    if (size->side != 0)
        return size->side * size->side * size->side;
    return size->elements != 0 ? size->elements
                               : bytes / (widest < sizeof(double) ? sizeof(float) : sizeof(double));
}

/* ---- the clock ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double sample(const contender *it)
{
    double start = now();
    for (size_t i = 0; i < it->repeats; i++)
        it->run(it, target, source, it->count);
    return now() - start;
}

/* Short passes are repeated until a sample is long enough. Of an array that no cache holds, who
 * is too slow for memory to matter takes a part. */
static bool choose_sample(contender *it, const trial *of, bool quick)
{
    double shortest = 50e-6, enough = quick ? 25e-3 : 50e-3;
    it->count = of->n < BLOCK / 16 || of->size->side != 0 ? of->n : BLOCK / 16;
    it->repeats = 1;
    if (!it->run(it, target, source, it->count))
        return false;
    double seconds = sample(it);
    while (it->count < of->n && seconds < enough) {
        it->count *= 2;
        seconds = sample(it);
    }
    while (seconds < shortest) {
        it->repeats *= 2;
        seconds = sample(it);
    }
    return true;
}

static bool beyond_caches(const array_size *size)
{
    return size->bytes == 0 && size->elements == 0 && size->side == 0;
}

static size_t rounds(const trial *it, bool quick)
{
    bool is_long = beyond_caches(it->size) || it->size->side != 0;
    return is_long ? (quick ? 5 : 9) : (quick ? 21 : 63);
}

/* What another left in the caches slows several passes down. Of memcpy it was seen to cost a fifth
 * over the next ten. */
static void warm_up(const contender *it)
{
    for (size_t i = 0; i < it->repeats && i < 16 && it->count < BLOCK; i++)
        it->run(it, target, source, it->count);
}

const contender *measure(contender *all, size_t count, const trial *it, bool quick)
{
    for (size_t i = 0; i < count; i++) {
        all[i].rounds = rounds(it, quick);
        if (!choose_sample(&all[i], it, quick))
            return &all[i];
    }
    for (size_t round = 0; round < rounds(it, quick); round++)
        for (size_t i = 0; i < count; i++) {
            if (!beyond_caches(it->size))
                warm_up(&all[i]);
            all[i].seconds[round] =
                sample(&all[i]) / ((double)all[i].count * (double)all[i].repeats);
        }
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return values[count / 2];
}

double median_ns(const contender *it)
{
    double values[MOST_ROUNDS];
    for (size_t i = 0; i < it->rounds; i++)
        values[i] = 1e9 * it->seconds[i];
    return median(values, it->rounds);
}

double median_ratio(const contender *reference, const contender *it)
{
    double values[MOST_ROUNDS];
    for (size_t i = 0; i < it->rounds; i++)
        values[i] = reference->seconds[i] / it->seconds[i];
    return median(values, it->rounds);
}
