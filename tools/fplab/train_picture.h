/* train_picture.h - losses drawn on a logarithmic scale
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_PICTURE_H
#define FPLAB_TRAIN_PICTURE_H

#include "rows.h"
#include "train.h"

/* For people; nothing where all losses are alike or not finite. */
void draw_losses(const lab_page *page, const train_results *results);

#endif
