# What --analyze says of a chain is what all codes of its source say, tried one by one.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

# source, steps, target, rounding mode of those that name none
chains="
    fp16 bf16 e4m3 rne
    fp16 bf16 e5m2 rne
    fp16 bf16:rto e2m1 rne
    fp16 e5m9 e4m3 rne
    fp16 e4m3,bf16 e5m2 rne
    bf16 fp16 e4m3 rne
    bf16 fp16 ue4m3 rdn
    bf16 fp16 int8 rtz
    bf16 dlfloat16 e5m2 rne
    bf16 e5m2 e4m3 rna"

plan "$(printf '%s\n' "$chains" | grep -c .)"
find_tool
make_scratch
for format in fp16 bf16; do
    awk -v format="$format" 'BEGIN {
        for (code = 0; code < 65536; code++)
            printf "%s:0x%04x\n", format, code
    }' >"$scratch/$format"
done

# The code that differs with the least magnitude, the positive one first; NaN does not count.
smallest() {
    paste "$scratch/$1" "$scratch/chained" "$scratch/direct" | awk -v infinity="$2" '
        $2 != $3 {
            code = NR - 1
            magnitude = code % 32768
            if (magnitude <= infinity && (found == "" || magnitude < least)) {
                least = magnitude
                found = $1
            }
        }
        END { print found == "" ? "never differs" : found; exit NR != 65536 }' ||
        echo "not all codes were tried"
}

printf '%s\n' "$chains" | while read -r source steps target mode; do
    [ -n "$source" ] || continue
    "$tool" --as "$target" --round "$mode" --via "$steps" --print=code \
        <"$scratch/$source" >"$scratch/chained"
    "$tool" --as "$target" --round "$mode" --print=code <"$scratch/$source" >"$scratch/direct"
    case $source in
    fp16) infinity=31744 ;; # 0x7c00
    bf16) infinity=32640 ;; # 0x7f80
    esac
    found=$(smallest "$source" $infinity)
    "$tool" --analyze --via "$source,$steps" --as "$target" --round "$mode" >"$scratch/said" 2>&1
    verdict "--analyze is right about $source, $steps and $target, $mode" "$(
        said=$(grep -o -E "never differs|$source:0x[0-9a-f]*" "$scratch/said" | head -n 1)
        [ "$said" = "$found" ] || printf '%s\n' "all codes: $found" "$(head -n 1 "$scratch/said")")"
done
