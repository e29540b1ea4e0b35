# fplab train: every block of data/train.txt says what one command prints and how it ends; runs that
# were interrupted, damaged checkpoints, and a step in another language.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"
. "$srcdir/tests/commands.sh"

[ -n "$have_mpfr" ] || skip_all "without MPFR there is no fplab"
find_tool
tool=${tool%fpinspect}fplab
[ -x "$tool" ] || { echo "Bail out! there is no $tool"; exit 1; }
make_scratch
blocks=$srcdir/tests/data/train.txt
require "$blocks" "blocks of commands"
use_tool fplab "$tool"
if [ -n "$have_jansson" ]; then
    ln -s "$tool" "$scratch/bin/reads-checkpoints"
fi

plan $(($(tests_of "$blocks") + 8))
# npy FILE TYPE SHAPE [ORDER [VERSION]]: an array of NumPy with the data of the input
npy() {
    case ${5-1} in
    1) length='\001\000\166\000' ;;
    *) length="\\00$5\\000\\166\\000\\000\\000" ;;
    esac
    {
        printf '\223NUMPY'
        printf "$length"
        printf '%-117s\n' "{'descr': '$2', 'fortran_order': ${4-False}, 'shape': $3, }"
        cat
    } >"$scratch/$1.npy"
}
o='\000\000\000\000' i='\000\000\200\077' ii='\000\000\000\100'
printf "$o$i$i$o$ii$i$i$ii" | npy x '<f4' '(4, 2)'
printf "$o$i$ii$i$i$o$i$ii" | npy x-columns '<f4' '(4, 2)' True
o8="$o$o" i8="$o\000\000\360\077" ii8="$o$ii"
printf "$o8$i8$i8$o8$ii8$i8$i8$ii8" | npy x-double '<f8' '(4,2)' False 2
printf "$o$i$i\000\000\300\177$ii$i$i$ii" | npy x-nan '<f4' '(4, 2)'
printf "$o$i$i$o$ii\000\000\200\377$i$ii" | npy x-inf '<f4' '(4, 2)'
one='\077\200\000\000' two='\100\000\000\000'
printf "$o$one$one$o$two$one$one$two" | npy x-turned '>f4' '(4, 2)'
printf '\000\000\000\074\000\074\000\000\000\100\000\074\000\074\000\100' | npy x-halves '<f2' '(4, 2)'
printf "$o$o" | npy x-codes '<V2' '(2, 2)'
printf "$o$i$i$o$ii$i$i$ii" | npy x-flat '<f4' '(8,)'
printf "$o$i$i$o$ii$i$i" | npy x-short '<f4' '(4, 2)'
printf "$o$i$i$o$ii$i$i$ii$o" | npy x-long '<f4' '(4, 2)'
printf "$o" | npy x-vast '<f4' '(4611686018427387905, 4)'
printf '' | npy x-none '<f4' '(0, 2)'
printf "$o$i$i$o$ii$i$i$ii" | npy x-new '<f4' '(4, 2)' False 3
printf "$o$i$i$o$ii$i$i$ii" | npy x-odd '<f4' '(4, -2)'
l='\001\000\000\000' minus='\377\377\377\377'
printf "$o$l$l$o" | npy y '<i4' '(4,)'
printf "$o$o$l$o$l$o$o$o" | npy y-long '<i8' '(4,)'
printf '\000\001\001\000' | npy y-bytes '|u1' '(4,)'
printf "$o$l$minus$o" | npy y-minus '<i4' '(4,)'
printf "$o$o$o$o" | npy y-alike '<i4' '(4,)'
printf "$o$l$l" | npy y-three '<i4' '(3,)'
printf "$o$i$i$o" | npy y-vast '<i4' '(4,)'

run_blocks "$blocks" 110
tests=$(CDPATH='' cd -- "$srcdir/tests" && pwd)
cd "$scratch" || exit 1

# only_with_jansson SENTENCE FUNCTION
only_with_jansson() {
    if [ -n "$have_jansson" ]; then
        verdict "$1" "$("$2")"
    else
        skip "$1" "there is no jansson"
    fi
}

# ways: settings of runs, a line each
ways() {
    for optimizer in sgd momentum adagrad rmsprop adam adamw; do
        echo "--optimizer $optimizer --as bf16"
        echo "--optimizer $optimizer --as e4m3/e5m2 --master bf16 --state e5m2 --stochastic"
        echo "--optimizer $optimizer --as fp16 --master none --state tf32 --loss-scale dynamic:20 \
--update stochastic:8 --batch 7"
    done
    echo "--as mxfp8-e4m3/mxfp8-e5m2 --round rne/sr --recipe rceil --batch 17"
    echo "--as nvfp4 --round sr --stochastic --master bf16 --dw bf16"
    echo "--as e2m1@e8m0/4/channel-e4m3 --weights mxint8 --dx e4m3/e5m2 --round sr-b:4 --policy torch"
}

