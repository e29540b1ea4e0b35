# Small programs as a user would write them. tests/examples.sh compares what each prints with
# the .txt beside it.
#
# SPDX-License-Identifier: MIT

examples = %D%/round
if HAVE_MPFR
examples += %D%/exp_bf16
endif
check_PROGRAMS += $(examples)
EXTRA_DIST += %D%/exp_bf16.txt %D%/round.txt

%C%_exp_bf16_SOURCES = %D%/exp_bf16.c
%C%_exp_bf16_CPPFLAGS = -I$(top_srcdir)/include $(MPFR_CFLAGS)
%C%_exp_bf16_LDADD = libfpfmt.la $(MPFR_LIBS)

%C%_round_SOURCES = %D%/round.c
%C%_round_CPPFLAGS = -I$(top_srcdir)/include
%C%_round_LDADD = libfpfmt.la
