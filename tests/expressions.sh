# Expressions are what Python makes of them: in fractions, rounded once, and in doubles, rounded at
# every step.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

command -v python3 >/dev/null || skip_all "there is no python3"
plan 2
find_tool
make_scratch

cat >"$scratch/expressions.py" <<'END'
import math
import random
import struct
import sys
from fractions import Fraction


def ordered(x):
    return (x, math.copysign(1, x))


# name: operands, in fractions (None: not rational), in doubles
OPERATIONS = {
    '+': (2, lambda a, b: a + b, lambda a, b: a + b),
    '-': (2, lambda a, b: a - b, lambda a, b: a - b),
    '*': (2, lambda a, b: a * b, lambda a, b: a * b),
    '/': (2, lambda a, b: a / b, lambda a, b: a / b),
    'rem': (2, lambda a, b: a - b * round(a / b), math.remainder),
    'min': (2, min, lambda a, b: min(a, b, key=ordered)),
    'max': (2, max, lambda a, b: max(a, b, key=ordered)),
    'fma': (3, lambda a, b, c: a * b + c, None),
    'sqrt': (1, None, math.sqrt),
}


def number():
    digits = str(random.randrange(1, 10 ** random.randrange(1, 20)))
    exponent = random.choice([0, 0, 0, -1, -3, -17, 5, 40, -300, 290])
    return digits if exponent == 0 else digits + 'e' + str(exponent)


# a text, its exact fraction and its double; None where there is none, as of NaN
def expression(depth):
    if depth == 0 or random.random() < 0.2:
        text = number()
        return text, Fraction(text), float(text)
    name = random.choice(list(OPERATIONS))
    operands, exactly, rounded = OPERATIONS[name]
    parts = [expression(depth - 1) for _ in range(operands)]
    texts = [part[0] for part in parts]
    if name.isalpha():
        text = name + '(' + ', '.join(texts) + ')'
    else:
        text = '(' + name.join(texts) + ')'
    return text, of(exactly, [p[1] for p in parts]), of(rounded, [p[2] for p in parts])


def of(function, operands):
    if function is None or None in operands:
        return None
    try:
        result = function(*operands)
    except (ArithmeticError, ValueError):
        return None
    return None if result != result else result


def code(x):
    return '0x%016x' % struct.unpack('<Q', struct.pack('<d', x))


def nearest(fraction):
    try:
        return float(fraction)
    except OverflowError:
        return math.inf if fraction > 0 else -math.inf


random.seed(20241129)
with open(sys.argv[1], 'w') as once, open(sys.argv[2], 'w') as stepwise:
    for _ in range(3000):
        text, exact, double = expression(random.choice([1, 2, 2, 3]))
        if exact is not None and exact != 0:
            print(text, code(nearest(exact)), sep='\t', file=once)
        if double is not None:
            print(text, code(double), sep='\t', file=stepwise)
END
python3 "$scratch/expressions.py" "$scratch/once" "$scratch/stepwise" || exit 1

# held KIND FIELD: complaints about the lines of a file that are not what fpinspect prints
held() {
    require "$scratch/$1" "expressions"
    [ "$(wc -l <"$scratch/$1")" -ge 1000 ] || echo "there are too few expressions"
    cut -f 1 "$scratch/$1" | "$tool" --as fp64 --print="input,$2" >"$scratch/out" 2>"$scratch/err"
    only_refused "$1"
}

# Refused are divisions by what is exactly zero, and what is too large to be exact.
only_refused() {
    grep -v -e 'it divides by zero' -e 'a remainder by zero' -e 'of a negative number' \
        -e 'too large to evaluate' -e 'more digits of its constants' "$scratch/err" | head -n 3
    awk -F '\t' 'NR == FNR { got[$1] = $2; n++; next }
        $1 in got { tried++; if (got[$1] != $2 && wrong++ < 5) print $1 ": " got[$1] ", not " $2 }
        END { if (tried < 1000) print "only " tried + 0 " were evaluated" }' \
        "$scratch/out" "$scratch/$1"
}

verdict "one rounding is that of Python's fractions" "$(held once code)"
verdict "stepwise results are those of Python's doubles" "$(held stepwise stepwise)"
