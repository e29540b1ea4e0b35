/* replace.h - files that are replaced whole, or not at all
 * SPDX-License-Identifier: MIT
 *
 * The bytes are written to a new file beside the old one, PATH.PID-N.new, which then gets the name.
 * Signals that end a program wait until the new file has its name or is gone. What a program
 * leaves that is killed for good, the next one removes. */

#ifndef FPLAB_REPLACE_H
#define FPLAB_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes of a file stand before the opening that can_replace_file knows files by. */
enum { REPLACE_BEFORE_OPENING = 8 };

/* Can there be a file at the path? Removes new files of this path whose program has ended: files of
 * this user that no other program has locked, and that are empty or have as much of the opening
 * as follows byte 8. False, and errno, which is EINVAL where something else than a file is. */
bool can_replace_file(const char *path, const char *opening);

/* A file at the path, or where it leads as a link, has these bytes from now on. It keeps its mode
 * and, where that is allowed, its owner. False, and errno; then what was there is still there. */
bool replace_file(const char *path, const char *bytes, size_t size);

#endif
