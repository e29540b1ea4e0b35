# The completions of the tools: one script for each shell, which asks the tool what may follow. This
# runs no program that was built, so that it works when cross compiling.
#
# SPDX-License-Identifier: MIT

bash_completiondir = $(datadir)/bash-completion/completions
zsh_completiondir = $(datadir)/zsh/site-functions
fish_completiondir = $(datadir)/fish/vendor_completions.d
nodist_bash_completion_DATA = %D%/fpinspect.bash %D%/fpbudget.bash %D%/fpcast.bash
nodist_zsh_completion_DATA = %D%/_fpinspect %D%/_fpbudget %D%/_fpcast
nodist_fish_completion_DATA = %D%/fpinspect.fish %D%/fpbudget.fish %D%/fpcast.fish
if HAVE_MPFR
nodist_bash_completion_DATA += %D%/fplab.bash
nodist_zsh_completion_DATA += %D%/_fplab
nodist_fish_completion_DATA += %D%/fplab.fish
endif

complete_tool = $(AM_V_GEN)$(MKDIR_P) %D% && tool=`basename $@ | sed 's/^_//; s/\..*//'` && \
    sed "s/@TOOL@/$$tool/g"

$(nodist_bash_completion_DATA): %D%/bash.in
	$(complete_tool) $(srcdir)/%D%/bash.in >$@
$(nodist_zsh_completion_DATA): %D%/zsh.in
	$(complete_tool) $(srcdir)/%D%/zsh.in >$@
$(nodist_fish_completion_DATA): %D%/fish.in
	$(complete_tool) $(srcdir)/%D%/fish.in >$@

CLEANFILES += \
    $(nodist_bash_completion_DATA) \
    $(nodist_zsh_completion_DATA) \
    $(nodist_fish_completion_DATA)
EXTRA_DIST += %D%/bash.in %D%/fish.in %D%/zsh.in
