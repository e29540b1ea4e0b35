# The tools. They see the public header and nothing else of the library.
#
# SPDX-License-Identifier: MIT

# What all tools share. It and they see the public headers and nothing else of the library.
noinst_LTLIBRARIES += libkit.la
libkit_la_SOURCES = \
    %D%/kit/beside.c \
    %D%/kit/beside.h \
    %D%/kit/blocks.c \
    %D%/kit/blocks.h \
    %D%/kit/distance.c \
    %D%/kit/distance.h \
    %D%/kit/environment.c \
    %D%/kit/environment.h \
    %D%/kit/fields.c \
    %D%/kit/files.c \
    %D%/kit/files.h \
    %D%/kit/finish.c \
    %D%/kit/formats.c \
    %D%/kit/formats.h \
    %D%/kit/json.c \
    %D%/kit/json.h \
    %D%/kit/lines.c \
    %D%/kit/lines.h \
    %D%/kit/list.c \
    %D%/kit/list.h \
    %D%/kit/loss_cells.c \
    %D%/kit/loss_cells.h \
    %D%/kit/losses.c \
    %D%/kit/losses.h \
    %D%/kit/memory.c \
    %D%/kit/memory.h \
    %D%/kit/number.c \
    %D%/kit/number.h \
    %D%/kit/option_help.c \
    %D%/kit/option_readers.c \
    %D%/kit/options.c \
    %D%/kit/options.h \
    %D%/kit/progress.c \
    %D%/kit/progress.h \
    %D%/kit/workers.c \
    %D%/kit/workers.h \
    %D%/kit/out.c \
    %D%/kit/out.h \
    %D%/kit/perform.c \
    %D%/kit/plot.c \
    %D%/kit/plot.h \
    %D%/kit/records.c \
    %D%/kit/records.h \
    %D%/kit/replace.c \
    %D%/kit/replace.h \
    %D%/kit/rounding.c \
    %D%/kit/rounding.h \
    %D%/kit/run.c \
    %D%/kit/run.h \
    %D%/kit/say.c \
    %D%/kit/say.h \
    %D%/kit/cells.c \
    %D%/kit/fit.c \
    %D%/kit/table.c \
    %D%/kit/cells.h \
    %D%/kit/fit.h \
    %D%/kit/table.h \
    %D%/kit/text.c \
    %D%/kit/text.h \
    %D%/kit/whole_file.c \
    %D%/kit/whole_file.h \
    %D%/kit/words.c \
    %D%/kit/words.h
libkit_la_CPPFLAGS = $(tools_cppflags)

# Tensors in files, for the tools that read them. What is read by a library that is not there is
# refused with a sentence.
noinst_LTLIBRARIES += libtensorfile.la
libtensorfile_la_SOURCES = \
    %D%/kit/tensorfile/byte_order.c \
    %D%/kit/tensorfile/byte_order.h \
    %D%/kit/tensorfile/containers.h \
    %D%/kit/tensorfile/elements.c \
    %D%/kit/tensorfile/elements.h \
    %D%/kit/tensorfile/gguf.c \
    %D%/kit/tensorfile/json_file.h \
    %D%/kit/tensorfile/literal.c \
    %D%/kit/tensorfile/literal.h \
    %D%/kit/tensorfile/new_safetensors.c \
    %D%/kit/tensorfile/new_safetensors.h \
    %D%/kit/tensorfile/npy.c \
    %D%/kit/tensorfile/open_tensors.c \
    %D%/kit/tensorfile/raw.c \
    %D%/kit/tensorfile/scale_rows.c \
    %D%/kit/tensorfile/scale_rows.h \
    %D%/kit/tensorfile/schemes.c \
    %D%/kit/tensorfile/schemes.h \
    %D%/kit/tensorfile/source.c \
    %D%/kit/tensorfile/source.h \
    %D%/kit/tensorfile/tensorfile.c \
    %D%/kit/tensorfile/tensorfile.h \
    %D%/kit/tensorfile/types.c \
    %D%/kit/tensorfile/types.h
libtensorfile_la_CPPFLAGS = $(tools_cppflags)
tensorfile_libs = libtensorfile.la libkit.la libfpfmt.la
if HAVE_JANSSON
libtensorfile_la_SOURCES += \
    %D%/kit/tensorfile/json_file.c \
    %D%/kit/tensorfile/safetensors.c \
    %D%/kit/tensorfile/shards.c
