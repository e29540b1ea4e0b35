/* accumulators.c - the table of accumulators, and the grammar of their names
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include <string.h>

#include "reserved.h"
#include "shape.h"

#define HALVES "fp16 bf16"
#define BYTES "e4m3 e5m2"
#define GPU "recorded rows of the GPUs"
#define PUBLISHED "a published model, MMA-Sim, and no hardware"
/* MMA-Sim, arXiv 2511.10909, has late_bits 31 and total_bits 0 in rows that are alike otherwise,
 * and a zero product has exponent -126. What the paper reports of the hardware where the two
 * differ, as 1 - 2^-24 - (2^-25 - 2^-32), which comes out as 1 - 2^-24, is what its own numbers
 * give. */
#define CDNA3 "a published model, arXiv 2609.14845, and no hardware"
#define CDNA3_OPEN                                                                                 \
    "no recorded row; NaN payloads; the sign of zero, and where MMA-Sim differs: ties in sums "    \
    "that leave the start's binade, zeros beside products below the smallest normal"
#define RANGES                                                                                     \
    "subnormal inputs but of E4M3, sums near the smallest exponent, the sign of zero, NaN payloads"

#define FLUSH_BOTH (FPFMT_SUBNORMAL_FLUSH_INPUTS | FPFMT_SUBNORMAL_FLUSH_RESULTS)

