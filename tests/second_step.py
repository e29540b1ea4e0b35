# The second step of fplab train, computed in fractions from the checkpoint of the first.
#
# SPDX-License-Identifier: MIT

from decimal import Decimal, getcontext
from fractions import Fraction

from checkpoints import *

getcontext().prec = 80
FORMATS = {  # precision, log2 of the smallest normal, largest
    "fp32": (24, -126, (2 - Fraction(2)**-23) * 2**127),
    "bf16": (8, -126, (2 - Fraction(2)**-7) * 2**127),
    "fp16": (11, -14, 65504), "e4m3": (4, -6, 448), "e5m2": (3, -14, 57344)}
CODES = {"F32": ("<%df", 4), "U32": ("<%dI", 4)}


def exponent(x):
    """floor(log2 |x|)"""
    e = abs(x.numerator).bit_length() - x.denominator.bit_length()
    return e if abs(x) >= Fraction(2)**e else e - 1


def rounded(x, form="fp32"):
    precision, least, largest = FORMATS[form]
    x = Fraction(x)
    if x == 0:
        return x
    unit = Fraction(2)**(max(exponent(x), least) - precision + 1)
    x = round(x / unit) * unit  # ties to even
    assert abs(x) <= largest
    return x


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def root(x):
    return rounded(Fraction(decimal(x).sqrt()))


class Operand:
    """A matrix in a format, times a power of two that makes its largest element fit."""

    def __init__(self, rows, form, scaled):
        largest = max(abs(x) for row in rows for x in row)
        self.shift = 0
        if scaled and largest:
            limit = Fraction(FORMATS[form][2])
            self.shift = exponent(limit / largest)
        self.rows = [[rounded(x * Fraction(2)**self.shift, form) for x in row] for row in rows]

    def turned(self):
        other = object.__new__(Operand)
        other.shift, other.rows = self.shift, [list(row) for row in zip(*self.rows)]
        return other


def product(a, b):
    result = []
    for row in a.rows:
        sums = []
        for column in zip(*b.rows):
            total = Fraction(0)
            for x, y in zip(row, column):
                total = rounded(total + x * y)
            sums.append(rounded(total / Fraction(2)**(a.shift + b.shift)))
        result.append(sums)
    return result


def tensors(name):
    header, data = read(name)
    header = json.loads(header)
    result = {}
    for key, entry in header.items():
        if key == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        code, size = CODES[entry["dtype"]]
        flat = struct.unpack(code % ((end - start) // size), data[start:end])
        flat = [Fraction(x) for x in flat] if entry["dtype"] == "F32" else list(flat)
        if len(entry["shape"]) == 2:
            n = entry["shape"][1]
            flat = [flat[i:i + n] for i in range(0, len(flat), n)]
        result[key] = flat
    return header["__metadata__"], result


def learn(inputs, labels, net, forward, backward, scale):
    scaled = forward.startswith("e")
    n, outs, operands = len(inputs), [], []
    for layer in 1, 2:
        weights, biases = net["layer%d.weight" % layer], net["layer%d.bias" % layer]
        x, w = Operand(inputs, forward, scaled), Operand(weights, forward, scaled)
        z = [[rounded(y + b) for y, b in zip(row, biases)] for row in product(x, w)]
        operands.append((x, w))
        outs.append(z)
        inputs = [[max(y, Fraction(0)) for y in row] for row in z]
    loss, back = Fraction(0), []
    for row, label in zip(outs[1], labels):
        below = [rounded(y - max(row)) for y in row]
        parts = [rounded(Fraction(decimal(y).exp())) for y in below]
        total = Fraction(0)
        for part in parts:
            total = rounded(total + part)
        shares = [rounded(part / total) for part in parts]
        loss = rounded(loss + rounded(rounded(Fraction(decimal(total).ln())) - below[label]))
        shares[label] = rounded(shares[label] - 1)
        back.append([rounded(share * scale / n) for share in shares])
    gradients = {}
    for layer in 2, 1:
        x, w = operands[layer - 1]
        z = Operand(back, backward, scaled)
        gradients["layer%d.weight" % layer] = product(x.turned(), z)
        ones = Operand([[1] * n], "bf16", False)
        gradients["layer%d.bias" % layer] = product(ones, z)[0]
        if layer == 2:
            back = [[g if y > 0 else Fraction(0) for g, y in zip(*pair)]
                    for pair in zip(product(z, w.turned()), outs[0])]
    return rounded(loss / n), gradients


def adamw(w, m, v, g, t):
    beta1, beta2, rest1, rest2 = (rounded(Fraction(x)) for x in ("0.9", "0.999", "0.1", "0.001"))
    m = rounded(beta1 * m + rounded(rest1 * g))
    v = rounded(beta2 * v + rounded(rest2 * rounded(g * g)))
    low = rounded(root(rounded(v / rounded(1 - Fraction("0.999")**t))) + rounded(Fraction("1e-8")))
    step = rounded(rounded(m / rounded(1 - Fraction("0.9")**t)) / low)
    step = rounded(rounded(Fraction("0.01")) * w + step)
    return rounded(w - rounded(Fraction("0.01")) * step), m, v


def flat(rows):
    return [x for row in rows for x in row] if isinstance(rows[0], list) else rows


# The irises as fp64, from where the tool has them: its rows are read here again.
table = open(sys.argv[1]).read()
start = table.index("/* setosa */")
digits = "".join(c if c.isdigit() else " " for c in table[start:table.index("};", start)])
numbers = [int(word) for word in digits.split()]
rows = [[Fraction(float(Fraction(x, 10))) for x in numbers[i:i + 4]] for i in range(0, 600, 4)]
for forward, backward, scale in (("bf16", "bf16", 1), ("e4m3", "e5m2", 1), ("fp16", "fp16", 1024)):
    both = forward if forward == backward else forward + "/" + backward
    given = ["--as", both, "--seed", "6", "--loss-scale", str(scale), "--tsv"]
    assert fplab(*given, "--steps", "1", "--checkpoint", "one").returncode == 0
    told = fplab(*given, "--steps", "2", "--checkpoint", "two").stdout.split("\n")[2].split("\t")[1]
    (metadata, net), (_, expected) = tensors("one"), tensors("two")
    position = int(metadata["position"])
    chosen = net["data.order"][position:position + 32]
    loss, gradients = learn([rows[i] for i in chosen], [i // 50 for i in chosen], net, forward,
                            backward, scale)
    if rounded(Fraction(told)) != loss:
        print(both, "loss", told, float(loss))
    for name, gradient in gradients.items():
        moments = [flat(net["optimizer.%s.%s" % (state, name)]) for state in "mv"]
        results = [adamw(w, m, v, rounded(g / scale), 2)
                   for w, m, v, g in zip(flat(net[name]), *moments, flat(gradient))]
        for prefix, column in zip(("", "optimizer.m.", "optimizer.v."), zip(*results)):
            if list(column) != flat(expected[prefix + name]):
                print(both, prefix + name, "differs")