libtensorfile_la_CPPFLAGS += $(JANSSON_CFLAGS)
tensorfile_libs += $(JANSSON_LIBS)
else
libtensorfile_la_SOURCES += %D%/kit/tensorfile/json_closed.c
endif
if HAVE_LIBZIP
libtensorfile_la_SOURCES += %D%/kit/tensorfile/npz.c
libtensorfile_la_CPPFLAGS += $(LIBZIP_CFLAGS)
tensorfile_libs += $(LIBZIP_LIBS)
else
libtensorfile_la_SOURCES += %D%/kit/tensorfile/npz_closed.c
endif
tools_cppflags = -I$(top_srcdir)/include -I$(top_srcdir)/tools -D_POSIX_C_SOURCE=200809L

# All of a tool but its main(), which a test of its own performs many times in one process.
noinst_LTLIBRARIES += libfpinspect.la
libfpinspect_la_SOURCES = \
    %D%/fpinspect/command/blocks.c \
    %D%/fpinspect/command/blocks.h \
    %D%/fpinspect/command/columns.c \
    %D%/fpinspect/command/columns.h \
    %D%/fpinspect/command/combinations.c \
    %D%/fpinspect/command/commands.c \
    %D%/fpinspect/command/commands.h \
    %D%/fpinspect/command/fpinspect.c \
    %D%/fpinspect/command/fpinspect.h \
    %D%/fpinspect/command/help.c \
    %D%/fpinspect/command/help.h \
    %D%/fpinspect/command/inspect.c \
    %D%/fpinspect/command/inspect.h \
    %D%/fpinspect/command/offers.c \
    %D%/fpinspect/command/offers.h \
    %D%/fpinspect/command/options.c \
    %D%/fpinspect/command/options.h \
    %D%/fpinspect/command/scan.c \
    %D%/fpinspect/command/scan.h \
    %D%/fpinspect/command/scan_axis.c \
    %D%/fpinspect/command/scan_axis.h \
    %D%/fpinspect/command/scan_report.c \
    %D%/fpinspect/command/scan_report.h \
    %D%/fpinspect/command/scan_tensor.c \
    %D%/fpinspect/command/scan_tensor.h \
    %D%/fpinspect/command/shown.c \
    %D%/fpinspect/command/views.c \
    %D%/fpinspect/command/views.h \
    %D%/fpinspect/facts/analysis.c \
    %D%/fpinspect/facts/analysis.h \
    %D%/fpinspect/facts/binades.c \
    %D%/fpinspect/facts/binades.h \
    %D%/fpinspect/facts/block.c \
    %D%/fpinspect/facts/block.h \
    %D%/fpinspect/facts/block_lists.c \
    %D%/fpinspect/facts/block_lists.h \
    %D%/fpinspect/facts/block_loss.c \
    %D%/fpinspect/facts/block_steps.c \
    %D%/fpinspect/facts/block_steps.h \
    %D%/fpinspect/facts/diff.c \
    %D%/fpinspect/facts/diff.h \
    %D%/fpinspect/facts/dot.c \
    %D%/fpinspect/facts/dot.h \
    %D%/fpinspect/facts/element_fields.c \
    %D%/fpinspect/facts/explanation.c \
    %D%/fpinspect/facts/explanation.h \
    %D%/fpinspect/facts/format.c \
    %D%/fpinspect/facts/format.h \
    %D%/fpinspect/facts/lists.c \
    %D%/fpinspect/facts/lists.h \
    %D%/fpinspect/facts/report.c \
    %D%/fpinspect/facts/report.h \
    %D%/fpinspect/facts/report_fields.c \
    %D%/fpinspect/facts/scan.c \
    %D%/fpinspect/facts/scan.h \
    %D%/fpinspect/facts/scan_fields.c \
    %D%/fpinspect/facts/scan_fields.h \
    %D%/fpinspect/facts/scan_figures.c \
    %D%/fpinspect/facts/scan_pieces.h \
    %D%/fpinspect/facts/scan_worst.c \
    %D%/fpinspect/facts/stairs.c \
    %D%/fpinspect/facts/stairs.h \
    %D%/fpinspect/facts/stepwise.c \
    %D%/fpinspect/facts/stepwise.h \
    %D%/fpinspect/facts/tensor_list.c \
    %D%/fpinspect/facts/tensor_list.h \
    %D%/fpinspect/facts/values.c \
    %D%/fpinspect/facts/values.h \
    %D%/fpinspect/screens/accumulators.c \
    %D%/fpinspect/screens/alignment.c \
    %D%/fpinspect/screens/all.c \
    %D%/fpinspect/screens/analyze.c \
    %D%/fpinspect/screens/block_rule.c \
    %D%/fpinspect/screens/chain.c \
    %D%/fpinspect/screens/compare.c \
    %D%/fpinspect/screens/draw_block.c \
    %D%/fpinspect/screens/draw_block.h \
    %D%/fpinspect/screens/draw_block_lists.c \
    %D%/fpinspect/screens/draw_diff.c \
    %D%/fpinspect/screens/draw_dot.c \
    %D%/fpinspect/screens/draw_lists.c \
    %D%/fpinspect/screens/draw_recipes.c \
    %D%/fpinspect/screens/explain.c \
    %D%/fpinspect/screens/info.c \
    %D%/fpinspect/screens/list.c \
    %D%/fpinspect/screens/nan.c \
    %D%/fpinspect/screens/one.c \
    %D%/fpinspect/screens/parts.c \
    %D%/fpinspect/screens/plots.c \
    %D%/fpinspect/screens/scan_screen.c \
    %D%/fpinspect/screens/scan_screen.h \
    %D%/fpinspect/screens/scan_worst.c \
    %D%/fpinspect/screens/screen.h \
    %D%/fpinspect/screens/steps.c \
    %D%/fpinspect/screens/story.c \
    %D%/fpinspect/screens/strip.c \
    %D%/fpinspect/screens/table.c \
    %D%/fpinspect/screens/tail.c \
    %D%/fpinspect/screens/tensor_list.c \
    %D%/fpinspect/screens/view.h \
    %D%/fpinspect/values/constants.c \
    %D%/fpinspect/values/evaluate.c \
    %D%/fpinspect/values/expression.c \
    %D%/fpinspect/values/expression.h \
    %D%/fpinspect/values/input.c \
    %D%/fpinspect/values/input.h \
    %D%/fpinspect/values/limits.c \
    %D%/fpinspect/values/limits.h \
    %D%/fpinspect/values/literal.c \
    %D%/fpinspect/values/literal.h \
    %D%/fpinspect/values/operations.c \
    %D%/fpinspect/values/operations.h \
    %D%/fpinspect/values/policies.c \
    %D%/fpinspect/values/quantity.c \
    %D%/fpinspect/values/quantity.h \
    %D%/fpinspect/values/request.h \
    %D%/fpinspect/values/typed.c \
    %D%/fpinspect/values/typed.h \
    %D%/fpinspect/values/vector.c \
    %D%/fpinspect/values/vector.h \
    %D%/fpinspect/values/whole.c \
    %D%/fpinspect/values/whole.h
