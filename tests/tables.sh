# What fpinspect shows of small formats, recomputed from tests/data/formats.tsv.
#
# SPDX-License-Identifier: MIT
#
# awk computes in binary64, which holds every value of these formats, and shares nothing with the
# library but the rows of formats.tsv, which were typed from the specifications.

. "$srcdir/tests/tap.sh"

widest=11 # --table draws a grid up to 8 bits and a list above
rows=$srcdir/tests/data/formats.tsv
LC_ALL=C
export LC_ALL

find_tool
make_scratch
awk -F '\t' -v widest="$widest" '!/^#/ && $2 <= widest' "$rows" >"$scratch/rows"
"$tool" --list-formats --plain | awk '{ print $1 }' | sort >"$scratch/listed"
cut -f 1 "$rows" | sort >"$scratch/known"
require "$scratch/rows" "formats of at most $widest bits"
require "$scratch/listed" "formats that are listed"

plan $((1 + $(wc -l <"$scratch/rows")))
verdict "every format of the list is in formats.tsv" \
    "$(only_in_first "$scratch/listed" "$scratch/known")"

# What the table in $scratch/csv, the screens in $scratch/screen and $scratch/info, and the counts
# in $scratch/density have wrong.
judge() {
    awk -F '\t' '
        function complain(text) { if (++complaints <= 8) print text }
        function from_hexadecimal(text,    i, n) {
            for (i = 1; i <= length(text); i++)
                n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
            return n
        }
        function power(e) { return exp_of_two(e < 0 ? -e : e, e < 0) }
        function exp_of_two(n, inverse,    x) {
            for (x = 1; n > 0; n--)
                x *= inverse ? 0.5 : 2
            return x
        }
        # What a code stands for: a number, or inf, -inf, nan, -0.
        function value_of(code,    sign, magnitude, exponent, fraction, x) {
            sign = is_signed && code >= all / 2
            if (integer)
                return (sign ? code - all : code) * power(emin)
            magnitude = sign ? code - all / 2 : code
            if (code == nan || (nan != "" && magnitude == nan) || magnitude > max)
                return magnitude == infinity && code != nan ? (sign ? "-inf" : "inf") : "nan"
            fraction = magnitude % steps
            exponent = (magnitude - fraction) / steps
            if (name == "e8m0") # an exponent field of 0 is a normal binade, and there is no zero
                return power(emin + exponent)
            if (exponent == 0)
                x = fraction * power(emin) / steps
            else
                x = (1 + fraction / steps) * power(emin + exponent - 1)
            return sign ? (x == 0 ? "-0" : -x) : x
        }
        function kind_of(value) {
            if (value ~ /nan/) return "NaN"
            if (value ~ /inf/) return "Inf"
            if (value == 0) return "zero"
            return !integer && (value < 0 ? -value : value) < power(emin) ? "subnormal" : "normal"
        }
        # A cell of a screen: NaN, Inf, or a number, which is exact or marked.
        function shows(cell, exact) {
            gsub(/Inf/, "inf", cell)
            gsub(/-?NaN/, "nan", cell)
            if (sub(/^~/, "", cell)) # two digits at the least
                return exact != 0 && (cell / exact - 1) ^ 2 <= 0.05 ^ 2
            return exact ~ /[ni]/ ? cell == exact : cell + 0 == exact + 0 && cell != ""
        }
        FILENAME ~ /row$/ {
            name = $1; bits = $2; precision = $3; emin = $4
            max = from_hexadecimal($6)
            infinity = $10 == "-" ? "" : from_hexadecimal($10)
            nan = $11 == "-" ? "" : from_hexadecimal($11)
            integer = name ~ /^u?int/
            all = power(bits)
            is_signed = max < all / 2 && name !~ /^u/
            steps = power(precision - 1)
            next
        }
        FILENAME ~ /csv$/ && FNR == 1 {
            if ($0 != "code,exact")
                complain("the first line is " $0)
            next
        }
        FILENAME ~ /csv$/ {
            split($0, field, ",")
            code = FNR - 2
            sub(/^0x/, "", field[1])
            if (from_hexadecimal(field[1]) != code)
                complain("row " FNR " has code " field[1])
            want = value_of(code)
            got = field[2]
            if (want ~ /^(-0|-?inf|nan)$/ ? got != want : got != want + 0 || got == "-0")
                complain("code " code " is " want ", not " got)
            exact[code] = got
            counted[kind_of(got)]++
            if (got !~ /[ni]/ && got > 0)
                in_binade[binade_of(got)]++
            codes++
            next
        }
        FILENAME ~ /info$/ && /^  codes / {
            told = $0
            gsub(/^ *codes *|;.*/, "", told)
            found = sprintf("zero %d, subnormal %d, normal %d, Inf %d, NaN %d", counted["zero"],
                counted["subnormal"], counted["normal"], counted["Inf"], counted["NaN"])
            if (told != found)
                complain("--info counts " told ", the table has " found)
            counts_told++
        }
        FILENAME ~ /info$/ && match($0, /^  (max|min normal|min subnormal) /) {
            row = substr($0, 3, RLENGTH - 3)
            split(substr($0, RLENGTH + 1), field, " ")
            code = from_hexadecimal(substr(field[2], 3))
            if (!shows(field[1], exact[code]))
                complain("--info gives " row " as " field[1] ", the table as " exact[code])
            limit[row] = code
        }
        # A grid has the code of its first column, bits, and values; a list has a code a line.
        FILENAME ~ /screen$/ && /^  0x/ {
            n = split($0, field, " ")
            first = from_hexadecimal(substr(field[1], 3))
            for (i = bits <= 8 ? 3 : n; i <= n; i++) {
                code = bits <= 8 ? first + i - 3 : first
                if (!shows(field[i], exact[code]))
                    complain("--table shows " field[i] " for code " code ", which is " exact[code])
                shown[code]++
            }
        }
        FILENAME ~ /density$/ && FNR > 1 {
            if ($3 != in_binade[$2])
                complain("--plot has " $3 " values from 2^" $2 ", the table " in_binade[$2] + 0)
            delete in_binade[$2]
        }
        END {
            for (e in in_binade)
                if (!integer)
                    complain("--plot has no values from 2^" e)
            if (codes != all)
                complain(codes " codes, not " all)
            if (counts_told != 1)
                complain("--info does not count the codes")
            if (limit["max"] != max)
                complain("--info has max at code " limit["max"])
            if (limit["min normal"] != first_normal())
                complain("--info has min normal at code " limit["min normal"])
            if (counted["subnormal"] > 0 ? limit["min subnormal"] != 1 : "min subnormal" in limit)
                complain("--info has min subnormal at code " limit["min subnormal"])
            for (code = 0; code < (is_signed && !integer && bits <= 8 ? all / 2 : all); code++)
                if (shown[code] != 1)
                    complain("--table shows code " code " " shown[code] + 0 " times")
        }
        function binade_of(x,    e) {
            for (e = 0; x >= 2; e++)
                x /= 2
            for (; x < 1; e--)
                x *= 2
            return e
        }
        function first_normal(    code) {
            for (code = 0; code < all && kind_of(exact[code]) != "normal"; code++)
                ;
            return code
        }' "$scratch/row" "$scratch/csv" "$scratch/info" "$scratch/screen" "$scratch/density"
}

while IFS= read -r row; do
    printf '%s\n' "$row" >"$scratch/row"
    name=$(cut -f 1 "$scratch/row")
    "$tool" --table "$name" --csv >"$scratch/csv"
    "$tool" --table "$name" --ascii >"$scratch/screen"
    "$tool" --info "$name" --ascii >"$scratch/info"
    case $name in
    int*|uint*) : >"$scratch/density" ;; # has no binades
    *) "$tool" --plot density --as "$name" --tsv >"$scratch/density" ;;
    esac
    verdict "the table, the limits and the density of $name are right" "$(judge 2>&1)"
done <"$scratch/rows"
