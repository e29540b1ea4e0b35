# What the test scripts share: the lines of TAP, and a folder to work in.
#
# SPDX-License-Identifier: MIT

tests_reported=0

# plan COUNT
plan() {
    echo "1..$1"
}

# skip_all WHY: nothing of this script can run here.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# verdict SENTENCE COMPLAINTS: what holds, and the lines that say otherwise; none is a pass.
verdict() {
    tests_reported=$((tests_reported + 1))
    if [ -z "$2" ]; then
        echo "ok $tests_reported - $1"
    else
        echo "not ok $tests_reported - $1"
        printf '%s\n' "$2" | sed 's/^/# /'
    fi
}

# skip SENTENCE WHY
skip() {
    tests_reported=$((tests_reported + 1))
    echo "ok $tests_reported - $1 # SKIP $2"
}

# only_in_first FILE FILE: the lines of the first, sorted, that the second lacks.
only_in_first() {
    LC_ALL=C comm -23 "$1" "$2"
}

# require FILE WHAT: an empty file is no evidence of anything.
require() {
    [ -s "$1" ] && return
    echo "Bail out! $2: found none"
    exit 1
}

# A scratch folder below the current one, gone at the end; $scratch is its absolute path.
make_scratch() {
    scratch=$(mktemp -d "$PWD/scratch.XXXXXX") || exit 1
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM
}

# is_instrumented: the objects are built for a sanitizer or for coverage.
is_instrumented() {
    nm -u .libs/libfpfmt-core.a | grep -q '__asan\|__ubsan\|__tsan\|__msan\|__gcov\|__llvm'
}

# words PATTERN: all its matches in the input, each once
words() {
    grep -o -E -e "$1" | LC_ALL=C sort -u
}

# page NAME: the text of a manual page without overstriking, and so wide that no word is broken
page() {
    mandoc -T ascii -O width=1000 "$srcdir/man/$1" | sed "s/.$(printf '\b')//g"
}

# find_tool: $tool is the built fpinspect; where libtool put a script around the program, it is the
# program itself, which starts ten times faster.
find_tool() {
    tool=$PWD/fpinspect
    if [ "$(head -c 2 fpinspect)" = '#!' ] && [ -f .libs/libfpfmt.so ]; then
        tool=$PWD/.libs/fpinspect
        LD_LIBRARY_PATH=$PWD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        export LD_LIBRARY_PATH
    fi
    [ -x "$tool" ] && return
    echo "Bail out! there is no fpinspect in $PWD"
    exit 1
}

# utf8_locale: the name of a locale with UTF-8, and nothing where there is none.
utf8_locale() {
    for name in C.UTF-8 C.utf8 en_US.UTF-8 en_US.utf8; do
        if [ "$(LC_ALL=$name locale charmap 2>&1)" = UTF-8 ]; then
            echo "$name"
            return
        fi
    done
}
