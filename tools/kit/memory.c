/* memory.c - memory that belongs to the run
 * SPDX-License-Identifier: MIT */

#include "kit/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kit/run.h"
#include "kit/say.h"

/* Stands before each piece of memory, and leads to those taken before and after it. The alignment
 * is that of what malloc returns, which the piece behind the block must keep. */
struct memory_block {
    _Alignas(max_align_t) struct memory_block *before, *after;
};

static struct memory_block *block_of(void *memory)
{
    return memory == NULL ? NULL : (struct memory_block *)memory - 1;
}

/* The neighbours of a block that moved, or that is new, lead to where it is now. */
static void *link_block(kit_run *run, struct memory_block *block)
{
    if (block->before != NULL)
        block->before->after = block;
    if (block->after != NULL)
        block->after->before = block;
    else
        run->blocks = block;
    return block + 1;
}

void end_of_memory(void)
{
    complain("out of memory");
    stop_run();
}

void *resize(void *old, size_t count, size_t size)
{
    kit_run *run = this_run();
    size_t most = (SIZE_MAX - sizeof(struct memory_block)) / (size > 0 ? size : 1);
    struct memory_block *block = NULL;
    if (count <= most && ++run->allocations != run->fails_at)
        block = realloc(block_of(old), sizeof *block + count * size);
    if (block == NULL)
        end_of_memory();
    if (old == NULL) {
        block->before = run->blocks;
        block->after = NULL;
    }
    return link_block(run, block);
}

void *allocate(size_t count, size_t size)
{
    void *memory = resize(NULL, count, size);
    return memset(memory, 0, count * size);
}

void *more(void *list, size_t count, size_t size)
{
    bool full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, 8, ... items have all room there is */
    return full ? resize(list, count == 0 ? 1 : 2 * count, size) : list;
}

char *copy_text(const char *text, size_t length)
{
    char *copy = resize(NULL, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void release(void *memory)
{
    struct memory_block *block = block_of(memory);
    if (block == NULL)
        return;
    if (block->before != NULL)
        block->before->after = block->after;
    if (block->after != NULL)
        block->after->before = block->before;
    else
        this_run()->blocks = block->before;
    free(block);
}

void release_all(void)
{
    kit_run *run = this_run();
    while (run->blocks != NULL)
        release(run->blocks + 1);
}
