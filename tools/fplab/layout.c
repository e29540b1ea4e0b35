/* layout.c - where the elements of a tensor lie: shape, strides, and what changes them
 * SPDX-License-Identifier: MIT */

#include "layout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/say.h"

size_t elements_of(const layout *of)
{
    size_t count = 1;
    for (int i = 0; i < of->rank; i++)
        count *= of->shape[i];
    return count;
}

void make_contiguous(layout *of)
{
    ptrdiff_t stride = 1;
    for (int i = of->rank - 1; i >= 0; i--) {
        of->strides[i] = stride;
        stride *= (ptrdiff_t)of->shape[i];
    }
    of->offset = 0;
}

void permute(layout *of, const int *order)
{
    layout old = *of;
    for (int i = 0; i < of->rank; i++) {
        of->shape[i] = old.shape[order[i]];
        of->strides[i] = old.strides[order[i]];
    }
}

/* ---- reshaping ---- */

/* The axes of old that are not of size 1. */
static int large_axes(int axes[FPFMT_VIEW_RANK_MAX], const layout *old)
{
    int count = 0;
    for (int i = 0; i < old->rank; i++)
        if (old->shape[i] > 1)
            axes[count++] = i;
    return count;
}

/* made has the rank and the shape of a reshaped view; fills in the rest. Runs of old axes and runs
 * of new ones with as many elements belong together. The old ones must nest in each other, so that
 * they are one axis, which the new ones divide; false if axis *axis of the old view does not nest
 * in *next, the next one that is not of size 1. */
static bool reshape_view(layout *made, const layout *old, int *axis, int *next)
{
    int axes[FPFMT_VIEW_RANK_MAX], count = large_axes(axes, old), from = 0, to = 0;
    made->offset = old->offset;
    for (int i = 0; i < made->rank; i++)
        made->strides[i] = 1;
    while (from < count && to < made->rank) {
        int from_end = from + 1, to_end = to + 1;
        size_t had = old->shape[axes[from]], has = made->shape[to];
        while (had != has)
            if (has < had)
                has *= made->shape[to_end++];
            else
                had *= old->shape[axes[from_end++]];
        for (int i = from; i < from_end - 1; i++) {
            *axis = axes[i];
            *next = axes[i + 1];
            if (old->strides[*axis] != (ptrdiff_t)old->shape[*next] * old->strides[*next])
                return false;
        }
        made->strides[to_end - 1] = old->strides[axes[from_end - 1]];
        for (int i = to_end - 1; i > to; i--)
            made->strides[i - 1] = made->strides[i] * (ptrdiff_t)made->shape[i];
        from = from_end;
        to = to_end;
    }
    return true;
}

void reshape_or_copy(layout *of, const layout *shaped, copying *made_copy)
{
    layout made = *shaped;
    int axis, next;
    if (!reshape_view(&made, of, &axis, &next)) {
        made_copy->needed = true;
        made_copy->source = *of;
        snprintf(made_copy->why, sizeof made_copy->why,
                 "axes %d and %d are to be one, but stride %td is not %zu x %td", axis, next,
                 of->strides[axis], of->shape[next], of->strides[next]);
        make_contiguous(&made);
    }
    *of = made;
}

/* ---- reading lists of numbers ---- */

/* A whole number at *text, which moves behind it; false if there is none. */
static bool read_number(const char **text, long *number)
{
    char *end;
    const char *digits = *text + (**text == '-');
    if (!isdigit((unsigned char)*digits) || strspn(digits, "0123456789") > 9)
        return false;
    *number = strtol(*text, &end, 10);
    *text = end;
    return true;
}

/* Numbers separated by commas; how many, -1 if it is no such list or a longer one. */
static int read_list(long numbers[FPFMT_VIEW_RANK_MAX], const char *text)
{
    int count = 0;
    do {
        if (count == FPFMT_VIEW_RANK_MAX || !read_number(&text, &numbers[count++]))
            return -1;
    } while (*text++ == ',');
    return text[-1] == '\0' ? count : -1;
}

bool read_shape(layout *of, const char *text, const char *what, size_t size)
{
    long numbers[FPFMT_VIEW_RANK_MAX];
    int count = read_list(numbers, text), open = -1;
    size_t product = 1;
    for (int i = 0; i < count; i++) {
        bool rest = size > 0 && numbers[i] == -1 && open < 0;
        if (rest)
            open = i;
        else if (numbers[i] < 1 || product * (size_t)numbers[i] > MOST_ELEMENTS)
            count = -1;
        else
            product *= (size_t)numbers[i];
        of->shape[i] = rest ? 1 : (size_t)numbers[i];
    }
    if (count < 0) {
        complain("%s takes sizes from 1 up, at most %d, of %d elements at the most, as 2,3,4, not "
                 "'%s'",
                 what, FPFMT_VIEW_RANK_MAX, MOST_ELEMENTS, quoted(text, strlen(text)));
        return false;
    }
    of->rank = count;
    if (open >= 0)
        of->shape[open] = size / product;
    if (size > 0 && elements_of(of) != size) {
        complain("%s %s does not have the %zu elements that there are", what, text, size);
        return false;
    }
    return true;
}

