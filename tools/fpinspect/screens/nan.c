/* nan.c - a NaN in several formats: what becomes of its payload
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "kit/say.h"
#include "screens/screen.h"

static void headline(const input *in)
{
    bool signaling = in->value.kind == FPFMT_KIND_SIGNALING_NAN;
    bool single = in->typed && in->format.nans != FPFMT_NANS_IEEE;
    out(STYLE_INPUT, input_name(in));
    out(STYLE_PLAIN, "   ");
    if (in->typed) {
        show_fields(&in->format, in->code, out);
        out(STYLE_PLAIN, "   ");
    }
    if (single)
        outf(STYLE_PLAIN, "NaN, the only one%s",
             in->format.nans == FPFMT_NANS_ALL_ONES ? " of its sign" : "");
    else
        outf(STYLE_PLAIN, "%s NaN, payload 0x%" PRIx64, signaling ? "signaling" : "quiet",
             in->value.significand);
    out_line();
    out_line();
}

static void describe(char text[160], const report *made)
{
    fpfmt_value from = made->in->value, to = made->stored;
    bool quieted = from.kind == FPFMT_KIND_SIGNALING_NAN && to.kind == FPFMT_KIND_QUIET_NAN;
    int lost = from.payload_bits > to.payload_bits ? from.payload_bits - to.payload_bits : 0;
    const char *sign = to.negative ? "negative" : "positive";
    strcpy(text, "");
    if (to.kind < FPFMT_KIND_QUIET_NAN)
        strcpy(text, "there is no NaN: the largest finite value stands for it");
    if (to.kind == FPFMT_KIND_ZERO)
        strcpy(text, "there is no NaN: zero of the opposite sign stands for it");
    else if (to.kind >= FPFMT_KIND_QUIET_NAN && made->format->nans == FPFMT_NANS_IEEE) {
        sprintf(text, "%spayload 0x%" PRIx64, quieted ? "quieted, " : "", to.significand);
        if (lost > 0)
            sprintf(text + strlen(text), ", low %d bits lost", lost);
        else if (from.payload_bits == 0 && from.significand != to.significand)
            strcat(text, ", high bits lost");
    } else if (to.kind >= FPFMT_KIND_QUIET_NAN) {
        bool per_sign = made->format->nans == FPFMT_NANS_ALL_ONES && made->format->sign_bits > 0;
        sprintf(text, "the one %s%sNaN%s", per_sign ? sign : "", per_sign ? " " : "",
                from.significand != 0 ? ", payload lost" : "");
    }
}

static const char *kind_of(const report *made)
{
    if (made->stored.kind < FPFMT_KIND_QUIET_NAN)
        return made->stored.kind == FPFMT_KIND_ZERO ? "zero" : "max";
    if (made->format->nans != FPFMT_NANS_IEEE)
        return "NaN";
    return made->stored.kind == FPFMT_KIND_QUIET_NAN ? "qNaN" : "sNaN";
}

static void bare_code(const input *in)
{
    const char *colon = strchr(in->text, ':');
    const char *digits = colon == NULL ? in->text : colon + 1;
    if (in->typed && strncmp(digits, "0x", 2) == 0)
        outf(STYLE_PLAIN, "   A bare %.20s would be the integer %" PRIu64, digits, in->code);
}

void screen_nan(input *in, const fpfmt_format *formats, size_t count, const request *chosen)
{
    report made;
    unsigned flags = 0;
    char text[REMARK_SIZE + 1], code[24];
    const char *const names[] = { "format", "s exponent fraction (mantissa)", "code", "kind",
                                  "note" };
    headline(in);
    table_begin(2);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_cell(STYLE_DIM, names[i]);
    table_row();
    for (size_t i = 0; i < count; i++) {
        make_report(&made, chosen, in, &formats[i], &chosen->columns[0]);
        flags |= made.flags;
        describe(text, &made);
        table_cell(STYLE_NAME, formats[i].name);
        table_cell(STYLE_PLAIN, "");
        show_fields(&formats[i], made.code, table_piece);
        table_cell(STYLE_PLAIN, show_code(code, &formats[i], made.code));
        table_cell(made.flags & FPFMT_FLAG_INVALID ? STYLE_LOST : STYLE_PLAIN, kind_of(&made));
        table_cell(STYLE_DIM, text);
        table_row();
        if (meets_condition(&made, chosen))
            fail_condition();
    }
    table_flush();
    out_line();
    if (*in->raised.remark != '\0') {
        snprintf(text, sizeof text, "%s.", in->raised.remark);
        out_wrapped(2, text);
        return;
    }
    out(STYLE_PLAIN, "  ");
    if (flags & FPFMT_FLAG_INVALID)
        out(STYLE_PLAIN, in->value.kind == FPFMT_KIND_SIGNALING_NAN
                             ? "invalid raised, the source signals."
                             : "invalid raised, there is no NaN.");
    else
        out(STYLE_PLAIN, "No flag raised, a quiet NaN passes quietly.");
    bare_code(in);
    out_line();
}
