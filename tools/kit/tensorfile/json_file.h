/* json_file.h - JSON that stands in files
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_JSON_FILE_H
#define FPFMT_KIT_JSON_FILE_H

#include <jansson.h>

#include "kit/tensorfile/source.h"

/* An object of JSON in so many bytes of a file, in which no name comes twice, its memory the run's;
 * NULL after a complaint. json_decref ends it. */
json_t *load_json(const source *from, uint64_t offset, size_t length);

#endif