/* A row is the only mention of its engine; promotion by a name of its own is told there too. */
/* clang-format off */
static const fpfmt_accumulator table[] = {
    { .name = "exact", .summary = "all products exactly, one rounding", .checked = "MPFR",
      .method = FPFMT_ACCUMULATE_EXACT },
    { .name = "fma", .summary = "one by one, product and sum rounded once", .checked = "MPFR",
      .method = FPFMT_ACCUMULATE_FMA },
    { .name = "multiply-add", .summary = "one by one, product and sum each rounded",
      .checked = "MPFR", .method = FPFMT_ACCUMULATE_MULTIPLY_ADD },
    { .name = "pairwise", .summary = "rounded products, sums of halves", .checked = "MPFR",
      .method = FPFMT_ACCUMULATE_PAIRWISE },
    { .name = "kahan", .summary = "rounded products, compensated sum", .checked = "MPFR",
      .method = FPFMT_ACCUMULATE_KAHAN },
    { .name = "nv-v100", .summary = "NVIDIA Volta tensor core", .inputs = "fp16", .outputs = "fp32",
      .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4,
      .fraction_bits = 23 },
    { .name = "nv-v100", .summary = "NVIDIA Volta tensor core", .inputs = "fp16", .outputs = "fp16",
      .checked = GPU, .open = "the fraction bits, which are those of the rows to fp32",
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4, .fraction_bits = 23, .nearest = true },
    { .name = "nv-a100", .summary = "NVIDIA Ampere tensor core", .inputs = HALVES,
      .outputs = "fp32", .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 8, .fraction_bits = 24 },
    { .name = "nv-a100", .summary = "NVIDIA Ampere tensor core", .inputs = "fp16",
      .outputs = "fp16", .checked = GPU,
      .open = "the fraction bits, which are those of the rows to fp32",
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 24, .nearest = true },
    { .name = "nv-a100", .summary = "NVIDIA Ampere tensor core", .inputs = "tf32",
      .outputs = "fp32", .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 4, .fraction_bits = 24 },
    { .name = "nv-ada", .summary = "NVIDIA Ada tensor core", .inputs = HALVES, .outputs = "fp32",
      .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8,
      .fraction_bits = 24 },
    { .name = "nv-ada", .summary = "NVIDIA Ada tensor core", .inputs = "fp16", .outputs = "fp16",
      .checked = GPU, .open = "the fraction bits, which are those of the rows to fp32",
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 24, .nearest = true },
    { .name = "nv-ada", .summary = "NVIDIA Ada tensor core", .inputs = "tf32", .outputs = "fp32",
      .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4,
      .fraction_bits = 24 },
    { .name = "nv-ada", .summary = "NVIDIA Ada tensor core, FP8", .inputs = BYTES,
      .outputs = "fp32", .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 16, .fraction_bits = 13, .kept_bits = 13 },
    { .name = "nv-ada", .summary = "NVIDIA Ada tensor core, FP8", .inputs = BYTES,
      .outputs = "fp16", .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 16, .fraction_bits = 13, .nearest = true },
    { .name = "nv-hopper", .promoted = "promote", .summary = "NVIDIA Hopper tensor core",
      .inputs = HALVES, .outputs = "fp32", .checked = GPU,
      .open = "wgmma, as the rows are of mma.sync; " RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 16, .fraction_bits = 25 },
    { .name = "nv-hopper", .promoted = "promote", .summary = "NVIDIA Hopper tensor core",
      .inputs = "fp16", .outputs = "fp16", .checked = GPU,
      .open = "the fraction bits, which are those of the rows to fp32",
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 16, .fraction_bits = 25, .nearest = true },
    { .name = "nv-hopper", .promoted = "promote", .summary = "NVIDIA Hopper tensor core",
      .inputs = "tf32", .outputs = "fp32", .checked = GPU,
      .open = "whether a group has 8 elements, as here, or 4; " RANGES,
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 25 },
    { .name = "nv-hopper", .promoted = "promote",
      .summary = "NVIDIA Hopper tensor core, FP8 by wgmma", .inputs = BYTES, .outputs = "fp32",
      .checked = GPU, .open = "a start other than 0; " RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 32, .fraction_bits = 13, .kept_bits = 13 },
    { .name = "nv-hopper-mma-fp8", .summary = "NVIDIA Hopper, FP8 by mma.sync", .inputs = BYTES,
      .outputs = "fp16", .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 16, .fraction_bits = 25, .nearest = true, .apart = true, .interleaved = true },
    { .name = "nv-hopper-mma-fp8", .summary = "NVIDIA Hopper, FP8 by mma.sync", .inputs = BYTES,
      .outputs = "fp32", .checked = GPU,
      .open = "the groups, which are those of the rows to fp16; " RANGES,
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 16, .fraction_bits = 25, .apart = true,
      .interleaved = true },
    { .name = "nv-blackwell", .summary = "NVIDIA Blackwell tensor core", .inputs = HALVES,
      .outputs = "fp32", .checked = GPU, .open = "tcgen05, as the rows are of mma.sync; " RANGES,
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 16, .fraction_bits = 25 },
    { .name = "nv-blackwell", .summary = "NVIDIA Blackwell tensor core", .inputs = "fp16",
      .outputs = "fp16", .checked = GPU,
      .open = "the fraction bits, which are those of the rows to fp32",
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 16, .fraction_bits = 25, .nearest = true },
    { .name = "nv-blackwell", .summary = "NVIDIA Blackwell tensor core", .inputs = "tf32",
      .outputs = "fp32", .checked = GPU,
      .open = "whether a group has 8 elements, as here, or 4; " RANGES,
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 25 },
    { .name = "nv-blackwell", .summary = "NVIDIA Blackwell, FP8 by mma.sync", .inputs = BYTES,
      .outputs = "fp32", .checked = GPU,
      .open = "the groups, which are those of the rows to fp16; " RANGES,
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 16, .fraction_bits = 25, .apart = true,
      .interleaved = true },
    { .name = "nv-blackwell", .summary = "NVIDIA Blackwell, FP8 by mma.sync", .inputs = BYTES,
      .outputs = "fp16", .checked = GPU, .open = RANGES, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 16, .fraction_bits = 25, .nearest = true, .apart = true, .interleaved = true },
    { .name = "x86-vdpbf16ps", .summary = "VDPBF16PS of AVX512_BF16", .inputs = "bf16",
      .outputs = "fp32", .checked = "the instruction, where there is one, and recorded rows",
      .method = FPFMT_ACCUMULATE_ODD_FIRST, .group = 2, .subnormal = FLUSH_BOTH },
    { .name = "x86-amx-bf16", .summary = "TDPBF16PS of AMX", .inputs = "bf16", .outputs = "fp32",
      .checked = "Intel's pseudocode", .open = "no recorded row",
      .method = FPFMT_ACCUMULATE_TWO_CHAINS, .group = 32, .subnormal = FLUSH_BOTH },
    { .name = "x86-amx-fp16", .summary = "TDPFP16PS of AMX", .inputs = "fp16", .outputs = "fp32",
      .checked = "Intel's pseudocode", .open = "no recorded row",
      .method = FPFMT_ACCUMULATE_TWO_CHAINS, .group = 32,
      .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS },
    { .name = "arm-bfdot", .summary = "BFDOT without FEAT_EBF16", .inputs = "bf16",
      .outputs = "fp32", .checked = "Arm's pseudocode", .open = "no recorded row",
      .method = FPFMT_ACCUMULATE_PAIR_TO_ODD, .group = 2, .subnormal = FLUSH_BOTH },
    { .name = "arm-bfmmla", .summary = "BFMMLA without FEAT_EBF16", .inputs = "bf16",
      .outputs = "fp32", .checked = "Arm's pseudocode", .open = "no recorded row",
      .method = FPFMT_ACCUMULATE_PAIR_TO_ODD, .group = 4, .subnormal = FLUSH_BOTH },
    { .name = "arm-bfdot-ebf", .summary = "BFDOT with FPCR.EBF = 1", .inputs = "bf16",
      .outputs = "fp32", .checked = "Arm's pseudocode", .open = "no recorded row; NaN payloads",
      .method = FPFMT_ACCUMULATE_PAIR_FUSED, .group = 2 },
    { .name = "amd-cdna2", .summary = "AMD CDNA2 matrix core, bf16 by _1k", .inputs = HALVES,
      .outputs = "fp32", .checked = PUBLISHED, .open = "no recorded row; NaN payloads",
      .method = FPFMT_ACCUMULATE_GROUP_TREE, .group = 4, .subnormal = FLUSH_BOTH },
    { .name = "amd-cdna2-bf16", .summary = "AMD CDNA2 matrix core, bf16 without _1k",
      .inputs = "bf16", .outputs = "fp32", .checked = PUBLISHED,
      .open = "no recorded row; NaN payloads", .method = FPFMT_ACCUMULATE_GROUP_TREE, .group = 2,
      .subnormal = FLUSH_BOTH },
    { .name = "amd-cdna3", .summary = "AMD CDNA3 matrix core", .inputs = HALVES,
      .outputs = "fp32", .checked = CDNA3, .open = CDNA3_OPEN, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 8, .fraction_bits = 24, .nearest = true, .late_bits = 32, .total_bits = 31 },
    { .name = "amd-cdna3", .summary = "AMD CDNA3 matrix core", .inputs = "tf32",
      .outputs = "fp32", .checked = CDNA3, .open = CDNA3_OPEN, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 4, .fraction_bits = 24, .nearest = true, .late_bits = 32, .total_bits = 31 },
    { .name = "amd-cdna3", .summary = "AMD CDNA3 matrix core, FP8", .inputs = "e4m3fnuz e5m2fnuz",
      .outputs = "fp32", .checked = CDNA3, .open = CDNA3_OPEN, .method = FPFMT_ACCUMULATE_ALIGNED,
      .group = 16, .fraction_bits = 24, .nearest = true, .late_bits = 32, .total_bits = 31,
      .start_reach = 25, .parities = true },
    { .name = "nv-mxf8f6f4", .summary = "NVIDIA Blackwell, block-scaled FP8, FP6 and FP4",
      .inputs = "e4m3 e5m2 e3m2 e2m3 e2m1", .outputs = "fp32", .checked = PUBLISHED,
      .open = "no recorded row; " RANGES, .method = FPFMT_ACCUMULATE_ALIGNED, .group = 32,
      .fraction_bits = 25 },
    { .name = "nv-mxf4nvf4", .summary = "NVIDIA Blackwell, block-scaled FP4", .inputs = "e2m1",
      .outputs = "fp32", .checked = PUBLISHED, .open = "no recorded row; " RANGES,
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 64, .fraction_bits = 35, .joined = 16 },
    { .name = "deepseek", .summary = "FP8 by wgmma, each 128 with both scales into fp32",
      .inputs = "e4m3", .outputs = "fp32",
      .checked = "nv-hopper's recorded rows, and DeepGEMM's text",
      .open = "whether the product with the scales is fused, as here",
      .method = FPFMT_ACCUMULATE_ALIGNED, .group = 32, .fraction_bits = 13, .kept_bits = 13,
      .promote = 128, .scales_late = true },
};
/* clang-format on */

