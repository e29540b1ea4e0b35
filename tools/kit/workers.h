/* workers.h - threads that share the pieces of one piece of work
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_WORKERS_H
#define FPFMT_KIT_WORKERS_H

/* Calls work(context, 0) to work(context, count - 1), each in a thread of its own but the first,
 * and waits for all of them. Where there are no more threads to be had, fewer do the work: each
 * call has to go on until nothing is left. They allocate nothing of the run's, and complain only
 * one at a time. */
void work_together(unsigned count, void (*work)(void *context, unsigned number), void *context);

/* The processors of this machine, at least 1. */
unsigned processors(void);

#endif
