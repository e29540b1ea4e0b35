# What tests of command lines share: every block of a file says what one command prints and how it
# ends. Needs tap.sh and its scratch folder.
#
# SPDX-License-Identifier: MIT
#
# A block begins with "$ command", run by sh where the tool's name is the built tool. Then
#     = text   a line of stdout, exactly; with several, all of it
#     ~ text   stdout has this, after what the ~ before it named; blanks count as one
#     - text   stdout has not this
#     ! text   stderr, without its last line break, has this extended regular expression; stderr is
#              empty without one
#     ? N      the exit status; 0 without this line
# stdout is empty without a line of = or ~. A line of # begins a test: what holds, as a sentence.
# After it, "% program" names what the test cannot do without. A line of ## is a comment.

# use_tool NAME PATH: commands of blocks find the tool under this name, and no terminal
use_tool() {
    mkdir -p "$scratch/bin" && ln -s "$2" "$scratch/bin/$1"
    PATH=$scratch/bin:$PATH
    unset COLUMNS NO_COLOR CLICOLOR_FORCE FORCE_COLOR FPINSPECT_COLORS
    TERM=dumb
    export scratch version PATH TERM
    LC_ALL=$(utf8_locale)
    [ -n "$LC_ALL" ] || skip_all "there is no locale with UTF-8"
    export LC_ALL
}

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
            sub(/\n$/, "", complaints)
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

commands=0
command=
sentence=
missing=

# run_block: runs the command of $scratch/block, if there is one, and judges.
run_block() {
    [ -n "$command" ] || return 0
    (cd "$scratch" && eval "$command" </dev/null >out 2>err)
    judge $?
    command=
    commands=$((commands + 1))
}

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

# tests_of FILE: how many tests its blocks make
tests_of() {
    grep -c '^# ' "$1"
}

# run_blocks FILE LEAST: a verdict for each test of the file, which has that many commands at least
run_blocks() {
    : >"$scratch/complaints"
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
    done <"$1"
    close_test
    sentence=
    [ "$commands" -ge "$2" ] || echo "Bail out! only $commands commands were run"
}
