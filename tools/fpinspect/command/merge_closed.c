/* merge_closed.c - no adding up of reports, in a build without jansson
 * SPDX-License-Identifier: MIT */

#include "command/scan.h"
#include "kit/say.h"

void run_merge(const request *chosen)
{
    (void)chosen;
    complain("this program was built without jansson, which reads the reports of --merge");
}
