# What the library gives to the linker, and what it takes.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

core=.libs/libfpfmt-core.a
shared=.libs/libfpfmt.so

# nm's columns: name|value|class|type|size|line|section
nm -f sysv "$core" 2>/dev/null | grep -q '|\.text' || skip_all "nm does not show ELF sections here"
is_instrumented && skip_all "instrumented objects have symbols of their own"

plan 8
make_scratch

# The functions of the header: from FPFMT_API to the semicolon, the word before the parenthesis.
awk '/^FPFMT_API/ { inside = 1 } inside { printf "%s ", $0 } /;/ { inside = 0; print "" }' \
    "$srcdir/include/fpfmt.h" | sed -n 's/^[^(]*[ *]\(fpfmt_[a-z0-9_]*\)(.*/\1/p' |
    LC_ALL=C sort >"$scratch/declared"
require "$scratch/declared" "functions in fpfmt.h"

# What answers by bool, pointer or status can fail, but for questions about a format.
awk '/^FPFMT_API/ { inside = 1 } inside { printf "%s ", $0 } /;/ { inside = 0; print "" }' \
    "$srcdir"/include/*.h | grep -E '^FPFMT_API (bool|fpfmt_status|const [a-z_]+ \*)' |
    grep '(.*const fpfmt_format \*' | sed -n 's/^[^(]*[ *]\(fpfmt_[a-z0-9_]*\)(.*/\1/p' |
    grep -v -x -E 'fpfmt_is_.*|fpfmt_contains' | LC_ALL=C sort -u >"$scratch/failing"
require "$scratch/failing" "functions that can fail and take a format"
grep -o 'fpfmt_[a-z0-9_]*(' "$srcdir/tests/test_null.c" | tr -d '(' |
    LC_ALL=C sort -u >"$scratch/tried"
verdict "test_null.c tries every function that can fail without its format" \
    "$(only_in_first "$scratch/failing" "$scratch/tried")"

# The interface of a release is its list; see the rule in configure.ac.
release=${version%.*}
list=tests/data/symbols-$release.txt
grep -s '^[a-z]' "$srcdir/$list" | LC_ALL=C sort >"$scratch/listed"
require "$scratch/listed" "$list, the functions of release $release"
gone="no function of release $release is gone"
unlisted="every function is in the list of release $release"

# because SENTENCE LINES: the lines and the sentence, if there are lines
because() {
    [ -z "$2" ] || printf '%s\n%s\n' "$2" "$1"
}

if [ -f "$shared" ]; then
    nm -D -P "$shared" | awk '$2 ~ /[A-TV-Z]/ { print $1 }' |
        grep -v -x -E '_init|_fini|_edata|_end|__bss_start' | LC_ALL=C sort >"$scratch/exported"
    require "$scratch/exported" "symbols that libfpfmt.so exports"
    verdict "every function of fpfmt.h is exported" \
        "$(only_in_first "$scratch/declared" "$scratch/exported")"
    verdict "nothing else is exported" "$(only_in_first "$scratch/exported" "$scratch/declared")"
    verdict "$gone" "$(because \
        "An interface is removed: that takes a new ABI number (configure.ac) and a new list." \
        "$(only_in_first "$scratch/listed" "$scratch/exported")")"
    verdict "$unlisted" "$(because \
        "Add it to $list, or to the next release's list if $release is released." \
        "$(only_in_first "$scratch/exported" "$scratch/listed")")"
else
    skip "every function of fpfmt.h is exported" "no shared library was built"
    skip "nothing else is exported" "no shared library was built"
    skip "$gone" "no shared library was built"
    skip "$unlisted" "no shared library was built"
fi

nm -P -g "$core" | awk '$2 ~ /[A-TV-Z]/ { print $1 }' >"$scratch/defined"
require "$scratch/defined" "global symbols of the objects"
verdict "every global symbol starts with fpfmt_" "$(grep -v '^fpfmt_' "$scratch/defined")"

# .data.rel.ro is constant: pointers in tables, written by the loader once. best_here remembers which
# set of kernels is the best: the same in every thread, so that it does not matter who writes it.
nm -f sysv "$core" | awk -F '|' 'NF == 7 && $4 ~ /OBJECT|TLS/' >"$scratch/objects"
require "$scratch/objects" "data objects, as the table of formats"
verdict "no data can be written but one pointer" "$(awk -F '|' '{ print $1, $7 }' "$scratch/objects" |
    grep -E ' \.(data|bss|tdata|tbss)| .*COM' | grep -v -e ' \.data\.rel\.ro' -e '^.*best_here ')"

needs="the objects need nothing but the functions a freestanding C has"
if nm -P -u "$core" | grep -q '^abort '; then
    skip "$needs" "checking objects speak and abort"
    exit
fi
# The four functions that C compilers call unasked, memcmp also as bcmp (clang), their checked
# forms, the canary of the stack, and 64-bit division on 32-bit targets.
division='__u?(div|mod|divmod)di[34]'
verdict "$needs" "$(nm -P -u "$core" |
    awk '$2 == "U" { print $1 }' | LC_ALL=C sort -u |
    grep -v -x -E "fpfmt_.*|bcmp|mem(cpy|move|set|cmp)|__mem(cpy|move|set)_chk|$division" |
    grep -v -x -E '__stack_chk_.*|_GLOBAL_OFFSET_TABLE_')"
