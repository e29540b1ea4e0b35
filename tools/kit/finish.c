/* finish.c - the end of a run
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <string.h>

#include "kit/files.h"
#include "kit/memory.h"
#include "kit/replace.h"
#include "kit/run.h"
#include "kit/say.h"

/* Output may be lost as late as here, when the last of it leaves the buffer of its stream. */
int finish_run(kit_run *run)
{
    errno = 0;
    if (fflush(run->out) != 0 || ferror(run->out))
        complain("standard output: %s", errno != 0 ? strerror(errno) : "write error");
    abandon_all_replacements();
    close_all_files();
    release_all();
    return run->status;
}
