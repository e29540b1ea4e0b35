/* sets.c - the sets that are built in, and the best one here
 * SPDX-License-Identifier: MIT */

#include <stdatomic.h>

#include "kernel.h"
#include "plan.h"

/* The plainest first, each better than all before where it runs: the last that runs here is best. A
 * set that a compiler cannot build is not in the table, so that tests and tools, which walk over
 * it, need to know no instruction set. */
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

/* NULL, or what fpfmt_best_kernels found. Asking the processor takes microseconds in a virtual
 * machine, which traps cpuid, so that the answer is kept: the one mutable object of the library.
 * Threads that come here at one time all find and store one answer, so that no order between them
 * is needed. */
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
