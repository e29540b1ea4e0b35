/* beside.h - new files beside old ones, and what is left of them
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_BESIDE_H
#define FPFMT_KIT_BESIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Room for what is put behind a path. */
enum { NEW_ROOM = 48 };

/* The path itself, or where it leads as a link, in memory of the run; NULL, and errno, if it is no
 * place for a file. */
char *resolve_path(const char *path);

/* A new file beside path, locked where locks are known, under a name that nothing has, for which
 * name has room; -1, and errno, if there cannot be one. */
int create_beside(const char *path, char *name, size_t room, mode_t mode);

/* The new file has the owner, the group and the mode of the old one, as far as that is allowed. */
void take_after(int descriptor, const struct stat *old);

/* The folder of the path is on the disk; false, and errno. */
bool keep_folder(const char *path);

/* Removes what programs left that have ended; see can_replace_file. False, and errno, if something
 * could not be. */
bool remove_left(const char *path, const char *opening);

#endif