libfpinspect_la_CPPFLAGS = $(tools_cppflags) -I$(top_srcdir)/tools/fpinspect
if HAVE_JANSSON
libfpinspect_la_SOURCES += %D%/fpinspect/command/merge.c
libfpinspect_la_CPPFLAGS += $(JANSSON_CFLAGS)
else
libfpinspect_la_SOURCES += %D%/fpinspect/command/merge_closed.c
endif

bin_PROGRAMS += fpinspect
fpinspect_SOURCES = %D%/fpinspect/command/main.c
fpinspect_CPPFLAGS = $(libfpinspect_la_CPPFLAGS)
fpinspect_LDADD = libfpinspect.la $(tensorfile_libs) -lpthread -lm

# Transcendentals and normal deviates are MPFR's: without it there is no fplab.
if HAVE_MPFR
noinst_LTLIBRARIES += libfplab.la
libfplab_la_SOURCES = \
    %D%/fplab/cells.c \
    %D%/fplab/cells.h \
    %D%/fplab/chances.c \
    %D%/fplab/chances.h \
    %D%/fplab/checkpoint.c \
    %D%/fplab/checkpoint.h \
    %D%/fplab/dot.c \
    %D%/fplab/experiments.c \
    %D%/fplab/experiments.h \
    %D%/fplab/figures.c \
    %D%/fplab/figures.h \
    %D%/fplab/fplab.c \
    %D%/fplab/fplab.h \
    %D%/fplab/help.c \
    %D%/fplab/help.h \
    %D%/fplab/init.c \
    %D%/fplab/iris.c \
    %D%/fplab/lab.h \
    %D%/fplab/layout.c \
    %D%/fplab/layout.h \
    %D%/fplab/mlp.c \
    %D%/fplab/mlp.h \
    %D%/fplab/mlp_loss.c \
    %D%/fplab/mlp_operand.c \
    %D%/fplab/mlp_operand.h \
    %D%/fplab/mlp_product.c \
    %D%/fplab/network.c \
    %D%/fplab/network.h \
    %D%/fplab/normal.c \
    %D%/fplab/normal.h \
    %D%/fplab/operands.c \
    %D%/fplab/operands.h \
    %D%/fplab/optimizer.c \
    %D%/fplab/optimizer.h \
    %D%/fplab/paths.c \
    %D%/fplab/paths.h \
    %D%/fplab/picture.c \
    %D%/fplab/picture.h \
    %D%/fplab/products.c \
    %D%/fplab/products.h \
    %D%/fplab/progress.c \
    %D%/fplab/progress.h \
    %D%/fplab/rearrange.c \
    %D%/fplab/rows.c \
    %D%/fplab/rows.h \
    %D%/fplab/scale.c \
    %D%/fplab/scaling.c \
    %D%/fplab/scaling.h \
    %D%/fplab/settings.c \
    %D%/fplab/settings.h \
    %D%/fplab/shares.c \
    %D%/fplab/shares.h \
    %D%/fplab/stall.c \
    %D%/fplab/stall.h \
    %D%/fplab/sum.c \
    %D%/fplab/summing.c \
    %D%/fplab/summing.h \
    %D%/fplab/train.c \
    %D%/fplab/train.h \
    %D%/fplab/train_data.c \
    %D%/fplab/train_data.h \
    %D%/fplab/train_explain.c \
    %D%/fplab/train_explain.h \
    %D%/fplab/train_numbers.c \
    %D%/fplab/train_numbers.h \
    %D%/fplab/train_operands.c \
    %D%/fplab/train_operands.h \
    %D%/fplab/train_picture.c \
    %D%/fplab/train_picture.h \
    %D%/fplab/train_policy.c \
    %D%/fplab/train_run.c \
    %D%/fplab/train_screen.c \
    %D%/fplab/train_screen.h \
    %D%/fplab/train_settings.c \
    %D%/fplab/train_settings.h \
    %D%/fplab/update.c \
    %D%/fplab/view.c \
    %D%/fplab/walk.c \
    %D%/fplab/walk.h
