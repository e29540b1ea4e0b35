/* test_view.c - conversions between strided views, against a naive nested loop
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { FIRST = 11, CANARY = 0xA5 };

static const struct {
    const char *name;
    bool decodes, carried;
    size_t bytes; /* of the carrier */
} operations[FPFMT_VIEW_COUNT] = {
    [FPFMT_VIEW_ENCODE_F32] = { "encode_f32", false, false, 4 },
    [FPFMT_VIEW_ENCODE_F64] = { "encode_f64", false, false, 8 },
    [FPFMT_VIEW_DECODE_F32] = { "decode_f32", true, false, 4 },
    [FPFMT_VIEW_DECODE_F64] = { "decode_f64", true, false, 8 },
    [FPFMT_VIEW_ROUND_F32] = { "round_f32", false, true, 4 },
    [FPFMT_VIEW_ROUND_F64] = { "round_f64", false, true, 8 },
};

/* A view, and the block of exactly its bytes. */
typedef struct {
    ptrdiff_t strides[FPFMT_VIEW_RANK_MAX];
    size_t elements; /* from its lowest address to its highest */
    ptrdiff_t first; /* from the lowest to element 0 */
    size_t bytes;
    unsigned char *memory, *block;
} side;

static struct {
    fpfmt_format format;
    fpfmt_policy policy;
    int operation, rank;
    size_t shape[FPFMT_VIEW_RANK_MAX];
    side out, in;
    unsigned char *expected;
    unsigned flags;
} the;

static size_t random_below(size_t n)
{
    return random_bits_64() % n;
}

/* Few elements or many in each dimension, and not too many in all. */
static void choose_shape(void)
{
    size_t count = 1;
    the.rank = (int)random_below(random_below(4) == 0 ? FPFMT_VIEW_RANK_MAX + 1 : 5);
    for (int i = 0; i < the.rank; i++) {
        size_t extent = 1 + random_below(random_below(3) == 0 ? 300 : 5);
        if (random_below(4) == 0)
            extent = 16 * (1 + random_below(3));
        the.shape[i] = extent * count > 2000 ? 1 : extent;
        count *= the.shape[i];
    }
}

/* Nested strides in an order of dimensions of its own, with gaps and signs; of an input some are 0
 * or another's. */
