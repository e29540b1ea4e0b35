# What --analyze says of a chain is what all codes of its source say, tried one by one.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

# source, steps, target, rounding mode of those that name none
chains="
    fp16 bf16 e4m3 rne
    fp16 e2m3:rto int4 rtz
    bf16 fp16 ue4m3 rdn
    bf16 dlfloat16 e5m2 rne
    tf32 e6m12fn e5m2 rne
    tf32 e5m2 e4m3 rna
    tf32 e4m3fnuz bf16 rne"

plan "$(printf '%s\n' "$chains" | grep -c .)"
find_tool
make_scratch

# Of a source: how many codes there are, and that of infinity.
size_of() {
    case $1 in
    fp16) echo 65536 31744 ;;
    bf16) echo 65536 32640 ;;
    tf32) echo 524288 261120 ;;
    esac
}

for format in fp16 bf16 tf32; do
    size_of $format | awk -v format=$format '{
        line = format ":0x%0" ($1 > 65536 ? 5 : 4) "x\n"
        for (code = 0; code < $1; code++)
            printf line, code
    }' >"$scratch/$format"
done

# smallest SOURCE CODES INFINITY: of the codes that differ that of the least magnitude, the positive
# one first; NaN does not count
smallest() {
    paste "$scratch/$1" "$scratch/chained" "$scratch/direct" | awk -v codes="$2" -v infinity="$3" '
        $2 != $3 {
            magnitude = (NR - 1) % (codes / 2)
            if (magnitude <= infinity && (found == "" || magnitude < least)) {
                least = magnitude
                found = $1
            }
        }
        END { print found == "" ? "never differs" : found; exit NR != codes }' ||
        echo "not all codes were tried"
}

printf '%s\n' "$chains" | while read -r source steps target mode; do
    [ -n "$source" ] || continue
    "$tool" --as "$target" --round "$mode" --via "$steps" --print=code \
        <"$scratch/$source" >"$scratch/chained"
    "$tool" --as "$target" --round "$mode" --print=code <"$scratch/$source" >"$scratch/direct"
    found=$(smallest "$source" $(size_of "$source"))
    "$tool" --analyze --via "$source,$steps" --as "$target" --round "$mode" >"$scratch/said" 2>&1
    verdict "--analyze is right about $source, $steps and $target, $mode" "$(
        said=$(grep -o -E "never differs|$source:0x[0-9a-f]*" "$scratch/said" | head -n 1)
        [ "$said" = "$found" ] || printf '%s\n' "all codes: $found" "$(head -n 1 "$scratch/said")")"
done
