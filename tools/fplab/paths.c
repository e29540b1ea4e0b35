/* paths.c - how a number goes while steps are counted, at as many points as a picture has
 * SPDX-License-Identifier: MIT */

#include "paths.h"

/* count * n / last, whose product would overflow, by the quotient and the rest of count / last. */
uint64_t path_step(uint64_t count, int point)
{
    const uint64_t last = PATH_POINTS - 1, n = (uint64_t)point;
    return count / last * n + count % last * n / last;
}
