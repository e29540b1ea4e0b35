# The completions offer what there is, and only that.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

plan 8
find_tool
make_scratch

command -v bash >/dev/null && cat >"$scratch/complete" <<'END'
# complete FILE TOOL WORD...: what the completion offers for the last word, a line each
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_${2##*/} "$2" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
END

# offered WORD...: of bash, sorted
offered() {
    bash "$scratch/complete" completions/fpinspect.bash "$tool" "$@" | LC_ALL=C sort -u
}

# offers EXPECTED WORD...: complains unless that is offered, and nothing else
offers() {
    expected=$1
    shift
    got=$(offered "$@" | tr '\n' ' ')
    [ "$got" = "$expected " ] || echo "$*: $got"
}

# takes ARGUMENT...: the tool has no complaint, or the first of it is in the log
takes() {
    echo 1 | "$tool" "$@" >"$scratch/log" 2>&1
    [ $? -lt 2 ]
}

# accepted OPTION WORDS: the tool takes each of the words as the argument of an option, for a format
# or for a block format, since the two do not go together
accepted() {
    require "$2" "words for $1"
    while read -r word; do
        if [ "$1" = --as ]; then
            takes "$1" "$word"
        else
            takes --as mxfp4 "$1" "$word" || takes --as fp16 "$1" "$word"
        fi || head -n 1 "$scratch/log"
    done <"$2"
}

if [ -s "$scratch/complete" ]; then
    verdict "bash is offered formats after --as" "$(
        offers bf16 --as bf1
        offers 'bfloat bfloat16' --as = bfloat
        offers fp32,bf16 --as fp32,bf1
        offers float8_e4m3fnuz -a float8_e4m3fnu
        offers 'onnx-nosaturate onnx-saturate' --policy onnx
        offers 'rna rne rnz' -r rn
        offers rto --via fp32 : rto
        offers code,exact --print code,exa
        offers 'nv-hopper nv-hopper-mma-fp8' --accumulate nv-hop
        offers fma,exact --accumulate fma,ex
        touch "$scratch/values"
        offers "$scratch/values" --dot "$scratch/val"
        offers "a.txt,$scratch/values" --dot "a.txt,$scratch/val"
        offers '--json --jsonl' --json
        offers '' 1e-8)"
    offered -- >"$scratch/options"
    "$tool" --help | sed 1d | words '--[a-z][a-z-]*' >"$scratch/there"
    require "$scratch/there" "options"
    verdict "bash is offered every option" "$(diff "$scratch/there" "$scratch/options")"
    "$tool" --list-formats --plain | awk '{ print $1 }' | LC_ALL=C sort >"$scratch/formats"
    offered --as '' >"$scratch/targets"
    verdict "bash is offered every format" "$(only_in_first "$scratch/formats" "$scratch/targets")"
    verdict "fpinspect takes what bash is offered" "$(
        for option in round overflow policy tininess plot color print fail-on; do
            offered "--$option" '' >"$scratch/words"
            accepted "--$option" "$scratch/words"
        done
        only_in_first "$scratch/targets" "$scratch/formats" >"$scratch/words"
        accepted --as "$scratch/words" | grep -v -w 'could mean any of'
    )"
else
    for sentence in "bash is offered formats after --as" "bash is offered every option" \
        "bash is offered every format" "fpinspect takes what bash is offered"; do
        skip "$sentence" "there is no bash"
    done
fi

# The scripts that were installed beside the tool hold no word of it but its name.
for shell in bash:.bash zsh:_ fish:.fish; do
    kind=${shell#*:}
    shell=${shell%:*}
    sentence="the completions for $shell are sound, and have no option of their own"
    if command -v "$shell" >/dev/null; then
        verdict "$sentence" "$(
            for name in fpinspect fpbudget fpcast ${have_mpfr:+fplab}; do
                case $kind in
                _) file=completions/_$name ;;
                *) file=completions/$name$kind ;;
                esac
                require "$file" "completions of $name for $shell"
                "$shell" -n "$file" 2>&1
                grep -e '--[a-z]' "$file" | grep -v -e '--complete'
            done)"
    else
        skip "$sentence" "there is no $shell"
    fi
done

if command -v fish >/dev/null; then
    PATH=${tool%/*}:$PATH fish -c "source completions/fpinspect.fish
        complete -C 'fpinspect --as bfloa'" 2>&1 | cut -f 1 | sort >"$scratch/fish"
    verdict "fish is offered formats after --as" "$(
        printf '%s\n' bfloat bfloat16 | diff - "$scratch/fish")"
else
    skip "fish is offered formats after --as" "there is no fish"
fi
