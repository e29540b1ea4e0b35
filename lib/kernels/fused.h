/* fused.h - arithmetic in one go from codes or floats to those of a format, to nearest even
 * SPDX-License-Identifier: MIT
 *
 * operate.c decodes a tile, computes, and encodes it, by way of arrays in the cache. Here operands
 * that an instruction, or a shift, makes floats of are loaded, the operation is rounded to odd or
 * to nearest even, and the result is rounded to the format by an instruction or by a sum, all in
 * registers. Without flags. */

/* Included by avx512.c alone, behind operate.h for 32 bits and avx512_native.h, whose to_half and
 * to_bfloat it calls: it is written in intrinsics of AVX-512 and asks for no macros beyond those of
 * operate.h. operate_fused is made, an fpfmt_fused_kernel.
 *
 * Everything is specialised by three constants. Legal are
 *
 *   kind                                  how               operations
 *   FUSED_HALF_CODES, FUSED_BFLOAT_CODES  OPERATE_NEAREST   add, subtract, multiply, divide, sqrt
 *   FUSED_HALF_CODES, FUSED_BFLOAT_CODES  OPERATE_UPWARD    fma
 *   FUSED_HALF_VALUES, ..._BFLOAT_VALUES  OPERATE_UPWARD    all six
 *   FUSED_VALUES                          OPERATE_UPWARD    all six
 *
 * Of codes, two roundings to nearest even are as good as one, but for fma: is_innocuous in
 * operate.c. Carried operands may have more bits than the format, and always go by the odd result.
 */

/* A vector of operands from element i on, as floats. */
INLINE VEC fused_load(int kind, const unsigned char *from, size_t i)
{
    __m256i narrow;
    if (kind >= FUSED_HALF_VALUES)
        return load_32(from, i);
    memcpy(&narrow, from + 2 * i, sizeof narrow);
    return kind == FUSED_HALF_CODES ? (VEC)_mm512_cvt_roundph_ps(narrow, _MM_FROUND_NO_EXC)
                                    : (VEC)_mm512_slli_epi32(_mm512_cvtepu16_epi32(narrow), 16);
}

/* FUSED_VALUES: x, finite, rounded to the format; low is the largest magnitude that does not
 * overflow. A magnitude above is not clamped first: its power may be infinite and its sum anything,
 * and what overflow becomes is put in place. */
INLINE VEC fused_sum(const constants_32 *c, VEC low, VEC x)
{
    VEC a = x & SPLAT(TOP - 1);
    VEC result = cut_by_sum_32(c, FPFMT_ROUND_NEAREST_EVEN, true, false, a, 0);
    result = CHOOSE(ABOVE(a, low), result, c->over.of[0]);
    return OR_AND(result, x, c->sign_bit);
}

/* Rounds a vector of results to the format, and stores it from element i on, as codes or floats.
 * NaN come out as anything: the caller makes them anew. */
INLINE void fused_store(int kind, const constants_32 *c, VEC low, unsigned char *to, size_t i,
                        VEC x)
{
    __m256i narrow;
    switch (kind) {
    case FUSED_HALF_CODES: narrow = to_half((__m512)x, false); break;
    case FUSED_BFLOAT_CODES:
        narrow = _mm512_cvtepi32_epi16(_mm512_srli_epi32(to_bfloat(V(x)), 16));
        break;
    case FUSED_HALF_VALUES:
        x = (VEC)_mm512_cvt_roundph_ps(to_half((__m512)x, false), _MM_FROUND_NO_EXC);
        break;
    case FUSED_BFLOAT_VALUES: x = (VEC)to_bfloat(V(x)) & SPLAT(0xFFFF0000); break;
    default: x = fused_sum(c, low, x);
    }
    if (kind >= FUSED_HALF_VALUES)
        memcpy(to + 4 * i, &x, sizeof x);
    else
        memcpy(to + 2 * i, &narrow, sizeof narrow);
}

