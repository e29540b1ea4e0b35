/* scan.h - what formats would do to the values of a tensor
 * SPDX-License-Identifier: MIT
 *
 * Everything that is counted or summed up is exact and adds up: pieces of a tensor in any order,
 * and reports of other scans, give the bits of the whole. */

#ifndef FPINSPECT_SCAN_H
#define FPINSPECT_SCAN_H

#include "kit/records.h"
#include "kit/tensorfile/elements.h"
#include "values/request.h"

/* Binades of binary64, of which every value is one: 2^-1074 to 2^1023. */
enum { BINADE_LEAST = -1074, BINADES = 2098 };

/* Values as they are in the file. */
typedef struct {
    uint64_t count, zero, nan, infinite;
    fpfmt_value least, largest;  /* magnitudes that are finite and not 0; of kind zero: none */
    uint64_t in_binade[BINADES]; /* of those, from 2^e to below 2^(e + 1) */
    uint64_t powers[BINADES];    /* those of them that are 2^e */
} value_counts;

/* One element that lost much. */
typedef struct {
    uint64_t index;
    double value, result; /* exact, as all values are */
    double relative;      /* |result - value| / |value| as binary64 has it, for the order */
    uint64_t code, scale; /* of the element, and of its block's scale */
} element_loss;

/* A format and a policy, or a block format and a recipe. */
typedef struct {
    const char *name, *variant; /* variant: the policy or the recipe, where there are several */
    const char *policy_name, *round; /* as reports have them */
    const fpfmt_block *block;        /* NULL: a plain format */
    fpfmt_format format;             /* of elements */
    fpfmt_policy policy;
    fpfmt_recipe recipe;
    fpfmt_plan plan;
    fpfmt_block_plan *blocks;
} scan_target;

typedef struct {
    scan_target *rows;
    size_t count;
    uint64_t rows_together; /* rows of a tensor whose elements share scales; UINT64_MAX: all */
    bool row_together;      /* a row is in one block */
    bool whole_first;       /* a block format has a scale of the tensor, for which all is read first
                             */
} target_list;

/* What became of a tensor in one target. */
typedef struct {
    fpfmt_stats stats;
    element_loss *worst; /* the worst first */
    size_t worst_count;
} scan_column;

/* A tensor, or all of them. */
typedef struct {
    const char *file, *tensor, *scheme; /* tensor NULL: all of them */
    const char *type, *format; /* as the file names it, and as formats and block formats are */
    char shape[200];           /* sizes, separated by blanks */
    value_counts values;
    scan_column *columns; /* as many as targets */
} scan_result;

/* A target by its name, and by its policy or recipe where there are several. */
enum { TARGET_NAME = 80 };
void name_target(char text[TARGET_NAME], const scan_target *target);

/* Prepares the targets of --as, --policy and --recipe; false after a complaint. */
bool make_targets(target_list *made, const request *chosen);

/* Room for a result with so many of the worst elements, all zero; zeros again; and its end. */
scan_result *new_result(const target_list *targets, size_t worst);
void clear_result(scan_result *of, size_t columns);
void release_result(scan_result *of, size_t columns);

/* Adds a piece of a tensor to the result; width is the length of its rows. scales are those of the
 * tensor, one for each target, and room is the caller's; of the columns only the stats are made. */
typedef struct {
    double *widened; /* the values as doubles, and what they became */
    double *rounded;
    void *codes, *scales;
} scan_room;
scan_room new_room(size_t elements, const target_list *targets, bool worst);
void release_room(scan_room *room);
void scan_piece(scan_result *to, const target_list *targets, const element_piece *piece,
                uint64_t width, const fpfmt_tensor_scale *scales, const scan_room *room);

/* Only the values of it are counted. */
void count_piece(value_counts *to, const element_piece *piece);

/* The elements of a piece that lose most take their places among those of the result. */
void find_worst(scan_result *to, const target_list *targets, size_t most,
                const element_piece *piece, uint64_t width, const fpfmt_tensor_scale *scales,
                const scan_room *room);

/* The outcome of the rounding of such an element, FPFMT_OUTCOME_... */
unsigned status_of_loss(const scan_target *target, const element_loss *loss);

/* The scale of a tensor with these values for each target; 1 for those that have none. */
void scale_tensors(fpfmt_tensor_scale *scales, const target_list *targets,
                   const value_counts *values);

void add_values(value_counts *to, const value_counts *more);

/* Adds what is in more, of which the worst so many elements are kept: none in sums of tensors. */
void add_result(scan_result *to, const scan_result *more, size_t columns, size_t worst);

/* The power of two that values are best multiplied by before they are rounded: the smallest with
 * the fewest zeros and nothing past the largest. False where none is better than 1, and where it
 * does not depend on magnitudes alone. */
bool best_scale(int *exponent, const scan_target *target, const value_counts *values);

/* The root of the mean of the squared relative errors; false where there is none. */
bool rms_relative(double *made, const fpfmt_stats *stats, const value_counts *values);

/* How a format holds the values of a binade. */
typedef enum { HELD_NORMAL, HELD_SUBNORMAL, HELD_ZERO, HELD_OVER } binade_fate;
binade_fate fate_of(const scan_target *target, int binade);

#endif
