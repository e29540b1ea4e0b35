# The tests. Each program and script speaks TAP; what cannot run here says SKIP.
#
# SPDX-License-Identifier: MIT

# A unit test is one line in one of these lists: %D%/test_x is built from %D%/test_x.c and the
# runner, in the second list also from the oracle, which is MPFR's and GMP's.
unit_tests = \
    %D%/test_accumulators \
    %D%/test_any_format \
    %D%/test_arith_vectors \
    %D%/test_block_arrays \
    %D%/test_block_bytes \
    %D%/test_block_defects \
    %D%/test_block_pieces \
    %D%/test_block_rows \
    %D%/test_block_vectors \
    %D%/test_block_views \
    %D%/test_bulk \
    %D%/test_codes \
    %D%/test_decodes \
    %D%/test_defects \
    %D%/test_dot_calls \
    %D%/test_encodes_f32 \
    %D%/test_encodes_f64 \
    %D%/test_environment \
    %D%/test_every_float \
    %D%/test_faults \
    %D%/test_file_ends \
    %D%/test_gemm \
    %D%/test_hardware \
    %D%/test_inline \
    %D%/test_long \
    %D%/test_modes \
    %D%/test_npy \
    %D%/test_safetensors \
    %D%/test_shards \
    %D%/test_gguf \
    %D%/test_npz \
    %D%/test_schemes \
    %D%/test_mutated_files \
    %D%/test_null \
    %D%/test_null_blocks \
    %D%/test_operate \
    %D%/test_pack \
    %D%/test_policies \
    %D%/test_random \
    %D%/test_refused \
    %D%/test_rounds_f32 \
    %D%/test_rounds_f64 \
    %D%/test_runs_fpbudget \
    %D%/test_runs_fpcast \
    %D%/test_runs_fpinspect \
    %D%/test_tally \
    %D%/test_vdpbf16ps \
    %D%/test_vectors \
    %D%/test_version \
    %D%/test_view \
    %D%/test_words
oracle_tests = \
    %D%/test_accumulate \
    %D%/test_arith \
    %D%/test_arith_all \
    %D%/test_arith_calls \
    %D%/test_block_identity \
    %D%/test_blocks \
    %D%/test_chances \
    %D%/test_compare \
    %D%/test_constants \
    %D%/test_decimal \
    %D%/test_decode \
    %D%/test_encode \
    %D%/test_engines \
    %D%/test_scaled_dot \
    %D%/test_scaled_engines \
    %D%/test_scaled_gemm \
    %D%/test_explain \
    %D%/test_mlp \
    %D%/test_mpfr_bridge \
    %D%/test_names \
    %D%/test_neighbor \
    %D%/test_optimizers \
    %D%/test_parse \
    %D%/test_print \
    %D%/test_ratio \
    %D%/test_runs_fplab \
    %D%/test_scale \
    %D%/test_stats \
    %D%/test_stochastic \
    %D%/test_value
# What tests of blocks share: the oracle, and trials by it.
oracle_of_blocks = \
    %D%/block_trial.h \
    %D%/block_trial.c \
    %D%/oracle_blocks.h \
    %D%/oracle_blocks.c \
    %D%/oracle_books.c \
    %D%/oracle_elements.c \
    %D%/oracle_numbers.h \
    %D%/oracle_numbers.c
# What tests of the reader of tensor files share.
tensor_files = %D%/bytes.h %D%/bytes.c %D%/tensor_files.h %D%/tensor_files.c
tensor_cppflags = $(AM_CPPFLAGS) $(tools_cppflags)
tensor_ldadd = libtensorfile.la libkit.la $(LDADD) $(JANSSON_LIBS) $(LIBZIP_LIBS)
scripts = \
    %D%/budget.sh \
    %D%/chains.sh \
    %D%/cli.sh \
    %D%/completions.sh \
    %D%/docs.sh \
    %D%/examples.sh \
    %D%/expressions.sh \
    %D%/floors.sh \
    %D%/fpcast.sh \
    %D%/install.sh \
    %D%/lab.sh \
    %D%/manual.sh \
    %D%/modes.sh \
    %D%/numpy.sh \
    %D%/readme.sh \
    %D%/symbols.sh \
    %D%/tables.sh \
    %D%/train.sh \
    %D%/widths.sh