/* Elements i and on, a vector of them; tells which of its lanes are infinite or NaN: of the classes
 * of fpclass 0x01 is a quiet NaN, 0x08 and 0x10 are the infinities, and 0x80 is a signaling NaN.
 * The largest value needs no note, other than in operate.h: it lies beyond all that rounds to a
 * finite value of the format, as the true result does. */
INLINE MASK fused_vector(int kind, int operation, int how, const constants_32 *constants, VEC low,
                         unsigned char *to, const unsigned char *a, const unsigned char *b,
                         const unsigned char *c, size_t i)
{
    const bool one = operation == FPFMT_OPERATION_SQRT, three = operation == FPFMT_OPERATION_FMA;
    const int first = how == OPERATE_NEAREST ? DIRECTION_NEAREST : DIRECTION_UP;
    VEC x = fused_load(kind, a, i), y = one ? x : fused_load(kind, b, i);
    VEC z = three ? fused_load(kind, c, i) : x, sum = apply_32(operation, first, x, y, z);
    if (how != OPERATE_NEAREST)
        sum = odd_of_32(sum, apply_32(operation, DIRECTION_DOWN, x, y, z));
    fused_store(kind, constants, low, to, i, sum);
    return _mm512_fpclass_ps_mask((__m512)sum, 0x99);
}

/* An array of whole vectors, two at a time, until special may be full; returns how many elements
 * were done. last_low is low of fused_sum. */
INLINE size_t fused_loop(int kind, int operation, int how, const constants_32 *constants,
                         WORD last_low, unsigned char *to, uint32_t *special, size_t *found,
                         const unsigned char *a, const unsigned char *b, const unsigned char *c,
                         size_t n)
{
    enum { STEP = 2 * LANES_32 };
    const constants_32 spread = *constants;
    const VEC low = SPLAT(last_low);
    size_t count = 0, i = 0;
    while (i < n && count <= FUSED_SPECIAL - STEP) {
        size_t step = n - i < STEP ? LANES_32 : STEP;
        uint32_t is = fused_vector(kind, operation, how, &spread, low, to, a, b, c, i);
        if (step == STEP)
            is |= (uint32_t)fused_vector(kind, operation, how, &spread, low, to, a, b, c,
                                         i + LANES_32)
                  << LANES_32;
        if (is != 0)
            for (unsigned lane = 0; lane < STEP; lane++)
                if (is >> lane & 1)
                    special[count++] = (uint32_t)(i + lane);
        i += step;
    }
    *found = count;
    return i;
}

/* fused_loop with kind, operation and how as constants. VARIANT numbers them: how, below 4, takes
 * two bits, the operation four, and the kind those above. Returns 0, and leaves *found alone, for
 * what the table on top does not have. */
static TARGET size_t fused_vectors(int kind, int operation, int how, const constants_32 *constants,
                                   WORD last_low, unsigned char *to, uint32_t *special,
                                   size_t *found, const unsigned char *a, const unsigned char *b,
                                   const unsigned char *c, size_t n)
{
#define VARIANT(kind, operation, how) (64 * (kind) + 4 * (operation) + (how))
#define CASE(kind, operation, how)                                                                 \
    case VARIANT(kind, operation, how):                                                            \
        return fused_loop(kind, operation, how, constants, last_low, to, special, found, a, b, c,  \
                          n);
#define CASES(kind, how)                                                                           \
    CASE(kind, FPFMT_OPERATION_ADD, how)                                                           \
    CASE(kind, FPFMT_OPERATION_SUBTRACT, how)                                                      \
    CASE(kind, FPFMT_OPERATION_MULTIPLY, how)                                                      \
    CASE(kind, FPFMT_OPERATION_DIVIDE, how)                                                        \
    CASE(kind, FPFMT_OPERATION_SQRT, how)
    _Static_assert(FPFMT_OPERATION_COUNT <= 16, "an operation takes more than four bits");
    switch (VARIANT(kind, operation, how)) {
        CASES(FUSED_HALF_CODES, OPERATE_NEAREST)
        CASES(FUSED_BFLOAT_CODES, OPERATE_NEAREST)
        CASES(FUSED_HALF_VALUES, OPERATE_UPWARD)
        CASES(FUSED_BFLOAT_VALUES, OPERATE_UPWARD)
        CASES(FUSED_VALUES, OPERATE_UPWARD)
        CASE(FUSED_HALF_CODES, FPFMT_OPERATION_FMA, OPERATE_UPWARD)
        CASE(FUSED_BFLOAT_CODES, FPFMT_OPERATION_FMA, OPERATE_UPWARD)
        CASE(FUSED_HALF_VALUES, FPFMT_OPERATION_FMA, OPERATE_UPWARD)
        CASE(FUSED_BFLOAT_VALUES, FPFMT_OPERATION_FMA, OPERATE_UPWARD)
        CASE(FUSED_VALUES, FPFMT_OPERATION_FMA, OPERATE_UPWARD)
    default: return 0;
    }
#undef CASES
#undef CASE
#undef VARIANT
}