libfplab_la_CPPFLAGS = $(tools_cppflags) $(MPFR_CFLAGS)
bin_PROGRAMS += fplab
fplab_SOURCES = %D%/fplab/main.c
fplab_CPPFLAGS = $(libfplab_la_CPPFLAGS)
fplab_LDADD = libfplab.la $(tensorfile_libs) $(MPFR_LIBS)
if HAVE_JANSSON
libfplab_la_SOURCES += %D%/fplab/checkpoint_read.c
libfplab_la_CPPFLAGS += $(JANSSON_CFLAGS)
else
libfplab_la_SOURCES += %D%/fplab/checkpoint_closed.c
endif
endif

noinst_LTLIBRARIES += libfpbudget.la
libfpbudget_la_SOURCES = \
    %D%/fpbudget/facts/activations.c \
    %D%/fpbudget/facts/activations.h \
    %D%/fpbudget/facts/amount.c \
    %D%/fpbudget/facts/amount.h \
    %D%/fpbudget/facts/devices.c \
    %D%/fpbudget/facts/devices.h \
    %D%/fpbudget/facts/exact.c \
    %D%/fpbudget/facts/exact.h \
    %D%/fpbudget/facts/flops_budget.c \
    %D%/fpbudget/facts/flops_budget.h \
    %D%/fpbudget/facts/lists.c \
    %D%/fpbudget/facts/lists.h \
    %D%/fpbudget/facts/matmul.c \
    %D%/fpbudget/facts/matmul.h \
    %D%/fpbudget/facts/memory_budget.c \
    %D%/fpbudget/facts/memory_budget.h \
    %D%/fpbudget/facts/question.h \
    %D%/fpbudget/facts/recipes.c \
    %D%/fpbudget/facts/recipes.h \
    %D%/fpbudget/facts/rows.c \
    %D%/fpbudget/facts/rows.h \
    %D%/fpbudget/facts/storage.c \
    %D%/fpbudget/facts/storage.h \
    %D%/fpbudget/facts/store.c \
    %D%/fpbudget/facts/store.h \
    %D%/fpbudget/screens/budget_json.c \
    %D%/fpbudget/screens/draw_flops.c \
    %D%/fpbudget/screens/draw_lists.c \
    %D%/fpbudget/screens/draw_memory.c \
    %D%/fpbudget/screens/explain_flops.c \
    %D%/fpbudget/screens/explain_memory.c \
    %D%/fpbudget/screens/items.c \
    %D%/fpbudget/screens/items.h \
    %D%/fpbudget/screens/screens.h \
    %D%/fpbudget/command/combinations.c \
    %D%/fpbudget/command/combinations.h \
    %D%/fpbudget/command/commands.c \
    %D%/fpbudget/command/commands.h \
    %D%/fpbudget/command/fpbudget.c \
    %D%/fpbudget/command/fpbudget.h \
    %D%/fpbudget/command/help.c \
    %D%/fpbudget/command/help.h \
    %D%/fpbudget/command/options.c \
    %D%/fpbudget/command/options.h
