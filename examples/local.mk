# Small programs as a user would write them. tests/examples.sh compares what each prints with
# the .txt beside it.
#
# SPDX-License-Identifier: MIT

examples = \
    %D%/dot_four_ways \
    %D%/hopper_fp8 \
    %D%/overflow \
    %D%/quantize \
    %D%/round \
    %D%/round_array \
    %D%/stochastic_step \
    %D%/strided
if HAVE_MPFR
examples += %D%/exp_bf16
endif
check_PROGRAMS += $(examples)
EXTRA_DIST += \
    %D%/dot_four_ways.txt \
    %D%/exp_bf16.txt \
    %D%/hopper_fp8.txt \
    %D%/overflow.txt \
    %D%/quantize.txt \
    %D%/round.txt \
    %D%/round_array.txt \
    %D%/stochastic_step.txt \
    %D%/strided.txt

%C%_dot_four_ways_SOURCES = %D%/dot_four_ways.c
%C%_dot_four_ways_CPPFLAGS = -I$(top_srcdir)/include
%C%_dot_four_ways_LDADD = libfpfmt.la

%C%_exp_bf16_SOURCES = %D%/exp_bf16.c
%C%_exp_bf16_CPPFLAGS = -I$(top_srcdir)/include $(MPFR_CFLAGS)
%C%_exp_bf16_LDADD = libfpfmt.la $(MPFR_LIBS)

%C%_hopper_fp8_SOURCES = %D%/hopper_fp8.c
%C%_hopper_fp8_CPPFLAGS = -I$(top_srcdir)/include
%C%_hopper_fp8_LDADD = libfpfmt.la

%C%_overflow_SOURCES = %D%/overflow.c
%C%_overflow_CPPFLAGS = -I$(top_srcdir)/include
%C%_overflow_LDADD = libfpfmt.la

%C%_quantize_SOURCES = %D%/quantize.c
%C%_quantize_CPPFLAGS = -I$(top_srcdir)/include
%C%_quantize_LDADD = libfpfmt.la

%C%_round_SOURCES = %D%/round.c
%C%_round_CPPFLAGS = -I$(top_srcdir)/include
%C%_round_LDADD = libfpfmt.la

%C%_round_array_SOURCES = %D%/round_array.c
%C%_round_array_CPPFLAGS = -I$(top_srcdir)/include
%C%_round_array_LDADD = libfpfmt.la

%C%_stochastic_step_SOURCES = %D%/stochastic_step.c
%C%_stochastic_step_CPPFLAGS = -I$(top_srcdir)/include
%C%_stochastic_step_LDADD = libfpfmt.la

%C%_strided_SOURCES = %D%/strided.c
%C%_strided_CPPFLAGS = -I$(top_srcdir)/include
%C%_strided_LDADD = libfpfmt.la
