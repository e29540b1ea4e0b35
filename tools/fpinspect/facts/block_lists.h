/* block_lists.h - the tables of block formats, recipes and code books as facts
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_BLOCK_LISTS_H
#define FPINSPECT_BLOCK_LISTS_H

#include "kit/records.h"
#include "values/request.h"

/* A block format: what its row says, and what follows from that. */
typedef struct {
    const fpfmt_block *of;
    const char *name, *title, *aliases, *element, *scale, *tensor, *recipe;
    char size[40];
    fpfmt_ratio bits;              /* per value of a full block */
    fpfmt_value largest, smallest; /* that a block may hold, of the smallest above 0; times the
                                    * tensor's scale where there is one */
    fpfmt_value widest;            /* the largest over the smallest of one block */
} block_format_facts;
extern const field block_format_fields[];
bool gather_blocks(fact_list *facts, const request *chosen);
bool gather_block_info(fact_list *facts, const request *chosen);

typedef struct {
    const char *name, *summary, *source;
    const char *zero, *nan, *infinite, *subnormal; /* words of the options of special blocks */
} recipe_facts;
extern const field recipe_fields[];
bool gather_recipes(fact_list *facts, const request *chosen);

/* An entry of a code book. */
typedef struct {
    coded code; /* of an unsigned integer of the book's width */
    fpfmt_value value;
    maybe_value threshold; /* to the next entry above */
    number hexfloat;
} book_facts;
extern const field book_fields[];
bool gather_book(fact_list *facts, const request *chosen);

#endif
