# Each command line of the README runs as it stands there.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

make_scratch
find_tool
export LC_ALL="$(utf8_locale)" TERM=dumb

# Indented lines that begin with a command; two blanks and more stand before what is said of it.
sed -n -E '/^    (\.\/dev|fpinspect|fpbudget|fplab|fpcast|seq|yes) /{
        s/^ +//
        s/   *[^ ].*$//
        p
    }' "$srcdir/README" >"$scratch/lines"
require "$scratch/lines" "commands in the README"
plan $(($(wc -l <"$scratch/lines") + 1))

# ./dev as it is once all is built: the tools of this build.
mkdir -p "$scratch/clone/tests"
ln -s "$(cd "$srcdir/tests/data" && pwd)" "$scratch/clone/tests/data"
cat >"$scratch/clone/dev" <<'END'
#!/bin/sh
tool=$1
shift
exec "$tool" "$@"
END
chmod +x "$scratch/clone/dev"
PATH=$(dirname "$tool"):$PWD:$PATH

# What the command said that it should not, run where a clone's ./dev is.
complaint() {
    (cd "$scratch/clone" && sh -c "$1" >"$scratch/out" 2>"$scratch/err")
    status=$?
    [ $status -eq 0 ] && [ ! -s "$scratch/err" ] && return
    echo "exit status $status"
    cat "$scratch/err"
}

# Those that build and test are themselves this test's way here: dev knows them.
is_known() {
    sh "$srcdir/dev" --help | grep -q -F "./dev $1" || echo "./dev --help does not tell"
}

while IFS= read -r line; do
    sentence="runs: $(echo "$line" | tr -d '#')"
    case $line in
    "./dev fp"*) verdict "$sentence" "$(complaint "$line")" ;;
    "./dev "*) verdict "$sentence" "$(is_known "$(echo "$line" | cut -d ' ' -f 2)")" ;;
    fplab*) if [ -n "$have_mpfr" ]; then
        verdict "$sentence" "$(complaint "$line")"
    else
        skip "$sentence" "without MPFR there is no fplab"
    fi ;;
    *) verdict "$sentence" "$(complaint "$line")" ;;
    esac
done <"$scratch/lines"

# Files that it names are there.
sed -n -E 's/^(.*[ `(])?((tests|lib|tools|man|include|examples|completions)\/[A-Za-z0-9_.\/-]*[A-Za-z0-9_\/]).*/\2/p' \
    "$srcdir/README" | sort -u >"$scratch/files"
require "$scratch/files" "files in the README"
verdict "every file that the README names is there" "$(
    while IFS= read -r file; do
        [ -e "$srcdir/$file" ] || echo "$file"
    done <"$scratch/files")"
