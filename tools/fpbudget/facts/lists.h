/* lists.h - the tables that options choose from, as facts
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_LISTS_H
#define FPBUDGET_LISTS_H

#include "facts/devices.h"
#include "facts/recipes.h"
#include "facts/storage.h"
#include "kit/records.h"

/* A row of each table, with a schema, and what does not stand in the table itself. The functions
 * give all rows, in memory of the run or of the program. */

typedef struct {
    recipe_row row;
    const char *divided; /* names of the parts that devices divide, with blanks between them */
} recipe_facts;
extern const field recipe_fields[];
fact_list gather_recipes(void);

typedef struct {
    optimizer_row row;
    const char *states; /* names of what the optimizer keeps, with blanks between them */
} optimizer_facts;
extern const field optimizer_fields[];
fact_list gather_optimizers(void);

extern const field device_fields[]; /* of a device_row */
fact_list gather_devices(void);

typedef struct {
    const char *name, *title;
    char grammar[64]; /* ELEMENT:SCALE/SIZE[+TENSOR] */
    exact bits;       /* of an element in a full block */
} block_facts;
extern const field block_fields[];
fact_list gather_blocks(void);

#endif
