# The manual pages.
#
# SPDX-License-Identifier: MIT

dist_man_MANS = \
    %D%/fpinspect.1 \
    %D%/fpfmt.3 \
    %D%/fpfmt_formats.7
EXTRA_DIST += %D%/screens.sh
