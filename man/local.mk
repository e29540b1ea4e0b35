# The manual pages.
#
# SPDX-License-Identifier: MIT

dist_man_MANS = \
    %D%/fpbudget.1 \
    %D%/fpcast.1 \
    %D%/fpinspect.1 \
    %D%/fpfmt.3 \
    %D%/fpfmt_accumulate.3 \
    %D%/fpfmt_arith.3 \
    %D%/fpfmt_arrays.3 \
    %D%/fpfmt_blocks.3 \
    %D%/fpfmt_classify.3 \
    %D%/fpfmt_compare.3 \
    %D%/fpfmt_encode.3 \
    %D%/fpfmt_explain.3 \
    %D%/fpfmt_format.3 \
    %D%/fpfmt_inline.3 \
    %D%/fpfmt_mpfr.3 \
    %D%/fpfmt_parse.3 \
    %D%/fpfmt_policy.3 \
    %D%/fpfmt_quantize.3 \
    %D%/fpfmt_ratio.3 \
    %D%/fpfmt_stats.3 \
    %D%/fpfmt_view.3 \
    %D%/fpfmt_words.3 \
    %D%/fpfmt_formats.7
if HAVE_MPFR
dist_man_MANS += %D%/fplab.1
else
EXTRA_DIST += %D%/fplab.1
endif
EXTRA_DIST += %D%/screens.sh
