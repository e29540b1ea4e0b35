/* test_long.c - arrays of many chunks, and of more than 2^31 elements, in little memory
 * SPDX-License-Identifier: MIT
 *
 * A chunk of memory is mapped as many times as an array has chunks; the first and the last chunk
 * are others. */

#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

/* CHUNK elements, and MORE at the end. A chunk of either array is whole pages. 513 chunks are more
 * than 2^31 elements, at some 10 ns per element and set; 3 have one of each kind. */
enum { CHUNK = 1 << 22, MANY = 513, FEW = 3, MORE = 67, CANARY = 0xA5 };
static size_t chunks;

/* Which chunks there are: the first one, those in the middle, the last one. */
enum { HEAD, MIDDLE, TAIL, PARTS };

typedef struct {
    unsigned char *array, *part[PARTS];
    size_t size;
} repeated;

#if defined __linux__ && SIZE_MAX > UINT32_MAX

static repeated make_repeated(size_t bytes)
{
    repeated made = { .size = bytes * CHUNK };
    int files[PARTS];
    made.array = mmap(NULL, chunks * made.size, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool done = made.array != MAP_FAILED;
    for (int p = 0; p < PARTS; p++) {
        files[p] = memfd_create("chunk", 0);
        done = done && files[p] >= 0 && ftruncate(files[p], (off_t)made.size) == 0;
    }
    for (size_t c = 0; done && c < chunks; c++) {
        int part = c == 0 ? HEAD : c == chunks - 1 ? TAIL : MIDDLE;
        void *at = made.array + c * made.size;
        done = mmap(at, made.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                    files[part], 0) == at;
        if (c == 0 || c == 1 || c == chunks - 1)
            made.part[part] = at;
    }
    for (int p = 0; p < PARTS; p++)
        if (files[p] >= 0)
            close(files[p]);
    if (!done)
        made.array = NULL;
    return made;
}

#else

static repeated make_repeated(size_t bytes)
{
    return (repeated){ .size = bytes * CHUNK };
}

#endif

/* A chunk of the output, as the chunk alone would be. */
static void check_part(const array_call *call, const repeated *in, const repeated *out, int part)
{
    static unsigned char alone[CHUNK];
    size_t n = part == TAIL ? MORE : CHUNK;
    uint64_t chunk = part == HEAD ? 0 : part == MIDDLE ? chunks - 2 : chunks - 1;
    run_call(call, alone, in->part[part], n, chunk * CHUNK, NULL);
    CHECK(memcmp(alone, out->part[part], n) == 0, "%s: part %d is not that of a short array",
          fpfmt_kernels_name(call->plan.set), part);
}

static void try_mode(uint8_t rounding, const fpfmt_kernels *set, const repeated *in,
                     const repeated *out)
{
    static array_call call = { .operation = ENCODES, .bytes = 4 };
    fpfmt_policy policy = { .rounding = rounding, .random_bits = 8, .first = 0xFFFFFFF0 };
    prepare_call(&call, fpfmt_named("e4m3"), NULL, &policy, set);
    for (int p = 0; p < PARTS; p++)
        memset(out->part[p], CANARY, CHUNK);
    size_t count = (chunks - 1) * CHUNK + MORE;
    CHECK(run_call(&call, out->array, in->array, count, 0, NULL), "refused");
    for (int p = 0; p < PARTS; p++)
        check_part(&call, in, out, p);
    CHECK(out->part[TAIL][MORE] == CANARY, "more elements are written than there are");
}

static void try_chunks(size_t many)
{
    chunks = many;
    repeated in = make_repeated(sizeof(float)), out = make_repeated(1);
    if (in.array == NULL || out.array == NULL) {
        skip_test("memory cannot be mapped often enough here");
        return;
    }
    for (int p = 0; p < PARTS; p++)
        fill_carriers(in.part[p], sizeof(float), p == TAIL ? MORE : CHUNK, fpfmt_named("e4m3"));
    for (size_t s = 0; set_here(s) != NULL; s++) {
        try_mode(FPFMT_ROUND_NEAREST_EVEN, set_here(s), &in, &out);
        try_mode(FPFMT_ROUND_STOCHASTIC_A, set_here(s), &in, &out);
    }
}

static void some_chunks(void)
{
    try_chunks(FEW);
}

static void long_arrays(void)
{
    try_chunks(MANY);
}

int main(void)
{
    static const struct test tests[] = {
        { "an array of some chunks is converted to its end, in every set", some_chunks },
        { "so is one of more than 2^31 elements", long_arrays },
    };
    return run_tests("long", tests, is_exhaustive() ? 2 : 1);
}
