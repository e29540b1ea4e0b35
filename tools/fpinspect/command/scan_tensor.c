/* scan_tensor.c - one tensor, by all workers
 * SPDX-License-Identifier: MIT
 *
 * Workers take piece after piece: one reads at a time, in the order of the file, and what it read
 * it counts while others read. All that is counted adds up in any order, so that the number of
 * workers changes no bit. */

#include "command/scan_tensor.h"

#include <pthread.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/workers.h"

/* Elements that may have to be in memory at once, where a scale is of a whole row or tensor. */
#define MOST_TOGETHER (UINT64_C(1) << 26)

typedef struct {
    scan_result *result;
    element_piece *piece;
    scan_room room;
} scan_worker;

typedef struct {
    const scan_plan *plan;
    const file_tensor *of;
    element_stream *from;
    uint64_t width;
    bool values_alone, bad;
    fpfmt_tensor_scale *scales;
    scan_worker *workers;
    pthread_mutex_t reading;
} work;

/* The next piece of the tensor; false where there is none. */
static bool take_piece(work *now, element_piece *piece)
{
    pthread_mutex_lock(&now->reading);
    bool more = !now->bad && next_piece(now->from, piece, true);
    now->bad |= !more;
    if (more)
        advance(now->plan->bar, piece->count);
    pthread_mutex_unlock(&now->reading);
    return more && piece->count > 0;
}

static void scan_pieces(void *context, unsigned which)
{
    work *now = context;
    scan_worker *own = &now->workers[which];
    const target_list *targets = &now->plan->targets;
    while (take_piece(now, own->piece)) {
        if (now->values_alone) {
            count_piece(&own->result->values, own->piece);
            continue;
        }
        scan_piece(own->result, targets, own->piece, now->width, now->scales, &own->room);
        if (now->plan->worst > 0)
            find_worst(own->result, targets, now->plan->worst, own->piece, now->width, now->scales,
                       &own->room);
    }
}

/* All pieces of the tensor into the result; values: those alone. */
static bool pass(work *now, scan_result *to, tensor_file *file, bool values)
{
    const scan_plan *plan = now->plan;
    const target_list *targets = &plan->targets;
    now->values_alone = values;
    now->from = open_elements(file, now->of);
    if (now->from == NULL)
        return false;
    uint64_t elements = keep_rows(now->from, targets->rows_together, targets->row_together);
    if (elements > MOST_TOGETHER) {
        complain("%s: tensor '%s' has blocks of %llu elements that share a scale, and %llu are the "
                 "most that are kept in memory",
                 quoted(file->path, strlen(file->path)),
                 quoted(now->of->name, strlen(now->of->name)), (unsigned long long)elements,
                 (unsigned long long)MOST_TOGETHER);
        close_elements(now->from);
        return false;
    }
    widen_stream(now->from, (size_t)elements);
    unsigned workers = now->of->count <= elements ? 1 : plan->workers;
    now->workers = allocate(workers, sizeof *now->workers);
    for (unsigned w = 0; w < workers; w++)
        now->workers[w] =
            (scan_worker){ new_result(targets, plan->worst), new_piece_of((size_t)elements),
                           new_room((size_t)elements, targets, plan->worst > 0) };
    work_together(workers, scan_pieces, now);
    for (unsigned w = 0; w < workers; w++) {
        add_result(to, now->workers[w].result, targets->count, plan->worst);
        release_result(now->workers[w].result, targets->count);
        release_piece(now->workers[w].piece);
        release_room(&now->workers[w].room);
    }
    release(now->workers);
    return close_elements(now->from) && !now->bad;
}

bool scan_tensor(scan_result *to, const scan_plan *plan, tensor_file *file, const file_tensor *of)
{
    const target_list *targets = &plan->targets;
    work now = { .plan = plan, .of = of };
    now.width = of->rank == 0 || of->shape[of->rank - 1] == 0 ? 1 : of->shape[of->rank - 1];
    now.scales = allocate(targets->count + 1, sizeof *now.scales);
    pthread_mutex_init(&now.reading, NULL);
    bool good = true;
    if (targets->whole_first) {
        scan_result *values = new_result(targets, 0);
        good = pass(&now, values, file, true);
        scale_tensors(now.scales, targets, &values->values);
        release_result(values, targets->count);
    } else {
        const value_counts none = { .count = 0 };
        scale_tensors(now.scales, targets, &none);
    }
    good = good && pass(&now, to, file, false);
    pthread_mutex_destroy(&now.reading);
    release(now.scales);
    return good;
}
