/* reserved.h - the room that structures keep for later releases
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_RESERVED_H
#define FPFMT_LIB_RESERVED_H

#include <fpfmt.h>

/* Is the room all zero? What a caller of a later release puts there must not be ignored. */
static inline bool is_vacant(const fpfmt_reserved *room)
{
    return room->pointers[0] == NULL && room->pointers[1] == NULL && room->numbers[0] == 0 &&
           room->numbers[1] == 0;
}

#endif
