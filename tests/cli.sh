# The command line: every block of data/cli*.txt says what one command prints and how it ends.
#
# SPDX-License-Identifier: MIT
#
# A block begins with "$ command", run by sh where fpinspect is the built tool. Then
#     = text   a line of stdout, exactly; with several, all of it
#     ~ text   stdout has this, after what the ~ before it named; blanks count as one
#     - text   stdout has not this
#     ! text   stderr has this extended regular expression; stderr is empty without one
#     ? N      the exit status; 0 without this line
# stdout is empty without a line of = or ~. A line of # begins a test: what holds, as a sentence.
# After it, "% program" names what the test cannot do without.

. "$srcdir/tests/tap.sh"

find_tool
make_scratch
blocks=$scratch/blocks
cat "$srcdir"/tests/data/cli*.txt >"$blocks"
require "$blocks" "blocks of commands"
mkdir "$scratch/bin" && ln -s "$tool" "$scratch/bin/fpinspect"
export scratch version
PATH=$scratch/bin:$PATH

# Where a locale with a decimal comma can be made, in-comma-locale runs a command under it.
if localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" >"$scratch/log" 2>&1; then
    printf '#!/bin/sh\nexec env LOCPATH="%s" LC_ALL=de_DE.UTF-8 "$@"\n' "$scratch" \
        >"$scratch/bin/in-comma-locale"
    chmod +x "$scratch/bin/in-comma-locale"
fi
unset COLUMNS NO_COLOR CLICOLOR_FORCE FORCE_COLOR FPINSPECT_COLORS
TERM=dumb
export PATH TERM

LC_ALL=$(utf8_locale)
[ -n "$LC_ALL" ] || skip_all "there is no locale with UTF-8"
export LC_ALL

# What the block in $scratch/block promises and $scratch/out, err and status do not keep.
judge() {
    awk -v out="$scratch/out" -v err="$scratch/err" -v status="$1" '
        function squeezed(text) {
            gsub(/[ \t\n]+/, " ", text)
            return text
        }
        function slurp(file,    line, text) {
            while ((getline line <file) > 0)
                text = text line "\n"
            close(file)
            return text
        }
        function complain(text) {
            if (!failed++)
                print "$ " command
            print "    " text
        }
        BEGIN {
            printed = slurp(out)
            complaints = slurp(err)
            flat = squeezed(printed)
            from = 1
        }
        NR == 1 { command = substr($0, 3); next }
        { key = substr($0, 1, 1); text = substr($0, 3) }
        key == "=" { exact = exact text "\n"; lines++ }
        key == "~" {
            words++
            text = squeezed(text)
            at = index(substr(flat, from), text)
            if (at == 0)
                complain("stdout lacks \"" text "\" or has it too early")
            else
                from += at - 1 + length(text)
        }
        key == "-" { if (index(flat, squeezed(text))) complain("stdout has \"" text "\"") }
        key == "!" {
            errors++
            if (complaints !~ text)
                complain("stderr has nothing like /" text "/")
        }
        key == "?" { expected = text }
        END {
            if (lines && printed != exact)
                complain("stdout is not what is promised")
            if (!lines && !words && printed != "")
                complain("stdout is not empty")
            if (!errors && complaints != "")
                complain("stderr is not empty")
            if (status != expected + 0)
                complain("exit status " status ", not " expected + 0)
            if (failed) {
                n = split(printed, got, "\n")
                for (i = 1; i < n && i <= 12; i++)
                    print "    stdout " got[i]
                n = split(complaints, got, "\n")
                for (i = 1; i < n && i <= 4; i++)
                    print "    stderr " got[i]
            }
        }' "$scratch/block"
}

# run_block: runs the command of $scratch/block, if there is one, and judges.
run_block() {
    [ -n "$command" ] || return 0
    (cd "$scratch" && eval "$command" </dev/null >out 2>err)
    judge $?
    command=
    commands=$((commands + 1))
}

commands=0
command=
sentence=
missing=
: >"$scratch/complaints"

close_test() {
    if [ -n "$missing" ]; then
        command=
        skip "$sentence" "there is no $missing here"
    elif [ -n "$sentence" ]; then
        run_block >>"$scratch/complaints"
        verdict "$sentence" "$(cat "$scratch/complaints")"
    fi
    : >"$scratch/complaints"
    missing=
}

plan "$(grep -c '^# ' "$blocks")"
while IFS= read -r line; do
    case $line in
    '##'*) ;;
    '# '*)
        close_test
        sentence=${line#'# '}
        ;;
    '% '*)
        command -v "${line#'% '}" >/dev/null || missing=${line#'% '}
        ;;
    '$ '*)
        [ -n "$missing" ] || run_block >>"$scratch/complaints"
        command=${line#'$ '}
        printf '%s\n' "$line" >"$scratch/block"
        ;;
    ?*)
        printf '%s\n' "$line" >>"$scratch/block"
        ;;
    esac
done <"$blocks"
close_test
[ "$commands" -ge 330 ] || echo "Bail out! only $commands commands were run"
