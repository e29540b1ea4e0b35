# The completions of fpinspect, generated from its tables of options and words. This runs no
# program that was built, so that it works when cross compiling.
#
# SPDX-License-Identifier: MIT

bash_completiondir = $(datadir)/bash-completion/completions
zsh_completiondir = $(datadir)/zsh/site-functions
fish_completiondir = $(datadir)/fish/vendor_completions.d
nodist_bash_completion_DATA = %D%/fpinspect.bash
nodist_zsh_completion_DATA = %D%/_fpinspect
nodist_fish_completion_DATA = %D%/fpinspect.fish

completion_sources = \
    %D%/generate.sh \
    tools/fpinspect/machine.c \
    tools/fpinspect/options.c \
    tools/fpinspect/words.c
generate_completion = $(AM_V_GEN)$(MKDIR_P) %D% && \
    $(SHELL) $(srcdir)/%D%/generate.sh

%D%/fpinspect.bash: $(completion_sources)
	$(generate_completion) bash $(srcdir)/tools/fpinspect >$@
%D%/_fpinspect: $(completion_sources)
	$(generate_completion) zsh $(srcdir)/tools/fpinspect >$@
%D%/fpinspect.fish: $(completion_sources)
	$(generate_completion) fish $(srcdir)/tools/fpinspect >$@

CLEANFILES += %D%/fpinspect.bash %D%/_fpinspect %D%/fpinspect.fish
EXTRA_DIST += %D%/generate.sh
