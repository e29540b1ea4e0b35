/* main.c - fpcast: a checkpoint into other formats, and back
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "command/fpcast.h"
#include "kit/run.h"

int main(int argc, char **argv)
{
    return perform_run("fpcast", fpcast, argc, argv, stdin, stdout, stderr);
}
