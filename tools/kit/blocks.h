/* blocks.h - block formats and recipes by name, and what to say of names that are none
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_BLOCKS_H
#define FPFMT_KIT_BLOCKS_H

#include <fpfmt.h>

/* Is it the name of a block format, sound or not? */
bool names_block(const char *name);

/* The name of a block format that an unknown name may be a slip of; NULL if there is none. */
const char *near_block(const char *name);

/* Complains about a name of no format, or set of formats, that is nearer to that of a block format;
 * false, and nothing said, of any other name. */
bool complain_about_slip_of_block(const char *name);

/* A block format by name, or by the grammar ELEMENT@SCALE/SIZE; false after a complaint. */
bool find_block(fpfmt_block *block, const char *name);

/* A recipe by name, with its options, that fits the block format; NULL is the one of its maker.
 * False after a complaint. */
bool find_recipe(fpfmt_recipe *recipe, const fpfmt_block *block, const char *name);

/* A code book by name; NULL if there is none. */
const fpfmt_book *find_book(const char *name);

/* Bits of storage per value of a full block, as "4.25". */
void show_block_bits(char text[40], const fpfmt_block *block);

/* "32", "128x128", "channel" or "tensor". */
void show_block_size(char text[40], const fpfmt_block *block);

#endif
