/* test_bulk.c - arrays of any length, at any address, in place, in pieces, and very long ones
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

/* LONGEST is more than two of the pieces that fpfmt_plan_convert goes by. */
enum { SHORT = 130, LONGEST = 1100, FIRST = 3, CANARY = 0xA5 };

static const char *const formats[] = { "e4m3", "fp16", "e2m1", "bf16", "e5m2", "tf32", "fp64" };
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* Memory between two pages that nobody may touch, and what it must hold. */
typedef struct {
    unsigned char *front, *image;
    size_t size;
} fence;

static fence sources, targets, shared;

static fence make_fence(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    fence made = { .size = (size + page - 1) / page * page };
    unsigned char *base =
        mmap(NULL, made.size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    made.front = base + page;
    made.image = malloc(made.size);
    if (base == MAP_FAILED || mprotect(made.front, made.size, PROT_READ | PROT_WRITE) != 0 ||
        made.image == NULL) {
        printf("Bail out! no memory\n");
        exit(EXIT_FAILURE);
    }
    return made;
}

/* One call's elements, as they lie in memory, and what they raise up to each of them. */
static struct {
    unsigned char input[8 * LONGEST], output[8 * LONGEST];
    unsigned flags[LONGEST + 1];
} the;

static void expect(const array_call *call, size_t n, uint64_t first)
{
    size_t in = input_bytes(call), out = output_bytes(call);
    the.flags[0] = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t word = load_word(the.input + i * in, in);
        the.flags[i + 1] = the.flags[i];
        word = expected_of_call(call, word, first + i, &the.flags[i + 1]);
        store_word(the.output + i * out, word, out);
    }
}

static const char *described(const array_call *call)
{
    static char text[128];
    snprintf(
        text, sizeof text, "%s %s %s%s%s mode %d", fpfmt_kernels_name(call->plan.set),
        operation_name(call), call->plan.format.name, call->operation == CONVERTS ? " from " : "",
        call->operation == CONVERTS ? call->source.format.name : "", call->plan.policy.rounding);
    return text;
}

static void check_memory(const array_call *call, const fence *it, const unsigned char *out,
                         size_t n)
{
    size_t at = 0;
    if (memcmp(it->front, it->image, it->size) == 0) {
        checks_made++;
        return;
    }
    while (it->front[at] == it->image[at])
        at++;
    CHECK(false, "%s of %zu at byte %td: byte %td of the output is %02X, not %02X", described(call),
          n, out - it->front, it->front + at - out, it->front[at], it->image[at]);
}

/* n elements from one place to another, which may be the same or overlap. */
static void try_at(const array_call *call, fence *from, unsigned char *in, fence *to,
                   unsigned char *out, size_t n)
{
    unsigned flags = FPFMT_FLAG_DIVIDE_BY_ZERO, *wanted = n % 2 ? NULL : &flags;
    memset(from->front, CANARY, from->size);
    memset(to->front, CANARY, to->size);
    memcpy(in, the.input, n * input_bytes(call));
    memcpy(from->image, from->front, from->size);
    memcpy(to->image, to->front, to->size);
    memcpy(to->image + (out - to->front), the.output, n * output_bytes(call));
    CHECK(run_call(call, out, in, n, FIRST, wanted), "%s of %zu is refused", described(call), n);
    check_memory(call, to, out, n);
    check_memory(call, from, out, n);
    CHECK(wanted == NULL || flags == (FPFMT_FLAG_DIVIDE_BY_ZERO | the.flags[n]),
          "%s of %zu raises %u, not %u", described(call), n, flags, the.flags[n]);
}

/* Bytes from the front; -1 is flush with the back, -2 a byte before. */
static const int places[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  12, 15, 16,  17,
                              31, 32, 33, 47, 48, 63, 64, -1, -2, -3, -5, -18, -33 };
enum { PLACES = sizeof places / sizeof places[0] };

static unsigned char *place(const fence *it, size_t bytes, int at)
{
    return at >= 0 ? it->front + at : it->front + it->size - bytes + (at + 1);
}

/* Every length at pairs of places: equal ones under nearest-even, of the other modes some. */
static size_t try_places(const array_call *call, size_t mode)
{
    size_t tried = 0;
    for (size_t p = 0; p < PLACES; p++) {
        if (mode > 0 && (p + mode) % 5 != 0)
            continue;
        int in = places[p], out = places[(p + 7 * mode) % PLACES];
        for (size_t n = 0; n <= SHORT; n += SAMPLE, tried++)
            try_at(call, &sources, place(&sources, n * input_bytes(call), in), &targets,
                   place(&targets, n * output_bytes(call), out), n);
    }
    return tried;
}

