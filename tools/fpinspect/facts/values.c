/* values.c - every value of a format
 * SPDX-License-Identifier: MIT */

#include "facts/values.h"

#include "kit/memory.h"
#include "kit/say.h"

enum { LISTED_BITS = 16 };

const field value_fields[] = {
    { .name = "code", .kind = FIELD_CODE },
    { .name = "exact", .kind = FIELD_EXACT },
    { .name = NULL },
};

bool gather_values(fact_list *facts, const request *chosen)
{
    const fpfmt_format *format = &chosen->shown[0];
    int width = fpfmt_measure(format).width;
    if (width > LISTED_BITS) {
        complain("--table lists formats of up to %d bits; %s has %d, try --info %s", LISTED_BITS,
                 format->name, width, format->name);
        return false;
    }
    size_t count = (size_t)1 << width;
    coded *rows = allocate(count, sizeof *rows);
    for (size_t code = 0; code < count; code++)
        rows[code] = (coded){ format, code };
    *facts = (fact_list){ rows, count };
    return true;
}
