/* policies.c - the policy that a column of results is rounded by
 * SPDX-License-Identifier: MIT */

#include "values/request.h"

fpfmt_policy column_policy(const request *chosen, const policy_choice *column,
                           const fpfmt_format *format)
{
    fpfmt_policy policy = fpfmt_policy_for(format, column->row);
    if (column->rounding >= 0) {
        policy.rounding = (uint8_t)column->rounding;
        policy.random_bits = (uint8_t)column->random_bits;
    }
    if (column->overflow >= 0)
        policy.overflow = (uint8_t)column->overflow;
    policy.subnormal |= chosen->subnormal;
    policy.tininess |= (uint8_t)chosen->tininess;
    if (chosen->nan >= 0)
        policy.nan = (uint8_t)chosen->nan;
    policy.seed = chosen->seed;
    return policy;
}
