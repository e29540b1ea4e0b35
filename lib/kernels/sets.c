/* sets.c - the sets that are built in, and the best one here
 * SPDX-License-Identifier: MIT */

#include <stdatomic.h>

#include "kernel.h"
#include "plan.h"

/* The plainest first. */
static const fpfmt_kernels *const sets[] = {
    &fpfmt_scalar_kernels,
#if defined __x86_64__ && defined __GNUC__
    &fpfmt_avx2_kernels,
    &fpfmt_avx512_kernels,
#endif
};

const fpfmt_kernels *fpfmt_kernels_at(size_t index)
{
    return index < sizeof sets / sizeof sets[0] ? sets[index] : NULL;
}

const char *fpfmt_kernels_name(const fpfmt_kernels *set)
{
    return set->name;
}

bool fpfmt_kernels_run_here(const fpfmt_kernels *set)
{
    return set->runs_here();
}

/* Asking the processor takes microseconds in a virtual machine, so that the answer is kept. Every
 * thread would find the same. */
static _Atomic(const fpfmt_kernels *) best_here;

const fpfmt_kernels *fpfmt_best_kernels(void)
{
    const fpfmt_kernels *found = atomic_load_explicit(&best_here, memory_order_relaxed);
    if (found != NULL)
        return found;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (sets[i]->runs_here())
            found = sets[i];
    atomic_store_explicit(&best_here, found, memory_order_relaxed);
    return found;
}
