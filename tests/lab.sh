# fplab but for training: every block of data/lab*.txt says what one command prints and how it ends;
# models of some experiments in another language, the manual with its ten questions, and what is
# offered to completions.
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

plan $(($(tests_of "$blocks") + 10))
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

# What the tool offers to completions, which only pass it on: offered WORD..., the last being typed
offered() {
    fplab --complete "$@" | sed 's/	.*//' | LC_ALL=C sort -u
}
verdict "completions are offered experiments, their options, and what these take" "$(
    printf '%s\n' "$experiments" | LC_ALL=C sort >"$scratch/all"
    offered '' | diff "$scratch/all" -
    for name in $experiments; do
        { "$tool" "$name" --help | sed -n 's/^  \(--[a-z-]*\) .*/\1/p'
          printf '%s\n' --help --version; } | LC_ALL=C sort >"$scratch/all"
        offered "$name" -- | diff "$scratch/all" -
    done
    [ "$(offered sum --as fp32,bf16)" = fp32,bf16 ] || echo "no bf16"
    [ "$(offered sum --as=ieee,fp32)" = --as=ieee,fp32 ] || echo "no fp32 behind ="
    [ "$(offered dot --accumulate pairw)" = pairwise ] || echo "no pairwise"
    [ "$(offered sum 0.1 3 --accumulate sequ)" = sequential ] || echo "no sequential"
    [ "$(offered init --scheme randn,xa)" = randn,xavier ] || echo "no xavier"
    [ "$(offered dot --data c)" = centred ] || echo "no centred numbers"
    [ "$(offered train --optimizer adam | tr '\n' ' ')" = "adam adamw " ] || echo "no adamw"
    [ "$(offered train --as bf16/e5m2f)" = bf16/e5m2fnuz ] || echo "no format behind a slash"
    [ "$(offered train --as nvfp4/mxfp8-e5)" = nvfp4/mxfp8-e5m2 ] || echo "no blocks behind a slash"
    [ "$(offered train --as bf16,e2m1@e8m0/32/mxfp8-e5)" = bf16,e2m1@e8m0/32/mxfp8-e5m2 ] ||
        echo "no blocks behind blocks"
    [ -z "$(offered train --as nf)" ] || echo "a code book, which is no operand"
    [ "$(offered train --dw sam)$(offered train --dx bf16/sam)" = samebf16/same ] || echo "no same"
    [ "$(offered train --recipe rc)" = rceil ] || echo "no recipe"
    [ "$(offered train --round rne/sr-e)" = rne/sr-eq ] || echo "no mode behind a slash"
    [ "$(offered train --policy torch/ocp-s)" = torch/ocp-sat ] || echo "no policy behind a slash"
    [ "$(offered train --master non)" = none ] || echo "no parameters without a master copy"
    [ "$(offered train --update n)" = nearest ] || echo "no update"
    [ "$(offered train --resume x)" = :files ] || echo "no files"
    [ "$(offered view 2,3 rea)" = rearrange ] || echo "no operation"
    [ "$(offered sum 1 --color n)" = never ] || echo "no colour"
    [ -z "$(offered sum 1 '')$(offered none --)$(offered train --steps '')" ] ||
        echo "something where anything may stand")"
