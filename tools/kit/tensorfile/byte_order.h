/* byte_order.h - the order of the bytes of codes
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_BYTE_ORDER_H
#define FPFMT_KIT_BYTE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Has this machine the highest byte first? */
bool is_host_big(void);

/* Turns n codes of so many bytes, each the stride behind the one before it, if their order is not
 * this machine's. */
void turn_codes(void *codes, size_t each, size_t stride, size_t n, bool big_endian);

#endif
