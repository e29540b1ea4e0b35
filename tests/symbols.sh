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

# The functions of the headers: from FPFMT_API to the semicolon, the word before the parenthesis.
awk '/^FPFMT_API/ { inside = 1 } inside { printf "%s ", $0 } /;/ { inside = 0; print "" }' \
    "$srcdir"/include/*.h | sed -n 's/^[^(]*[ *]\(fpfmt_[a-z0-9_]*\)(.*/\1/p' |
    LC_ALL=C sort >"$scratch/declared"
require "$scratch/declared" "functions in the headers"

# lib/libfpfmt.map's: function@node
awk '/^FPFMT_[0-9.]+ *[{]/ { node = $1 } /^ *fpfmt_[a-z0-9_]+;/ { sub(/;/, ""); print $1 "@" node }' \
    "$srcdir/lib/libfpfmt.map" | LC_ALL=C sort >"$scratch/mapped"
require "$scratch/mapped" "functions in lib/libfpfmt.map"
sed 's/@.*//' "$scratch/mapped" | LC_ALL=C sort >"$scratch/listed"
changes=$(LC_ALL=C comm -3 "$scratch/declared" "$scratch/listed")
verdict "the headers and lib/libfpfmt.map have the same functions" "$(
    [ -z "$changes" ] || printf '%s\n' "$changes" \
        "Left: add it to the node of the release to come. Right: removing a function that was" \
        "released takes a new ABI number (configure.ac).")"

# What answers by bool, pointer or status can fail, but for questions about a format.
awk '/^FPFMT_API/ { inside = 1 } inside { printf "%s ", $0 } /;/ { inside = 0; print "" }' \
    "$srcdir"/include/*.h | grep -E '^FPFMT_API (bool|fpfmt_status|const [a-z_]+ \*)' |
    grep '(.*const fpfmt_format \*' | sed -n 's/^[^(]*[ *]\(fpfmt_[a-z0-9_]*\)(.*/\1/p' |
    grep -v -x -E 'fpfmt_is_.*|fpfmt_contains' | LC_ALL=C sort -u >"$scratch/failing"
require "$scratch/failing" "functions that can fail and take a format"
grep -h -o 'fpfmt_[a-z0-9_]*(' "$srcdir"/tests/test_null*.c | tr -d '(' |
    LC_ALL=C sort -u >"$scratch/tried"
verdict "test_null*.c try every function that can fail without its format" \
    "$(only_in_first "$scratch/failing" "$scratch/tried")"


every="every function of the headers is exported"
nothing="nothing else is exported"
nodes="every function has the version of its node in lib/libfpfmt.map"
if [ -f "$shared" ]; then
    # With a version behind each function, and a symbol for each node.
    nm -D -P --with-symbol-versions "$shared" | awk '$2 ~ /[A-TV-Z]/ { print $1 }' |
        grep -v -x -E '_init|_fini|_edata|_end|__bss_start|FPFMT_[0-9.]+(@.*)?' |
        sed 's/@@/@/' | LC_ALL=C sort >"$scratch/versioned"
    sed 's/@.*//' "$scratch/versioned" | LC_ALL=C sort >"$scratch/exported"
    require "$scratch/exported" "symbols that libfpfmt.so exports"
    verdict "$every" "$(only_in_first "$scratch/declared" "$scratch/exported")"
    verdict "$nothing" "$(only_in_first "$scratch/exported" "$scratch/declared")"
    if [ -n "$version_script" ]; then
        verdict "$nodes" "$(diff "$scratch/mapped" "$scratch/versioned")"
    else
        skip "$nodes" "the linker takes no version scripts"
    fi
else
    for sentence in "$every" "$nothing" "$nodes"; do
        skip "$sentence" "no shared library was built"
    done
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