#define ROWS (sizeof table / sizeof table[0])

const fpfmt_accumulator *fpfmt_accumulator_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

/* What a method is, whatever the other fields of an accumulator say. */
static const struct {
    bool
        is_engine; /* models hardware, whose formats and policy are fixed, and which has no flags */
    bool has_steps;  /* each step is an operation, rounded to a format of choice */
    bool has_groups; /* takes so many elements at a time as the field group says */
} methods[] = {
    [FPFMT_ACCUMULATE_EXACT] = { .is_engine = false },
    [FPFMT_ACCUMULATE_FMA] = { .has_steps = true },
    [FPFMT_ACCUMULATE_MULTIPLY_ADD] = { .has_steps = true },
    [FPFMT_ACCUMULATE_PAIRWISE] = { .has_steps = true },
    [FPFMT_ACCUMULATE_KAHAN] = { .has_steps = true },
    [FPFMT_ACCUMULATE_ALIGNED] = { .is_engine = true, .has_groups = true },
    [FPFMT_ACCUMULATE_ODD_FIRST] = { .is_engine = true },
    [FPFMT_ACCUMULATE_TWO_CHAINS] = { .is_engine = true, .has_groups = true },
    [FPFMT_ACCUMULATE_PAIR_TO_ODD] = { .is_engine = true },
    [FPFMT_ACCUMULATE_PAIR_FUSED] = { .is_engine = true },
    [FPFMT_ACCUMULATE_GROUP_TREE] = { .is_engine = true, .has_groups = true },
};
_Static_assert(sizeof methods / sizeof methods[0] == FPFMT_ACCUMULATE_COUNT,
               "say what the new method is");

