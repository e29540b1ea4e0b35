/* main.c - fplab: experiments with numbers of few bits, exact and reproducible
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "fplab.h"
#include "kit/run.h"

int main(int argc, char **argv)
{
    return perform_run("fplab", fplab, argc, argv, stdin, stdout, stderr);
}