EXTRA_DIST += \
    $(scripts) \
    %D%/cast_ends.py \
    %D%/cast_models.py \
    %D%/cast_samples.py \
    %D%/check_files.sh \
    %D%/checkpoint_figures.py \
    %D%/checkpoints.py \
    %D%/commands.sh \
    %D%/compilers.sh \
    %D%/coverage.sh \
    %D%/crafted_checkpoints.py \
    %D%/data/blocks.tsv \
    %D%/data/budget.txt \
    %D%/data/budget_machine.txt \
    %D%/data/budget_refused.txt \
    %D%/data/accumulators.tsv \
    %D%/data/cast.txt \
    %D%/data/cli.txt \
    %D%/data/cli_arith.txt \
    %D%/data/cli_blocks.txt \
    %D%/data/cli_dot.txt \
    %D%/data/cli_faults.txt \
    %D%/data/cli_scan.txt \
    %D%/data/grads.npy \
    %D%/data/cli_machine.txt \
    %D%/data/cli_views.txt \
    %D%/data/every_float.tsv \
    %D%/data/faults.tsv \
    %D%/data/files/README \
    %D%/data/files/silero_f32.safetensors \
    %D%/data/files/silero_f32.tsv \
    %D%/data/formats.tsv \
    %D%/data/lab.txt \
    %D%/data/lab_machine.txt \
    %D%/data/lab_questions.txt \
    %D%/data/lab_refused.txt \
    %D%/data/mutants.tsv \
    %D%/data/policies.tsv \
    %D%/data/policy_codes.tsv \
    %D%/data/train.txt \
    %D%/data/vectors/README \
    %D%/data/vectors/accumulators.txt \
    %D%/data/vectors/arith.txt \
    %D%/data/vectors/decimal.txt \
    %D%/data/vectors/decode.txt \
    %D%/data/vectors/encode.txt \
    %D%/data/vectors/mx.txt \
    %D%/data/vectors/testfloat.txt \
    %D%/fuzz.sh \
    %D%/fuzz_tensors.c \
    %D%/lab_models.py \
    %D%/mutate.sh \
    %D%/no_cunit.sh \
    %D%/no_mpfr.sh \
    %D%/numpy_files.py \
    %D%/peer_files.py \
    %D%/random_bits.py \
    %D%/sample_vectors.py \
    %D%/second_step.py \
    %D%/shown_tensors.py \
    %D%/step_operands.py \
    %D%/tap.sh

# The default flags and libraries are those of the unit tests, which see the insides of lib/.
AM_CPPFLAGS += -I$(top_srcdir)/lib $(FPFMT_TEST_CPPFLAGS) $(CUNIT_CFLAGS) $(MPFR_CFLAGS)
LDADD = %D%/libharness.la libfpfmt-core.la $(CUNIT_LIBS) $(MPFR_LIBS) -lm

TESTS += $(scripts)
check_PROGRAMS += %D%/show_tensors
%C%_show_tensors_CPPFLAGS = $(AM_CPPFLAGS) $(tools_cppflags)
%C%_show_tensors_LDADD = $(tensorfile_libs)
if HAVE_CUNIT
check_LTLIBRARIES += %D%/libharness.la
%C%_libharness_la_SOURCES = \
    %D%/arrays.h \
    %D%/arrays.c \
    %D%/cells.h \
    %D%/cells.c \
    %D%/comma.h \
    %D%/comma.c \
    %D%/elements.h \
    %D%/elements.c \
    %D%/operands.h \
    %D%/operands.c \
    %D%/runner.h \
    %D%/runner.c \
    %D%/stops.h \
    %D%/stops.c \
    %D%/tsv.h \
    %D%/tsv.c
%C%_test_decodes_SOURCES = %D%/test_decodes.c %D%/array_sets.h %D%/array_sets.c
%C%_test_encodes_f32_SOURCES = %D%/test_encodes_f32.c %D%/array_sets.h %D%/array_sets.c
%C%_test_encodes_f64_SOURCES = %D%/test_encodes_f64.c %D%/array_sets.h %D%/array_sets.c
%C%_test_rounds_f32_SOURCES = %D%/test_rounds_f32.c %D%/array_sets.h %D%/array_sets.c
%C%_test_rounds_f64_SOURCES = %D%/test_rounds_f64.c %D%/array_sets.h %D%/array_sets.c
%C%_test_runs_fpbudget_SOURCES = %D%/test_runs_fpbudget.c %D%/runs.h %D%/runs.c \
    %D%/memory_ends.h %D%/memory_ends.c
