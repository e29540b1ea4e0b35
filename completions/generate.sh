# Prints the completion of fpinspect for one shell: sh generate.sh bash|zsh|fish SOURCES
#
# SPDX-License-Identifier: MIT
#
# Options and their words come from the tables in SOURCES (tools/fpinspect). Formats, policies and
# accumulators are not written down: the completion asks the fpinspect that it completes.

shell=$1
sources=$2

# An option, what its argument is, with + if that may be a list, and what the option does.
about() {
    cat <<'END'
as targets+ target formats
from formats values are raw bits of a format
via formats+ convert through these formats first
analyze - tell whether the chain can differ
round roundings+ rounding modes
overflow overflows+ what becomes of overflow
saturate - the same as --overflow max
policy policies+ what an ecosystem does
ftz - flush tiny results to zero
daz - take subnormal inputs for zero
seed number seed of stochastic rounding
tininess tininesses when a result is tiny
explain - show the steps of the rounding
stepwise - show what rounding every operation gives
neighbors number codes to show below and above
exact - write all digits
quiet - print exact decimals only
json - print JSON
jsonl - print a line of JSON for each result
csv - print comma-separated fields
tsv - print tab-separated fields
plain - print blank-separated fields
compare - show ranges and precisions
table formats show every value of a format
info formats show the limits of a format
diff formats+ show how two formats differ
dot files+ sum up the products of two files of numbers
accumulate accumulators+ how the products are summed up
init number start of the sum
plot plots draw a picture
print fields+ print these fields
fail-on conditions+ exit with 1 where these occur
list-formats - list the formats
list-policies - list the policies
list-accumulators - list the accumulators
color colors when to use colour
ascii - use ASCII only
width number width of the screen
help - print a summary
version - print the version
END
}

# words TABLE FILE: the names in a table of words
words() {
    sed -n "/^static const word $1\[\]/,/^};/p" "$sources/$2" | grep -o '{ "[a-z0-9-]*"' |
        tr -d '{" ' | sed 's/^sr-[abc]$/&:8/'
}

# words_of KIND: what may stand there, in one line; nothing if only fpinspect knows
words_of() {
    case $1 in
    fields) words fields machine.c ;;
    conditions) words flags words.c; words statuses words.c ;;
    roundings | overflows | tininesses | plots | colors) words "$1" words.c ;;
    esac | awk '!seen[$0]++ { printf "%s%s", separator, $0; separator = " " }'
}

# option NAME LETTER KIND DESCRIPTION, for each option that fpinspect takes; - where there is none
options() {
    sed -n "s/^ *{ \"\([a-z-]*\)\", \([a-z]*\)_argument, NULL, \(.*\) },.*/\1 \3 \2/p" \
        "$sources/options.c" | while read -r name letter takes; do
        case $letter in
        "'"?"'") letter=${letter#?} letter=${letter%?} ;;
        *) letter=- ;;
        esac
        told=$(about | sed -n "s/^$name //p")
        if [ -z "$told" ]; then
            case $takes in
            no) told="- $name" ;;
            *) told="other $name" ;;
            esac
        fi
        echo "$name $letter $told"
    done
}

kinds="fields conditions roundings overflows tininesses plots colors"
sets="default ieee ocp mx p3109 all"

# The arguments of fpinspect that make it list formats and the like, with what picks their names.
list_formats="--list-formats 2>/dev/null | awk -F '  +' '{ print \$1; print \$3 }' | tr ' ' '\\n'"
list_policies="--list-policies 2>/dev/null | awk '{ print \$1 }'"
list_accumulators="--list-accumulators --plain 2>/dev/null | awk '!seen[\$1]++ { print \$1 }'"

