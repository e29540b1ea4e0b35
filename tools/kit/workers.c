/* workers.c - threads that share the pieces of one piece of work
 * SPDX-License-Identifier: MIT */

#include "kit/workers.h"

#include <pthread.h>
#include <unistd.h>

#include "kit/memory.h"

typedef struct {
    pthread_t thread;
    void (*work)(void *context, unsigned number);
    void *context;
    unsigned number;
} worker;

static void *begin(void *argument)
{
    const worker *own = argument;
    own->work(own->context, own->number);
    return NULL;
}

void work_together(unsigned count, void (*work)(void *context, unsigned number), void *context)
{
    worker *all = allocate(count, sizeof *all);
    unsigned begun = 1;
    for (; begun < count; begun++) {
        all[begun] = (worker){ .work = work, .context = context, .number = begun };
        if (pthread_create(&all[begun].thread, NULL, begin, &all[begun]) != 0)
            break;
    }
    work(context, 0);
    for (unsigned i = 1; i < begun; i++)
        pthread_join(all[i].thread, NULL);
    release(all);
}

unsigned processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}
