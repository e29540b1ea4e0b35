# The completions of the tools, generated from their tables of options and words. This runs no
# program that was built, so that it works when cross compiling.
#
# SPDX-License-Identifier: MIT

bash_completiondir = $(datadir)/bash-completion/completions
zsh_completiondir = $(datadir)/zsh/site-functions
fish_completiondir = $(datadir)/fish/vendor_completions.d
nodist_bash_completion_DATA = %D%/fpinspect.bash %D%/fpbudget.bash
nodist_zsh_completion_DATA = %D%/_fpinspect %D%/_fpbudget
nodist_fish_completion_DATA = %D%/fpinspect.fish %D%/fpbudget.fish

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

budget_completion_sources = \
    %D%/budget.sh \
    tools/fpbudget/activations.c \
    tools/fpbudget/devices.c \
    tools/fpbudget/options.c
generate_budget_completion = $(AM_V_GEN)$(MKDIR_P) %D% && \
    $(SHELL) $(srcdir)/%D%/budget.sh

%D%/fpbudget.bash: $(budget_completion_sources)
	$(generate_budget_completion) bash $(srcdir)/tools/fpbudget >$@
%D%/_fpbudget: $(budget_completion_sources)
	$(generate_budget_completion) zsh $(srcdir)/tools/fpbudget >$@
%D%/fpbudget.fish: $(budget_completion_sources)
	$(generate_budget_completion) fish $(srcdir)/tools/fpbudget >$@

# Of fplab, which is built where MPFR is.
lab_completion_sources = %D%/lab.sh $(fplab_SOURCES)
generate_lab_completion = $(AM_V_GEN)$(MKDIR_P) %D% && $(SHELL) $(srcdir)/%D%/lab.sh
if HAVE_MPFR
nodist_bash_completion_DATA += %D%/fplab.bash
nodist_zsh_completion_DATA += %D%/_fplab
nodist_fish_completion_DATA += %D%/fplab.fish
%D%/fplab.bash: $(lab_completion_sources)
	$(generate_lab_completion) bash $(srcdir)/tools/fplab >$@
%D%/_fplab: $(lab_completion_sources)
	$(generate_lab_completion) zsh $(srcdir)/tools/fplab >$@
%D%/fplab.fish: $(lab_completion_sources)
	$(generate_lab_completion) fish $(srcdir)/tools/fplab >$@
endif

CLEANFILES += \
    $(nodist_bash_completion_DATA) \
    $(nodist_zsh_completion_DATA) \
    $(nodist_fish_completion_DATA)
EXTRA_DIST += %D%/budget.sh %D%/generate.sh %D%/lab.sh