/* What a test does with every operation, format, mode and set; returns how much was tried. */
typedef size_t trial(const array_call *call, size_t mode);

static void in_every_set(array_call *call, const fpfmt_format *format, const fpfmt_format *source,
                         const fpfmt_policy *policy, size_t mode, trial *try, size_t *tried)
{
    for (size_t s = 0; set_here(s) != NULL; s++) {
        if (!prepare_call(call, format, source, policy, set_here(s)))
            return;
        if (s == 0) {
            fill_call_input(call, the.input, LONGEST);
            expect(call, LONGEST, FIRST);
        }
        *tried += try(call, mode);
    }
}

static void everywhere(trial *try)
{
    static array_call call;
    size_t tried = 0;
    for (size_t o = 0; array_operation(&call, o); o++)
        for (size_t f = 0; f < FORMATS; f++) {
            fpfmt_policy policy = { .rounding = 0 };
            for (size_t m = 0; array_mode(&policy, m) && (m == 0 || call.operation != DECODES); m++)
                in_every_set(&call, fpfmt_named(formats[f]),
                             fpfmt_named(formats[(f + 1) % FORMATS]), &policy, m, try, &tried);
        }
    printf("# %zu combinations\n", tried);
}

static void any_length_and_place(void)
{
    everywhere(try_places);
}

static size_t try_overlaps(const array_call *call, size_t mode)
{
    static const size_t before[] = { 0, 1, 2, 3, 4, 7, 8, 31, 63, 64, 65, 100, 128 };
    static const size_t lengths[] = { 1, 2, 5, 8, 16, 31, 63, 64, 65, 130, 511, 512, 513, LONGEST };
    size_t tried = 0;
    if (output_bytes(call) > input_bytes(call))
        return 0;
    for (size_t b = 0; b < sizeof before / sizeof before[0]; b++)
        for (size_t i = (mode + b) % 3; i < sizeof lengths / sizeof lengths[0]; i += 3, tried++) {
            size_t size = lengths[i] * input_bytes(call);
            unsigned char *in = i % 2 ? shared.front + before[b] : place(&shared, size, -1);
            try_at(call, &shared, in, &shared, in - before[b], lengths[i]);
        }
    return tried;
}

static void in_place(void)
{
    everywhere(try_overlaps);
}

/* The elements in pieces of random lengths. */
static bool in_pieces(const array_call *call, unsigned char *out, size_t n, uint64_t first,
                      unsigned *flags)
{
    bool done = true;
    for (size_t at = 0, count; at < n; at += count) {
        count = random_bits_64() % 70;
        count = count < n - at ? count : n - at;
        done = run_call(call, out + at * output_bytes(call), the.input + at * input_bytes(call),
                        count, first + at, flags) &&
               done;
    }
    return done;
}

static size_t try_pieces(const array_call *call, size_t mode)
{
    static const uint64_t firsts[] = { 0, 5, 0xFFFFFFF1, 0x200000003, UINT64_MAX - 0x100000070 };
    enum { COUNT = 300, FIRSTS = sizeof firsts / sizeof firsts[0] };
    static unsigned char out[8 * COUNT];
    size_t bytes = COUNT * output_bytes(call);
    for (size_t i = 0; i < FIRSTS; i++) {
        expect(call, COUNT, firsts[i]);
        for (int split = 0; split < 6; split++) {
            unsigned flags = 0;
            bool done = split == 0 ? run_call(call, out, the.input, COUNT, firsts[i], &flags)
                                   : in_pieces(call, out, COUNT, firsts[i], &flags);
            CHECK(done && flags == the.flags[COUNT] && memcmp(out, the.output, bytes) == 0,
                  "%s (mode %zu) from %" PRIx64 " %s differs from its elements", described(call),
                  mode, call->plan.policy.first + firsts[i], split == 0 ? "whole" : "in pieces");
        }
    }
    return 6 * FIRSTS;
}

static void pieces(void)
{
    everywhere(try_pieces);
}

