/* A transposed slice is other strides over the same memory: it converts without a copy.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt.h>
#include <stdio.h>

enum { ROWS = 3, COLUMNS = 4 };

int main(void)
{
    const float tensor[ROWS][COLUMNS] = {
        { 0.5f, 1, 1.5f, 2 },
        { 10, 20, 30, 40 },
        { 1e-3f, 1e-8f, 448, 500 },
    };
    uint8_t codes[2][ROWS];
    fpfmt_plan plan;
    unsigned flags = 0;

    /* Columns 2 and 3, transposed: [j][i] is tensor[i][j + 2]. */
    const size_t shape[2] = { 2, ROWS };
    const ptrdiff_t strides[2] = { 1, COLUMNS };
    fpfmt_view in = { .data = (void *)&tensor[0][2], .rank = 2, .shape = shape, .strides = strides };
    fpfmt_view out = { .data = codes, .rank = 2, .shape = shape };

    fpfmt_prepare(&plan, fpfmt_named("e4m3"), NULL, NULL);
    if (!fpfmt_plan_view(&plan, FPFMT_VIEW_ENCODE_F32, out, in, 0, &flags))
        return 1;
    for (int i = 0; i < 2; i++)
        printf("column %d in e4m3: 0x%02x 0x%02x 0x%02x\n", i + 2, codes[i][0], codes[i][1],
               codes[i][2]);
    printf("%s\n", flags & FPFMT_FLAG_OVERFLOW ? "500 overflows" : "nothing overflows");
}
