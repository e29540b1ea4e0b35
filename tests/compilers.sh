# The library builds without a warning by other compilers, for other machines and C
# libraries than the build is for; those that are here. What they make gives the same results. It
# takes half a minute of a processor, so .ci/run runs it, and make check does not.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

make_scratch
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wvla -Wconversion -Wundef -Wstrict-prototypes \
-Wmissing-prototypes -Werror"

# works COMPILER...: it makes a program, of this language and with these headers
works() {
    echo 'int main(void) { return 0; }' >"$scratch/empty.c"
    "$@" -o "$scratch/empty" "$scratch/empty.c" >"$scratch/log" 2>&1 && "$scratch/empty"
}

# What keeps the library from being built, in as many processes as there are processors.
build_library() {
    mkdir -p "$scratch/objects"
    rm -f "$scratch"/objects/*
    for source in "$srcdir"/lib/*.c "$srcdir"/lib/kernels/*.c; do
        echo "$source"
    done | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I SOURCE sh -c \
        '"$@" -c -o "$0/$(basename SOURCE).o" SOURCE' "$scratch/objects" \
        "$@" $warnings -std=gnu11 -O1 -ffp-contract=off -I"$srcdir/include" -I"$srcdir/lib" \
        >"$scratch/log" 2>&1 || head -n 20 "$scratch/log"
}

# The first words of the screen of a program of it: bits, digits and flags.
try_example() {
    "$@" -std=c11 -I"$srcdir/include" -o "$scratch/round" "$srcdir/examples/round.c" \
        "$scratch"/objects/*.o >"$scratch/log" 2>&1 && "$scratch/round" >"$scratch/out" 2>&1 ||
        head -n 20 "$scratch/log"
    diff "$srcdir/examples/round.txt" "$scratch/out"
}

# The reader of tensor files, with neither jansson nor libzip: it says what it does not read, and
# reads the rest.
try_reader() {
    reader=$srcdir/tools/kit/tensorfile
    # shellcheck disable=SC2046,SC2086
    "$@" $warnings -std=gnu11 -O1 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 \
        -I"$srcdir/include" -I"$srcdir/tools" -o "$scratch/show" "$srcdir/tests/show_tensors.c" \
        "$srcdir"/tools/kit/*.c $(ls "$reader"/*.c | grep -v -e /json_file -e /safetensors \
        -e /shards -e '/npz\.c') "$scratch"/objects/*.o -lm >"$scratch/log" 2>&1 ||
        { head -n 20 "$scratch/log"; return; }
    {
        printf "\\223NUMPY\\001\\000\\076\\000{'descr': '<f4', 'fortran_order': False, "
        printf "'shape': (2,)}       \\000\\000\\200\\077\\000\\000\\000\\100"
    } >"$scratch/a.npy"
    printf 'PK\003\004' >"$scratch/a.npz"
    printf '\002\000\000\000\000\000\000\000{}' >"$scratch/a.safetensors"
    (cd "$scratch" && ./show a.npy a.npz a.safetensors >shown 2>said)
    grep -a -q '^tensor.*<f4' "$scratch/shown" || echo "a.npy is not read"
    [ "$(grep -c 'was built without' "$scratch/said")" -eq 2 ] || cat "$scratch/said"
}

for compiler in "gcc -m32" clang musl-gcc; do
    # shellcheck disable=SC2086
    works $compiler && echo "$compiler"
done >"$scratch/compilers"
[ -s "$scratch/compilers" ] || skip_all "there is no other compiler: gcc -m32, clang or musl-gcc"

plan $(($(wc -l <"$scratch/compilers") * 3))
while IFS= read -r compiler; do
    # shellcheck disable=SC2086
    verdict "$compiler builds the library without a warning" "$(build_library $compiler </dev/null)"
    # shellcheck disable=SC2086
    verdict "and a program that it makes prints what it promises" \
        "$(try_example $compiler </dev/null)"
    # shellcheck disable=SC2086
    verdict "and the reader of tensor files does without jansson and libzip" \
        "$(try_reader $compiler </dev/null)"
done <"$scratch/compilers"
