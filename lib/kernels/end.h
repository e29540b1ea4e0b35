/* end.h - what element.h defined for one carrier is gone
 * SPDX-License-Identifier: MIT */

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
