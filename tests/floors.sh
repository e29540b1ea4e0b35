# Who uses whom: no circles between the files of the library and of each tool, nothing beyond what
# they may know, and no state that outlives a run.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

tools="fpinspect fpbudget fpcast ${have_mpfr:+fplab}"
set -- $tools
plan $((12 + 2 * ($# + 2)))
make_scratch

# circles ARCHIVE: those of its objects that use each other in a circle. nm's lines are
# archive[object]: name class; a pair says that the first object uses the second.
circles() {
    nm -A -P -g "$1" | sed -n 's/^.*\[\(.*\)\.o\]: /\1 /p' >"$scratch/symbols"
    awk '$3 ~ /[A-TV-Z]/ { print $2, $1 }' "$scratch/symbols" | LC_ALL=C sort >"$scratch/providers"
    awk '$3 == "U" { print $2, $1 }' "$scratch/symbols" | LC_ALL=C sort >"$scratch/users"
    LC_ALL=C join -o 1.2,2.2 "$scratch/users" "$scratch/providers" |
        LC_ALL=C sort -u >"$scratch/pairs"
    require "$scratch/pairs" "uses of one object of $1 by another"
    tsort "$scratch/pairs" 2>&1 >/dev/null
}

verdict "no file of lib/ uses another in a circle" "$(circles .libs/libfpfmt-core.a)"
for name in kit tensorfile $tools; do
    verdict "no file of tools/$name/ uses another in a circle" "$(circles ".libs/lib$name.a")"
done

# What is written to while a program runs is in .data and .bss; constants that hold addresses are in
# .data.rel.ro. The kit knows which run is going on, and that is all.
for name in kit tensorfile $tools; do
    sentence="tools/$name/ keeps nothing from run to run"
    [ "$name" != kit ] || sentence="tools/kit/ keeps nothing but which run is going on"
    if is_instrumented; then
        skip "$sentence" "an instrumented object keeps what its instruments want"
    else
        objdump -t ".libs/lib$name.a" >"$scratch/objects"
        require "$scratch/objects" "objects in .libs/lib$name.a"
        verdict "$sentence" "$(
            grep -E ' O +\.(data|bss|tdata|tbss)[^.[:alnum:]]' "$scratch/objects" |
                { [ "$name" = kit ] && grep -v ' current$' || cat; })"
    fi
done

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
        '"fpfmt.h"' '<fpfmt.h>' '"kernels/'
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

# sees FOLDER FOLDER...: what files of the first include in quotation marks, or of the library, beyond
# headers of these folders. A header of the kit, and of
# a folder within a tool, is named with its folder.
sees() {
    folder=$1
    shift
    included "tools/$folder" >"$scratch/includes"
    require "$scratch/includes" "includes in tools/$folder/"
    for seen; do
        case $seen in
        kit | kit/*) known "tools/$seen" | sed "s|^\"|\"$seen/|" ;;
        fpinspect/* | fpbudget/* | fpcast/*) known "tools/$seen" | sed "s/^\"/\"${seen#*/}\//" ;;
        *) known "tools/$seen" ;;
        esac
    done >"$scratch/allowed"
    grep -e '"' -e '<fpfmt' "$scratch/includes" | grep -v -F -f "$scratch/allowed" |
        grep -v -E '<fpfmt(_[a-z]+)?\.h>' | sed "s|^|tools/$folder/|"
}

verdict "tools/kit/ sees fpfmt.h alone of the project" "$(sees kit kit)"
verdict "tools/kit/tensorfile/ sees the kit, itself and fpfmt.h alone of the project" \
    "$(sees kit/tensorfile kit kit/tensorfile)"
verdict "the folders of fpinspect include downward only, and fpfmt.h alone of the library" "$(
    below="kit kit/tensorfile"
    for folder in values facts screens command; do
        below="$below fpinspect/$folder"
        # shellcheck disable=SC2086
        sees "fpinspect/$folder" $below
    done)"
verdict "the folders of fpbudget include downward only, and fpfmt.h alone of the library" "$(
    below=kit
    for folder in facts screens command; do
        below="$below fpbudget/$folder"
        # shellcheck disable=SC2086
        sees "fpbudget/$folder" $below
    done)"
verdict "the folders of fpcast include downward only, and fpfmt.h alone of the library" "$(
    below="kit kit/tensorfile"
    for folder in plan write report command; do
        below="$below fpcast/$folder"
        # shellcheck disable=SC2086
        sees "fpcast/$folder" $below
    done)"
verdict "fplab and the bench see the kit, and no other tool" "$(
    for folder in fplab bench; do
        sees "$folder" kit kit/tensorfile "$folder"
    done)"
verdict "facts print nothing" "$(
    cd "$srcdir" && grep -n -E '<stdio\.h>|"kit/(out|table|plot)\.h"' tools/*/facts/*.[ch])"
verdict "no tool ends the process, or closes the streams of its host" "$(
    for name in kit tensorfile $tools; do
        nm -A -u ".libs/lib$name.a" | grep -w -E 'exit|_exit|abort|quick_exit'
    done
    cd "$srcdir" && grep -n -E 'fclose\((stdin|stdout|stderr)\)' tools/*/*.c tools/*/*/*.c)"
verdict "no two headers have one guard" "$(
    find "$srcdir/include" "$srcdir/lib" "$srcdir/tools" -name '*.h' -exec \
        sed -n '/^#ifndef .*_H$/{s/#ifndef //p;q}' {} \; | sort | uniq -d)"
