# The tools. They see the public header and nothing else of the library.
#
# SPDX-License-Identifier: MIT

bin_PROGRAMS += fpinspect
fpinspect_SOURCES = \
    %D%/fpinspect/analyze.c \
    %D%/fpinspect/columns.c \
    %D%/fpinspect/columns.h \
    %D%/fpinspect/combinations.c \
    %D%/fpinspect/combinations.h \
    %D%/fpinspect/constants.c \
    %D%/fpinspect/distance.c \
    %D%/fpinspect/distance.h \
    %D%/fpinspect/dot.c \
    %D%/fpinspect/dot.h \
    %D%/fpinspect/evaluate.c \
    %D%/fpinspect/expression.c \
    %D%/fpinspect/expression.h \
    %D%/fpinspect/input.c \
    %D%/fpinspect/input.h \
    %D%/fpinspect/lines.c \
    %D%/fpinspect/lines.h \
    %D%/fpinspect/lists.c \
    %D%/fpinspect/machine.c \
    %D%/fpinspect/machine.h \
    %D%/fpinspect/main.c \
    %D%/fpinspect/number.c \
    %D%/fpinspect/number.h \
    %D%/fpinspect/operations.c \
    %D%/fpinspect/operations.h \
    %D%/fpinspect/options.c \
    %D%/fpinspect/options.h \
    %D%/fpinspect/out.c \
    %D%/fpinspect/out.h \
    %D%/fpinspect/plot.c \
    %D%/fpinspect/plot.h \
    %D%/fpinspect/records.c \
    %D%/fpinspect/records.h \
    %D%/fpinspect/report.c \
    %D%/fpinspect/report.h \
    %D%/fpinspect/say.c \
    %D%/fpinspect/say.h \
    %D%/fpinspect/screen.h \
    %D%/fpinspect/screen_alignment.c \
    %D%/fpinspect/screen_all.c \
    %D%/fpinspect/screen_chain.c \
    %D%/fpinspect/screen_explain.c \
    %D%/fpinspect/screen_list.c \
    %D%/fpinspect/screen_nan.c \
    %D%/fpinspect/screen_one.c \
    %D%/fpinspect/screen_parts.c \
    %D%/fpinspect/screen_stepwise.c \
    %D%/fpinspect/screen_story.c \
    %D%/fpinspect/screen_strip.c \
    %D%/fpinspect/screen_tail.c \
    %D%/fpinspect/stepwise.c \
    %D%/fpinspect/stepwise.h \
    %D%/fpinspect/targets.c \
    %D%/fpinspect/targets.h \
    %D%/fpinspect/vector.c \
    %D%/fpinspect/vector.h \
    %D%/fpinspect/view.h \
    %D%/fpinspect/view_accumulators.c \
    %D%/fpinspect/view_compare.c \
    %D%/fpinspect/view_diff.c \
    %D%/fpinspect/view_dot.c \
    %D%/fpinspect/view_info.c \
    %D%/fpinspect/view_plot.c \
    %D%/fpinspect/view_table.c \
    %D%/fpinspect/words.c \
    %D%/fpinspect/words.h
fpinspect_CPPFLAGS = -I$(top_srcdir)/include -D_POSIX_C_SOURCE=200809L
fpinspect_LDADD = libfpfmt.la

# Transcendentals and normal deviates are MPFR's: without it there is no fplab.
if HAVE_MPFR
bin_PROGRAMS += fplab
fplab_SOURCES = \
    %D%/fpinspect/distance.c \
    %D%/fpinspect/number.c \
    %D%/fpinspect/out.c \
    %D%/fpinspect/plot.c \
    %D%/fpinspect/records.c \
    %D%/fpinspect/targets.c \
    %D%/fpinspect/say.c \
    %D%/fplab/arguments.c \
    %D%/fplab/arguments.h \
    %D%/fplab/checkpoint.c \
    %D%/fplab/checkpoint.h \
    %D%/fplab/codes.c \
    %D%/fplab/dot.c \
    %D%/fplab/figures.c \
    %D%/fplab/figures.h \
    %D%/fplab/init.c \
    %D%/fplab/iris.c \
    %D%/fplab/lab.h \
    %D%/fplab/layout.c \
    %D%/fplab/layout.h \
    %D%/fplab/main.c \
    %D%/fplab/mlp.c \
    %D%/fplab/mlp.h \
    %D%/fplab/mlp_loss.c \
    %D%/fplab/mlp_operand.c \
    %D%/fplab/network.c \
    %D%/fplab/network.h \
    %D%/fplab/normal.c \
    %D%/fplab/normal.h \
    %D%/fplab/npy.c \
    %D%/fplab/npy.h \
    %D%/fplab/optimizer.c \
    %D%/fplab/optimizer.h \
    %D%/fplab/picture.c \
    %D%/fplab/picture.h \
    %D%/fplab/rearrange.c \
    %D%/fplab/rows.c \
    %D%/fplab/rows.h \
    %D%/fplab/scale.c \
    %D%/fplab/sum.c \
    %D%/fplab/summing.c \
    %D%/fplab/summing.h \
    %D%/fplab/tensor.c \
    %D%/fplab/train.c \
    %D%/fplab/train.h \
    %D%/fplab/train_data.c \
    %D%/fplab/train_data.h \
    %D%/fplab/train_picture.c \
    %D%/fplab/train_policy.c \
    %D%/fplab/train_run.c \
    %D%/fplab/train_screen.c \
    %D%/fplab/update.c \
    %D%/fplab/walk.c \
    %D%/fplab/walk.h