static void try_once(const array_call *call, const fpfmt_policy *policy, size_t n)
{
    static unsigned char planned[8 * SHORT], at_once[8 * SHORT];
    unsigned flags = 0, once = 0;
    size_t bytes = n * output_bytes(call);
    expect(call, n, 0);
    CHECK(run_call(call, planned, the.input, n, 0, &flags) && flags == the.flags[n] &&
              memcmp(planned, the.output, bytes) == 0,
          "%zu differ from their elements: %s", n, described(call));
    CHECK(run_once(call, at_once, the.input, n, policy, &once) && flags == once &&
              memcmp(planned, at_once, bytes) == 0,
          "one shot of %zu is not the plan's: %s", n, described(call));
    memset(at_once, CANARY, sizeof at_once);
    CHECK(run_once(call, at_once, the.input, n, policy, NULL) &&
              memcmp(planned, at_once, bytes) == 0,
          "without flags, one shot of %zu is another: %s", n, described(call));
}

/* Every format and policy, each with another mode; without a policy as with the default one. What
 * the source of a conversion has for a policy does not matter. */
static void one_shots(void)
{
    static array_call call;
    fpfmt_format format, source;
    fpfmt_policy policy;
    size_t tried = 0;
    for (size_t o = 0; array_operation(&call, o); o++)
        for (size_t f = 0; array_format(&format, f); f++)
            for (size_t p = 0; array_policy(&policy, p); p++) {
                bool given = p > 0 && array_mode(&policy, (f + p) % 17);
                if (!array_format(&source, f + 1 + 3 * p))
                    array_format(&source, p);
                if (!prepare_call(&call, &format, &source, given ? &policy : NULL, NULL))
                    continue;
                if (p % 2)
                    fpfmt_prepare(&call.source, &source, &policy, NULL);
                fill_call_input(&call, the.input, SHORT);
                try_once(&call, given ? &policy : NULL, (f + 3 * p) % SHORT + 1);
                tried++;
            }
    printf("# %zu combinations\n", tried);
}

enum { RNE = FPFMT_ROUND_NEAREST_EVEN, RTZ = FPFMT_ROUND_TOWARD_ZERO };
enum { RUP = FPFMT_ROUND_UPWARD, RDN = FPFMT_ROUND_DOWNWARD, SR = FPFMT_ROUND_STOCHASTIC };