static void choose_strides(side *it, bool is_input)
{
    int order[FPFMT_VIEW_RANK_MAX];
    size_t span = 1, style = random_below(4);
    for (int i = 0; i < the.rank; i++)
        order[i] = i;
    for (int i = the.rank - 1; i > 0 && style != 0; i--) {
        int other = (int)random_below((size_t)i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    it->elements = 1;
    it->first = 0;
    for (int i = the.rank; i-- > 0;) {
        size_t extent = the.shape[order[i]];
        ptrdiff_t stride = (ptrdiff_t)(span + (style > 1 ? random_below(3) : 0));
        if (is_input && random_below(6) == 0)
            stride = (ptrdiff_t)random_below(3);
        span = span > extent * (size_t)stride ? span : extent * (size_t)stride;
        it->elements += (extent - 1) * (size_t)stride;
        if (style > 0 && random_below(3) == 0) {
            it->first += (ptrdiff_t)(extent - 1) * stride;
            stride = -stride;
        }
        it->strides[order[i]] = stride;
    }
}

/* At any address, and up to the end of its memory. */
static void make_block(side *it)
{
    size_t bytes = it->elements * it->bytes, skew = random_below(16);
    it->memory = malloc(skew + bytes);
    it->block = it->memory + skew;
    memset(it->block, CANARY, bytes);
}

static unsigned char *element(const side *it, unsigned char *block, ptrdiff_t offset)
{
    return block + (it->first + offset) * (ptrdiff_t)it->bytes;
}

static fpfmt_view view_of(const side *it)
{
    return (fpfmt_view){ .data = element(it, it->block, 0),
                         .rank = the.rank,
                         .shape = the.shape,
                         .strides = it->strides };
}

static uint64_t expected_word(uint64_t word, uint64_t index)
{
    size_t bytes = operations[the.operation].bytes;
    if (operations[the.operation].decodes)
        return expected_decoded(&the.format, &the.policy, word, bytes, &the.flags);
    uint64_t code = expected_code(&the.format, &the.policy, word, bytes, index, &the.flags);
    return operations[the.operation].carried ? expected_value(&the.format, &the.policy, code, bytes)
                                             : code;
}

/* The naive nested loop: one dimension, and by recursion those within. */
static uint64_t expect(int dimension, ptrdiff_t out, ptrdiff_t in, uint64_t index)
{
    if (dimension == the.rank) {
        uint64_t word = load_word(element(&the.in, the.in.block, in), the.in.bytes);
        store_word(element(&the.out, the.expected, out), expected_word(word, index), the.out.bytes);
        return index + 1;
    }
    for (size_t i = 0; i < the.shape[dimension]; i++)
        index = expect(dimension + 1, out + (ptrdiff_t)i * the.out.strides[dimension],
                       in + (ptrdiff_t)i * the.in.strides[dimension], index);
    return index;
}

static bool choose_operation(void)
{
    while (!array_format(&the.format, random_below(80)))
        continue;
    while (!array_policy(&the.policy, random_below(16)))
        continue;
    while (!array_mode(&the.policy, random_below(20)))
        continue;
    the.operation = (int)random_below(FPFMT_VIEW_COUNT);
    size_t bytes = operations[the.operation].bytes, code = code_bytes(&the.format);
    bool decodes = operations[the.operation].decodes, carried = operations[the.operation].carried;
    the.out.bytes = decodes || carried ? bytes : code;
    the.in.bytes = decodes ? code : bytes;
    return (!decodes && !carried) || holds(bytes, &the.format);
}

static void fill_input(void)
{
    make_block(&the.in);
    if (!operations[the.operation].decodes)
        fill_carriers(the.in.block, the.in.bytes, the.in.elements, &the.format);
    else
        for (size_t i = 0; i < the.in.elements; i++)
            store_word(the.in.block + i * the.in.bytes, random_bits_64(), the.in.bytes);
}

static void compare(const fpfmt_plan *plan, const char *what, const unsigned char *got,
                    size_t bytes, unsigned flags)
{
    char text[1000] = "";
    size_t used = 0;
    for (int i = 0; i < the.rank; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %zu:%td:%td", the.shape[i],
                                 the.out.strides[i], the.in.strides[i]);
    CHECK(memcmp(got, the.expected, bytes) == 0, "%s %s %s %s mode %d, shape and strides%s",
          fpfmt_kernels_name(plan->set), what, operations[the.operation].name, the.format.name,
          the.policy.rounding, text);
    CHECK(flags == the.flags, "%s %s raises %u, not %u", what, the.format.name, flags, the.flags);
}

static void try_sets(void)
{
    size_t bytes = the.out.elements * the.out.bytes;
    fpfmt_plan plan;
    for (size_t s = 0; fpfmt_kernels_at(s) != NULL; s++) {
        unsigned flags = 0;
        if (!fpfmt_kernels_run_here(fpfmt_kernels_at(s)))
            continue;
        fpfmt_prepare(&plan, &the.format, &the.policy, fpfmt_kernels_at(s));
        memset(the.out.block, CANARY, bytes);
        CHECK(fpfmt_plan_view(&plan, the.operation, view_of(&the.out), view_of(&the.in), FIRST,
                              &flags),
              "refused");
        compare(&plan, "apart", the.out.block, bytes, flags);
        CHECK(
            fpfmt_plan_view(&plan, the.operation, view_of(&the.out), view_of(&the.in), FIRST, NULL),
            "refused without flags");
    }
}

static void start(void)
{
    make_block(&the.out);
    the.expected = malloc(the.out.elements * the.out.bytes);
    memset(the.expected, CANARY, the.out.elements * the.out.bytes);
    the.flags = 0;
    expect(0, 0, 0, FIRST);
}

static void finish(void)
{
    free(the.in.memory);
    free(the.out.memory);
    free(the.expected);
}

static void random_views(void)
{
    size_t done = 0, most = is_exhaustive() ? 40000 / SAMPLE : 4000 / SAMPLE;
    while (done < most) {
        if (!choose_operation())
            continue;
        choose_shape();
        choose_strides(&the.out, false);
        choose_strides(&the.in, true);
        fill_input();
        start();
        try_sets();
        finish();
        done++;
    }
    printf("# %zu views\n", done);
}

/* Each step beyond all that the later ones span. */
static bool rises(const side *it)
{
    ptrdiff_t span = 0;
    for (int i = the.rank; i-- > 0;) {
        if (the.shape[i] > 1 && it->strides[i] <= span)
            return false;
        span += the.shape[i] > 1 ? (ptrdiff_t)(the.shape[i] - 1) * it->strides[i] : 0;
    }
    return true;
}

/* From the same address with the same strides, or from a lower one where addresses rise; codes
 * that are smaller than values, too. What lies between the elements stays. */
static void try_in_place(size_t shift)
{
    size_t total = shift + the.in.elements * the.in.bytes;
    unsigned char *before = malloc(total), *work = malloc(total);
    ptrdiff_t first = the.in.first;
    fpfmt_plan plan;
    the.expected = malloc(total);
    for (size_t i = 0; i < total; i++)
        before[i] = (unsigned char)random_bits_64();
    the.in.block = before + shift;
    memcpy(the.expected, before, total);
    the.flags = 0;
    expect(0, 0, 0, FIRST);
    for (size_t s = 0; fpfmt_kernels_at(s) != NULL; s++) {
        unsigned flags = 0;
        if (!fpfmt_kernels_run_here(fpfmt_kernels_at(s)))
            continue;
        fpfmt_prepare(&plan, &the.format, &the.policy, fpfmt_kernels_at(s));
        memcpy(work, before, total);
        fpfmt_view in = { .data = work + shift + first * (ptrdiff_t)the.in.bytes,
                          .rank = the.rank,
                          .shape = the.shape,
                          .strides = the.in.strides };
        fpfmt_view out = { .data = work + first * (ptrdiff_t)the.out.bytes,
                           .rank = the.rank,
                           .shape = the.shape,
                           .strides = the.in.strides };
        CHECK(fpfmt_plan_view(&plan, the.operation, out, in, FIRST, &flags), "refused in place");
        compare(&plan, "in place", work, total, flags);
    }
    free(before);
    free(work);
    free(the.expected);
}

static void in_place(void)
{
    size_t done = 0, most = 2000 / SAMPLE;
    while (done < most) {
        if (!choose_operation() || the.out.bytes > the.in.bytes)
            continue;
        choose_shape();
        choose_strides(&the.out, false);
        size_t bytes = the.in.bytes, narrow = the.out.bytes;
        the.in = the.out;
        the.in.bytes = bytes;
        if (!rises(&the.in) && narrow < bytes)
            continue;
        try_in_place(rises(&the.in) ? random_below(2) * random_below(20) : 0);
        done++;
    }
    printf("# %zu views\n", done);
}

/* The calls that a view of one dimension is short for, and no element. */
static void plain_arrays(void)
{
    static float values[1000], rounded[1000], again[1000];
    const size_t shape[3] = { 10, 0, SIZE_MAX }, all = 1000;
    fpfmt_plan plan;
    the.format = *fpfmt_named("bf16");
    fill_carriers(values, 4, 1000, &the.format);
    fpfmt_prepare(&plan, &the.format, NULL, NULL);
    fpfmt_view in = { .data = values, .rank = 1, .shape = &all, .strides = NULL },
               out = { .data = again, .rank = 1, .shape = &all, .strides = NULL };
    CHECK(fpfmt_plan_round_f32(&plan, rounded, values, 1000, 0, NULL) &&
              fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32, out, in, 0, NULL),
          "refused");
    CHECK(memcmp(again, rounded, sizeof again) == 0, "a view is another array");
    fpfmt_view nothing = { .data = NULL, .rank = 3, .shape = shape, .strides = NULL };
    CHECK(fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32, nothing, nothing, 0, NULL),
          "no element is refused");
    fpfmt_view one = { .data = values, .rank = 0, .shape = NULL, .strides = NULL },
               to = { .data = again, .rank = 0, .shape = NULL, .strides = NULL };
    again[0] = -1;
    CHECK(fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32, to, one, 0, NULL) &&
              memcmp(again, rounded, 4) == 0,
          "rank 0 is not one element");
}