/* The kind of an encoder, FUSED_NONE if it has none. FUSED_VALUES wants what fused_sum puts in
 * place, overflow before the sign, to be the same for both signs: common says so to nearest even.
 */
static int fused_kind(const fpfmt_encoder *k, bool codes, const constants_32 *c)
{
    if (k->rounding != FPFMT_ROUND_NEAREST_EVEN)
        return FUSED_NONE;
    if (k->native == NATIVE_HALF)
        return codes ? FUSED_HALF_CODES : FUSED_HALF_VALUES;
    if (k->native == NATIVE_BFLOAT)
        return codes ? FUSED_BFLOAT_CODES : FUSED_BFLOAT_VALUES;
    return !codes && k->cut_method == CUT_BY_SUM && c->common ? FUSED_VALUES : FUSED_NONE;
}

/* The kernel: whole vectors where they lie, and what is left of less than one by way of vectors of
 * zeros with the last operands in front; the lanes behind may be NaN, and what is noted of them is
 * dropped. Where special has no room for another vector, the caller comes again for these. */
static TARGET size_t operate_fused(const fpfmt_encoder *k, int operation, int how, bool codes,
                                   void *out, uint32_t special[FUSED_SPECIAL], size_t *found,
                                   const void *a, const void *b, const void *c, size_t n)
{
    const constants_32 constants = spread_32(k, true);
    const void *operands[3] = { a, b, c };
    size_t bytes = codes ? 2 : 4, whole = n - n % LANES_32, rest = (n - whole) * bytes;
    int kind = fused_kind(k, codes, &constants);
    WORD low = (WORD)k->overflow_from[0] - 1;
    VEC in[3] = { { 0 } }, last;
    *found = 0;
    if (kind == FUSED_NONE)
        return 0;
    unsigned saved = ENTER_ARITHMETIC();
    size_t done =
        fused_vectors(kind, operation, how, &constants, low, out, special, found, a, b, c, whole);
    if (done == whole && rest > 0 && *found <= FUSED_SPECIAL - 2 * LANES_32) {
        size_t before = *found, more, kept = before;
        for (int i = 0; i < 3; i++)
            if (operands[i] != NULL)
                memcpy(&in[i], (const unsigned char *)operands[i] + whole * bytes, rest);
        fused_vectors(kind, operation, how, &constants, low, (unsigned char *)&last,
                      special + before, &more, (unsigned char *)&in[0], (unsigned char *)&in[1],
                      (unsigned char *)&in[2], LANES_32);
        for (size_t i = before; i < before + more; i++)
            if (special[i] + whole < n)
                special[kept++] = (uint32_t)(special[i] + whole);
        *found = kept;
        memcpy((unsigned char *)out + whole * bytes, &last, rest);
        done = n;
    }
    LEAVE_ARITHMETIC(saved);
    return done;
}
