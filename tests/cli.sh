# The command line: every block of data/cli*.txt says what one command prints and how it ends.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"
. "$srcdir/tests/commands.sh"

find_tool
make_scratch
blocks=$scratch/blocks
cat "$srcdir"/tests/data/cli*.txt >"$blocks"
require "$blocks" "blocks of commands"
use_tool fpinspect "$tool"
data=$(cd "$srcdir/tests/data" && pwd)
export data

# Where a locale with a decimal comma can be made, in-comma-locale runs a command under it.
if localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" >"$scratch/log" 2>&1; then
    printf '#!/bin/sh\nexec env LOCPATH="%s" LC_ALL=de_DE.UTF-8 "$@"\n' "$scratch" \
        >"$scratch/bin/in-comma-locale"
    chmod +x "$scratch/bin/in-comma-locale"
fi

plan "$(tests_of "$blocks")"
run_blocks "$blocks" 330
