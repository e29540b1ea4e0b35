# fplab but for training: every block of data/lab*.txt says what one command prints and how it ends;
# models of some experiments in another language, the manual with its ten questions, completions.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"
. "$srcdir/tests/commands.sh"

[ -n "$have_mpfr" ] || skip_all "without MPFR there is no fplab"
find_tool
for name in fplab fpbudget; do
    program=${tool%fpinspect}$name
    [ -x "$program" ] || { echo "Bail out! there is no $program"; exit 1; }
done
make_scratch
blocks=$scratch/blocks
cat "$srcdir"/tests/data/lab*.txt >"$blocks"
require "$blocks" "blocks of commands"
use_tool fpinspect "$tool"
use_tool fpbudget "${tool%fpinspect}fpbudget"
tool=${tool%fpinspect}fplab
use_tool fplab "$tool"

plan $(($(tests_of "$blocks") + 12))
run_blocks "$blocks" 195

# What another language makes of random numbers, of stochastic steps and of views.
# modelled WHAT SENTENCE
modelled() {
    if command -v python3 >/dev/null; then
        verdict "$2" "$(python3 "$srcdir/tests/lab_models.py" "$1" 2>&1 | head -n 20)"
    else
        skip "$2" "there is no python3"
    fi
}
modelled random "normal and uniform numbers are those of their recipe, rounded once"
modelled stochastic "stochastic steps are exact sums, each with its random bits"
modelled views "views have the elements and strides that indices give, and copies are needed"

# sums_and_walks: sums from the start 0 are updates by the number itself.
sums_and_walks() {
    for format in fp16 e4m3 fp32 e2m1; do
        for number in 0.1 -1/3 300; do
            for count in 1 100 1000; do
                sum=$(fplab sum "$number" "$count" --as "$format" --accumulate sequential --tsv |
                    sed -n 2p | cut -f 2,5)
                update=$(fplab update 0 "$number" "$count" --as "$format" --tsv | sed -n 2p |
                    awk -F '\t' '{ print $4 "\t" $3 }')
                [ "$sum" = "$update" ] || echo "$count times $number in $format: $sum, $update"
                echo "$sum" >>"$scratch/sums"
            done
        done
    done
    [ "$(grep -c 0x "$scratch/sums")" -eq 36 ] || echo "not 36 sums"
}
verdict "a sequential sum is an update from 0" "$(sums_and_walks)"

# What the manual says.
experiments=$("$tool" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
for name in $experiments; do
    "$tool" "$name" --help
done | sed -n 's/^  \(--[a-z-]*\) .*/\1/p' | LC_ALL=C sort -u >"$scratch/options"
[ "$(wc -l <"$scratch/options")" -ge 25 ] || echo "Bail out! options were not found"
if command -v mandoc >/dev/null; then
    page fplab.1 | words '--[a-z][a-z0-9-]*' >"$scratch/told"
    verdict "man/fplab.1 names every option" "$(only_in_first "$scratch/options" "$scratch/told")"
    page fplab.1 | words '[a-z]+' >"$scratch/told"
    verdict "man/fplab.1 names every experiment" "$(
        printf '%s\n' "$experiments" | LC_ALL=C sort | only_in_first - "$scratch/told")"
    verdict "mandoc finds nothing wrong with man/fplab.1" \
        "$(mandoc -T lint -W warning "$srcdir/man/fplab.1")"
else
    for sentence in "man/fplab.1 names every option" "man/fplab.1 names every experiment" \
        "mandoc finds nothing wrong with man/fplab.1"; do
        skip "$sentence" "there is no mandoc"
    done
fi
sh "$srcdir/man/screens.sh" "$srcdir/man/fplab.1" >"$scratch/page"
verdict "man/fplab.1 shows the screens that fplab draws" "$(
    diff "$srcdir/man/fplab.1" "$scratch/page"
    [ "$(grep -A 1 '^[.]Bd -literal$' "$scratch/page" | grep -c '^[A-Z0-9]')" -ge 6 ] ||
        echo "there are too few screens")"

# The commands of the ten questions ran above: they are the manual's.
sed -n '/^[.]Sh TEN QUESTIONS/,/^[.]Sh EXIT/s/^[.]Dl \$ //p' "$srcdir/man/fplab.1" |
    sed "s/\\\\(aq/'/g; s/\\\\-/-/g" >"$scratch/asked"
sed -n 's/^\$ //p' "$srcdir/tests/data/lab_questions.txt" >"$scratch/answered"
verdict "the ten questions of man/fplab.1 are those that are answered" "$(
    diff "$scratch/asked" "$scratch/answered"
    [ "$(wc -l <"$scratch/asked")" -eq 10 ] || echo "they are not ten")"

# What the completions offer.
if command -v bash >/dev/null; then
    cat >"$scratch/complete" <<'END'
# complete FILE WORD...: what the completion offers for the last word, a line each
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_fplab "$2"
printf '%s\n' "${COMPREPLY[@]}"
END
    # offered WORD...
    offered() {
        bash "$scratch/complete" completions/fplab.bash "$tool" "$@" | LC_ALL=C sort -u
    }
    verdict "bash is offered experiments, their options, and what these take" "$(
        offered '' | grep -v '^--' >"$scratch/offered"
        printf '%s\n' "$experiments" | LC_ALL=C sort | diff - "$scratch/offered"
        for name in $experiments; do
            offered "$name" -- >"$scratch/offered"
            "$tool" "$name" --help | sed -n 's/^  \(--[a-z-]*\) .*/\1/p' | LC_ALL=C sort |
                diff - "$scratch/offered"
        done
        [ "$(offered sum --as fp32,bf1)" = fp32,bf16 ] || echo "no bf16"
        [ "$(offered dot --accumulate = pairw)" = pairwise ] || echo "no pairwise"
        [ "$(offered sum --accumulate sequ)" = sequential ] || echo "no sequential"
        [ "$(offered init --scheme randn,xa)" = randn,xavier ] || echo "no xavier"
        [ "$(offered dot --data c)" = centred ] || echo "no centred numbers"
        [ "$(offered train --optimizer adam | tr '\n' ' ')" = "adam adamw " ] || echo "no adamw")"
else
    skip "bash is offered experiments, their options, and what these take" "there is no bash"
fi
for shell in zsh:_fplab fish:fplab.fish; do
    file=${shell#*:}
    shell=${shell%:*}
    sentence="completions/$file is sound"
    if command -v "$shell" >/dev/null; then
        verdict "$sentence" "$(
            "$shell" -n "completions/$file" 2>&1
            sed 's/^--//' "$scratch/options" | while read -r name; do
                grep -q -e "--$name[=[]" -e "-l $name " "completions/$file" ||
                    echo "--$name is not completed"
            done)"
    else
        skip "$sentence" "there is no $shell"
    fi
done
