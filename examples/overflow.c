/* Where does a computation first leave FP16? The variance of activations around 200 squares them:
 * 256 squared is 65536, past the largest half, though every input and the result would fit.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt.h>
#include <stdio.h>

/* One operation in fp16; says so when it overflows for the first time. */
static fpfmt_value step(int operation, fpfmt_value a, fpfmt_value b, const char *what, int index)
{
    static int told;
    const fpfmt_format *fp16 = fpfmt_named("fp16");
    unsigned flags = 0;
    uint64_t code = fpfmt_operate(fp16, operation, a, b, b, NULL, &flags);

    if ((flags & FPFMT_FLAG_OVERFLOW) && !told++)
        printf("%s first overflows at element %d\n", what, index);
    return fpfmt_decode(fp16, code);
}

int main(void)
{
    enum { COUNT = 8 };
    const float x[COUNT] = { 3, -190, 250, 201, -255.75f, 256, -12, 40 };
    fpfmt_value sum = fpfmt_from_i64(0);
    char text[64];

    for (int i = 0; i < COUNT; i++) {
        fpfmt_value value = fpfmt_from_f32(x[i]);
        fpfmt_value square = step(FPFMT_OPERATION_MULTIPLY, value, value, "the square", i);
        fpfmt_value scaled =
            step(FPFMT_OPERATION_DIVIDE, square, fpfmt_from_i64(COUNT), "the quotient", i);
        sum = step(FPFMT_OPERATION_ADD, sum, scaled, "the sum", i);
    }
    fpfmt_print_exact(text, sizeof text, sum);
    printf("mean square in fp16: %s\n", text);

    /* Dividing before squaring by a power of two stays inside. */
    sum = fpfmt_from_i64(0);
    for (int i = 0; i < COUNT; i++) {
        fpfmt_value small = fpfmt_from_f32(x[i] / 16);
        fpfmt_value square = step(FPFMT_OPERATION_MULTIPLY, small, small, "the square", i);
        sum = step(FPFMT_OPERATION_ADD, sum, square, "the sum", i);
    }
    fpfmt_print_exact(text, sizeof text, sum);
    printf("scaled by 1/16 first, the sum of squares is %s, times 32 the mean\n", text);
}
