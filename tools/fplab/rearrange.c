/* rearrange.c - axes by name: 'batch seq hidden -> batch hidden seq'
 * SPDX-License-Identifier: MIT
 *
 * An axis of the left side in parentheses is divided, and axes in parentheses on the right become
 * one: 'b s (h d) -> b h s d, h=4'. Dividing and reordering are strides; joining may need a copy.
 */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kit/options.h"
#include "kit/say.h"
#include "layout.h"

enum { LONGEST = 24 };

/* One side: names in order, and the group of each. */
typedef struct {
    int count, groups;
    char name[FPFMT_VIEW_RANK_MAX][LONGEST];
    int group[FPFMT_VIEW_RANK_MAX];
} side;

typedef struct {
    side left, right;
    size_t size[FPFMT_VIEW_RANK_MAX]; /* of the names of the left; 0 if not known */
} pattern;

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ')
        at++;
    return at;
}

static int find_name(const side *in, const char *name)
{
    for (int i = 0; i < in->count; i++)
        if (strcmp(in->name[i], name) == 0)
            return i;
    return -1;
}

/* A name at *at, which moves behind it. */
static bool read_name(const char **at, char name[LONGEST])
{
    size_t length = 0;
    while (is_name((*at)[length]))
        length++;
    if (length == 0 || length >= LONGEST)
        return false;
    snprintf(name, LONGEST, "%.*s", (int)length, *at);
    *at += length;
    return true;
}

/* Up to the first character that is neither name, blank nor parenthesis; false after a complaint.
 */
static bool read_side(side *made, const char **at)
{
    bool inside = false;
    for (*at = skip_blanks(*at); is_name(**at) || **at == '(' || **at == ')';
         *at = skip_blanks(*at)) {
        char name[LONGEST];
        bool opens = **at == '(', closes = **at == ')';
        if (opens == inside && (opens || closes)) {
            complain("rearrange: parentheses do not match");
            return false;
        }
        made->groups += opens;
        if (opens || closes) {
            inside = opens;
            ++*at;
            continue;
        }
        if (made->count == FPFMT_VIEW_RANK_MAX || !read_name(at, name)) {
            complain("rearrange takes %d axes at the most, with names of at most %d letters",
                     FPFMT_VIEW_RANK_MAX, LONGEST - 1);
            return false;
        }
        if (find_name(made, name) >= 0) {
            complain("rearrange: '%s' stands twice on one side", name);
            return false;
        }
        strcpy(made->name[made->count], name);
        made->groups += !inside;
        made->group[made->count++] = made->groups - 1;
    }
    if (inside)
        complain("rearrange: parentheses do not match");
    return !inside;
}

/* ", h=4 d=2" behind the right side. */
static bool read_sizes(pattern *made, const char *at)
{
    for (at += strspn(at, ", "); *at != '\0'; at += strspn(at, ", ")) {
        char name[LONGEST];
        uint64_t size;
        size_t digits;
        if (!read_name(&at, name) || *at != '=' || (digits = strspn(at + 1, "0123456789")) == 0) {
            complain("rearrange: '%s' is not understood; sizes stand behind a comma, as h=4",
                     quoted(at, strlen(at)));
            return false;
        }
        int found = find_name(&made->left, name);
        if (found < 0) {
            complain("rearrange: '%s' has a size, but is not on the left", name);
            return false;
        }
        char text[LONGEST], what[LONGEST + 16];
        snprintf(text, sizeof text, "%.*s", (int)digits, at + 1);
        snprintf(what, sizeof what, "rearrange: axis %s", name);
        if (!read_whole(&size, text, what, 1, MOST_ELEMENTS))
            return false;
        made->size[found] = (size_t)size;
        at += 1 + digits;
    }
    return true;
}

static bool same_names(const pattern *made)
{
    const side *sides[] = { &made->left, &made->right };
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < sides[s]->count; i++)
            if (find_name(sides[1 - s], sides[s]->name[i]) < 0) {
                complain("rearrange: '%s' is on the %s only", sides[s]->name[i],
                         s == 0 ? "left" : "right");
                return false;
            }
    return true;
}

static bool read_pattern(pattern *made, const char *text)
{
    const char *at = text;
    if (!read_side(&made->left, &at))
        return false;
    if (strncmp(at, "->", 2) != 0) {
        complain("rearrange takes axes, -> and the same axes in another order, as 'batch seq "
                 "hidden -> batch hidden seq', not '%s'",
                 quoted(text, strlen(text)));
        return false;
    }
    at += 2;
    return read_side(&made->right, &at) && same_names(made) && read_sizes(made, at);
}

/* Divides the axes of a layout as the left side has them; false after a complaint. */
static bool divide(layout *of, pattern *by)
{
    layout made = { .rank = by->left.count, .offset = of->offset };
    if (by->left.groups != of->rank) {
        complain("rearrange: the left side has %d axes, and the tensor %d", by->left.groups,
                 of->rank);
        return false;
    }
    for (int end = by->left.count; end > 0;) {
        int group = by->left.group[end - 1], first = end, open = -1;
        size_t known = 1, whole = of->shape[group];
        for (; first > 0 && by->left.group[first - 1] == group; first--) {
            known *= by->size[first - 1] > 0 ? by->size[first - 1] : 1;
            open = by->size[first - 1] == 0 ? first - 1 : open;
        }
        if (open >= 0 && known <= whole && whole % known == 0) {
            by->size[open] = whole / known;
            known = whole;
        }
        ptrdiff_t stride = of->strides[group];
        for (int i = end - 1; i >= first; i--) {
            if (by->size[i] == 0 || known != whole) {
                complain("rearrange: axis %d has %zu elements, which '%s' does not fit; give all "
                         "sizes but one",
                         group, whole, by->left.name[i]);
                return false;
            }
            made.shape[i] = by->size[i];
            made.strides[i] = stride;
            stride *= (ptrdiff_t)by->size[i];
        }
        end = first;
    }
    *of = made;
    return true;
}

bool apply_rearrange(layout *of, const char *text, copying *made_copy)
{
    pattern read = { 0 };
    layout joined = { 0 };
    int order[FPFMT_VIEW_RANK_MAX];
    if (!read_pattern(&read, text) || !divide(of, &read))
        return false;
    joined.rank = read.right.groups;
    for (int i = 0; i < joined.rank; i++)
        joined.shape[i] = 1;
    for (int i = 0; i < read.right.count; i++) {
        order[i] = find_name(&read.left, read.right.name[i]);
        joined.shape[read.right.group[i]] *= read.size[order[i]];
    }
    permute(of, order);
    reshape_or_copy(of, &joined, made_copy);
    return true;
}
