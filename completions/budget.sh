# Prints the completion of fpbudget for one shell: sh budget.sh bash|zsh|fish SOURCES
#
# SPDX-License-Identifier: MIT
#
# Options and what they say come from the table in SOURCES (tools/fpbudget), as do words of short
# tables. Recipes, optimizers and devices are not written down: the completion asks the fpbudget
# that it completes.

shell=$1
sources=$2

# words TABLE FILE: the names in a table
words() {
    sed -n "/ $1\[\] = {/,/^};/p" "$sources/$2" | grep -o '{ "[a-z0-9-]*"' | tr -d '{" ' |
        awk '{ printf "%s%s", separator, $0; separator = " " }'
}

# option NAME KIND SUMMARY, for each option that fpbudget takes; the kind is - where it takes
# nothing, the name of a list, words of a table, or other
options() {
    sed -n 's/^    \([A-Z]*\)("\([a-z-]*\)", \(.*\), "\([^"]*\)"),$/\1|\2|\3|\4/p' \
        "$sources/options.c" | while IFS='|' read -r row name target told; do
        case $row,$target in
        FLAG,* | JOB,* | OTHER,NULL*) kind=- ;;
        CHOICE,*) kind=${target##* }s ;;
        *OTHER_WEIGHTS) kind=formats ;;
        *OTHER_COLOR) kind=colors ;;
        *) kind=other ;;
        esac
        echo "$name $kind $told"
    done
}

lists="recipes optimizers devices formats"
tables="computes recomputes colors"

# The names of a list that fpbudget prints: what stands below them follows an empty line.
names="awk 'NF == 0 { exit } \$1 !~ /^(recipe|device)\$/ { print \$1 }'"

words_of() {
    case $1 in
    computes) words computes devices.c ;;
    recomputes) words recomputes activations.c ;;
    colors) words colors options.c ;;
    esac
}

for_bash() {
    cat <<END
# Completion of fpbudget for bash.

_fpbudget_list() {
    "\$1" --list-"\$2" 2>/dev/null | $names
}

_fpbudget() {
    local current=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} words=
    # Readline takes = for a word of its own.
    if [[ \$current == = ]]; then
        current=
    elif [[ \$option == = ]]; then
        option=\${COMP_WORDS[COMP_CWORD-2]}
    fi
    case \$option in
END
    options | while read -r name kind told; do
        case $kind in
        -) continue ;;
        other) command=return ;;
        recipes | optimizers | devices | formats)
            command="words=\$(_fpbudget_list \"\$1\" $kind)" ;;
        *) command="words='$(words_of "$kind")'" ;;
        esac
        printf '    --%s) %s ;;\n' "$name" "$command"
    done
    cat <<END
    *) words='memory flops$(options | awk '{ printf " --%s", $1 }')' ;;
    esac
    COMPREPLY=(\$(compgen -W "\$words" -- "\$current"))
}

complete -F _fpbudget fpbudget
END
}

for_zsh() {
    cat <<END
#compdef fpbudget
# Completion of fpbudget for zsh.

END
    for kind in $lists; do
        cat <<END
_fpbudget_$kind() {
    local -a words
    words=(\${(f)"\$(\$service --list-$kind 2>/dev/null | $names)"})
    compadd "\$@" -a words
}

END
    done
    for kind in $tables; do
        printf '_fpbudget_%s() {\n    compadd "$@" - %s\n}\n\n' "$kind" "$(words_of "$kind")"
    done
    echo "_arguments -S \\"
    options | while read -r name kind told; do
        case $kind in
        -) argument= equals= ;;
        other) argument=":argument: " equals== ;;
        *) argument=":$kind:_fpbudget_$kind" equals== ;;
        esac
        echo "    '--$name$equals[$told]$argument' \\"
    done
    echo "    '1:command:(memory flops)'"
}

for_fish() {
    cat <<END
# Completion of fpbudget for fish.

complete -c fpbudget -f -n '__fish_use_subcommand' -a 'memory flops'
END
    options | while read -r name kind told; do
        case $kind in
        -) argument= ;;
        other) argument=" -x" ;;
        recipes | optimizers | devices | formats)
            argument=" -x -a \"(fpbudget --list-$kind | $(echo "$names" | sed 's/\$/\\&/g'))\"" ;;
        *) argument=" -x -a '$(words_of "$kind")'" ;;
        esac
        echo "complete -c fpbudget -l $name$argument -d '$told'"
    done
}

case $shell in
bash | zsh | fish) "for_$shell" ;;
*)
    echo "usage: sh budget.sh bash|zsh|fish SOURCES" >&2
    exit 2
    ;;
esac
