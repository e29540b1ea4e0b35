/* avx2.c - kernels of 256-bit vectors
 * SPDX-License-Identifier: MIT */

#include "kernel.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#include "draw.h"
#include "x86.h"

#define TARGET __attribute__((target("avx2,f16c,fma")))
#define VECTOR_BYTES 32
#include "vectors.h"

#define PHILOX scalar_philox

#define WORD_BITS 32
#include "loops.h"
#include "end.h"

#define WORD_BITS 64
#include "loops.h"
#include "end.h"

const fpfmt_kernels fpfmt_avx2_kernels = {
    .name = "avx2",
    .runs_here = fpfmt_has_avx2,
    .encode = { encode_loop_32, encode_loop_64 },
    .round = { round_loop_32, round_loop_64 },
    .decode = { decode_loop_32, decode_loop_64 },
};

#endif