%C%_test_runs_fpbudget_CPPFLAGS = $(AM_CPPFLAGS) $(libfpbudget_la_CPPFLAGS)
%C%_test_runs_fpbudget_LDADD = libfpbudget.la libkit.la $(LDADD)
%C%_test_runs_fpcast_SOURCES = %D%/test_runs_fpcast.c %D%/runs.h %D%/runs.c \
    %D%/memory_ends.h %D%/memory_ends.c
%C%_test_runs_fpcast_CPPFLAGS = $(AM_CPPFLAGS) $(libfpcast_la_CPPFLAGS)
%C%_test_runs_fpcast_LDADD = libfpcast.la libtensorfile.la libkit.la $(LDADD) $(JANSSON_LIBS) $(LIBZIP_LIBS)
%C%_test_runs_fpinspect_SOURCES = %D%/test_runs_fpinspect.c %D%/runs.h %D%/runs.c \
    %D%/memory_ends.h %D%/memory_ends.c
%C%_test_runs_fpinspect_CPPFLAGS = $(AM_CPPFLAGS) $(libfpinspect_la_CPPFLAGS)
%C%_test_runs_fpinspect_LDADD = libfpinspect.la libtensorfile.la libkit.la $(LDADD) $(JANSSON_LIBS) $(LIBZIP_LIBS) -lpthread -lm
%C%_test_npy_SOURCES = %D%/test_npy.c $(tensor_files)
%C%_test_npy_CPPFLAGS = $(tensor_cppflags)
%C%_test_npy_LDADD = $(tensor_ldadd)
%C%_test_shards_SOURCES = %D%/test_shards.c $(tensor_files)
%C%_test_shards_CPPFLAGS = $(tensor_cppflags)
%C%_test_shards_LDADD = $(tensor_ldadd)
%C%_test_gguf_SOURCES = %D%/test_gguf.c $(tensor_files)
%C%_test_gguf_CPPFLAGS = $(tensor_cppflags)
%C%_test_gguf_LDADD = $(tensor_ldadd)
%C%_test_npz_SOURCES = %D%/test_npz.c $(tensor_files)
%C%_test_npz_CPPFLAGS = $(tensor_cppflags)
%C%_test_npz_LDADD = $(tensor_ldadd)
%C%_test_schemes_SOURCES = %D%/test_schemes.c $(tensor_files)
%C%_test_schemes_CPPFLAGS = $(tensor_cppflags)
%C%_test_schemes_LDADD = $(tensor_ldadd)
%C%_test_mutated_files_SOURCES = %D%/test_mutated_files.c %D%/sound_files.h \
    %D%/sound_files.c $(tensor_files)
%C%_test_mutated_files_CPPFLAGS = $(tensor_cppflags)
%C%_test_mutated_files_LDADD = $(tensor_ldadd)
%C%_test_file_ends_SOURCES = %D%/test_file_ends.c $(tensor_files)
%C%_test_file_ends_CPPFLAGS = $(tensor_cppflags)
%C%_test_file_ends_LDADD = $(tensor_ldadd)
%C%_test_safetensors_SOURCES = %D%/test_safetensors.c $(tensor_files)
%C%_test_safetensors_CPPFLAGS = $(tensor_cppflags)
%C%_test_safetensors_LDADD = $(tensor_ldadd)
%C%_test_null_SOURCES = %D%/test_null.c %D%/attempts.h %D%/attempts.c
%C%_test_null_blocks_SOURCES = %D%/test_null_blocks.c %D%/attempts.h %D%/attempts.c
%C%_test_block_bytes_SOURCES = %D%/test_block_bytes.c %D%/attempts.h %D%/attempts.c
%C%_test_any_format_SOURCES = %D%/test_any_format.c %D%/any_row.h %D%/any_row.c
%C%_test_every_float_SOURCES = %D%/test_every_float.c %D%/every_float.h %D%/every_float.c
%C%_test_faults_SOURCES = %D%/test_faults.c %D%/faults.h %D%/faults.c
TESTS += $(unit_tests)
check_PROGRAMS += $(unit_tests)
if HAVE_MPFR
%C%_libharness_la_SOURCES += \
    %D%/decimals.h \
    %D%/decimals.c \
    %D%/oracle.h \
    %D%/oracle.c \
    %D%/oracle_arith.h \
    %D%/oracle_arith.c \
    %D%/oracle_decide.c \
    %D%/oracle_formats.c \
    %D%/samples.h \
    %D%/samples.c \
    %D%/trial.h \
    %D%/trial.c