static void refusals(void)
{
#ifdef FPFMT_CHECKING
    skip_test("this build stops at a fault of the caller");
#else
    enum { ROUND = FPFMT_VIEW_ROUND_F32, ENCODE = FPFMT_VIEW_ENCODE_F32 };
    static fpfmt_plan empty;
    static float cells[64], before[64];
    float *const low = cells, *const high = cells + 32;
    const size_t square[17] = { 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const size_t other[2] = { 3, 2 }, many[2] = { SIZE_MAX / 4, 8 }, huge[1] = { SIZE_MAX / 4 };
    const ptrdiff_t window[2] = { 1, 1 }, still[2] = { 0, 1 }, across[2] = { 1, 3 };
    const size_t pair[1] = { 2 };
    /* Elements of 4 bytes: twice 2 steps of just over a quarter, and one step of all there is. */
    const ptrdiff_t quarters[2] = { PTRDIFF_MAX / 16 + 1, PTRDIFF_MAX / 16 + 1 },
                    all[1] = { PTRDIFF_MAX / 4 };
    const ptrdiff_t down[2] = { -3, -1 }, far[2] = { PTRDIFF_MAX / 4, 1 };
    const ptrdiff_t below[2] = { PTRDIFF_MIN / 16, 1 }, farthest[2] = { PTRDIFF_MIN, 1 };
    const struct {
        const char *what;
        int operation;
        float *out, *in;
        int rank;
        const size_t *shape;
        const ptrdiff_t *out_strides, *in_strides;
    } refused[] = {
        { "no operation", -1, high, low, 2, square, NULL, NULL },
        { "past the operations", FPFMT_VIEW_COUNT, high, low, 2, square, NULL, NULL },
        { "rank -1", ROUND, high, low, -1, square, NULL, NULL },
        { "rank 17", ROUND, high, low, 17, square, NULL, NULL },
        { "NULL out", ROUND, NULL, low, 2, square, NULL, NULL },
        { "NULL in", ROUND, high, NULL, 2, square, NULL, NULL },
        { "a product past 2^64", ROUND, low, low, 2, many, NULL, NULL },
        { "too many bytes", ROUND, low, low, 1, huge, NULL, NULL },
        { "stride 0 in an output", ROUND, high, low, 2, square, still, NULL },
        { "a window as an output", ROUND, high, low, 2, square, window, NULL },
        { "a long stride", ROUND, high, low, 2, square, NULL, far },
        { "a long stride out", ROUND, high, low, 2, square, far, NULL },
        { "strides that are long together", ROUND, low, high, 2, square, NULL, quarters },
        { "a stride that leaves no room for its last element", ROUND, low, high, 1, pair, NULL,
          all },
        { "a stride below 0", ROUND, high, low, 2, square, NULL, below },
        { "the lowest stride", ROUND, high, low, 2, square, NULL, farthest },
        { "an output within the input", ROUND, low + 1, low, 2, square, NULL, NULL },
        { "a transpose in place", ROUND, low, low, 2, square, across, NULL },
        { "falling addresses from before", ROUND, high - 1, high, 2, square, down, down },
        { "falling codes in place", ENCODE, high, high, 2, square, down, down },
        { "columns of codes in place", ENCODE, low, low, 2, square, across, across },
        { "values onto codes", FPFMT_VIEW_DECODE_F32, low, low, 2, square, NULL, NULL },
    };
    const fpfmt_view in = { .data = low, .rank = 2, .shape = square, .strides = NULL },
                     out = { .data = high, .rank = 2, .shape = square, .strides = NULL };
    fpfmt_plan plan, wide;
    unsigned flags = 0;
    memset(cells, CANARY, sizeof cells);
    memcpy(before, cells, sizeof cells);
    fpfmt_prepare(&plan, fpfmt_named("e4m3"), NULL, NULL);
    fpfmt_prepare(&wide, fpfmt_named("fp64"), NULL, NULL);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        fpfmt_view to = { .data = refused[i].out,
                          .rank = refused[i].rank,
                          .shape = refused[i].shape,
                          .strides = refused[i].out_strides };
        fpfmt_view from = { .data = refused[i].in,
                            .rank = refused[i].rank,
                            .shape = refused[i].shape,
                            .strides = refused[i].in_strides };
        CHECK(!fpfmt_plan_view(&plan, refused[i].operation, to, from, 0, &flags), "taken: %s",
              refused[i].what);
    }
    CHECK(!fpfmt_plan_view(&empty, FPFMT_VIEW_ROUND_F32, out, in, 0, &flags),
          "an empty plan is taken");
    CHECK(!fpfmt_plan_view(&wide, FPFMT_VIEW_ROUND_F32, out, in, 0, &flags),
          "fp64 is carried in float");
    CHECK(
        !fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32,
                         (fpfmt_view){ .data = high, .rank = 1, .shape = square, .strides = NULL },
                         in, 0, &flags),
        "another rank is taken");
    CHECK(!fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32,
                           (fpfmt_view){ .data = high, .rank = 2, .shape = other, .strides = NULL },
                           in, 0, &flags),
          "another shape is taken");
    CHECK(memcmp(cells, before, sizeof cells) == 0 && flags == 0, "what is refused writes");
    CHECK(fpfmt_plan_view(&plan, FPFMT_VIEW_ROUND_F32, out, in, 0, &flags),
          "what the others differ from is refused");
#endif
}

int main(void)
{
    static const struct test tests[] = {
        { "views of any shape and strides convert as a nested loop does", random_views },
        { "views convert in place where no element is overwritten before it is read", in_place },
        { "a plain array, a single element and none are views", plain_arrays },
        { "forbidden views are refused, and nothing is written", refusals },
    };
    return run_tests("views", tests, sizeof tests / sizeof tests[0]);
}
