# Who uses whom: no circles between the files of lib/, and nothing beyond what they may know.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

plan 4
make_scratch

# nm's lines: archive[object]: name class. A pair says: the first object uses the second.
nm -A -P -g .libs/libfpfmt-core.a | sed -n 's/^.*\[\(.*\)\.o\]: /\1 /p' >"$scratch/symbols"
awk '$3 ~ /[A-TV-Z]/ { print $2, $1 }' "$scratch/symbols" | LC_ALL=C sort >"$scratch/providers"
awk '$3 == "U" { print $2, $1 }' "$scratch/symbols" | LC_ALL=C sort >"$scratch/users"
LC_ALL=C join -o 1.2,2.2 "$scratch/users" "$scratch/providers" | LC_ALL=C sort -u >"$scratch/pairs"
require "$scratch/pairs" "uses of one object by another"
verdict "no file of lib/ uses another in a circle" "$(tsort "$scratch/pairs" 2>&1 >/dev/null)"

# included FOLDER: file, and what it includes
included() {
    (cd "$srcdir/$1" && grep -H '^# *include' ./*.[ch]) |
        sed 's/^\.\/\([^:]*\):# *include *\([^ ]*\).*/\1 \2/'
}

# known FOLDER: the headers of a folder, in quotation marks
known() {
    (cd "$srcdir/$1" && printf '"%s"\n' *.h)
}

# refuse.h speaks, but only in a build with --enable-checking.
included lib >"$scratch/includes"
require "$scratch/includes" "includes in lib/"
{
    known lib
    printf '%s\n' '<stdint.h>' '<stddef.h>' '<stdbool.h>' '<limits.h>' '<string.h>' \
        '<fpfmt.h>' '"kernels/'
} >"$scratch/allowed"
verdict "lib/ includes its own headers and those of a freestanding C" \
    "$(grep -v -F -f "$scratch/allowed" "$scratch/includes" | grep -v '^refuse\.h <std')"

# Above floor 3: the compiler's own headers for its atomics and its vectors.
included lib/kernels >"$scratch/includes"
require "$scratch/includes" "includes in lib/kernels/"
{
    known lib/kernels
    printf '%s\n' '<stdatomic.h>' '<cpuid.h>' '<immintrin.h>'
} >>"$scratch/allowed"
verdict "lib/kernels/ includes those, and the compiler's" \
    "$(grep -v -F -f "$scratch/allowed" "$scratch/includes")"

included tools/fpinspect >"$scratch/includes"
require "$scratch/includes" "includes in tools/fpinspect/"
known tools/fpinspect >"$scratch/allowed"
verdict "tools/fpinspect/ sees fpfmt.h alone of the library" \
    "$(grep '"' "$scratch/includes" | grep -v -F -f "$scratch/allowed" | grep -v 'fpfmt\.h"')"
