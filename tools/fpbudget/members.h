/* members.h - members of JSON objects
 * SPDX-License-Identifier: MIT */

#ifndef MEMBERS_H
#define MEMBERS_H

#include "exact.h"

/* Each is one member; *comma stands before it, and is a comma and a blank afterwards. */
void name_member(const char **comma, const char *name);                   /* its value follows */
void text_member(const char **comma, const char *name, const char *text); /* NULL is null */
void exact_member(const char **comma, const char *name, bool exists, exact value); /* a text */
void bool_member(const char **comma, const char *name, bool value);

/* A text in a list. */
void text_item(const char *text);

#endif
