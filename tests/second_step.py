# The second step of fplab train, computed in fractions from the checkpoint of the first.
#
# SPDX-License-Identifier: MIT

from decimal import Decimal, getcontext

from checkpoints import *
from step_operands import *

getcontext().prec = 80
CODES = {"F32": ("<%df", 4), "U32": ("<%dI", 4)}


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def root(x):
    return rounded(Fraction(decimal(x).sqrt()))


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


AXES = {"x": 1, "w": 0, "x dw": 0, "g dw": 0, "g dx": 1, "w dx": 1}


class Rounding:
    """What a run's operands are rounded to."""

    def __init__(self, formats, by_chance, draws):
        self.formats, self.by_chance, self.draws = formats, by_chance, draws

    def make(self, use, matrix):
        return Operand(matrix, AXES[use], self.formats[use], self.draws,
                       self.by_chance[use.startswith("g")])

    def again(self, use, before, made, matrix):
        """In blocks from the numbers, else the operand that there is, along its other axis."""
        form = self.formats[use]
        return made.turned() if form == self.formats[before] and form in FORMATS else \
            self.make(use, matrix)


def learn(inputs, labels, net, rounding, scale):
    n, outs, operands = len(inputs), [], []
    for layer in 1, 2:
        weights, biases = net["layer%d.weight" % layer], net["layer%d.bias" % layer]
        x, w = rounding.make("x", inputs), rounding.make("w", weights)
        z = [[rounded(y + b) for y, b in zip(row, biases)] for row in product(x, w)]
        operands.append((inputs, x, weights, w))
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
        inputs, x, weights, w = operands[layer - 1]
        g = rounding.make("g dw", back)
        x = rounding.again("x dw", "x", x, inputs)
        gradients["layer%d.weight" % layer] = product(x, g)
        gradients["layer%d.bias" % layer] = sums(g)
        if layer == 2:
            g = rounding.again("g dx", "g dw", g, back)
            w = rounding.again("w dx", "w", w, weights)
            back = [[y if z > 0 else Fraction(0) for y, z in zip(*pair)]
                    for pair in zip(product(g, w), outs[0])]
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
def formats(forward, backward, **others):
    made = {use: backward if use.startswith("g") else forward for use in AXES}
    made.update({use.replace("_", " "): form for use, form in others.items()})
    return made


NEAREST, CHANCE, BACKWARD = (False, False), (True, True), (False, True)
for given, forms, by_chance, scale in (
        (["--as", "bf16"], formats("bf16", "bf16"), NEAREST, 1),
        (["--as", "e4m3/e5m2"], formats("e4m3", "e5m2"), NEAREST, 1),
        (["--as", "fp16"], formats("fp16", "fp16"), NEAREST, 1024),
        (["--as", "bf16", "--round", "sr"], formats("bf16", "bf16"), CHANCE, 1),
        (["--as", "e4m3/e5m2", "--dx", "bf16/e5m2", "--round", "rne/sr"],
         formats("e4m3", "e5m2", w_dx="bf16"), BACKWARD, 1),
        (["--as", "mxfp8-e4m3"], formats("mxfp8-e4m3", "mxfp8-e4m3"), NEAREST, 1),
        (["--as", "mxfp8-e4m3/mxfp8-e5m2", "--round", "sr"],
         formats("mxfp8-e4m3", "mxfp8-e5m2"), CHANCE, 1),
        (["--as", "mxfp4", "--dw", "bf16", "--loss-scale", "4"],
         formats("mxfp4", "mxfp4", x_dw="bf16", g_dw="bf16"), NEAREST, 4),
        (["--as", "nvfp4"], formats("nvfp4", "nvfp4"), NEAREST, 1),
        (["--as", "nvfp4", "--round", "rne/sr"], formats("nvfp4", "nvfp4"), BACKWARD, 1),
        (["--as", "nvfp4", "--recipe", "amax"], formats("nvfp4 by amax", "nvfp4 by amax"),
         NEAREST, 1),
        (["--as", "channel-e4m3/tensor-e5m2", "--round", "rne/sr"],
         formats("channel-e4m3", "tensor-e5m2"), BACKWARD, 1),
        (["--as", "e2m1@e8m0/3x5", "--round", "sr"], formats("e2m1@e8m0/3x5", "e2m1@e8m0/3x5"),
         CHANCE, 1),
        (["--as", "nvfp4", "--weights", "mxfp8-e4m3", "--gradients", "bf16"],
         formats("nvfp4", "bf16", w="mxfp8-e4m3", w_dx="mxfp8-e4m3"), NEAREST, 1)):
    both, seed = " ".join(given), 6
    given = given + ["--seed", str(seed), "--tsv"]
    given += [] if "--loss-scale" in given else ["--loss-scale", str(scale)]
    assert fplab(*given, "--steps", "1", "--checkpoint", "one").returncode == 0
    told = fplab(*given, "--steps", "2", "--checkpoint", "two").stdout.split("\n")[2].split("\t")[1]
    (metadata, net), (_, expected) = tensors("one"), tensors("two")
    position = int(metadata["position"])
    chosen = net["data.order"][position:position + 32]
    draws = Draws(seed, int(metadata["random-counter"]))
    loss, gradients = learn([rows[i] for i in chosen], [i // 50 for i in chosen], net,
                            Rounding(forms, by_chance, draws), scale)
    if rounded(Fraction(told)) != loss:
        print(both, "loss", told, float(loss))
    for name, gradient in gradients.items():
        moments = [flat(net["optimizer.%s.%s" % (state, name)]) for state in "mv"]
        results = [adamw(w, m, v, rounded(g / scale), 2)
                   for w, m, v, g in zip(flat(net[name]), *moments, flat(gradient))]
        for prefix, column in zip(("", "optimizer.m.", "optimizer.v."), zip(*results)):
            if list(column) != flat(expected[prefix + name]):
                print(both, prefix + name, "differs")
