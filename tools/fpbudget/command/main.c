/* main.c - fpbudget: what training a model keeps in memory and computes, exactly
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "command/fpbudget.h"
#include "kit/run.h"

int main(int argc, char **argv)
{
    return perform_run("fpbudget", fpbudget, argc, argv, stdin, stdout, stderr);
}
