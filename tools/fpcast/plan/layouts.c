/* layouts.c - how files of safetensors keep elements and their scales
 * SPDX-License-Identifier: MIT
 *
 * What is written here, kit/tensorfile/schemes.c must recognise: tests/fpcast.sh reads all of it
 * back. */

#include "plan/layouts.h"

#include <string.h>

#include "kit/list.h"
#include "kit/say.h"

#define FP8 "e4m3 e5m2 e4m3fnuz e5m2fnuz int8"

/* The first that takes a block format is its own. DeepSeek's scales are called inverse and are
 * multiplied with all the same. */
static const layout layouts[] = {
    { "compressed-tensors", "e2m1", "e8m0", 32, 1, 1, "_packed", "_scale", NULL, .packed = true },
    { "modelopt", "e2m1", "e8m0", 32, 1, 1, "", "_scale", NULL, .packed = true },
    { "gpt-oss", "e2m1", "e8m0", 32, 1, 1, "_blocks", "_scales", NULL, .packed = true,
      .rows_of_blocks = true },
    { "modelopt", "e2m1", "e4m3", 16, 1, 2, "", "_scale", "_scale_2", .packed = true },
    { "compressed-tensors", "e2m1", "e4m3", 16, 1, 2, "_packed", "_scale", "_global_scale",
      .packed = true, .whole_inverse = true },
    { "deepseek", "e4m3", "fp32", 128, 128, 1, "", "_scale_inv", NULL, .packed = false },
    { "compressed-tensors", FP8, "fp32 fp16 bf16 e8m0", 0, 0, 1, "", "_scale", NULL,
      .packed = false },
};

static const fpfmt_word names[] = {
    { "compressed-tensors", "vllm", "X_packed, X_scale, X_global_scale", 0 },
    { "modelopt", "", "X, X_scale, X_scale_2", 1 },
    { "gpt-oss", "", "X_blocks, X_scales", 2 },
    { "deepseek", "", "X, X_scale_inv", 3 },
};
const word_table layout_words = OWN_WORDS("layout", names);

/* Are these blocks told from others by the shape of their scales? */
static bool is_told_by_shape(const fpfmt_block *block)
{
    static const uint32_t sizes[] = { 16, 32, 64, 128, 256, 512 };
    if (block->size == FPFMT_BLOCK_ALL)
        return block->rows == 1 || block->rows == FPFMT_BLOCK_ALL;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (block->size == sizes[i])
            return block->rows == 1 || block->rows == sizes[i];
    return false;
}

static bool takes(const layout *row, const fpfmt_block *block)
{
    bool size = row->size == 0 ? is_told_by_shape(block)
                               : row->size == block->size && row->rows == block->rows;
    return size && row->levels == block->levels && block->book == NULL &&
           is_word_of(row->formats, block->element.name) &&
           is_word_of(row->scales, block->scale.name) &&
           (block->levels == 1 || strcmp(block->tensor.name, "fp32") == 0);
}

const layout *find_layout(const fpfmt_block *block, const char *name)
{
    const layout *own = NULL;
    for (size_t i = sizeof layouts / sizeof layouts[0]; i-- > 0;)
        if (takes(&layouts[i], block)) {
            own = &layouts[i];
            if (name != NULL && strcmp(name, own->name) == 0)
                return own;
        }
    if (own == NULL)
        complain("no layout of safetensors that is known keeps %s; mxfp4, nvfp4, mxfp8, "
                 "deepseek-128x128, channel-e4m3 and tensor-e4m3 have one",
                 block->name);
    else if (name != NULL)
        complain("there is no layout '%s' of %s; its own is %s", name, block->name, own->name);
    return name == NULL ? own : NULL;
}
