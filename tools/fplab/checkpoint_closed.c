/* checkpoint_closed.c - where there is no library for JSON, checkpoints are written but not read
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "checkpoint.h"
#include "kit/say.h"

bool open_checkpoint(checkpoint *from, const char *path)
{
    *from = (checkpoint){ .path = path };
    complain("%s: checkpoints are not read here: fplab was built without jansson",
             quoted(path, strlen(path)));
    return false;
}

void close_checkpoint(checkpoint *from)
{
    (void)from;
}

const char *checkpoint_word(const checkpoint *from, const char *name)
{
    (void)from;
    (void)name;
    return NULL;
}

bool checkpoint_seed(const checkpoint *from, uint64_t *seed)
{
    (void)from;
    (void)seed;
    return false;
}

bool same_data(const checkpoint *from, const dataset *data)
{
    (void)from;
    (void)data;
    return false;
}

bool restore_run(train_run *run, const checkpoint *from, bool without_states)
{
    (void)run;
    (void)from;
    (void)without_states;
    return false;
}