bool fpfmt_accumulator_is_engine(const fpfmt_accumulator *how)
{
    return how->method < FPFMT_ACCUMULATE_COUNT && methods[how->method].is_engine;
}

const char *fpfmt_accumulator_defect(const fpfmt_accumulator *how)
{
    if (how == NULL)
        return "there is no accumulator";
    if (how->method >= FPFMT_ACCUMULATE_COUNT)
        return "there is no such accumulator";
    bool aligns = how->method == FPFMT_ACCUMULATE_ALIGNED;
    if (how->joined > 1 && (!aligns || how->interleaved || how->parities || how->apart ||
                            how->late_bits != 0))
        return "products are joined in a group that is not aligned as one";
    if (how->joined > 1 && (how->group > 64 || how->group % how->joined != 0))
        return "joined products are no whole part of a group of at most 64 elements";
    if (how->scales_late && how->promote == 0)
        return "scales come late, but no sum is promoted";
    if (methods[how->method].has_groups &&
        (how->group < 1 || (how->joined <= 1 && how->group > FPFMT_GROUP_MAX)))
        return "a group does not have from 1 to 32 elements";
    if (aligns && how->apart && 32 % how->group != 0)
        return "groups that are summed apart do not divide 32 elements";
    if (aligns && how->interleaved && how->group != 16)
        return "interleaved groups do not have 16 elements";
    if (aligns && (how->fraction_bits < 1 || how->fraction_bits > 40))
        return "aligned terms do not keep from 1 to 40 fraction bits";
    if (aligns && how->late_bits > 40)
        return "products' sums keep more than 40 fraction bits below a start that is added late";
    if (aligns && how->late_bits != 0 && (how->apart || how->interleaved))
        return "a start that is added late is added to more than one group";
    if (aligns && how->late_bits == 0 &&
        (how->total_bits != 0 || how->start_reach != 0 || how->parities))
        return "a total, a reach or parities need a start that is added late";
    if (how->method == FPFMT_ACCUMULATE_GROUP_TREE && how->group != 2 && how->group != 4)
        return "a tree does not have groups of 2 or 4 elements";
    if (how->inner != NULL && !methods[how->method].has_steps)
        return "an accumulator that fixes its steps or has none takes no format for them";
    if (how->kept_bits > 52)
        return "a group's result keeps more than 52 fraction bits";
    return is_vacant(&how->reserved) ? NULL : "its reserved room is not zero";
}

