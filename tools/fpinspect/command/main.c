/* main.c - fpinspect: what a number becomes in a floating-point format, exactly
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "command/fpinspect.h"
#include "kit/run.h"

int main(int argc, char **argv)
{
    return perform_run("fpinspect", fpinspect, argc, argv, stdin, stdout, stderr);
}