for_bash() {
    cat <<END
# Completion of fpinspect for bash.

_fpinspect_formats() {
    "\$1" $list_formats
}

_fpinspect() {
    local current=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} words= before=
    # Readline takes = for a word of its own, and : too.
    if [[ \$current == = ]]; then
        current=
    elif [[ \$option == = ]]; then
        option=\${COMP_WORDS[COMP_CWORD-2]}
    elif [[ \$current == : || \$option == : ]]; then
        [[ \$current == : ]] && current=
        option=--round
    fi
    case \$option in
END
    options | while read -r name letter kind told; do
        [ "$kind" != - ] || continue
        [ "$letter" = - ] && pattern="--$name" || pattern="--$name | -$letter"
        case ${kind%+} in
        targets) command="words=\"$sets \$(_fpinspect_formats \"\$1\")\"" ;;
        formats) command="words=\$(_fpinspect_formats \"\$1\")" ;;
        policies) command="words=\$(\"\$1\" $list_policies)" ;;
        accumulators) command="words=\$(\"\$1\" $list_accumulators)" ;;
        files) command="words=\$(compgen -f -- \"\${current##*,}\")" ;;
        number | other) command="return" ;;
        *) command="words='$(words_of "${kind%+}")'" ;;
        esac
        printf '    %s) %s ;;\n' "$pattern" "$command"
    done
    cat <<END
    *)
        [[ \$current == -* ]] && COMPREPLY=(\$(compgen -W '$(
            options | awk '{ printf "%s--%s", separator, $1; separator = " " }')' -- "\$current"))
        return
        ;;
    esac
    [[ \$current == *,* ]] && before=\${current%,*},
    COMPREPLY=(\$(compgen -P "\$before" -W "\$words" -- "\${current##*,}"))
}
complete -F _fpinspect fpinspect
END
}

for_zsh() {
    cat <<END
#compdef fpinspect
# Completion of fpinspect for zsh.

_fpinspect_formats() {
    local -a words
    words=(\${(f)"\$(\$service $list_formats)"})
    compadd "\$@" -a words
}

_fpinspect_targets() {
    compadd "\$@" - $sets
    _fpinspect_formats "\$@"
}

_fpinspect_policies() {
    local -a words
    words=(\${(f)"\$(\$service $list_policies)"})
    compadd "\$@" -a words
}

_fpinspect_accumulators() {
    local -a words
    words=(\${(f)"\$(\$service $list_accumulators)"})
    compadd "\$@" -a words
}

END
    for kind in $kinds; do
        printf '_fpinspect_%s() {\n    compadd "$@" - %s\n}\n\n' "$kind" "$(words_of "$kind")"
    done
    echo "_arguments -s -S \\"
    options | while read -r name letter kind told; do
        case $kind in
        -) argument= equals= ;;
        number | other) argument=":$kind: " equals== ;;
        files+) argument=":files:_sequence _files" equals== ;;
        *+) argument=":${kind%+}:_sequence _fpinspect_${kind%+}" equals== ;;
        *) argument=":$kind:_fpinspect_$kind" equals== ;;
        esac
        if [ "$letter" = - ]; then
            echo "    '--$name$equals[$told]$argument' \\"
        else
            echo "    '(-$letter --$name)'{-$letter,--$name$equals}'[$told]$argument' \\"
        fi
    done
    echo "    '*:value: '"
}

for_fish() {
    cat <<END
# Completion of fpinspect for fish.

function __fpinspect_formats
    fpinspect $list_formats
end

function __fpinspect_targets
    string split ' ' '$sets'
    __fpinspect_formats
end

function __fpinspect_policies
    fpinspect $list_policies
end

function __fpinspect_accumulators
    fpinspect $list_accumulators
end

END
    for kind in $kinds; do
        printf "function __fpinspect_%s\n    string split ' ' '%s'\nend\n\n" \
            "$kind" "$(words_of "$kind")"
    done
    echo "complete -c fpinspect -f"
    options | while read -r name letter kind told; do
        [ "$letter" = - ] && short= || short=" -s $letter"
        case $kind in
        -) argument= ;;
        number | other) argument=" -x" ;;
        files+) argument=" -x -a '(__fish_complete_list , __fish_complete_path)'" ;;
        *+) argument=" -x -a '(__fish_complete_list , __fpinspect_${kind%+})'" ;;
        *) argument=" -x -a '(__fpinspect_$kind)'" ;;
        esac
        echo "complete -c fpinspect -l $name$short$argument -d '$told'"
    done
}

case $shell in
bash | zsh | fish) "for_$shell" ;;
*)
    echo "usage: sh generate.sh bash|zsh|fish SOURCES" >&2
    exit 2
    ;;
esac
