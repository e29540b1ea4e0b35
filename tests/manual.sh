# Section 3 of the manual is what the headers declare, and its examples run.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

command -v mandoc >/dev/null || skip_all "there is no mandoc"
set -- "$srcdir"/man/*.3
[ -f "$1" ] || { echo "Bail out! there are no pages of section 3"; exit 1; }
plan $((7 + 2 * $#))
make_scratch

# No names for users: the steps of the inline headers, as their pages say, and what guards headers.
own='fpfmt_(inline|mpfr)_[a-z0-9_]+|FPFMT_(API|DOTTED|QUOTED|H|(TEXT|ARRAYS|SUMS|BLOCKS|INLINE)_H|MPFR_[A-Z_]+)'

# code HEADER: it without comments
code() {
    awk '
        { text = text $0 "\n" }
        END {
            while ((start = index(text, "/*")) > 0) {
                rest = substr(text, start + 2)
                text = substr(text, 1, start - 1) substr(rest, index(rest, "*/") + 2)
            }
            printf "%s", text
        }' "$1"
}

# section TITLE: that section of a page
section() {
    awk -v title="$1" '/^[A-Z]/ { inside = $0 == title; next } inside'
}

# prototypes: the input's, one a line, without the blanks that do not matter
prototypes() {
    tr ';\n' '\n ' | sed -e 's/  */ /g' -e 's/ *\([*(),]\) */\1/g' -e 's/^ //' -e '/^$/d' |
        LC_ALL=C sort
}

# synopsis PAGE
synopsis() {
    page "$1" | section SYNOPSIS | grep -v '^ *#' | prototypes
}

# functions: the names in a list of prototypes
functions() {
    grep -o -E 'fpfmt_[a-z0-9_]+\(' | tr -d '('
}

# declared: the prototypes in the input, which is code of headers
declared() {
    awk '
        sub(/^(FPFMT_API|static inline) /, "") { inside = 1 }
        inside { line = $0; sub(/[;{].*/, ";", line); print line }
        /[;{]/ { inside = 0 }' | prototypes | grep -v -E "($own)\("
}

for header in "$srcdir"/include/*.h; do
    code "$header"
done >"$scratch/code"
declared <"$scratch/code" >"$scratch/declared"
require "$scratch/declared" "functions in the headers"

# Rule 1 of fpfmt.h, for functions that have flags, outputs or a policy. A format or plan that stands
# behind an output, or is not called to, format or plan, is an input.
verdict "the arguments of every function are in the order of rule 1" "$(
    sed -n 's/^[^(]*(\(.*\))$/\1,&/p' "$scratch/declared" | awk -F, '
        function rank(argument) {
            if (argument ~ /^char\*text$|^size_t size$/)
                return 0
            if (argument ~ /^const fpfmt_(format|plan)\*(to|format|plan)$/ || argument ~ / width$/ ||
                argument ~ /^const fpfmt_(block|recipe|block_plan|book)\*/)
                return outputs ? 4 : 1
            if (argument ~ /^const fpfmt_accumulator\*|^[a-z_]+ (operation|order|how)$/)
                return 2
            if (argument ~ /^const fpfmt_policy\*policy$/)
                return 5
            if (argument ~ /^const fpfmt_kernels\*/)
                return 6
            if (argument ~ /^unsigned\*flags$/)
                return 7
            if (argument ~ /\*(exact|why)$/)
                return 8
            return argument ~ /\*/ && argument !~ /^const / ? 3 : 4
        }
        {
            outputs = last = 0
            for (i = 1; $i !~ /\(/ && (now = rank($i)) >= last; i++) {
                last = now
                outputs += now == 3
            }
            if ($i !~ /\(/)
                print substr($0, match($0, /[^,]*\(/))
        }')"

for file; do
    synopsis "${file##*/}"
done | LC_ALL=C sort >"$scratch/shown"
verdict "the synopses are the prototypes of the headers, each once" \
    "$(diff "$scratch/declared" "$scratch/shown")"

verdict "each page's NAME is the page and the functions of its SYNOPSIS" "$(
    for file; do
        name=${file##*/}
        page "$name" | section NAME | sed 's/ - .*//' | grep -o '[a-z0-9_]*' |
            LC_ALL=C sort >"$scratch/named"
        { echo "${name%.3}"; synopsis "$name" | functions; } | LC_ALL=C sort -u |
            diff - "$scratch/named" | sed -n "s/^[<>].*/$name: &/p"
    done)"

for header in "$srcdir"/include/*.h; do
    code "$header" | declared | functions | sed "s/\$/ <${header##*/}>/"
done | LC_ALL=C sort >"$scratch/homes"
require "$scratch/homes" "functions and their headers"
verdict "each SYNOPSIS includes the headers that declare its functions" "$(
    for file; do
        name=${file##*/}
        page "$name" | section SYNOPSIS | sed -n 's/^ *#include *//p' >"$scratch/included"
        synopsis "$name" | functions | LC_ALL=C sort | LC_ALL=C join -o 1.2 "$scratch/homes" - |
            sort -u | grep -v -x -F -f "$scratch/included" | sed "s/^/$name: /"
    done)"

words '(fpfmt|FPFMT)_[A-Za-z0-9_]+' <"$scratch/code" | grep -v -x -E "$own" >"$scratch/there"
require "$scratch/there" "names in the headers"
for file; do
    page "${file##*/}"
done | words '(fpfmt|FPFMT)_[A-Za-z0-9_]+' >"$scratch/told"
verdict "section 3 has every function, type and constant of the headers" \
    "$(only_in_first "$scratch/there" "$scratch/told")"

sed -n 's/^\.Xr \(fp[a-z0-9_]*\) \([1-9]\).*/\1.\2/p' "$srcdir"/man/*.[1-9] |
    LC_ALL=C sort -u >"$scratch/referred"
require "$scratch/referred" "references between the pages"
verdict "every page that is referred to exists" \
    "$(ls "$srcdir/man" | LC_ALL=C sort | only_in_first "$scratch/referred" -)"

sed -n '/^\.Ss Pages/,/^\.Ss Rules/s/^\.It Xr \(.*\) 3$/\1.3/p' "$srcdir/man/fpfmt.3" |
    LC_ALL=C sort >"$scratch/table"
verdict "fpfmt.3 has all other pages in its table" "$(
    for file; do
        echo "${file##*/}"
    done | grep -v -x 'fpfmt\.3' | LC_ALL=C sort | only_in_first - "$scratch/table")"

