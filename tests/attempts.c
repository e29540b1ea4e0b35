/* attempts.c - calls that must fail, or be refused
 * SPDX-License-Identifier: MIT */

#include "attempts.h"

#include <string.h>

#include "runner.h"
#include "stops.h"

unsigned char codes[8 * N], more_codes[8 * N];
float floats[N];
double doubles[N];
unsigned flags;

void try_failing(const attempt *attempts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        CHECK(attempts[i].fails(), "%s does not fail", attempts[i].name);
}

#ifdef FPFMT_CHECKING
static const attempt *current;

static void attempt_current(void)
{
    current->fails();
}

void try_refused(const attempt *attempts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        current = &attempts[i];
        CHECK(stops(attempt_current), "%s does not stop", current->name);
    }
}
#else
void try_refused(const attempt *attempts, size_t count)
{
    static const unsigned char nothing[sizeof codes];
    for (size_t i = 0; i < count; i++) {
        CHECK(attempts[i].fails() && flags == 0, "%s does not fail, or raises %x", attempts[i].name,
              flags);
        CHECK(memcmp(codes, nothing, sizeof codes) == 0 &&
                  memcmp(more_codes, nothing, sizeof codes) == 0,
              "%s writes", attempts[i].name);
    }
}
#endif
