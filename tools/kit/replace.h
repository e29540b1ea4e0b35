/* replace.h - files that are replaced whole, or not at all
 * SPDX-License-Identifier: MIT
 *
 * The bytes are written to a new file beside the old one, PATH.PID-N.new, which then gets the name.
 * Signals that end a program wait while there is a new file; who writes for long asks between two
 * pieces whether one waits. What a program leaves that is killed for good, the next one removes.
 * The run knows its new files, and its end abandons those that are left. */

#ifndef FPFMT_KIT_REPLACE_H
#define FPFMT_KIT_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes of a file stand before the opening that files are known by. */
enum { REPLACE_BEFORE_OPENING = 8 };

typedef struct replacement replacement;

/* Can there be a file at the path? Removes new files of this path whose program has ended: files of
 * this user that no other program has locked, and that are empty or have as much of the opening as
 * follows byte 8; all of these where opening is NULL. What cannot be removed is told in a note.
 * False, and errno, which is EINVAL where something else than a file is. */
bool can_replace_file(const char *path, const char *opening);

/* A new file for the path, or for where it leads as a link; it will have the mode of the old one
 * and, where that is allowed, its owner. NULL, and errno. */
replacement *begin_replacement(const char *path);

/* Bytes behind those that are there, and at any place. False, and errno. */
bool write_replacement(replacement *to, const void *bytes, size_t n);
bool rewrite_replacement(replacement *to, uint64_t offset, const void *bytes, size_t n);

/* Bytes that were written. False, and errno. */
bool reread_replacement(replacement *from, uint64_t offset, void *bytes, size_t n);

/* How many bytes there are, up to the last that was written. */
uint64_t replacement_size(const replacement *of);

/* All bytes are on the disk, and as many as were written. False, and errno. */
bool settle_replacement(replacement *of);

typedef enum {
    REPLACED,
    REPLACED_FOR_NOW, /* errno says why a power cut may undo it: the folder is not on the disk */
    NOT_REPLACED      /* errno says why; what was there is still there, and the new file is gone */
} replacement_end;

/* Settles it, if that was not done, and gives it its name. */
replacement_end commit_replacement(replacement *of);

/* The new file is gone; errno stays. */
void abandon_replacement(replacement *of);

/* The same of all that the run has. Signals that waited come now. */
void abandon_all_replacements(void);

/* Does a signal wait that would end the program, were there no new file? */
bool is_interrupted(void);

#endif