fplab_CPPFLAGS = -I$(top_srcdir)/include -D_POSIX_C_SOURCE=200809L -DPROGRAM='"fplab"' \
    $(MPFR_CFLAGS)
fplab_LDADD = libfpfmt.la $(MPFR_LIBS)
if HAVE_JANSSON
fplab_SOURCES += %D%/fplab/checkpoint_read.c
fplab_CPPFLAGS += $(JANSSON_CFLAGS)
fplab_LDADD += $(JANSSON_LIBS)
else
fplab_SOURCES += %D%/fplab/checkpoint_closed.c
endif
endif

bin_PROGRAMS += fpbudget
fpbudget_SOURCES = \
    %D%/fpbudget/activations.c \
    %D%/fpbudget/activations.h \
    %D%/fpbudget/combinations.c \
    %D%/fpbudget/combinations.h \
    %D%/fpbudget/devices.c \
    %D%/fpbudget/devices.h \
    %D%/fpbudget/exact.c \
    %D%/fpbudget/exact.h \
    %D%/fpbudget/explain.c \
    %D%/fpbudget/flops.c \
    %D%/fpbudget/flops.h \
    %D%/fpbudget/json.c \
    %D%/fpbudget/lists.c \
    %D%/fpbudget/main.c \
    %D%/fpbudget/matmul.c \
    %D%/fpbudget/matmul.h \
    %D%/fpbudget/members.c \
    %D%/fpbudget/members.h \
    %D%/fpbudget/memory.c \
    %D%/fpbudget/memory.h \
    %D%/fpbudget/options.c \
    %D%/fpbudget/options.h \
    %D%/fpbudget/recipes.c \
    %D%/fpbudget/recipes.h \
    %D%/fpbudget/rows.c \
    %D%/fpbudget/rows.h \
    %D%/fpbudget/storage.c \
    %D%/fpbudget/storage.h \
    %D%/fpbudget/store.c \
    %D%/fpbudget/store.h \
    %D%/fpbudget/view.h \
    %D%/fpbudget/view_flops.c \
    %D%/fpbudget/view_memory.c \
    %D%/fpinspect/distance.c \
    %D%/fpinspect/number.c \
    %D%/fpinspect/out.c \
    %D%/fpinspect/records.c \
    %D%/fpinspect/say.c \
    %D%/fpinspect/targets.c
fpbudget_CPPFLAGS = -I$(top_srcdir)/include -D_POSIX_C_SOURCE=200809L -DPROGRAM='"fpbudget"'
fpbudget_LDADD = libfpfmt.la

# Made on demand, by ./dev bench. It prints its flags, which are the library's.
EXTRA_PROGRAMS = fpbench
CLEANFILES += fpbench$(EXEEXT)
EXTRA_DIST += %D%/bench/eigen.cc
fpbench_SOURCES = \
    %D%/bench/bench.c \
    %D%/bench/bench.h \
    %D%/bench/cases.c \
    %D%/bench/limits.c \
    %D%/bench/matrix.c \
    %D%/bench/peers.c \
    %D%/bench/places.c \
    %D%/bench/results.c \
    %D%/bench/rounds.c
fpbench_CPPFLAGS = -I$(top_srcdir)/include -D_GNU_SOURCE \
    -DBENCH_FLAGS='"$(FPFMT_CFLAGS) $(CFLAGS)"'
fpbench_LDADD = libfpfmt.la -lm
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
%D%/bench/eigen.o: %D%/bench/eigen.cc %D%/bench/bench.h $(include_HEADERS)
	$(AM_V_at)$(MKDIR_P) %D%/bench
	$(AM_V_GEN)$(CXX) -std=c++17 -w -fno-exceptions -fno-rtti -I$(top_srcdir)/include $(CPPFLAGS) \
	    $(CFLAGS) -c -o $@ $(srcdir)/%D%/bench/eigen.cc
endif
