/* accumulators.c - the table of accumulators, and the grammar of their names
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include <string.h>

#define HALVES "fp16 bf16"
#define BYTES "e4m3 e5m2"
#define GPU "recorded rows of the GPUs"
#define RANGES                                                                                     \
    "subnormal inputs but of E4M3, sums near the smallest exponent, the sign of zero, NaN payloads"

/* name, summary, inputs, outputs, checked, open, how, group, fraction bits, kept bits, nearest,
 * apart, interleaved, subnormal, promote, inner. A row is the only mention of its engine. */
/* clang-format off */
static const fpfmt_accumulator table[] = {
    { "exact", "all products exactly, one rounding", NULL, NULL, "MPFR", NULL,
      FPFMT_ACCUMULATE_EXACT, 0, 0, 0, 0, 0, 0, 0, 0, NULL },
    { "fma", "one by one, product and sum rounded once", NULL, NULL, "MPFR", NULL,
      FPFMT_ACCUMULATE_FMA, 0, 0, 0, 0, 0, 0, 0, 0, NULL },
    { "multiply-add", "one by one, product and sum each rounded", NULL, NULL, "MPFR", NULL,
      FPFMT_ACCUMULATE_MULTIPLY_ADD, 0, 0, 0, 0, 0, 0, 0, 0, NULL },
    { "pairwise", "rounded products, sums of halves", NULL, NULL, "MPFR", NULL,
      FPFMT_ACCUMULATE_PAIRWISE, 0, 0, 0, 0, 0, 0, 0, 0, NULL },
    { "kahan", "rounded products, compensated sum", NULL, NULL, "MPFR", NULL,
      FPFMT_ACCUMULATE_KAHAN, 0, 0, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-v100", "NVIDIA Volta tensor core", "fp16", "fp32", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 4, 23, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-v100", "NVIDIA Volta tensor core", "fp16", "fp16", GPU,
      "the fraction bits, which are those of the rows to fp32",
      FPFMT_ACCUMULATE_ALIGNED, 4, 23, 0, 1, 0, 0, 0, 0, NULL },
    { "nv-a100", "NVIDIA Ampere tensor core", HALVES, "fp32", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 8, 24, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-a100", "NVIDIA Ampere tensor core", "fp16", "fp16", GPU,
      "the fraction bits, which are those of the rows to fp32",
      FPFMT_ACCUMULATE_ALIGNED, 8, 24, 0, 1, 0, 0, 0, 0, NULL },
    { "nv-a100", "NVIDIA Ampere tensor core", "tf32", "fp32", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 4, 24, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-ada", "NVIDIA Ada tensor core", HALVES, "fp32", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 8, 24, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-ada", "NVIDIA Ada tensor core", "fp16", "fp16", GPU,
      "the fraction bits, which are those of the rows to fp32",
      FPFMT_ACCUMULATE_ALIGNED, 8, 24, 0, 1, 0, 0, 0, 0, NULL },
    { "nv-ada", "NVIDIA Ada tensor core", "tf32", "fp32", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 4, 24, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-ada", "NVIDIA Ada tensor core, FP8", BYTES, "fp32", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 16, 13, 13, 0, 0, 0, 0, 0, NULL },
    { "nv-ada", "NVIDIA Ada tensor core, FP8", BYTES, "fp16", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 16, 13, 0, 1, 0, 0, 0, 0, NULL },
    { "nv-hopper", "NVIDIA Hopper tensor core", HALVES, "fp32", GPU,
      "wgmma, as the rows are of mma.sync; " RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 16, 25, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-hopper", "NVIDIA Hopper tensor core", "fp16", "fp16", GPU,
      "the fraction bits, which are those of the rows to fp32",
      FPFMT_ACCUMULATE_ALIGNED, 16, 25, 0, 1, 0, 0, 0, 0, NULL },
    { "nv-hopper", "NVIDIA Hopper tensor core", "tf32", "fp32", GPU,
      "whether a group has 8 elements, as here, or 4; " RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 8, 25, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-hopper", "NVIDIA Hopper tensor core, FP8 by wgmma", BYTES, "fp32", GPU,
      "a start other than 0; " RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 32, 13, 13, 0, 0, 0, 0, 0, NULL },
    { "nv-hopper-mma-fp8", "NVIDIA Hopper, FP8 by mma.sync", BYTES, "fp16", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 16, 25, 0, 1, 1, 1, 0, 0, NULL },
    { "nv-blackwell", "NVIDIA Blackwell tensor core", HALVES, "fp32", GPU,
      "tcgen05, as the rows are of mma.sync; " RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 16, 25, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-blackwell", "NVIDIA Blackwell tensor core", "fp16", "fp16", GPU,
      "the fraction bits, which are those of the rows to fp32",
      FPFMT_ACCUMULATE_ALIGNED, 16, 25, 0, 1, 0, 0, 0, 0, NULL },
    { "nv-blackwell", "NVIDIA Blackwell tensor core", "tf32", "fp32", GPU,
      "whether a group has 8 elements, as here, or 4; " RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 8, 25, 0, 0, 0, 0, 0, 0, NULL },
    { "nv-blackwell", "NVIDIA Blackwell, FP8 by mma.sync", BYTES, "fp32", GPU,
      "the groups, which are those of the rows to fp16; " RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 16, 25, 0, 0, 1, 1, 0, 0, NULL },
    { "nv-blackwell", "NVIDIA Blackwell, FP8 by mma.sync", BYTES, "fp16", GPU, RANGES,
      FPFMT_ACCUMULATE_ALIGNED, 16, 25, 0, 1, 1, 1, 0, 0, NULL },
    { "x86-vdpbf16ps", "VDPBF16PS of AVX512_BF16", "bf16", "fp32",
      "the instruction, where there is one, and recorded rows", NULL,
      FPFMT_ACCUMULATE_ODD_FIRST, 2, 0, 0, 0, 0, 0,
      FPFMT_SUBNORMAL_FLUSH_INPUTS | FPFMT_SUBNORMAL_FLUSH_RESULTS, 0, NULL },
    { "x86-amx-bf16", "TDPBF16PS of AMX", "bf16", "fp32", "Intel's pseudocode", "no recorded row",
      FPFMT_ACCUMULATE_TWO_CHAINS, 32, 0, 0, 0, 0, 0,
      FPFMT_SUBNORMAL_FLUSH_INPUTS | FPFMT_SUBNORMAL_FLUSH_RESULTS, 0, NULL },
    { "x86-amx-fp16", "TDPFP16PS of AMX", "fp16", "fp32", "Intel's pseudocode", "no recorded row",
      FPFMT_ACCUMULATE_TWO_CHAINS, 32, 0, 0, 0, 0, 0, FPFMT_SUBNORMAL_FLUSH_RESULTS, 0, NULL },
    { "arm-bfdot", "BFDOT without FEAT_EBF16", "bf16", "fp32", "Arm's pseudocode",
      "no recorded row", FPFMT_ACCUMULATE_PAIR_TO_ODD, 2, 0, 0, 0, 0, 0,
      FPFMT_SUBNORMAL_FLUSH_INPUTS | FPFMT_SUBNORMAL_FLUSH_RESULTS, 0, NULL },
    { "arm-bfmmla", "BFMMLA without FEAT_EBF16", "bf16", "fp32", "Arm's pseudocode",
      "no recorded row", FPFMT_ACCUMULATE_PAIR_TO_ODD, 4, 0, 0, 0, 0, 0,
      FPFMT_SUBNORMAL_FLUSH_INPUTS | FPFMT_SUBNORMAL_FLUSH_RESULTS, 0, NULL },
    { "arm-bfdot-ebf", "BFDOT with FPCR.EBF = 1", "bf16", "fp32", "Arm's pseudocode",
      "no recorded row; NaN payloads", FPFMT_ACCUMULATE_PAIR_FUSED, 2, 0, 0, 0, 0, 0, 0, 0, NULL },
};
/* clang-format on */

#define ROWS (sizeof table / sizeof table[0])

const fpfmt_accumulator *fpfmt_accumulator_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

/* Are its steps operations in a format of choice? */
static bool has_steps(const fpfmt_accumulator *how)
{
    return how->how > FPFMT_ACCUMULATE_EXACT && how->how < FPFMT_ACCUMULATE_ALIGNED;
}

const char *fpfmt_accumulator_defect(const fpfmt_accumulator *how)
{
    bool aligns = how->how == FPFMT_ACCUMULATE_ALIGNED;
    bool groups = aligns || how->how == FPFMT_ACCUMULATE_TWO_CHAINS;
    if (how->how >= FPFMT_ACCUMULATE_END)
        return "there is no such accumulator";
    if (groups && (how->group < 1 || how->group > FPFMT_GROUP))
        return "a group does not have from 1 to 32 elements";
    if (aligns && how->apart && 32 % how->group != 0)
        return "groups that are summed apart do not divide 32 elements";
    if (aligns && how->interleaved && how->group != 16)
        return "interleaved groups do not have 16 elements";
    if (aligns && (how->fraction_bits < 1 || how->fraction_bits > 40))
        return "aligned terms do not keep from 1 to 40 fraction bits";
    if (how->inner != NULL && !has_steps(how))
        return "an accumulator that fixes its steps or has none takes no format for them";
    return how->kept_bits > 52 ? "a group's result keeps more than 52 fraction bits" : NULL;
}

/* Do two formats have one value for each code? How they round does not matter, nor what they are
 * called. */
static bool is_same(const fpfmt_format *a, const fpfmt_format *b)
{
    return a->sign_bits == b->sign_bits && a->exponent_bits == b->exponent_bits &&
           a->fraction_bits == b->fraction_bits && a->nans == b->nans &&
           a->infinity == b->infinity && a->exponent_zero == b->exponent_zero && a->bias == b->bias;
}

/* Is the format one of a list of names, separated by blanks? NULL is a list of all. */
static bool takes(const char *list, const fpfmt_format *format)
{
    char name[FPFMT_NAME_SIZE];
    while (list != NULL && *list != '\0') {
        size_t length = 0;
        while (list[length] != '\0' && list[length] != ' ')
            length++;
        memcpy(name, list, length);
        name[length] = '\0';
        const fpfmt_format *row = fpfmt_named(name);
        if (row != NULL && is_same(row, format))
            return true;
        list += length + (list[length] == ' ');
    }
    return list == NULL;
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
        if (length >= sizeof name || !has_steps(row))
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

/* Rows of one engine share a name; the first that takes the formats is it. */
fpfmt_status fpfmt_find_accumulator(fpfmt_accumulator *row, const char *name, const fpfmt_format *a,
                                    const fpfmt_format *b, const fpfmt_format *to)
{
    static const char promote[] = "promote", promoted[] = "nv-hopper";
    size_t length = length_until(name, ":/");
    bool promotes = same_name(promote, name, length) && name[length] == ':', known = false;
    for (size_t i = 0; i < ROWS; i++) {
        if (!same_name(table[i].name, promotes ? promoted : name,
                       promotes ? sizeof promoted - 1 : length))
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
