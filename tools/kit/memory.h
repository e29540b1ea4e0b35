/* memory.h - memory that belongs to the run
 * SPDX-License-Identifier: MIT
 *
 * None of these returns NULL: a run without memory says so and ends (see run.h). What is not
 * released ends with the run. */

#ifndef FPFMT_KIT_MEMORY_H
#define FPFMT_KIT_MEMORY_H

#include <stddef.h>

/* Room for count items of this size, all bytes 0. */
void *allocate(size_t count, size_t size);

/* old, which may be NULL, with room for count items of this size: what it held is kept as far as
 * that goes, and what is new is undefined. */
void *resize(void *old, size_t count, size_t size);

/* list, which holds count items of this size, with room for one more. The room doubles when the
 * count reaches a power of two, so that a list of n items is moved log2 n times; no other function
 * may have given list its room. NULL and 0 begin a list. */
void *more(void *list, size_t count, size_t size);

/* A copy of so many characters, and a NUL. */
char *copy_text(const char *text, size_t length);

/* The end of what one of these gave; NULL is nothing. */
void release(void *memory);

/* Ends a run that has no memory, with that sentence. */
_Noreturn void end_of_memory(void);

/* The end of all that the run still has. */
void release_all(void);

#endif
