/* view.h - the teaching views: formats side by side, whole tables, limits, differences
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_VIEW_H
#define FPINSPECT_VIEW_H

#include "facts/block.h"
#include "facts/diff.h"
#include "facts/dot.h"
#include "values/request.h"

/* Range and precision of the formats of --as, with a marker for the value if there is one. */
void draw_compare(const request *chosen, const fact_list *facts);

/* Every value of a format: a grid up to 8 bits, a list up to 16. */
void draw_table(const request *chosen, const fact_list *facts);

/* The limits of one format, each with its code and what it means. */
void draw_info(const request *chosen, const fact_list *facts);

/* Two formats: what differs in their parameters, and which codes decode differently. */
void draw_difference(const format_difference *made);

/* Whether the chain of --via can ever differ from the direct conversion, for each target. */
void draw_analyses(const request *chosen, const fact_list *facts);

/* --plot: a picture of formats that have binades. */
void draw_plot(const request *chosen);

/* --dot: two files of numbers, and what accumulators make of the sum of their products. */
void draw_dot(const dot_product *made);

/* The tables of the library. */
void draw_formats(const request *chosen, const fact_list *facts);
void draw_policies(const request *chosen, const fact_list *facts);
void draw_modes(const request *chosen, const fact_list *facts);
void draw_accumulators(const request *chosen, const fact_list *facts);

/* The tensors of files. */
void draw_tensors(const request *chosen, const fact_list *facts);

/* The axis of magnitudes: columns of so many binades, from 2^low up. */
typedef struct {
    int low, per_column, columns;
} axis;

/* An axis that holds all formats of --as in so much room. */
axis choose_axis(const request *chosen, int room);

/* Whether a label of the axis stands at this column. */
bool labels_here(const axis *scale, int column);

/* A block with a row for each element; several recipes beside each other; how one scale came about,
 * and what others would choose. last: no other follows. */
void draw_block(const quantization *how, const block_facts *block, bool last);
void draw_recipes(const quantization *plans, size_t count, size_t which, bool last);
void draw_explanation(const quantization *how, const block_facts *block, bool with_others,
                      bool last);

/* Codes of a block format at the places of a tensor, and what they stand for. */
void draw_codes(const fpfmt_block *block, const tensor *of, const uint64_t *codes,
                const uint64_t *scales, const fpfmt_tensor_scale *whole);

/* The tables of block formats, recipes and code books, and one block format. */
void draw_blocks(const request *chosen, const fact_list *facts);
void draw_recipe_list(const request *chosen, const fact_list *facts);
void draw_book(const request *chosen, const fact_list *facts);
void draw_block_info(const request *chosen, const fact_list *facts);

#endif
