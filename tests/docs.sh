# The manuals but for section 3, and the README, know what there is.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

plan 11
make_scratch
find_tool
pages="fpinspect.1 fpfmt_formats.7"

# A name may have dots and hyphens within it, but not at its end.
name_pattern='[A-Za-z_][A-Za-z0-9_]*([.-][A-Za-z0-9_]+)*'

# documented SENTENCE PAGE PATTERN: the input's matches are among the page's
documented() {
    words "$3" >"$scratch/there"
    require "$scratch/there" "$3 to be documented"
    page "$2" | words "$3" >"$scratch/told"
    verdict "$1" "$(only_in_first "$scratch/there" "$scratch/told")"
}

if command -v mandoc >/dev/null; then
    documented "man/fpinspect.1 names every option" fpinspect.1 '--[a-z][a-z0-9-]*' <<END
$("$tool" --help)
$("$tool" --complete --)
END
    # Each view prints its fields; only an object's, behind its name, are told as members.
    for view in '1' '1 --explain' '0.1+0.2 --stepwise' '--table e2m1' '--info e2m1' '--diff e2m1,e3m2' \
        '--analyze --via fp32,bf16 --as fp16' '--plot density' '--plot error' '--list-formats' \
        '--list-policies' '--list-modes' '--list-accumulators' '--list-blocks' '--list-recipes' \
        '--table nf4' '1 --as mxfp4'; do
        # shellcheck disable=SC2086
        "$tool" $view --tsv | sed '1!d; s/explanation_//g' | tr '\t' '\n'
    done >"$scratch/fields"
    documented "man/fpinspect.1 names every field of every view" fpinspect.1 \
        '[a-z][a-z0-9]*([_-][a-z0-9]+)*' <"$scratch/fields"
    documented "man/fpfmt_formats.7 names every format and alias" fpfmt_formats.7 \
        "$name_pattern" <<END
$("$tool" --list-formats --tsv | awk -F '\t' 'NR > 1 { gsub(",", " ", $3); print $1, $3 == "-" ? "" : $3 }')
END
    documented "man/fpfmt_formats.7 names every policy" fpfmt_formats.7 "$name_pattern" <<END
$("$tool" --list-policies --width 1000 | awk '{ print $1 }')
END
    documented "man/fpfmt_formats.7 names every block format and recipe" fpfmt_formats.7 \
        "$name_pattern" <<END
$("$tool" --list-blocks --tsv | awk -F '\t' 'NR > 1 { gsub(",", " ", $3); print $1, $3 == "-" ? "" : $3 }')
$("$tool" --list-recipes --tsv | awk -F '\t' 'NR > 1 { print $1 }')
END
    for name in $pages; do
        verdict "mandoc finds nothing wrong with man/$name" \
            "$(mandoc -T lint -W warning "$srcdir/man/$name")"
    done
else
    for sentence in "man/fpinspect.1 names every option" \
        "man/fpinspect.1 names every field of every view" \
        "man/fpfmt_formats.7 names every format and alias" \
        "man/fpfmt_formats.7 names every policy" \
        "man/fpfmt_formats.7 names every block format and recipe" \
        "mandoc finds nothing wrong with man/fpinspect.1" \
        "mandoc finds nothing wrong with man/fpfmt_formats.7"; do
        skip "$sentence" "there is no mandoc"
    done
fi

mkdir "$scratch/bin" && ln -s "$tool" "$scratch/bin/fpinspect"
PATH=$scratch/bin:$PATH sh "$srcdir/man/screens.sh" "$srcdir/man/fpinspect.1" >"$scratch/page"
verdict "man/fpinspect.1 shows the screens that fpinspect draws" "$(
    diff "$srcdir/man/fpinspect.1" "$scratch/page"
    grep -A 1 '^[.]Bd -literal$' "$scratch/page" | grep -q '^1e' || echo "there is no screen")"

# shown SENTENCE FILE: its lines are in the README, which indents them
shown() {
    require "$2" "lines for the README to show"
    sed -e 's/^    //' "$srcdir/README" |
        awk -v first="$(head -n 1 "$2")" -v count="$(wc -l <"$2")" '
            $0 == first { inside = 1 }
            inside && count-- > 0' >"$scratch/readme"
    verdict "$1" "$(diff "$2" "$scratch/readme")"
}

# Above the first #include the file says what people who read the README know.
sed -n '/^#include/,$p' "$srcdir/examples/round.c" >"$scratch/code"
shown "the README shows examples/round.c" "$scratch/code"
shown "the README shows what it prints" "$srcdir/examples/round.txt"
utf8=$(utf8_locale)
if [ -n "$utf8" ]; then
    LC_ALL=$utf8 TERM=dumb "$tool" 1e-8 --as bf16 | sed 10q >"$scratch/screen"
    shown "the README shows what fpinspect 1e-8 --as bf16 prints" "$scratch/screen"
else
    skip "the README shows what fpinspect 1e-8 --as bf16 prints" "there is no locale with UTF-8"
fi
