/* members.c - members of JSON objects
 * SPDX-License-Identifier: MIT */

#include "members.h"

#include <stdio.h>

#include "../fpinspect/records.h"

void name_member(const char **comma, const char *name)
{
    printf("%s\"%s\": ", *comma, name);
    *comma = ", ";
}

void text_item(const char *text)
{
    json_string(text);
}

void text_member(const char **comma, const char *name, const char *text)
{
    name_member(comma, name);
    if (text == NULL)
        fputs("null", stdout);
    else
        json_string(text);
}

void exact_member(const char **comma, const char *name, bool exists, exact value)
{
    number text;
    if (exists)
        print_exact(text, value);
    text_member(comma, name, exists ? text : NULL);
}

void bool_member(const char **comma, const char *name, bool value)
{
    name_member(comma, name);
    fputs(value ? "true" : "false", stdout);
}
