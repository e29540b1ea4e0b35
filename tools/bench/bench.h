/* bench.h - what takes part in a measurement, and what comes out
 * SPDX-License-Identifier: MIT */

#ifndef FPBENCH_BENCH_H
#define FPBENCH_BENCH_H

#include <fpfmt.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct contender contender;

/* n elements from one array to another; false if they were refused. */
typedef bool pass(const contender *it, void *to, const void *from, size_t n);

enum { MOST_ROUNDS = 64 };

/* One that takes part: a set of kernels, a peer, or what both are compared with. */
struct contender {
    const char *operation, *set;
    pass *run;
    const fpfmt_plan *plan, *source; /* of our sets; source is what convert reads */
    const fpfmt_format *format;
    size_t read, write; /* bytes of an element, of all operands together */
    size_t operands;
    size_t count, repeats; /* elements of a pass, and passes of a sample */
    size_t rounds;
    double seconds[MOST_ROUNDS]; /* for an element, round by round */
};

/* Operands lie in one array, one behind the other. */
typedef struct {
    const char *name;
    pass *run;
    size_t reads, writes; /* bytes of an element, of one operand; 0 for those of a code */
    size_t operands;
    pass *limit;     /* NULL: the streaming limit */
    bool is_call;    /* of the scalar functions, one element at a time: no sets */
    bool is_product; /* of square matrices: an element is one product */
} array_operation;

/* How many elements, or the side of a matrix; bytes 0 stands for an array that no cache holds. */
typedef struct {
    const char *name;
    size_t bytes;    /* of float and double values */
    size_t elements; /* of a short call; else 0 */
    size_t side;     /* of a matrix; else 0 */
} array_size;

typedef struct {
    const char *name;
    fpfmt_policy policy;
} rounding_mode;

/* Words are separated by blanks; each combination is measured. */
typedef struct {
    const char *operation, *formats, *modes, *sizes, *data;
} bench_case;

/* The inputs of one measurement. A format a->b is of codes that are converted. */
typedef struct {
    const array_operation *operation;
    const rounding_mode *mode;
    const array_size *size;
    const char *format_name, *data; /* mixed or weights */
    fpfmt_format format, source;    /* source is what the codes that are read are of */
    size_t n, read, write;
} trial;

typedef struct {
    const char *operation, *set, *mode, *size;
    char format[2 * FPFMT_NAME_SIZE], data[16];
    bool ours;
    double ns, to_limit, to_memcpy; /* ns for an element; NaN where nothing is compared */
} result;

/* Results so far; memory of the run. */
typedef struct {
    result *rows;
    size_t count;
} result_list;

/* ---- cases.c ---- */

extern const bench_case chosen_cases[], all_cases[]; /* both end with an operation of NULL */

const array_operation *operation_named(const char *name);
const array_size *size_named(const char *name);
const rounding_mode *mode_named(const char *name);

/* Without a plan, measured beside the plan calls of encode_f32 at this many elements. */
#define ONE_SHOT "one_shot_encode_f32"
enum { ONE_SHOT_ELEMENTS = 16 };
bool one_shot(const contender *it, void *to, const void *from, size_t n);

/* Copies the next word of *list and moves on; false past the last. */
bool next_word(char *word, size_t size, const char **list);

/* What the smaller ratio, and what a second, should reach; 0 where there is no bar. */
double ratio_bar(const result *of);
double rate_bar(const result *of);
#define ONE_SHOT_BAR 15.0 /* ns above the plan's call */
#define DATA_BAR 0.1      /* how much longer or shorter mixed data may take than weights */

/* Operand index of an array of n elements. */
const void *operand_at(const contender *it, const void *from, size_t n, size_t index);

/* ---- limits.c: the streaming limit, and plain loops over float ---- */

pass *limit_pass(size_t read, size_t write);
pass plain_add, plain_multiply, plain_divide, plain_fma;
size_t limit_vector(void); /* bytes of its vectors */

/* ---- peers.c, onednn.c, eigen.cc ---- */

/* What another project converts, to nearest, ties to even. Tables end with a name of NULL. */
typedef struct {
    const char *name, *operation, *formats;
    pass *run;
} peer;
extern const peer onednn_peers[], eigen_peers[], matrix_peers[];

/* ---- blocks.c ---- */

pass mx_quantize, mx_dequantize, nvfp4_quantize, nvfp4_dequantize, plain_encode, plain_decode;

/* ---- places.c ---- */

pass view_rows_12, view_rows_32, view_rows_64, view_rows_128, view_transpose;
pass view_transpose_decode, encode_packed, decode_packed, encode_flags, statistics;

/* ---- matrix.c ---- */

pass gemm_single, gemm_bfloat, gemm_half, gemm_transposed, plain_gemm, engine_dot;
pass *gemm_limit(void); /* NULL without a library to compare with */

/* Peer index of those that can do this; false past the last. */
bool peer_at(size_t index, const trial *it, contender *who);
void name_peers(FILE *out);

/* ---- rounds.c ---- */

size_t count_elements(const array_size *size, size_t widest, size_t operands); /* or products */
void prepare_arrays(void);
void fill_source(const trial *it);

/* All of them, interleaved. NULL, or the one that refused. */
const contender *measure(contender *all, size_t count, const trial *it, bool quick);
double median_ns(const contender *it);
double median_ratio(const contender *reference, const contender *it);

/* ---- results.c ---- */

/* Lines of the output of the run. */
void print_heading(bool tsv);
void print_result(const result *it, bool tsv);

void keep_result(result_list *all, const result *it);
double smaller_ratio(const result *it);

/* Which results fall short of what should be reached. */
void judge_results(FILE *out, const result_list *kept);

#ifdef __cplusplus
}
#endif

#endif
