/* Prints what 1e-8 becomes in two formats.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt.h>
#include <stdio.h>

int main(void)
{
    fpfmt_value value;
    char exact[800];

    fpfmt_parse(&value, "1e-8", 4, NULL);
    for (int i = 0; i < 2; i++) {
        const fpfmt_format *format = fpfmt_named(i == 0 ? "bf16" : "fp16");
        unsigned flags = 0;
        unsigned code = (unsigned)fpfmt_encode(format, value, NULL, &flags);
        fpfmt_print_exact(exact, sizeof exact, fpfmt_decode(format, code));
        printf("%s 0x%04x %s%s\n", format->name, code, exact,
               flags & FPFMT_FLAG_UNDERFLOW ? ", underflow" : "");
    }
}
