/* scan_axis.c - a tensor channel by channel
 * SPDX-License-Identifier: MIT */

#include "command/scan_axis.h"

#include <string.h>

#include "facts/tensor_list.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"

/* Channels that are counted in one reading of the tensor: each takes some 40 kB. */
enum { CHANNELS_AT_A_TIME = 1024, NAME_ROOM = 240 };

typedef struct {
    const scan_plan *plan;
    uint64_t width, inner, channels; /* elements of a row; of a run of one channel; and indices */
    uint64_t first, count;           /* the channels of this reading */
    scan_result **results;
    scan_room room;
    fpfmt_tensor_scale *scales;
} channel_scan;

void name_result(scan_result *made, const tensor_file *file, const file_tensor *of)
{
    made->file = file->path;
    made->tensor = of->name;
    made->type = of->type;
    made->format = of->block != NULL ? of->block->name : of->format->name;
    made->scheme = of->scheme.rule;
    spell_sizes(made->shape, of->shape, of->rank);
}

/* "w[:, 3]", the channel of a tensor as NumPy writes it. */
static char *channel_name(const file_tensor *of, int axis, uint64_t channel)
{
    char text[NAME_ROOM];
    print_text(text, sizeof text, "%.100s[", of->name);
    for (int i = 0; i < of->rank; i++) {
        append_text(text, sizeof text, "%s", i == 0 ? "" : ", ");
        if (i == axis)
            append_text(text, sizeof text, "%llu", (unsigned long long)channel);
        else
            append_text(text, sizeof text, ":");
    }
    append_text(text, sizeof text, "]");
    return copy_text(text, strlen(text));
}

/* A piece in runs of elements of one channel. */
static void scan_runs(channel_scan *now, element_piece *piece)
{
    const target_list *targets = &now->plan->targets;
    element_piece run = *piece;
    for (size_t done = 0; done < piece->count; done += run.count) {
        uint64_t at = piece->first + done, left = now->inner - at % now->inner;
        uint64_t channel = at / now->inner % now->channels;
        run.first = at;
        run.count = left < piece->count - done ? (size_t)left : piece->count - done;
        run.floats = piece->wide ? NULL : piece->floats + done;
        run.doubles = piece->wide ? piece->doubles + done : NULL;
        if (channel < now->first || channel - now->first >= now->count)
            continue;
        scan_result *to = now->results[channel - now->first];
        scan_piece(to, targets, &run, now->width, now->scales, &now->room);
        if (now->plan->worst > 0)
            find_worst(to, targets, now->plan->worst, &run, now->width, now->scales, &now->room);
    }
}

static bool read_all(channel_scan *now, tensor_file *file, const file_tensor *of)
{
    element_stream *from = open_elements(file, of);
    if (from == NULL)
        return false;
    keep_rows(from, 1, false);
    element_piece *piece = new_piece();
    bool good = next_piece(from, piece, true);
    while (good && piece->count > 0) {
        scan_runs(now, piece);
        advance(now->plan->bar, piece->count);
        good = next_piece(from, piece, true);
    }
    release_piece(piece);
    return close_elements(from) && good;
}

static bool fits(const scan_plan *plan, const tensor_file *file, const file_tensor *of)
{
    const target_list *targets = &plan->targets;
    int axis = (int)plan->chosen->axis;
    const char *path = quoted(file->path, strlen(file->path));
    if (axis >= of->rank || (of->columns_first && !can_turn(of))) {
        complain("%s: tensor '%s' has %d dimensions%s, and --axis %d needs more of them", path,
                 quoted(of->name, strlen(of->name)), of->rank,
                 of->columns_first ? " in Fortran's order" : "", axis);
        return false;
    }
    for (size_t t = 0; t < targets->count; t++) {
        const fpfmt_block *block = targets->rows[t].block;
        if (block != NULL && (axis == of->rank - 1 || block->rows > 1 || block->levels == 2 ||
                              block->size == FPFMT_BLOCK_ALL)) {
            complain("%s: blocks of %s reach over the channels of --axis %d", path,
                     targets->rows[t].name, axis);
            return false;
        }
    }
    return true;
}

bool scan_channels(scan_report *report, const scan_plan *plan, tensor_file *file,
                   const file_tensor *of)
{
    const target_list *targets = &plan->targets;
    const value_counts none = { .count = 0 };
    if (!fits(plan, file, of))
        return false;
    int axis = (int)plan->chosen->axis;
    channel_scan now = { .plan = plan, .width = of->shape[of->rank - 1], .inner = 1 };
    for (int i = axis + 1; i < of->rank; i++)
        now.inner *= of->shape[i];
    now.channels = of->shape[axis];
    now.room = new_room(PIECE_ELEMENTS, targets, plan->worst > 0);
    now.scales = allocate(targets->count + 1, sizeof *now.scales);
    now.results = allocate(CHANNELS_AT_A_TIME, sizeof(scan_result *));
    scale_tensors(now.scales, targets, &none);
    bool good = true;
    for (; good && now.first < now.channels; now.first += now.count) {
        uint64_t left = now.channels - now.first;
        now.count = left < CHANNELS_AT_A_TIME ? left : CHANNELS_AT_A_TIME;
        for (uint64_t c = 0; c < now.count; c++)
            now.results[c] = new_result(targets, plan->worst);
        good = of->count == 0 || read_all(&now, file, of);
        for (uint64_t c = 0; c < now.count; c++) {
            name_result(now.results[c], file, of);
            now.results[c]->tensor = channel_name(of, axis, now.first + c);
            if (good)
                put_result(report, now.results[c]);
            release_result(now.results[c], targets->count);
        }
    }
    release_room(&now.room);
    release(now.results);
    release(now.scales);
    return good;
}
