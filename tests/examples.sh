# Every example runs and prints what the .txt beside it says.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

set -- $examples
[ $# -gt 0 ] || { echo "Bail out! no examples were built"; exit 1; }

plan $#
make_scratch
for example; do
    ./"$example" >"$scratch/output" 2>&1
    status=$?
    verdict "$example prints what it promises" "$(
        diff "$srcdir/$example.txt" "$scratch/output"
        [ "$status" -eq 0 ] || echo "exit status $status")"
done
