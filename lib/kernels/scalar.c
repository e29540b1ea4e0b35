/* scalar.c - the complete set, in plain C: what every other is held to
 * SPDX-License-Identifier: MIT */

/* For every processor. It has the conversions and tallies alone: arithmetic goes by fpfmt_operate
 * and products by fpfmt_dot, one by one, which is what NULL says in the other members. */

#include "draw.h"
#include "kernel.h"
#include "scalar.h"

#define PHILOX scalar_philox

#define WORD_BITS 32
#include "loops.h"
#include "end.h"

#define WORD_BITS 64
#include "loops.h"
#include "end.h"

#include "scalar_tally.h"

static bool runs_everywhere(void)
{
    return true;
}

const fpfmt_kernels fpfmt_scalar_kernels = {
    .name = "scalar",
    .runs_here = runs_everywhere,
    .encode = { encode_loop_32, encode_loop_64 },
    .round = { round_loop_32, round_loop_64 },
    .decode = { decode_loop_32, decode_loop_64 },
    .tally = tally_pairs,
};