TESTS += $(oracle_tests)
check_PROGRAMS += $(oracle_tests)
%C%_test_engines_SOURCES = %D%/test_engines.c %D%/oracle_engines.h %D%/oracle_engines.c \
    %D%/oracle_late.h %D%/oracle_late.c %D%/oracle_results.h %D%/oracle_results.c
%C%_test_scaled_engines_SOURCES = %D%/test_scaled_engines.c %D%/oracle_scaled.h %D%/oracle_scaled.c
%C%_test_blocks_SOURCES = %D%/test_blocks.c $(oracle_of_blocks)
%C%_test_constants_CPPFLAGS = $(AM_CPPFLAGS) $(libfpinspect_la_CPPFLAGS)
%C%_test_constants_LDADD = libfpinspect.la libtensorfile.la libkit.la $(LDADD) $(JANSSON_LIBS) $(LIBZIP_LIBS) -lpthread -lm
# What is compiled of a tool sees the kit, as the tool itself does.
%C%_test_runs_fplab_SOURCES = %D%/test_runs_fplab.c %D%/runs.h %D%/runs.c \
    %D%/memory_ends.h %D%/memory_ends.c
%C%_test_runs_fplab_CPPFLAGS = $(AM_CPPFLAGS) $(libfplab_la_CPPFLAGS) -I$(top_srcdir)/tools/fplab
%C%_test_runs_fplab_LDADD = libfplab.la libtensorfile.la libkit.la $(LDADD) $(JANSSON_LIBS) $(LIBZIP_LIBS)
%C%_test_optimizers_SOURCES = %D%/test_optimizers.c tools/fplab/optimizer.c
%C%_test_optimizers_CPPFLAGS = $(AM_CPPFLAGS) $(tools_cppflags)
%C%_test_optimizers_LDADD = libkit.la $(LDADD)
%C%_test_mlp_SOURCES = \
    %D%/test_mlp.c \
    tools/fplab/iris.c \
    tools/fplab/mlp.c \
    tools/fplab/mlp_loss.c \
    tools/fplab/mlp_operand.c \
    tools/fplab/mlp_product.c \
    tools/fplab/normal.c
%C%_test_mlp_CPPFLAGS = $(AM_CPPFLAGS) $(tools_cppflags)
%C%_test_mlp_LDADD = libkit.la $(LDADD)
else
TESTS += %D%/no_mpfr.sh
endif
else
TESTS += %D%/no_cunit.sh
endif

# A failing TAP program also exits with 1: counted once, and a missing line of its plan counts.
TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER_FLAGS = --ignore-exit
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_DRIVER_FLAGS = $(LOG_DRIVER_FLAGS)
SH_LOG_COMPILER = $(SHELL)

# Tests read below srcdir and write in the current folder.
AM_TESTS_ENVIRONMENT = \
    srcdir='$(srcdir)'; \
    vectors='$(vectors)'; \
    version='$(PACKAGE_VERSION)'; \
    version_script='$(VERSION_SCRIPT_FLAG)'; \
    examples='$(examples)'; \
    exhaustive='$(exhaustive)'; \
    make='$(MAKE)'; \
    CC='$(CC)'; \
    MPFR_CFLAGS='$(MPFR_CFLAGS)'; \
    have_mpfr='$(MPFR_LIBS)'; \
    have_jansson='$(JANSSON_LIBS)'; \
    export srcdir vectors version version_script examples exhaustive make CC MPFR_CFLAGS have_mpfr have_jansson;

# The slices that check-exhaustive need not go through again.
CLEANFILES += every_float.done

check-exhaustive:
	$(MAKE) $(AM_MAKEFLAGS) check exhaustive=yes
.PHONY: check-exhaustive