/* Rows of what went wrong in the array paths of other software, by its place. from: of CONVERTS. */
static const struct {
    const char *source;
    int operation;
    size_t bytes;
    const char *to;
    uint8_t rounding;
    uint64_t in, out;
    const char *from;
} faults[] = {
    { "dotnet/runtime#130583", ENCODES, 4, "bf16", RNE, 0x7F800001, 0x7FC0, NULL },
    { "tphakala/simd#121", ENCODES, 4, "fp16", RNE, 0xFF800030, 0xFE00, NULL },
    { "JuliaLang/julia#23250", ENCODES, 4, "fp16", RNE, 0xFFFFFFFF, 0xFFFF, NULL },
    { "cpfloat NaN", ENCODES, 8, "fp16", RNE, 0x7FFFFFFFFFFFFFFF, 0x7FFF, NULL },
    { "cpfloat NaN", ENCODES, 8, "bf16", RDN, 0xFFFFFFFFFFFFFFFF, 0xFFFF, NULL },
    { "cpfloat NaN", ENCODES, 8, "fp16", RTZ, 0x7FF0000000000001, 0x7E00, NULL },
    { "stillwater-sc/universal#1303", ENCODES, 8, "e5m2", RNE, 0x7FF0000000000001, 0x7E, NULL },
    { "PJK/libcbor#215", ENCODES, 4, "fp16", RNE, 0x7FC02000, 0x7E01, NULL },
    { "microxcaling NaN", ROUNDS, 4, "e2m3", RNE, 0x7FC00000, 0x40F00000, NULL },
    { "triton-lang/triton#10745", DECODES, 4, "e4m3fnuz", RNE, 0x80, 0x7FC00000, NULL },
    { "triton-lang/triton#10745", DECODES, 4, "e5m2fnuz", RNE, 0x80, 0x7FC00000, NULL },
    { "triton-lang/triton#10745", CONVERTS, 0, "fp16", RNE, 0x80, 0x7E00, "e5m2fnuz" },
    { "intel-xpu-backend-for-triton#7029", DECODES, 4, "e4m3", RNE, 0x7F, 0x7FC00000, NULL },
    { "intel-xpu-backend-for-triton#7029", CONVERTS, 0, "fp16", RNE, 0xFF, 0xFE00, "e4m3" },
    { "triton-lang/triton#11784", CONVERTS, 0, "bf16", RNE, 0x7C, 0x7F80, "e5m2" },
    { "triton-lang/triton#11784", CONVERTS, 0, "bf16", RNE, 0x7F, 0x7FC0, "e4m3" },
    { "sgl-project/sglang#25519", DECODES, 4, "e8m0", RNE, 0x86, 0x43000000, NULL },
    { "sgl-project/sglang#25519", DECODES, 4, "e8m0", RNE, 0xFF, 0x7FC00000, NULL },
    { "openjdk/jdk#12869", DECODES, 4, "fp16", RNE, 0x7C01, 0x7FC02000, NULL },
    { "JuliaMath/BFloat16s.jl#125", ENCODES, 4, "bf16", RNE, 0x00400000, 0x0040, NULL },
    { "JuliaMath/BFloat16s.jl#125", ROUNDS, 4, "bf16", RNE, 0x80400000, 0x80400000, NULL },
    { "riscv/riscv-bfloat16#51", ENCODES, 4, "bf16", RNE, 0x00010000, 0x0001, NULL },
    { "jax-ml/jax#38995", ENCODES, 8, "bf16", RNE, 0x37A0000000000000, 0x0001, NULL },
    { "OpenImageIO#2048", DECODES, 4, "fp16", RNE, 0x0001, 0x33800000, NULL },
    { "OpenImageIO#2048", DECODES, 4, "fp16", RNE, 0x03FF, 0x387FC000, NULL },
    { "factor/factor#2167", DECODES, 8, "fp16", RNE, 0x0001, 0x3E70000000000000, NULL },
    { "NVIDIA/TransformerEngine#3262", DECODES, 4, "e8m0", RNE, 0x00, 0x00400000, NULL },
    { "NVIDIA/TransformerEngine#3262", CONVERTS, 0, "bf16", RNE, 0x00, 0x0040, "e8m0" },
    { "ooples/AiDotNet.Tensors#801", DECODES, 4, "e4m3", RNE, 0x07, 0x3C600000, NULL },
    { "intel/neural-compressor#1891", DECODES, 4, "e2m1", RNE, 0x1, 0x3F000000, NULL },
    { "numpy/numpy#12721", ENCODES, 4, "fp16", RNE, 0x33000001, 0x0001, NULL },
    { "numpy/numpy#12721", ENCODES, 4, "fp16", RNE, 0x33000000, 0x0000, NULL },
    { "tenstorrent/tt-metal#51971", ENCODES, 4, "e2m1", RNE, 0x3E800002, 0x1, NULL },
    { "iree-org/iree#20242", ENCODES, 4, "fp16", RNE, 0x35800000, 0x0010, NULL },
    { "microsoft/DirectXMath#104", ENCODES, 4, "fp16", RNE, 0x00800000, 0x0000, NULL },
    { "microsoft/DirectXMath#104", ENCODES, 4, "fp16", RNE, 0x24000000, 0x0000, NULL },
    { "microsoft/DirectXMath#104", ENCODES, 4, "fp16", RNE, 0x33800000, 0x0001, NULL },
    { "ROCm/HIP shift counts", ENCODES, 4, "e4m3", RNE, 0x1CE00000, 0x00, NULL },
    { "ROCm/HIP shift counts", ENCODES, 4, "e5m2", RNE, 0x18E00000, 0x00, NULL },
    { "ROCm/HIP shift counts", ENCODES, 8, "e4m3", RNE, 0x1B9C000000000000, 0x00, NULL },
    { "onnx/onnx#5764", ENCODES, 4, "e4m3fnuz", RNE, 0xB3D6BF95, 0x00, NULL },
    { "onnx/onnx#5764", ENCODES, 4, "e5m2fnuz", RNE, 0x80000000, 0x00, NULL },
    { "PJK/libcbor#412", ENCODES, 4, "fp16", RNE, 0x95F79688, 0x8000, NULL },
    { "cpfloat sign of zero", ROUNDS, 8, "fp16", RUP, 0xB940000000000000, 0x8000000000000000,
      NULL },
    { "milankl/BitInformation.jl#53", ENCODES, 4, "tf32", RNE, 0x80000000, 0x40000, NULL },
    { "milankl/BitInformation.jl#53", ENCODES, 4, "tf32", RNE, 0xFF800000, 0x7FC00, NULL },
    { "numpy/numpy#22704", ENCODES, 4, "fp16", RNE, 0x40001000, 0x4000, NULL },
    { "ROCm/legacy-rocm-build#1846", ENCODES, 4, "fp16", RTZ, 0x39587FFF, 0x0AC3, NULL },
    { "JuliaLang/julia#40315", ENCODES, 8, "fp16", RNE, 0x40EEEDFFF0068DB9, 0x7BBB, NULL },
    { "boa-dev/boa#5237", ENCODES, 8, "fp16", RNE, 0x3FF0020000000001, 0x3C01, NULL },
    { "VoidStarKat/half-rs#151", ENCODES, 8, "fp16", RNE, 0x3FF0020040000000, 0x3C01, NULL },
    { "triton-lang/triton#11753", ENCODES, 4, "e4m3", RNE, 0x3F880001, 0x39, NULL },
    { "uxlfoundation/oneDNN#2361", ENCODES, 4, "e5m2", RNE, 0x40900001, 0x45, NULL },
    { "triton-lang/triton#11897", ENCODES, 4, "e4m3", RNE, 0x42FC7AE1, 0x70, NULL },
    { "crazyflie-firmware#1647", ENCODES, 4, "fp16", RNE, 0x3EFFFEB0, 0x3800, NULL },
    { "jax-ml/ml_dtypes#260", ENCODES, 4, "e4m3", RNE, 0x43E80000, 0x7E, NULL },
    { "jax-ml/ml_dtypes#260", ENCODES, 4, "e4m3", RNE, 0xC3E80001, 0xFF, NULL },
    { "stillwater-sc/universal#1351", ENCODES, 4, "e5m2", RNE, 0x476FFFFF, 0x7B, NULL },
    { "tile-ai/tilelang-metax#140", ENCODES, 4, "e4m3", RNE, 0x43D00000, 0x7D, NULL },
    { "pytorch/pytorch#104154", ENCODES, 4, "fp16", RNE, 0x477FEFFF, 0x7BFF, NULL },
    { "microsoft/DirectXMath#16", ENCODES, 4, "fp16", RNE, 0x47800000, 0x7C00, NULL },
    { "ROCm/rocm-systems#8800", ENCODES, 4, "e4m3", RNE, 0xFF800000, 0xFF, NULL },
    { "onnx/onnx#6220", ENCODES, 4, "e4m3fnuz", RNE, 0x7F800000, 0x80, NULL },
    { "StochasticRounding.jl#48", ENCODES, 4, "bf16", SR, 0x7F800000, 0x7F80, NULL },
    { "meta-pytorch/torchcomms#821", ENCODES, 4, "bf16", SR, 0x3F800000, 0x3F80, NULL },
    { "meta-pytorch/torchcomms#821", ENCODES, 4, "bf16", SR, 0x7F800001, 0x7FC0, NULL },
};

