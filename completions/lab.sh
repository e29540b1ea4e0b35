# Prints the completion of fplab for one shell: sh lab.sh bash|zsh|fish SOURCES
#
# SPDX-License-Identifier: MIT
#
# Experiments, their options and what these say come from the tables in SOURCES (tools/fplab), as do
# words of short tables. Formats and accumulators are not written down: the completion asks
# fpinspect, which is installed beside fplab.

shell=$1
sources=$2

# experiments: a file and the experiment in it, a line each
experiments() {
    for file in "$sources"/*.c; do
        name=$(sed -n '/^const experiment /,/^};/s/^    \.name = "\([a-z]*\)",$/\1/p' "$file")
        [ -z "$name" ] || echo "$file $name"
    done
}

# options_of FILE: NAME|ARGUMENT|SUMMARY of the rows of its tables of options
options_of() {
    awk '
        /lab_option [a-z_]*\[\] = \{/ { inside = 1; next }
        /^};/ { inside = 0 }
        inside { text = text $0 }
        END {
            row = "(\\{ |TEXT\\()\"[a-z-]+\", *(NULL|\"[^\"]*\"), *\"[^\"]*\""
            while (match(text, row)) {
                found = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                gsub(/^[^"]*"|"$/, "", found)
                gsub(/", *NULL, *"/, "|-|", found)
                gsub(/", *"/, "|", found)
                print found
            }
        }' "$1"
}

# kind_of NAME ARGUMENT: what an option takes: -, formats, accumulators, words, files or other
kind_of() {
    case $1,$2 in
    *,-) echo - ;;
    *,FORMAT | *,FORMATS) echo formats ;;
    accumulate,*) echo accumulators ;;
    scheme,* | optimizer,* | data,WHAT) echo words ;;
    *,FILE) echo files ;;
    *) echo other ;;
    esac
}

# options: EXPERIMENT|NAME|KIND|SUMMARY of all experiments, with * for those that all take
options() {
    {
        experiments
        echo "$sources/main.c *"
    } | while read -r file experiment; do
        options_of "$file" | while IFS='|' read -r name argument told; do
            echo "$experiment|$name|$(kind_of "$name" "$argument")|$told"
        done
    done
}

# words PATTERN FILE: the names that a pattern finds in a table
words() {
    sed -n "s/$1/\1/p" "$sources/$2" | awk '{ printf "%s%s", separator, $0; separator = " " }'
}

words_of() {
    case $1 in
    scheme) words '^const scheme [a-z]*_scheme = { "\([a-z]*\)".*' network.c ;;
    optimizer) words '^ *{ \.name = "\([a-z]*\)",.*' optimizer.c ;;
    data) words '^    { "\([a-z]*\)", "[a-z].*", [a-z_]* },$' dot.c ;;
    esac
}

all=$(experiments | awk '{ printf "%s%s", separator, $2; separator = " " }')
formats="fpinspect --list-formats 2>/dev/null | awk '{ print \$1 }'"
accumulators="fpinspect --list-accumulators 2>/dev/null | awk '/^[a-z]/ { print \$1 }'"

for_bash() {
    cat <<END
# Completion of fplab for bash.

_fplab() {
    local current=\${COMP_WORDS[COMP_CWORD]} option=\${COMP_WORDS[COMP_CWORD-1]} words= before=
    # Readline takes = for a word of its own.
    if [[ \$current == = ]]; then
        current=
    elif [[ \$option == = ]]; then
        option=\${COMP_WORDS[COMP_CWORD-2]}
    fi
    case \${COMP_WORDS[1]}:\$option in
END
    options | while IFS='|' read -r experiment name kind told; do
        case $kind in
        -) continue ;;
        other) command=return ;;
        files) command="COMPREPLY=(\$(compgen -f -- \"\$current\")); return" ;;
        words) command="words='$(words_of "$name")'" ;;
        formats) command="words=\$($formats)" ;;
        accumulators) command="words=\"sequential \$($accumulators)\"" ;;
        esac
        printf '    %s:--%s) %s ;;\n' "$experiment" "$name" "$command"
    done
    for wanted in $all; do
        printf "    %s:*) words='%s' ;;\n" "$wanted" "$(options | awk -F '|' -v wanted="$wanted" '
            $1 == wanted || $1 == "*" { printf "%s--%s", separator, $2; separator = " " }')"
    done
    cat <<END
    *) words='$all --help --version' ;;
    esac
    [[ \$current == *,* ]] && before=\${current%,*},
    COMPREPLY=(\$(compgen -P "\$before" -W "\$words" -- "\${current##*,}"))
}
complete -F _fplab fplab
END
}

for_zsh() {
    cat <<END
#compdef fplab
# Completion of fplab for zsh.

_fplab_formats() {
    local -a words
    words=(\${(f)"\$($formats)"})
    compadd "\$@" -a words
}

_fplab_accumulators() {
    local -a words
    words=(sequential \${(f)"\$($accumulators)"})
    compadd "\$@" -a words
}

if (( CURRENT == 2 )); then
    compadd - $all
    return
fi
case \$words[2] in
END
    for wanted in $all; do
        printf '%s)\n    _arguments -S \\\n' "$wanted"
        options | while IFS='|' read -r experiment name kind told; do
            [ "$experiment" = "$wanted" ] || [ "$experiment" = '*' ] || continue
            equals==
            case $kind in
            -) argument= equals= ;;
            other) argument=":$name: " ;;
            files) argument=":file:_files" ;;
            words) argument=":$name:($(words_of "$name"))" ;;
            *) argument=":$kind:_sequence _fplab_$kind" ;;
            esac
            told=$(printf '%s\n' "$told" | sed "s/'/'\\\\''/g; s/:/\\\\:/g")
            printf '%s\n' "        '--$name$equals[$told]$argument' \\"
        done
        printf "        '*: : '\n    ;;\n"
    done
    echo esac
}

for_fish() {
    cat <<END
# Completion of fplab for fish.

function __fplab_formats
    $formats
end

function __fplab_accumulators
    echo sequential
    $accumulators
end

complete -c fplab -f -n '__fish_use_subcommand' -a '$all'
END
    options | while IFS='|' read -r experiment name kind told; do
        condition=" -n '__fish_seen_subcommand_from $experiment'"
        [ "$experiment" != '*' ] || condition=
        case $kind in
        -) argument= ;;
        other) argument=" -x" ;;
        files) argument=" -r -F" ;;
        words) argument=" -x -a '$(words_of "$name")'" ;;
        *) argument=" -x -a '(__fish_complete_list , __fplab_$kind)'" ;;
        esac
        told=$(printf '%s\n' "$told" | sed "s/'/\\\\'/g")
        printf '%s\n' "complete -c fplab$condition -l $name$argument -d '$told'"
    done
}

case $shell in
bash | zsh | fish) "for_$shell" ;;
*)
    echo "usage: sh lab.sh bash|zsh|fish SOURCES" >&2
    exit 2
    ;;
esac
