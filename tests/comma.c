/* comma.c - a locale whose decimal point is a comma
 * SPDX-License-Identifier: MIT */

#define _POSIX_C_SOURCE 200809L /* setenv, getpid */

#include "comma.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8" };

static bool set_installed(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            return true;
    return false;
}

/* The folder of a locale of this process's own, for tests run side by side in one folder. */
static const char *own_folder(void)
{
    static char folder[64];
    snprintf(folder, sizeof folder, "./comma.%ld", (long)getpid());
    return folder;
}

static bool set_own(void)
{
    char command[256];
    snprintf(command, sizeof command,
             "mkdir -p %s && localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", own_folder(),
             own_folder(), own_folder());
    return system(command) == 0 && setenv("LOCPATH", own_folder(), 1) == 0 &&
           setlocale(LC_ALL, names[0]) != NULL;
}

bool enter_comma_locale(void)
{
    if (set_installed() || set_own())
        return CHECK(strcmp(localeconv()->decimal_point, ",") == 0,
                     "the locale has no decimal comma");
    leave_comma_locale();
    skip_test("there is no locale with a decimal comma, and localedef cannot make one");
    return false;
}

void leave_comma_locale(void)
{
    char command[80];
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf %s", own_folder());
    CHECK(system(command) == 0, "%s is left behind", own_folder());
}
