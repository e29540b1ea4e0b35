/* matmul.c - one product of tensors with named axes
 * SPDX-License-Identifier: MIT */

#include "matmul.h"

#include <stdio.h>
#include <string.h>

#include "../fpinspect/say.h"

bool is_summed(const axis *one)
{
    return (one->in & IN_RESULT) == 0;
}

static axis *find_axis(matmul *made, const char *name)
{
    for (size_t i = 0; i < made->count; i++)
        if (strcmp(made->axes[i].name, name) == 0)
            return &made->axes[i];
    return NULL;
}

static axis *add_axis(matmul *made, const char *name)
{
    axis *found = find_axis(made, name);
    if (found != NULL)
        return found;
    if (made->count == MOST_AXES) {
        complain("--matmul takes %d axes at the most", MOST_AXES);
        return NULL;
    }
    found = &made->axes[made->count++];
    snprintf(found->name, sizeof found->name, "%s", name);
    return found;
}

static bool read_size(axis *one, const char *text)
{
    amount size = { .text = NULL };
    if (!read_amount(&size, "matmul", text, AMOUNT_COUNT))
        return false;
    if (one->size.text != NULL && compare(one->size.value, size.value) != 0) {
        complain("axis '%s' of --matmul has two sizes", one->name);
        return false;
    }
    one->size = size;
    return true;
}

/* NAME or NAME=SIZE. The text of a size stays: word is kept by the caller. */
static bool read_axis(matmul *made, char *word, unsigned in)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    char *equals = strchr(word, '=');
    if (equals != NULL)
        *equals = '\0';
    size_t length = strlen(word);
    if (length == 0 || length >= AXIS_SIZE || strchr(letters, word[0]) == NULL ||
        word[strcspn(word, " !\"#$%&'()*+-./:;<=>?@[\\]^`{|}~")] != '\0') {
        complain("'%s' is no name of an axis: letters, digits and _, %d at the most",
                 quoted(word, length), AXIS_SIZE - 1);
        return false;
    }
    axis *one = in == IN_RESULT ? find_axis(made, word) : add_axis(made, word);
    if (in == IN_RESULT && one == NULL)
        complain("axis '%s' of the result of --matmul is in no operand", word);
    else if (one != NULL && (one->in & in) != 0)
        complain("axis '%s' is twice in one place of --matmul", word);
    else if (one != NULL) {
        one->in |= in;
        return equals == NULL || read_size(one, equals + 1);
    }
    return false;
}

/* A list of axes, which is cut up. */
static bool read_axes(matmul *made, char *list, unsigned in)
{
    size_t count = 0;
    for (char *word = strtok(list, " \t"); word != NULL; word = strtok(NULL, " \t"), count++)
        if (!read_axis(made, word, in))
            return false;
    if (count == 0)
        complain("--matmul has a tensor without axes; it takes 'batch seq hidden, hidden out'");
    return count > 0;
}

/* What follows from where the axes stand. */
static bool settle(matmul *made, bool has_result)
{
    bool sums = false;
    size_t sizes = 0;
    const char *unsized = NULL;
    for (size_t i = 0; i < made->count; i++) {
        axis *one = &made->axes[i];
        bool both = (one->in & IN_LEFT) != 0 && (one->in & IN_RIGHT) != 0;
        if (!has_result && !both)
            one->in |= IN_RESULT;
        if (is_summed(one) && !both) {
            complain("axis '%s' of --matmul is in one operand alone and not in the result",
                     one->name);
            return false;
        }
        sums |= is_summed(one);
        if (one->size.text != NULL)
            sizes++;
        else
            unsized = one->name;
    }
    if (!sums)
        complain("--matmul sums over nothing: no axis is in both operands%s",
                 has_result ? " and not in the result" : "");
    else if (sizes > 0 && unsized != NULL)
        complain("axis '%s' of --matmul has no size, and others have", unsized);
    made->sized = sizes > 0;
    return sums && (sizes == 0 || unsized == NULL);
}

bool read_matmul(matmul *made, const char *text)
{
    static char kept[1024]; /* sizes are shown as they were written */
    memset(made, 0, sizeof *made);
    if (strlen(text) >= sizeof kept) {
        complain("--matmul takes %zu characters at the most", sizeof kept - 1);
        return false;
    }
    strcpy(kept, text);
    char *result = strstr(kept, "->"), *right = strchr(kept, ',');
    if (result != NULL) {
        *result = '\0';
        result += 2;
    }
    if (right == NULL || (result != NULL && right > result) || strchr(right + 1, ',') != NULL) {
        complain("--matmul takes two tensors, as 'batch seq hidden, hidden out', not '%s'",
                 quoted(text, strlen(text)));
        return false;
    }
    *right++ = '\0';
    if (!read_axes(made, kept, IN_LEFT) || !read_axes(made, right, IN_RIGHT) ||
        (result != NULL && !read_axes(made, result, IN_RESULT)) || !settle(made, result != NULL))
        return false;
    made->flops = exact_whole(2);
    for (size_t i = 0; made->sized && i < made->count; i++)
        made->flops = times(made->flops, made->axes[i].size.value);
    return true;
}
