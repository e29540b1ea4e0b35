# fpcast: every block of data/cast.txt says what one command prints and how it ends; casts of models
# against values that NumPy computes and against published codes, and casts that end early.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"
. "$srcdir/tests/commands.sh"

find_tool
[ -n "$have_jansson" ] || skip_all "without jansson no file of safetensors is read"
program=${tool%fpinspect}fpcast
[ -x "$program" ] || { echo "Bail out! there is no $program"; exit 1; }
make_scratch
data=$(cd "$srcdir/tests/data" && pwd)
tests=$(cd "$srcdir/tests" && pwd)
export data
use_tool fpinspect "$tool"
use_tool fpcast "$program"
blocks=$data/cast.txt
require "$blocks" "blocks of commands"

plan $(($(tests_of "$blocks") + 17))
run_blocks "$blocks" 36

# The first python3 that has NumPy, if there is one.
for python in python3 /usr/bin/python3 ""; do
    [ -z "$python" ] || "$python" -c 'import numpy' 2>"$scratch/out" && break
done

# in_python PYTHON SCRIPT SENTENCE WORD...: what the script finds wrong, in a folder of its own
in_python() {
    program=$1
    script=$2
    sentence=$3
    shift 3
    rm -rf "$scratch/work"
    mkdir "$scratch/work"
    found=$(cd "$scratch/work" && "$program" "$tests/$script" "$@" 2>&1 | head -n 20)
    case $found in
    SKIP*) skip "$sentence" "${found#SKIP }" ;;
    *) verdict "$sentence" "$found" ;;
    esac
}

# modelled TEST SENTENCE
modelled() {
    if [ -n "$python" ]; then
        in_python "$python" cast_models.py "$2" "$1"
    else
        skip "$2" "there is no python3 with NumPy"
    fi
}
modelled plain "all codes of 16 bits come back, and what has no target is kept"
modelled nearest "random floats are rounded as NumPy does, and by chance as a seed says"
modelled dequantised "every scheme that is recognised is multiplied in, exactly and rounded once"
modelled quantised "block formats have the names that are recognised, and come back"
modelled sharded "models in shards keep their files, and their index tells the new sizes"
modelled converted "tensors go between kinds of files, in any order of bytes and dimensions"
modelled stored "stored blocks of GGUF become formats, and .npy types those of ml_dtypes"

# ended TEST SENTENCE
ended() {
    if command -v python3 >/dev/null; then
        in_python python3 cast_ends.py "$2" "$1"
    else
        skip "$2" "there is no python3"
    fi
}
if command -v python3 >/dev/null; then
    in_python python3 cast_samples.py "published casts of a model are met, byte for byte" \
        "$data/files"
else
    skip "published casts of a model are met, byte for byte" "there is no python3"
fi
ended killed "a cast that is killed leaves the old file whole, and what it left the next one removes"
ended stopped "a cast that a signal ends leaves the old file whole, and nothing else"
ended limited "a cast past the limit for files leaves the old file whole, and nothing else"
ended mounted "so does one on a file system that is full, or can only be read"
ended shrinking "so does one whose input changes below it, or is damaged"
ended replaced "a link stays a link, and a file that is replaced keeps its mode"

# What the manual says.
sentences="man/fpcast.1 names every option, field and layout
mandoc finds nothing wrong with man/fpcast.1"
if command -v mandoc >/dev/null; then
    {
        { fpcast --help; fpcast --complete --; } | grep -o -e '--[a-z][a-z-]*'
        fpcast --complete --layout '' | cut -f 1
        fpcast "$data/grads.npy" "$scratch/o.npy" --as bf16 --tsv | sed 1q | tr '\t' '\n'
    } | LC_ALL=C sort -u >"$scratch/there"
    require "$scratch/there" "options"
    page fpcast.1 | words '(--)?[a-z][a-z0-9]*([_-][a-z0-9]+)*' >"$scratch/told"
    verdict "$(echo "$sentences" | sed -n 1p)" "$(only_in_first "$scratch/there" "$scratch/told")"
    verdict "$(echo "$sentences" | sed -n 2p)" \
        "$(mandoc -T lint -W warning "$srcdir/man/fpcast.1")"
else
    echo "$sentences" >"$scratch/sentences"
    while IFS= read -r sentence; do
        skip "$sentence" "there is no mandoc"
    done <"$scratch/sentences"
fi
sh "$srcdir/man/screens.sh" "$srcdir/man/fpcast.1" >"$scratch/page"
verdict "man/fpcast.1 shows the screens that fpcast draws" "$(
    diff "$srcdir/man/fpcast.1" "$scratch/page"
    grep -A 1 '^[.]Bd -literal$' "$scratch/page" | grep -q '^[a-z]' || echo "there is no screen")"
