# Breaks lib/ in one place at a time, as tests/data/mutants.tsv lists them, and says which breaks no
# test notices. Run by ./dev mutate, which sets build to a configured folder.
#
# PART=K/N takes each N-th mutant from the K-th on, counted from 0; MOST_SECONDS=S begins none after
# so many, but at least one.
#
# SPDX-License-Identifier: MIT

table=$(dirname "$0")/data/mutants.tsv
part=${PART:-0/1}
began=$(date +%s)

stop() {
    echo "mutate: $1" >&2
    exit 2
}

case $part in
*[!0-9/]* | */*/* | /* | */ | */0) stop "PART is not K/N: $part" ;;
esac

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
log=$scratch/log
tree=$scratch/tree

# mutant FILE OLD NEW: the file with the old text, which must stand there exactly once, replaced
mutant() {
    awk -v old="$2" -v new="$3" '
        {
            at = index($0, old)
            if (at > 0) {
                found += 1 + (index(substr($0, at + 1), old) > 0)
                $0 = substr($0, 1, at - 1) new substr($0, at + length(old))
            }
            print
        }
        END { exit found != 1 }' "$scratch/original/$1"
}

# cannot_run FILE: says why what is broken there would not run on this machine
cannot_run() {
    for set in avx512 avx2; do
        case $1 in
        */$set*.[ch])
            grep -q -w "$set[f]*" /proc/cpuinfo 2>/dev/null || echo "this machine has no $set"
            ;;
        esac
    done
}

# noticed_by TESTS: the name of the first that fails, none if all pass
noticed_by() {
    for name in $1; do
        make -C "$tree" -s -j2 "tests/$name" >"$log" 2>&1 ||
            stop "this does not compile: $what: $(tail -n 5 "$log")"
        (cd "$tree" && srcdir=. "tests/$name") >"$log" 2>&1 && ! grep -q '^not ok' "$log" &&
            continue
        echo "$name"
        return
    done
}

make -C "$build" -s distdir distdir="$tree" >"$log" 2>&1 || stop "cannot copy the tree: $(cat "$log")"
tab=$(printf '\t')
grep -v -e '^#' -e '^$' "$table" >"$scratch/all"
awk -v part="$part" 'BEGIN { split(part, k, "/") } (NR - 1) % k[2] == k[1]' \
    "$scratch/all" >"$scratch/mutants"
[ -s "$scratch/mutants" ] || stop "no mutant is in part $part"
while IFS=$tab read -r file old new tests; do
    [ -n "$tests" ] || stop "a mutant of $file has no tests: $old"
    if [ ! -f "$scratch/original/$file" ]; then
        mkdir -p "$scratch/original/$(dirname "$file")" &&
            cp "$tree/$file" "$scratch/original/$file" || exit 2
    fi
    mutant "$file" "$old" "$new" >/dev/null || stop "this is not in $file exactly once: $old"
done <"$scratch/all"

(cd "$tree" && ./configure --disable-shared CFLAGS=-O1 >"$log" 2>&1) ||
    stop "cannot configure the copy: $(tail -n 5 "$log")"
what="nothing is broken yet"

caught=0
unnoticed=0
skipped=0
checked=" "
while IFS=$tab read -r file old new tests <&3; do
    if [ "$((caught + unnoticed))" -gt 0 ] && [ -n "$MOST_SECONDS" ] &&
        [ $(($(date +%s) - began)) -ge "$MOST_SECONDS" ]; then
        skipped=$((skipped + 1))
        continue
    fi
    why=$(cannot_run "$file")
    if [ -n "$why" ]; then
        skipped=$((skipped + 1))
        printf '%-13s %s: %s => %s\n' SKIP "$why" "$old" "$new"
        continue
    fi
    # What fails unbroken notices nothing.
    for name in $tests; do
        case $checked in *" $name "*) continue ;; esac
        found=$(noticed_by "$name") || exit
        [ -z "$found" ] || stop "$found fails before anything is broken: $(grep '^not ok' "$log")"
        checked="$checked$name "
    done
    what="$file: $old => $new"
    mutant "$file" "$old" "$new" >"$tree/$file"
    found=$(noticed_by "$tests") || exit
    cp "$scratch/original/$file" "$tree/$file"
    if [ -z "$found" ]; then
        unnoticed=$((unnoticed + 1))
        echo "NOT NOTICED   $what"
    else
        caught=$((caught + 1))
        printf '%-17s %s\n' "$found" "$what"
    fi
done 3<"$scratch/mutants"

echo "$caught caught, $unnoticed not noticed, $skipped skipped"
[ "$unnoticed" -eq 0 ] && [ $((caught + skipped)) -gt 0 ]
