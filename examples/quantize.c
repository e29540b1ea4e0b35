/* quantize.c - a row of weights in MXFP4 and NVFP4: what is stored, and what that costs
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>
#include <stdio.h>

enum { N = 64 };

/* A row with one value far from the others, as rows of weights have. */
static void fill(float *weights)
{
    for (int i = 0; i < N; i++)
        weights[i] = (float)((i * 37 % 64) - 32) / 512;
    weights[5] = 1.5f;
}

static int show(const char *name, const float *weights)
{
    float back[N], amax = 1.5f;
    unsigned char codes[N], scales[N];
    fpfmt_block block;
    fpfmt_block_plan plan;
    fpfmt_tensor_scale whole, *tensor = NULL;
    double noise = 0;
    int zeros = 0;

    if (fpfmt_find_block(&block, name) != FPFMT_FOUND ||
        !fpfmt_prepare_blocks(&plan, &block, NULL, NULL, NULL))
        return 1;
    if (block.levels == 2 && fpfmt_scale_tensor(&whole, &block, &plan.recipe, amax))
        tensor = &whole;
    fpfmt_quantize_f32(&plan, codes, scales, weights, N, tensor, 0, NULL);
    fpfmt_dequantize_f32(&plan, back, codes, scales, N, tensor, NULL);
    for (int i = 0; i < N; i++) {
        double error = (double)back[i] - (double)weights[i];
        noise += error * error;
        zeros += back[i] == 0 && weights[i] != 0;
    }
    printf("%s: %g bits a value, scales", name,
           fpfmt_to_f64(fpfmt_block_bits(&block), NULL, NULL));
    for (size_t i = 0; i < fpfmt_block_count(&block, N); i++)
        printf(" %02x", scales[i]);
    printf(", %d became 0, squared error %.3g\n", zeros, noise);
    return 0;
}

int main(void)
{
    float weights[N];
    fill(weights);
    return show("mxfp4", weights) + show("nvfp4", weights) + show("mxfp8-e4m3", weights);
}
