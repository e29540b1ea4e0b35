/* matmul.c - one product of tensors with named axes
 * SPDX-License-Identifier: MIT */

#include "facts/matmul.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"

const field axis_fields[] = {
    FIELD("axis", FIELD_STRING, axis, name),
    FIELD("size", FIELD_DECIMAL, axis, size),
    FIELD("summed", FIELD_BOOL, axis, summed),
    { .name = NULL },
};

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
    print_text(found->name, sizeof found->name, "%s", name);
    return found;
}

/* A size that an axis has already may be said again, but not changed. */
static bool read_size(axis *one, const char *text)
{
    amount size = { .text = NULL };
    if (!read_amount(&size, "matmul", text, AMOUNT_COUNT))
        return false;
    if (one->size.exists && compare(one->size.ratio, size.value) != 0) {
        complain("axis '%s' of --matmul has two sizes", one->name);
        return false;
    }
    one->size = (maybe_ratio){ true, size.value };
    one->size_text = size.text;
    return true;
}

/* NAME or NAME=SIZE, cut up at the equals sign. Of the result no axis is new. */
static bool read_axis(matmul *made, char *item, unsigned in)
{
    static const char letters[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    enum { DIGITS = 10 }; /* with which no name begins */
    char *equals = strchr(item, '=');
    if (equals != NULL)
        *equals = '\0';
    size_t length = strlen(item);
    if (length == 0 || length >= AXIS_SIZE || strspn(item, letters) < length ||
        strchr(letters + DIGITS, item[0]) == NULL) {
        complain("'%s' is no name of an axis: letters, digits and _, %d at the most",
                 quoted(item, length), AXIS_SIZE - 1);
        return false;
    }
    axis *one = in == IN_RESULT ? find_axis(made, item) : add_axis(made, item);
    if (in == IN_RESULT && one == NULL)
        complain("axis '%s' of the result of --matmul is in no operand", item);
    else if (one != NULL && (one->in & in) != 0)
        complain("axis '%s' is twice in one place of --matmul", item);
    else if (one != NULL) {
        one->in |= in;
        return equals == NULL || read_size(one, equals + 1);
    }
    return false;
}

/* A list of axes, cut up between them. */
static bool read_axes(matmul *made, char *list, unsigned in)
{
    static const char blanks[] = " \t";
    size_t count = 0;
    char *rest;
    for (char *item = strtok_r(list, blanks, &rest); item != NULL; count++) {
        if (!read_axis(made, item, in))
            return false;
        item = strtok_r(NULL, blanks, &rest);
    }
    if (count == 0)
        complain("--matmul has a tensor without axes; it takes 'batch seq hidden, hidden out'");
    return count > 0;
}

/* What follows from where the axes stand. Without a result the product has all axes but those that
 * meet. */
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
        one->summed = (one->in & IN_RESULT) == 0;
        if (one->summed && !both) {
            complain("axis '%s' of --matmul is in one operand alone and not in the result",
                     one->name);
            return false;
        }
        sums |= one->summed;
        if (one->size.exists)
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

/* Whether a text was cut into its tensors; result is NULL where there is none. */
static bool cut_tensors(char *text, char **right, char **result)
{
    *result = strstr(text, "->");
    *right = strchr(text, ',');
    if (*right == NULL || (*result != NULL && *right > *result) || strchr(*right + 1, ',') != NULL)
        return false;
    *(*right)++ = '\0';
    if (*result != NULL) {
        **result = '\0';
        *result += 2;
    }
    return true;
}

bool read_matmul(matmul *made, const char *text)
{
    enum { LONGEST = 1023 }; /* so that a formula of all sizes fits in a number */
    char *right, *result;
    memset(made, 0, sizeof *made);
    made->flops = exact_whole(0);
    if (strlen(text) > LONGEST) {
        complain("--matmul takes %d characters at the most", LONGEST);
        return false;
    }
    char *left = copy_text(text, strlen(text));
    if (!cut_tensors(left, &right, &result)) {
        complain("--matmul takes two tensors, as 'batch seq hidden, hidden out', not '%s'",
                 quoted(text, strlen(text)));
        return false;
    }
    if (!read_axes(made, left, IN_LEFT) || !read_axes(made, right, IN_RIGHT) ||
        (result != NULL && !read_axes(made, result, IN_RESULT)) || !settle(made, result != NULL))
        return false;
    if (made->sized)
        made->flops = exact_whole(2);
    for (size_t i = 0; made->sized && i < made->count; i++)
        made->flops = times(made->flops, made->axes[i].size.ratio);
    return true;
}
