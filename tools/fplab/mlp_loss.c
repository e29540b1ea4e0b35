/* mlp_loss.c - softmax and cross entropy, their exponentials and logarithms rounded correctly
 * SPDX-License-Identifier: MIT */

#include <fpfmt_mpfr.h>

#include "mlp.h"

enum { PRECISION = 64 }; /* holds every argument, and with the ternary every result */

/* A function of MPFR, rounded once. */
static fpfmt_value apply(int (*function)(mpfr_t, mpfr_srcptr, mpfr_rnd_t), const fpfmt_format *work,
                         fpfmt_value argument)
{
    mpfr_t x;
    mpfr_init2(x, PRECISION);
    fpfmt_to_mpfr(x, argument, MPFR_RNDN);
    int ternary = function(x, x, MPFR_RNDN);
    uint64_t code = fpfmt_encode(work, fpfmt_from_mpfr(x, ternary), NULL, NULL);
    mpfr_clear(x);
    return fpfmt_decode(work, code);
}

fpfmt_value cross_entropy(const fpfmt_format *work, const fpfmt_value *z, size_t classes,
                          size_t label, fpfmt_value *gradient)
{
    fpfmt_value largest = z[0], sum = fpfmt_from_u64(0), own = sum;
    for (size_t k = 1; k < classes; k++)
        largest = fpfmt_select(FPFMT_SELECT_MAXIMUM, largest, z[k], NULL);
    for (size_t k = 0; k < classes; k++) {
        fpfmt_value below = operate(work, FPFMT_OPERATION_SUBTRACT, z[k], largest);
        if (k == label)
            own = below;
        gradient[k] = apply(mpfr_exp, work, below);
        sum = operate(work, FPFMT_OPERATION_ADD, sum, gradient[k]);
    }
    for (size_t k = 0; k < classes; k++) {
        gradient[k] = operate(work, FPFMT_OPERATION_DIVIDE, gradient[k], sum);
        if (k == label)
            gradient[k] = operate(work, FPFMT_OPERATION_SUBTRACT, gradient[k], fpfmt_from_u64(1));
    }
    return operate(work, FPFMT_OPERATION_SUBTRACT, apply(mpfr_log, work, sum), own);
}
