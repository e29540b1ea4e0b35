# A rounding mode that is added to the header alone stops the compiler, wherever modes are listed.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

plan 6
make_scratch

# Where modes are listed: the table of rows, the words, and the kernels that are specialised by mode,
# which are for x86-64 only and elsewhere empty.
lists="modes words"
if echo __x86_64__ | $CC -E - 2>/dev/null | grep -q -x 1; then
    lists="$lists kernels/avx2 kernels/avx512"
fi

# compile FOLDER FILE: what the compiler says of a file of lib/ with the headers of that folder
compile() {
    $CC -std=c11 -fsyntax-only -I"$1" -I"$srcdir/lib" "$srcdir/lib/$2.c" 2>&1
}

# with_mode FOLDER ENUMERATOR: a copy of the headers there, with a mode before that enumerator
with_mode() {
    cp -R "$srcdir/include" "$1" && chmod -R u+w "$1"
    for header in "$1"/*.h; do
        sed "s/^\( *\)$2\([ ,]\|\$\)/\1FPFMT_ROUND_NEW,\n&/" "$header" >"$scratch/header"
        cp "$scratch/header" "$header"
    done
    [ "$(cat "$1"/*.h | grep -c '^ *FPFMT_ROUND_NEW,$')" -eq 1 ] && return
    echo "Bail out! the headers have not one line with $2"
    exit 1
}

# complaints FOLDER: the files that compile with its headers, or fail for another reason than that an
# assertion does
complaints() {
    for file in $lists; do
        compile "$1" "$file" >"$scratch/log" && echo "lib/$file.c compiles"
        grep -q -i 'static.assert' "$scratch/log" && continue
        cat "$scratch/log"
    done
}

verdict "the lists of modes compile with the headers as they are" "$(
    for file in $lists; do
        compile "$srcdir/include" "$file"
    done)"
with_mode "$scratch/plain" FPFMT_ROUND_STOCHASTIC
verdict "they do not with one more mode without chance" "$(complaints "$scratch/plain")"
with_mode "$scratch/chance" FPFMT_ROUND_STOCHASTIC_EQUAL
verdict "they do not with one more mode with chance" "$(complaints "$scratch/chance")"

# Behind the last enumerator, from which the modes are counted.
cp -R "$srcdir/include" "$scratch/last" && chmod -R u+w "$scratch/last"
sed 's/^ *FPFMT_ROUND_STOCHASTIC_EQUAL /&, FPFMT_ROUND_NEW /' "$srcdir/include/fpfmt.h" \
    >"$scratch/last/fpfmt.h"
verdict "the table of modes does not with one more mode behind the last one" "$(
    grep -q 'FPFMT_ROUND_NEW' "$scratch/last/fpfmt.h" || echo "there is no new mode"
    compile "$scratch/last" modes >"$scratch/log" && echo "lib/modes.c compiles"
    grep -q 'FPFMT_ROUND_NEW' "$scratch/log" || cat "$scratch/log")"

# Elsewhere nothing depends on how many modes there are, or where they stand among each other.
code() {
    (cd "$srcdir/lib" && grep -n -E "$1" ./*.[ch] kernels/*.[ch])
}
verdict "no file of lib/ compares the order of modes, but counts them" "$(
    code '[<>]=? *FPFMT_ROUND_|FPFMT_ROUND_[A-Z_]*\)? *[<>]' | grep -v -E 'FPFMT_ROUND_COUNT|; i < FPFMT_ROUND_DETERMINISTIC_COUNT; i++')"
verdict "no file of lib/ has a case for each mode but modes.c and the kernels of fast.h and fast_arrays.h" "$(
    code '(case|CASE\() *FPFMT_ROUND_' | grep -v -e '^\./modes\.c:' -e '^kernels/fast\.h:' -e '^kernels/fast_arrays\.h:')"