# blocks PAGE: the literal blocks of its EXAMPLES, in files 1, 2, 3... of $scratch/blocks
blocks() {
    rm -rf "$scratch/blocks"
    mkdir "$scratch/blocks"
    page "$1" | section EXAMPLES | awk -v folder="$scratch/blocks" '
        BEGIN { apart = 1 }
        /^ *$/ { blanks = blanks "\n"; next }
        match($0, /[^ ]/) < 12 { apart = 1; next }
        {
            if (apart)
                n++
            printf "%s%s\n", apart ? "" : blanks, substr($0, 12) >(folder "/" n)
            apart = 0
            blanks = ""
        }'
}

# wrong_examples: what is wrong with the programs among the blocks; the block after each one is what
# it prints
wrong_examples() {
    programs=0
    for block in "$scratch"/blocks/*; do
        grep -q 'int main' "$block" || continue
        programs=$((programs + 1))
        cp "$block" "$scratch/program.c"
        $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$srcdir/include" $MPFR_CFLAGS \
            -o "$scratch/program" "$scratch/program.c" .libs/libfpfmt-core.a $have_mpfr \
            >"$scratch/log" 2>&1 || { cat "$scratch/log"; continue; }
        "$scratch/program" >"$scratch/output" 2>&1 || echo "exit status $?"
        diff "$scratch/blocks/$((${block##*/} + 1))" "$scratch/output"
    done
    [ "$programs" -gt 0 ] || echo "there is no program"
}

for file; do
    name=${file##*/}
    verdict "mandoc finds nothing wrong with man/$name" "$(mandoc -T lint -W warning "$file")"
    sentence="the examples of man/$name print what it says"
    blocks "$name"
    if is_instrumented; then
        skip "$sentence" "an instrumented library wants instrumented programs"
    elif [ -z "$have_mpfr" ] && grep -q -s '<fpfmt_mpfr.h>' "$scratch"/blocks/*; then
        skip "$sentence" "there is no MPFR"
    else
        verdict "$sentence" "$(wrong_examples)"
    fi
done