libfpbudget_la_CPPFLAGS = $(tools_cppflags) -I$(top_srcdir)/tools/fpbudget

bin_PROGRAMS += fpbudget
fpbudget_SOURCES = %D%/fpbudget/command/main.c
fpbudget_CPPFLAGS = $(libfpbudget_la_CPPFLAGS)
fpbudget_LDADD = libfpbudget.la libkit.la libfpfmt.la

noinst_LTLIBRARIES += libfpcast.la
libfpcast_la_SOURCES = \
    %D%/fpcast/command/fpcast.c \
    %D%/fpcast/command/fpcast.h \
    %D%/fpcast/command/options.c \
    %D%/fpcast/command/options.h \
    %D%/fpcast/plan/choose.c \
    %D%/fpcast/plan/layouts.c \
    %D%/fpcast/plan/layouts.h \
    %D%/fpcast/plan/parts.c \
    %D%/fpcast/plan/plan.c \
    %D%/fpcast/plan/plan.h \
    %D%/fpcast/plan/request.h \
    %D%/fpcast/plan/stored.c \
    %D%/fpcast/plan/stored.h \
    %D%/fpcast/plan/targets.c \
    %D%/fpcast/plan/targets.h \
    %D%/fpcast/report/report.c \
    %D%/fpcast/report/report.h \
    %D%/fpcast/report/rows.c \
    %D%/fpcast/report/rows.h \
    %D%/fpcast/write/casting.c \
    %D%/fpcast/write/casting.h \
    %D%/fpcast/write/headers.c \
    %D%/fpcast/write/output.c \
    %D%/fpcast/write/output.h \
    %D%/fpcast/write/quantise.c \
    %D%/fpcast/write/sink.c
libfpcast_la_CPPFLAGS = $(tools_cppflags) -I$(top_srcdir)/tools/fpcast

bin_PROGRAMS += fpcast
fpcast_SOURCES = %D%/fpcast/command/main.c
fpcast_CPPFLAGS = $(libfpcast_la_CPPFLAGS)
fpcast_LDADD = libfpcast.la $(tensorfile_libs) -lm

# Made on demand, by ./dev bench. It prints its flags, which are the library's.
EXTRA_PROGRAMS = fpbench
CLEANFILES += fpbench$(EXEEXT)
EXTRA_DIST += %D%/bench/eigen.cc %D%/bench/files.sh
fpbench_SOURCES = \
    %D%/bench/bench.c \
    %D%/bench/bench.h \
    %D%/bench/blocks.c \
    %D%/bench/cases.c \
    %D%/bench/limits.c \
    %D%/bench/matrix.c \
    %D%/bench/peers.c \
    %D%/bench/places.c \
    %D%/bench/results.c \
    %D%/bench/rounds.c
fpbench_CPPFLAGS = -I$(top_srcdir)/include -I$(top_srcdir)/tools -D_GNU_SOURCE \
    -DBENCH_FLAGS='"$(FPFMT_CFLAGS) $(CFLAGS)"'
fpbench_LDADD = libkit.la libfpfmt.la -lm
if HAVE_MPFR
fpbench_CPPFLAGS += -DPEER_MPFR $(MPFR_CFLAGS)
fpbench_LDADD += $(MPFR_LIBS)
endif
if HAVE_OPENBLAS
fpbench_CPPFLAGS += -DPEER_OPENBLAS
fpbench_LDADD += -lopenblas
endif
if HAVE_DNNL
fpbench_SOURCES += %D%/bench/onednn.c
fpbench_CPPFLAGS += -DPEER_ONEDNN
fpbench_LDADD += -ldnnl -lgomp
endif

# The one peer in C++ has no need of the libraries of that language, and is compiled as the others
# are but for warnings, which are the business of its headers.
if HAVE_CXX
fpbench_CPPFLAGS += -DPEER_EIGEN
fpbench_LDADD += %D%/bench/eigen.o
%D%/bench/eigen.o: %D%/bench/eigen.cc %D%/bench/bench.h include/fpfmt.h
	$(AM_V_at)$(MKDIR_P) %D%/bench
	$(AM_V_GEN)$(CXX) -std=c++17 -w -fno-exceptions -fno-rtti -I$(top_srcdir)/include $(CPPFLAGS) \
	    $(CFLAGS) -c -o $@ $(srcdir)/%D%/bench/eigen.cc
endif
