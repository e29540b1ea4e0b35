# Small programs as a user would write them. tests/examples.sh compares what each prints with
# the .txt beside it.
#
# SPDX-License-Identifier: MIT

examples = %D%/round
check_PROGRAMS += $(examples)
EXTRA_DIST += %D%/round.txt

%C%_round_SOURCES = %D%/round.c
%C%_round_CPPFLAGS = -I$(top_srcdir)/include
%C%_round_LDADD = libfpfmt.la
