# Breaks lib/encode.c, or what it calls, in one place at a time and says which breaks no test notices.
# Run by ./dev mutate, which sets build to a configured folder.
#
# SPDX-License-Identifier: MIT

# The quickest first: the rest only run if it notices nothing.
tests="test_explain test_value test_random test_chances test_encode test_stochastic test_faults"

# In one of these.
sources="lib/encode.c lib/beyond.c lib/encode.h"

# What stands there, and what is put in its place.
mutations='
(fraction << 2 != 0) | beyond => fraction << 2 != 0
(uint8_t)(fraction >> 63) => (uint8_t)(fraction >> 62 & 1)
fraction >> 62 & 1 => fraction >> 61 & 1
lost || value.inexact => lost
(63 - rule->bits)) + 1) >> 1 => (63 - rule->bits))) >> 1
cut->beyond || (kept & 1) => kept & 1
> low_bits(rule->bits) - rule->random => >= low_bits(rule->bits) - rule->random
random_32(policy->seed, index) >> (32 - bits) => random_32(policy->seed, index) & low_bits(bits)
case FPFMT_ROUND_NEAREST_AWAY: return above | tie => case FPFMT_ROUND_NEAREST_AWAY: return above
case FPFMT_ROUND_NEAREST_ZERO: return above => case FPFMT_ROUND_NEAREST_ZERO: return above || tie
case FPFMT_ROUND_AWAY_FROM_ZERO: return inexact => case FPFMT_ROUND_AWAY_FROM_ZERO: return above
return inexact & !negative => return inexact
return inexact & negative => return inexact
return inexact & !odd => return inexact & odd
above | (tie & odd) => above | tie
above | (tie & odd) => above | (tie & !odd)
odd = cut->kept != 0 => odd = true
TIE_LARGER && rule->rounding == FPFMT_ROUND_NEAREST_EVEN => TIE_LARGER
return (value.exponent > emin ? value.exponent : emin) => return (value.exponent)
exponent = value.exponent > emin ? value.exponent : emin => exponent = value.exponent
rest != 0 || left || value.inexact => rest != 0 || left
rest -= rest >= smallest => rest -= rest > smallest
value.exponent < emin - 1 => value.exponent < emin
is_fixed_point(format) || (has_gap ? => (has_gap ?
rounded < (int64_t)smallest => rounded <= (int64_t)smallest
(0 - magnitude) & low_bits => magnitude & low_bits
magnitude == 0 && format->nans == FPFMT_NANS_NEGATIVE_ZERO => magnitude == 0
policy->rounding == inward => policy->rounding != inward
(max & 1) != 0 => (max & 1) == 0
choice <= FPFMT_OVERFLOW_NAN => choice < FPFMT_OVERFLOW_NAN
return policy->overflow >= FPFMT_OVERFLOW_MAX => return policy->overflow > FPFMT_OVERFLOW_MAX
shift_right(payload, value.payload_bits - bits) => payload
if (!quiet && payload == 0) => if (payload == 0)
if (signaling && !keeps) => if (signaling)
fpfmt_with_sign(format, 0, !value.negative) => fpfmt_with_sign(format, 0, value.negative)
code - away == max => code == max
code > (refused ? 0 : max) => code >= (refused ? 0 : max)
code > (refused ? 0 : max) => code > max
emin - 4 + (1 << => emin - 1 + (1 <<
flush = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS => flush = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS
if (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS) => if (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS)
tiny ? FPFMT_FLAG_UNDERFLOW : 0 => tiny ? 0 : FPFMT_FLAG_UNDERFLOW
*flags |= raised => *flags = raised
'

stop() {
    echo "mutate: $1" >&2
    exit 2
}

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
log=$scratch/log
tree=$scratch/tree

# mutant MUTATION FILE: the file with the old text, which must stand there exactly once, replaced
mutant() {
    awk -v old="${1%% => *}" -v new="${1#* => }" '
        {
            at = index($0, old)
            if (at > 0) {
                found += 1 + (index(substr($0, at + 1), old) > 0)
                $0 = substr($0, 1, at - 1) new substr($0, at + length(old))
            }
            print
        }
        END { exit found != 1 }' "$scratch/original/$2"
}

# place MUTATION: the source that has its old text exactly once
place() {
    for source in $sources; do
        ! mutant "$1" "$source" >/dev/null || echo "$source"
    done
}

# noticed_by: the name of the first test that fails, none if all pass
noticed_by() {
    for name in $tests; do
        make -C "$tree" -s -j2 "tests/$name" >"$log" 2>&1 ||
            stop "this does not compile: $mutation: $(tail -n 5 "$log")"
        (cd "$tree" && srcdir=. "tests/$name") >"$log" 2>&1 && ! grep -q '^not ok' "$log" && continue
        echo "$name"
        return
    done
}

make -C "$build" -s distdir distdir="$tree" >"$log" 2>&1 || stop "cannot copy the tree: $(cat "$log")"
mkdir -p "$scratch/original/lib"
for source in $sources; do
    cp "$tree/$source" "$scratch/original/$source" || exit 2
done
echo "$mutations" | sed '/^$/d' >"$scratch/mutations"
while IFS= read -r mutation; do
    [ "$(place "$mutation" | wc -l)" -eq 1 ] ||
        stop "this is not in $sources exactly once: ${mutation%% => *}"
done <"$scratch/mutations"

(cd "$tree" && ./configure --disable-shared >"$log" 2>&1) ||
    stop "cannot configure the copy: $(tail -n 5 "$log")"
mutation="nothing is broken yet"
found=$(noticed_by) || exit
[ -z "$found" ] || stop "$found fails before anything is broken: $(grep '^not ok' "$log")"

caught=0
unnoticed=0
while IFS= read -r mutation <&3; do
    source=$(place "$mutation")
    mutant "$mutation" "$source" >"$tree/$source"
    found=$(noticed_by) || exit
    cp "$scratch/original/$source" "$tree/$source"
    if [ -z "$found" ]; then
        unnoticed=$((unnoticed + 1))
        echo "NOT NOTICED   $mutation"
    else
        caught=$((caught + 1))
        printf '%-13s %s\n' "$found" "$mutation"
    fi
done 3<"$scratch/mutations"

echo "$caught caught, $unnoticed not noticed"
[ "$unnoticed" -eq 0 ] && [ "$caught" -gt 0 ]