/* Is the format one of a list of names, separated by blanks? NULL is a list of all. */
static bool takes(const char *list, const fpfmt_format *format)
{
    char name[FPFMT_NAME_SIZE];
    while (format != NULL && list != NULL && *list != '\0') {
        size_t length = 0;
        while (list[length] != '\0' && list[length] != ' ')
            length++;
        memcpy(name, list, length);
        name[length] = '\0';
        const fpfmt_format *row = fpfmt_named(name);
        if (row != NULL && shape_equal(row, format))
            return true;
        list += length + (list[length] == ' ');
    }
    return format != NULL && list == NULL;
}

/* Whether the first length characters of a name are the row's: without case, and with '_' for '-'.
 */
static bool same_name(const char *row, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char x = row[i], y = name[i] == '_' ? '-' : name[i];
        y = y >= 'A' && y <= 'Z' ? (char)(y - 'A' + 'a') : y;
        if (x != y || x == '\0')
            return false;
    }
    return row[length] == '\0';
}

/* Characters before the first of several, or before the end. */
static size_t length_until(const char *text, const char *ends)
{
    size_t n = 0;
    for (; text[n] != '\0'; n++)
        for (const char *end = ends; *end != '\0'; end++)
            if (text[n] == *end)
                return n;
    return n;
}

/* /N at the end of a name: decimal, from 1 up. */
static bool read_count(uint32_t *count, const char *text)
{
    uint64_t n = 0;
    for (; *text >= '0' && *text <= '9' && n < UINT32_MAX; text++)
        n = 10 * n + (uint64_t)(*text - '0');
    *count = (uint32_t)n;
    return *text == '\0' && n > 0 && n <= UINT32_MAX;
}

/* What stands behind the name, from the character on that ended it: :FORMAT, for an accumulator
 * whose steps are in a format, then /N. False if it is not understood. */
static bool read_options(fpfmt_accumulator *row, const char *at)
{
    char name[FPFMT_NAME_SIZE];
    if (*at == ':') {
        size_t length = length_until(++at, "/");
        if (length >= sizeof name || !methods[row->method].has_steps)
            return false;
        memcpy(name, at, length);
        name[length] = '\0';
        row->inner = fpfmt_named(name);
        if (row->inner == NULL)
            return false;
        at += length;
    }
    return *at == '\0' || (*at == '/' && read_count(&row->promote, at + 1));
}

/* Does the name begin with the row's, of that length, or with the row's name for promotion? */
static bool is_called(const fpfmt_accumulator *row, const char *name, size_t length, bool *promotes)
{
    *promotes =
        name[length] == ':' && row->promoted != NULL && same_name(row->promoted, name, length);
    return *promotes || same_name(row->name, name, length);
}

fpfmt_status fpfmt_find_accumulator(fpfmt_accumulator *row, const char *name,
                                    const fpfmt_format *to, const fpfmt_format *a,
                                    const fpfmt_format *b)
{
    if (name == NULL)
        return FPFMT_UNKNOWN;
    size_t length = length_until(name, ":/");
    bool known = false, promotes;
    for (size_t i = 0; i < ROWS; i++) {
        if (!is_called(&table[i], name, length, &promotes))
            continue;
        known = true;
        if (!takes(table[i].inputs, a) || !takes(table[i].inputs, b) ||
            !takes(table[i].outputs, to))
            continue;
        *row = table[i];
        bool read = promotes ? read_count(&row->promote, name + length + 1)
                             : read_options(row, name + length);
        return read ? FPFMT_FOUND : FPFMT_UNSOUND;
    }
    return known ? FPFMT_AMBIGUOUS : FPFMT_UNKNOWN;
}
