# The tools. They see the public header and nothing else of the library.
#
# SPDX-License-Identifier: MIT

bin_PROGRAMS += fpinspect
fpinspect_SOURCES = \
    %D%/fpinspect/analyze.c \
    %D%/fpinspect/columns.c \
    %D%/fpinspect/columns.h \
    %D%/fpinspect/constants.c \
    %D%/fpinspect/expression.c \
    %D%/fpinspect/expression.h \
    %D%/fpinspect/input.c \
    %D%/fpinspect/input.h \
    %D%/fpinspect/lists.c \
    %D%/fpinspect/machine.c \
    %D%/fpinspect/machine.h \
    %D%/fpinspect/main.c \
    %D%/fpinspect/number.c \
    %D%/fpinspect/number.h \
    %D%/fpinspect/options.c \
    %D%/fpinspect/options.h \
    %D%/fpinspect/out.c \
    %D%/fpinspect/out.h \
    %D%/fpinspect/plot.c \
    %D%/fpinspect/plot.h \
    %D%/fpinspect/report.c \
    %D%/fpinspect/report.h \
    %D%/fpinspect/say.c \
    %D%/fpinspect/say.h \
    %D%/fpinspect/screen.h \
    %D%/fpinspect/screen_all.c \
    %D%/fpinspect/screen_chain.c \
    %D%/fpinspect/screen_explain.c \
    %D%/fpinspect/screen_list.c \
    %D%/fpinspect/screen_nan.c \
    %D%/fpinspect/screen_one.c \
    %D%/fpinspect/screen_parts.c \
    %D%/fpinspect/screen_story.c \
    %D%/fpinspect/screen_strip.c \
    %D%/fpinspect/targets.c \
    %D%/fpinspect/targets.h \
    %D%/fpinspect/view.h \
    %D%/fpinspect/view_compare.c \
    %D%/fpinspect/view_diff.c \
    %D%/fpinspect/view_info.c \
    %D%/fpinspect/view_plot.c \
    %D%/fpinspect/view_table.c \
    %D%/fpinspect/words.c \
    %D%/fpinspect/words.h
fpinspect_CPPFLAGS = -I$(top_srcdir)/include -D_POSIX_C_SOURCE=200809L
fpinspect_LDADD = libfpfmt.la
