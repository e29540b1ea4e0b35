/* end.h - what element.h defined for one carrier is gone
 * SPDX-License-Identifier: MIT */

/* Every include of element.h, by itself or in loops.h, has an include of this file behind it, and
 * behind the last template of the carrier. The macros of a set are not touched: they are written in
 * terms of VEC, NAME and WORD_BITS, and mean the next carrier from its element.h on. */
#undef INLINE
#undef NAME
#undef WORD
#undef FRACTION
#undef VEC
#undef TOP
#undef HIDDEN
#undef INFINITE
#undef OF
#undef PICK
#undef BIT
#undef WORD_BITS
