# The library.
#
# SPDX-License-Identifier: MIT

# All objects are in libfpfmt-core: the unit tests link it to reach the functions that
# libfpfmt hides.
noinst_LTLIBRARIES += libfpfmt-core.la
libfpfmt_core_la_SOURCES = \
    %D%/bits.h \
    %D%/random.h \
    %D%/natural.h \
    %D%/natural.c \
    %D%/reserved.h \
    %D%/shape.h \
    %D%/modes.h \
    %D%/modes.c \
    %D%/formats.c \
    %D%/names.h \
    %D%/names.c \
    %D%/policies.c \
    %D%/words.c \
    %D%/decode.c \
    %D%/encode.h \
    %D%/encode.c \
    %D%/beyond.c \
    %D%/carrier.h \
    %D%/carrier.c \
    %D%/value.c \
    %D%/codes.c \
    %D%/convert.c \
    %D%/classify.c \
    %D%/compare.c \
    %D%/neighbor.c \
    %D%/ratio.h \
    %D%/ratio.c \
    %D%/parse.c \
    %D%/print.c \
    %D%/explain.c \
    %D%/wide.h \
    %D%/arith.c \
    %D%/accumulators.c \
    %D%/accumulate.h \
    %D%/accumulate.c \
    %D%/aligned.h \
    %D%/operands.c \
    %D%/terms.c \
    %D%/aligned.c \
    %D%/blocks.h \
    %D%/books.c \
    %D%/recipes.c \
    %D%/blocks.c \
    %D%/block.c \
    %D%/scale.c \
    %D%/tensor_scale.c \
    %D%/block_bytes.c \
    %D%/quantize.h \
    %D%/quantize.c \
    %D%/quantize_f32.c \
    %D%/tile_scales.c \
    %D%/tile_scales.h \
    %D%/dequantize_f32.c \
    %D%/block_plan.c \
    %D%/operate.c \
    %D%/matrices.h \
    %D%/matrices.c \
    %D%/gemm.c \
    %D%/kernels/avx2.c \
    %D%/kernels/avx2_native.h \
    %D%/kernels/avx2_tally.h \
    %D%/kernels/avx512.c \
    %D%/kernels/avx512_native.h \
    %D%/kernels/draw.h \
    %D%/kernels/element.h \
    %D%/kernels/end.h \
    %D%/kernels/fast.h \
    %D%/kernels/fast_arrays.h \
    %D%/kernels/fused.h \
    %D%/kernels/kernel.h \
    %D%/kernels/loops.h \
    %D%/kernels/direct.h \
    %D%/kernels/operate.h \
    %D%/kernels/philox.h \
    %D%/kernels/scalar.h \
    %D%/kernels/scalar_tally.h \
    %D%/kernels/scaling.h \
    %D%/kernels/scan.h \
    %D%/kernels/tile.h \
    %D%/kernels/scalar.c \
    %D%/kernels/sets.c \
    %D%/kernels/vectors.h \
    %D%/kernels/x86.h \
    %D%/kernels/x86.c \
    %D%/refuse.h \
    %D%/plan.h \
    %D%/encoder.c \
    %D%/decoder.c \
    %D%/plan.c \
    %D%/overlap.h \
    %D%/bulk.h \
    %D%/bulk.c \
    %D%/recode.c \
    %D%/sums.h \
    %D%/errors.h \
    %D%/ranges.h \
    %D%/ranges.c \
    %D%/tallies.h \
    %D%/tallies.c \
    %D%/block_counts.h \
    %D%/block_counts.c \
    %D%/block_stats.c \
    %D%/stats.c \
    %D%/view.c \
    %D%/pack.c \
    %D%/version.c

lib_LTLIBRARIES += libfpfmt.la
libfpfmt_la_SOURCES =
libfpfmt_la_LIBADD = libfpfmt-core.la
libfpfmt_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info $(LIBFPFMT_ABI)
EXTRA_DIST += %D%/libfpfmt.map
if HAVE_VERSION_SCRIPT
VERSION_SCRIPT_FLAG = -Wl,--version-script=$(srcdir)/%D%/libfpfmt.map
libfpfmt_la_LDFLAGS += $(VERSION_SCRIPT_FLAG)
EXTRA_libfpfmt_la_DEPENDENCIES = %D%/libfpfmt.map
endif

include_HEADERS = \
    include/fpfmt.h \
    include/fpfmt_text.h \
    include/fpfmt_arrays.h \
    include/fpfmt_sums.h \
    include/fpfmt_blocks.h \
    include/fpfmt_inline.h \
    include/fpfmt_mpfr.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = %D%/libfpfmt.pc