/* An axis, counted from the end if negative; false if there is none. */
static bool find_axis(const layout *of, long number, int *axis)
{
    *axis = (int)(number < 0 ? number + of->rank : number);
    return *axis >= 0 && *axis < of->rank;
}

/* ---- operations ---- */

bool apply_transpose(layout *of, const char *text, copying *made_copy)
{
    long numbers[FPFMT_VIEW_RANK_MAX];
    int order[FPFMT_VIEW_RANK_MAX], a, b;
    (void)made_copy;
    if (read_list(numbers, text) != 2 || !find_axis(of, numbers[0], &a) ||
        !find_axis(of, numbers[1], &b)) {
        complain("transpose takes two axes from 0 to %d, as 0,1, not '%s'", of->rank - 1,
                 quoted(text, strlen(text)));
        return false;
    }
    for (int i = 0; i < of->rank; i++)
        order[i] = i == a ? b : i == b ? a : i;
    permute(of, order);
    return true;
}

bool apply_permute(layout *of, const char *text, copying *made_copy)
{
    long numbers[FPFMT_VIEW_RANK_MAX];
    int order[FPFMT_VIEW_RANK_MAX], count = read_list(numbers, text);
    bool seen[FPFMT_VIEW_RANK_MAX] = { false }, good = count == of->rank;
    (void)made_copy;
    for (int i = 0; i < count && good; i++) {
        good = find_axis(of, numbers[i], &order[i]) && !seen[order[i]];
        if (good)
            seen[order[i]] = true;
    }
    if (good)
        permute(of, order);
    else
        complain("permute takes each of the axes 0 to %d once, not '%s'", of->rank - 1,
                 quoted(text, strlen(text)));
    return good;
}

bool apply_reshape(layout *of, const char *text, copying *made_copy)
{
    layout shaped = { 0 };
    if (!read_shape(&shaped, text, "reshape", elements_of(of)))
        return false;
    reshape_or_copy(of, &shaped, made_copy);
    return true;
}

/* The part of a slice for one axis: an index, or start:stop:step with what is left out to the ends.
 * *keeps says whether the axis stays; false if it is none or leaves nothing. */
static bool slice_axis(const char **text, size_t size, long *start, long *length, long *step,
                       bool *keeps)
{
    const long n = (long)size;
    long stop = 0;
    bool has_start = read_number(text, start);
    *step = 1;
    *keeps = **text == ':';
    if (!*keeps) {
        *start += *start < 0 ? n : 0;
        *length = 1;
        return has_start && *start >= 0 && *start < n;
    }
    ++*text;
    bool has_stop = read_number(text, &stop);
    if (**text == ':') {
        ++*text;
        read_number(text, step);
    }
    if (*step == 0)
        return false;
    long first = *step > 0 ? 0 : -1, last = *step > 0 ? n : n - 1;
    *start = !has_start ? (*step > 0 ? 0 : n - 1) : *start < 0 ? *start + n : *start;
    stop = !has_stop ? (*step > 0 ? n : -1) : stop < 0 ? stop + n : stop;
    *start = *start < first ? first : *start > last ? last : *start;
    stop = stop < first ? first : stop > last ? last : stop;
    *length =
        *step > 0 ? (stop - *start + *step - 1) / *step : (*start - stop - *step - 1) / -*step;
    return *length > 0;
}

bool apply_slice(layout *of, const char *text, copying *made_copy)
{
    const char *at = text;
    layout made = { .offset = of->offset };
    bool good = true, more = true;
    (void)made_copy;
    for (int i = 0; i < of->rank && good; i++) {
        long start = 0, length = (long)of->shape[i], step = 1;
        bool keeps = true;
        if (more)
            good = slice_axis(&at, of->shape[i], &start, &length, &step, &keeps);
        made.offset += start * of->strides[i];
        if (keeps) {
            made.shape[made.rank] = (size_t)length;
            made.strides[made.rank++] = of->strides[i] * step;
        }
        good = good && (!more || *at == ',' || *at == '\0');
        more = more && *at == ',';
        at += more;
    }
    if (!good || more || *at != '\0') {
        complain("slice takes an index or start:stop:step for each axis, as 0:2,:,::-1, which "
                 "leaves something of it, not '%s'",
                 quoted(text, strlen(text)));
        return false;
    }
    *of = made;
    return true;
}