# Each run alone, and the same in two parts.
compare_resumed() {
    ways | while IFS= read -r way; do
        # shellcheck disable=SC2086
        fplab train $way --seed 3 --steps 60 --checkpoint whole --tsv >whole.tsv
        # shellcheck disable=SC2086
        fplab train $way --seed 3 --steps 25 --checkpoint half --tsv >half.tsv
        fplab train --resume half --steps 35 --checkpoint parts --tsv >rest.tsv
        cmp whole parts 2>&1 || echo "fplab train $way"
        { cat half.tsv; sed 1d rest.tsv; } | cut -f 1,2 >parts.tsv
        cut -f 1,2 whole.tsv | diff - parts.tsv
        echo done >>resumed
    done
    [ "$(wc -l <resumed)" -eq 21 ] || echo "not 21 runs"
}
only_with_jansson "a run in two parts has the losses and the checkpoint of a whole one" \
    compare_resumed

compare_defaults() {
    fplab train --steps 200 --checkpoint whole >whole.txt
    fplab train --steps 100 --checkpoint half >half.txt
    fplab train --resume half --steps 100 --checkpoint half >rest.txt
    cmp whole half 2>&1
    fplab train --steps 200 --checkpoint every --every 30 >every.txt
    cmp whole every 2>&1
    fplab train --steps 120 --checkpoint early --every 100 >early.txt
    fplab train --steps 120 --checkpoint late >late.txt
    cmp early late 2>&1
}
only_with_jansson "200 steps are 100 and 100 more, and so under its own name" compare_defaults

# refused FILE WHAT: it is, with a sentence, and stays as it is
refused() {
    cp "$1" before
    fplab train --resume "$1" --steps 1 --checkpoint "$1" >out 2>err
    status=$?
    [ $status -eq 2 ] || echo "$2: exit status $status"
    [ ! -s out ] || echo "$2: something was printed"
    [ "$(wc -l <err)" -ge 1 ] || echo "$2: no sentence"
    grep -v '^fplab: ' err
    cmp before "$1" 2>&1
}

# Another byte at places from the first to the last: all of the length, some of the opening, the
# checksum, the header and the tensors; and files that end early or late.
damage() {
    fplab train --steps 12 --checkpoint good >out
    size=$(wc -c <good)
    damaged=0
    at=0
    while [ "$at" -lt "$size" ]; do
        head -c "$at" good >bad
        [ $((damaged % 4)) -gt 0 ] || refused bad "$at bytes"
        { printf '\001'; tail -c +$((at + 2)) good; } >>bad
        cmp -s good bad || refused bad "byte $at"
        damaged=$((damaged + 1))
        at=$((at + 1 + (at >= 8) * 6 + (at >= 70) * 80))
    done
    [ "$damaged" -gt 50 ] || echo "too few were damaged"
    head -c $((size - 1)) good >bad
    refused bad "all bytes but one"
    { cat good; printf '\0'; } >bad
    refused bad "a byte more"
    fplab train --resume good --steps 1 >out 2>&1 || cat out
}
only_with_jansson "a checkpoint with any other byte is refused, and stays as it is" damage

# A write that ends in the middle: there is no room for more.
fplab train --steps 3 --checkpoint kept >out 2>&1
cp kept before
(ulimit -f 1 && fplab train --steps 4 --checkpoint kept >/dev/null) 2>out
ended=$?
verdict "a write without room leaves the old checkpoint, and nothing else" "$(
    cmp before kept 2>&1
    [ $ended -eq 2 ] || echo "exit status $ended"
    grep -q "File too large" out || cat out
    ls kept.*.new 2>out)"

# What a run leaves that is killed while it writes, the next one removes.
head -c 700 before >kept.99999999-0.new
verdict "what a killed run left is removed by the next one" "$(
    fplab train --steps 3 --checkpoint kept >out 2>&1
    ls kept.*.new 2>out)"

# A run that writes a checkpoint at each step is mostly writing when a signal comes.
interrupt() {
    for signal in INT TERM HUP; do
        for pause in 0.01 0.023 0.037 0.051; do
            python3 -c 'import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' \
                fplab train --steps 20000 --every 1 --checkpoint stopped >out 2>&1 &
            for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                [ ! -s stopped ] || break
                sleep 0.25
            done
            sleep "$pause"
            kill -s "$signal" $!
            wait $! 2>out
            [ $? -gt 128 ] || echo "SIG$signal did not end the run"
            [ -s stopped ] || echo "no checkpoint was written"
            ls stopped.*.new 2>out
            rm -f stopped*
        done
    done
}
if command -v python3 >/dev/null; then
    verdict "a run that SIGINT, SIGTERM or SIGHUP ends leaves no new file" "$(interrupt 2>&1)"
else
    skip "a run that SIGINT, SIGTERM or SIGHUP ends leaves no new file" "there is no python3"
fi

# in_python SENTENCE FILE ARGUMENT
in_python() {
    if command -v python3 >/dev/null; then
        verdict "$1" "$(PYTHONDONTWRITEBYTECODE=1 python3 "$2" "$3" 2>&1 | head -n 20)"
    else
        skip "$1" "there is no python3"
    fi
}
sentence="changed checkpoints with fitting checksums are refused"
if [ -n "$have_jansson" ]; then
    in_python "$sentence" "$tests/crafted_checkpoints.py"
else
    skip "$sentence" "there is no jansson"
fi
in_python "the second step is the one that fractions give from the checkpoint of the first" \
    "$tests/second_step.py" "$tests/../tools/fplab/iris.c"
