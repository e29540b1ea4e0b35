/* offers.h - what may stand behind an option, for the completions of shells
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_OFFERS_H
#define FPINSPECT_OFFERS_H

#include "kit/options.h"

option_offer offer_fields, offer_conditions, offer_all_targets, offer_shown, offer_sources,
    offer_steps;

#endif
