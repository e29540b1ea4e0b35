/* list.c - lists of words separated by commas, as options take them
 * SPDX-License-Identifier: MIT */

#include "kit/list.h"

#include <string.h>
#include <strings.h>

#include "kit/memory.h"
#include "kit/say.h"

char *list_item(const char *list, size_t index)
{
    for (; index > 0; index--) {
        list = strchr(list, ',');
        if (list == NULL)
            return NULL;
        list++;
    }
    return copy_text(list, strcspn(list, ","));
}

size_t list_length(const char *list)
{
    size_t n = 1;
    for (; (list = strchr(list, ',')) != NULL; list++)
        n++;
    return n;
}

bool has_all_items(const char *list)
{
    const char *end = list + strlen(list);
    bool good = end > list && *list != ',' && end[-1] != ',' && strstr(list, ",,") == NULL;
    if (!good && end == list)
        complain("an empty list; one or more names were expected");
    else if (!good)
        complain("an item of the list '%s' is empty", quoted(list, strlen(list)));
    return good;
}

bool is_word_of(const char *list, const char *text)
{
    size_t length = strlen(text);
    while (list != NULL && *list != '\0') {
        size_t n = strcspn(list, " ");
        if (n == length && strncasecmp(list, text, n) == 0)
            return true;
        list += n + strspn(list + n, " ");
    }
    return false;
}