/* Each at every place of an array among others, which stay what they are. */
static void faults_elsewhere(void)
{
    enum { COUNT = 67 };
    static array_call call;
    static unsigned char out[8 * COUNT];
    size_t tried = 0;
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++)
        for (size_t s = 0; set_here(s) != NULL; s++) {
            fpfmt_policy policy = { .rounding = faults[f].rounding };
            call.operation = faults[f].operation;
            call.bytes = faults[f].bytes;
            prepare_call(&call, fpfmt_named(faults[f].to),
                         fpfmt_named(call.operation == CONVERTS ? faults[f].from : faults[f].to),
                         &policy, set_here(s));
            for (size_t at = 0; at < COUNT; at++, tried++) {
                fill_call_input(&call, the.input, COUNT);
                store_word(the.input + at * input_bytes(&call), faults[f].in, input_bytes(&call));
                expect(&call, COUNT, 0);
                store_word(the.output + at * output_bytes(&call), faults[f].out,
                           output_bytes(&call));
                CHECK(run_call(&call, out, the.input, COUNT, 0, NULL) &&
                          memcmp(out, the.output, COUNT * output_bytes(&call)) == 0,
                      "%s: %s of %" PRIx64 " at %zu", faults[f].source, described(&call),
                      faults[f].in, at);
            }
        }
    printf("# %zu combinations\n", tried);
}

int main(void)
{
    static const struct test tests[] = {
        { "any length at any address: the elements' bits, and nothing outside",
          any_length_and_place },
        { "outputs may lie on their inputs, or before them", in_place },
        { "pieces of an array give the bits of the whole, whatever their index", pieces },
        { "one-shot calls are those of a plan", one_shots },
        { "faults of other array conversions are not made here, wherever they stand",
          faults_elsewhere },
    };
    sources = make_fence(8 * SHORT + 64);
    targets = make_fence(8 * SHORT + 64);
    shared = make_fence(8 * LONGEST + 128);
    return run_tests("bulk", tests, sizeof tests / sizeof tests[0]);
}
