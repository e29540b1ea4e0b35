# step_operands.py - operands of a training step, in fractions
# SPDX-License-Identifier: MIT

from fractions import Fraction

from random_bits import random_bits

FORMATS = {  # precision, log2 of the smallest normal, largest
    "fp32": (24, -126, (2 - Fraction(2)**-23) * 2**127),
    "bf16": (8, -126, (2 - Fraction(2)**-7) * 2**127),
    "fp16": (11, -14, 65504), "e4m3": (4, -6, 448), "e5m2": (3, -14, 57344), "e2m1": (2, 0, 6)}


def exponent(x):
    """floor(log2 |x|)"""
    e = abs(x.numerator).bit_length() - x.denominator.bit_length()
    return e if abs(x) >= Fraction(2)**e else e - 1


def rounded(x, form="fp32", clamps=False, bits=None):
    """To nearest, ties to even, or to either neighbour as 64 random bits say."""
    precision, least, largest = FORMATS[form]
    x = Fraction(x)
    if x == 0:
        return x
    unit = Fraction(2)**(max(exponent(x), least) - precision + 1)
    if bits is None:
        result = round(x / unit) * unit
    else:
        low, rest = divmod(abs(x), unit)
        away = rest > 0 and int(rest / unit * 2**64) + bits >= 2**64
        result = (low + away) * unit * (-1 if x < 0 else 1)
    if clamps:
        return max(min(result, Fraction(largest)), -Fraction(largest))
    assert abs(result) <= largest
    return result


# ---- blocks: a scale, and elements that it multiplies ----

def largest_of(values):
    return max(abs(x) for x in values)


def mx_block(element, values, draw, _):
    """OCP MX 1.0, 6.3: the binade of the largest value, less that of the largest element."""
    largest, bits = largest_of(values), [draw() for _ in values]
    if largest == 0:
        return [Fraction(0)] * len(values)
    scale = Fraction(2)**max(exponent(largest) - exponent(Fraction(FORMATS[element][2])), -127)
    return [rounded(x / scale, element, True, b) * scale for x, b in zip(values, bits)]


def nvfp4_block(element, values, draw, tensor):
    """NVFP4 as TransformerEngine has it, in binary32. The scale is rounded to E4M3."""
    values = [rounded(x) for x in values]
    sixth = rounded(Fraction(1, 6))
    scale = rounded(rounded(largest_of(values) * rounded(tensor.encode * sixth)), "e4m3", True)
    below = rounded(scale * rounded(1 / tensor.encode))
    factor = FORMATS["fp32"][2] if below == 0 else rounded(1 / below)
    return [rounded(rounded(x * factor), element, True, draw()) * scale for x in values]


def exact_nvfp4_block(element, values, draw, tensor):
    """The same by its definition: amax / (6 x tensor scale), rounded once; elements exactly."""
    scale = rounded(largest_of(values) / (6 * tensor.decode), "e4m3", True)
    bits = [draw() for _ in values]
    if scale == 0:
        return [Fraction(0)] * len(values)
    return [rounded(x / (scale * tensor.decode), element, True, b) * scale
            for x, b in zip(values, bits)]


def current_scale(element, values):
    """TransformerEngine's current scaling: M / amax in binary32, and its inverse."""
    largest = rounded(largest_of(values))
    factor = rounded(FORMATS[element][2] / largest) if largest else Fraction(1)
    return factor, rounded(1 / factor)


# Tiles of so many lines and elements of a line, by the binade of the largest.
TILES = {"e2m1@e8m0/3x5": (3, 5, "e2m1")}
# One scale for a whole line, or for all of them, multiplies sums and not their products.
WHOLES = {"channel-e4m3": "e4m3", "tensor-e5m2": "e5m2"}
BLOCKS = {"mxfp8-e4m3": (32, "e4m3", mx_block), "mxfp8-e5m2": (32, "e5m2", mx_block),
          "mxfp4": (32, "e2m1", mx_block), "nvfp4": (16, "e2m1", nvfp4_block),
          "nvfp4 by amax": (16, "e2m1", exact_nvfp4_block)}


class TensorScale:
    """Of two levels of scales the outer one."""

    def __init__(self, values, form):
        largest = rounded(largest_of(values))
        if largest == 0:
            self.decode = self.encode = Fraction(1)
        elif form == "nvfp4":
            self.encode = rounded(2688 / largest)
            self.decode = rounded(1 / self.encode)
        else:
            self.decode = rounded(largest / 2688)


class Draws:
    """Random bits one after the other; none where rounding is to nearest."""

    def __init__(self, seed, counter):
        self.seed, self.counter = seed, counter

    def bits(self, by_chance):
        if not by_chance:
            return None
        self.counter += 1
        return random_bits(self.seed, self.counter - 1)


class Operand:
    """A matrix as lines that a product sums over, and what multiplies each of its sums. axis 1: the
    lines are its rows; 0: its columns."""

    def __init__(self, matrix, axis, form, draws, by_chance):
        values = [x for row in matrix for x in row]
        lines = matrix if axis == 1 else turned(matrix)
        if form in WHOLES:
            self.round_whole(lines, WHOLES[form], form.startswith("tensor"), draws, by_chance)
            return
        if form in TILES:
            self.round_tiles(lines, TILES[form], draws, by_chance)
            return
        if form not in BLOCKS:
            factor = Fraction(1)
            largest = largest_of(values)
            if form in ("e4m3", "e5m2") and largest:
                factor = Fraction(2)**exponent(Fraction(FORMATS[form][2]) / largest)
            made = [[rounded(x * factor, form, False, draws.bits(by_chance)) for x in row]
                    for row in matrix]
            self.lines = made if axis == 1 else turned(made)
            self.factors = [1 / factor] * len(lines)
            return
        size, element, quantise = BLOCKS[form]
        tensor = TensorScale(values, form) if form.startswith("nvfp4") else None
        self.factors = [tensor.decode if tensor else Fraction(1)] * len(lines)
        self.lines = [[y for i in range(0, len(line), size)
                       for y in quantise(element, line[i:i + size],
                                         lambda: draws.bits(by_chance), tensor)]
                      for line in lines]

    def round_whole(self, lines, element, together, draws, by_chance):
        scales = [current_scale(element, [x for row in lines for x in row] if together else line)
                  for line in lines]
        self.lines = [[rounded(rounded(rounded(x) * factor), element, True,
                               draws.bits(by_chance)) for x in line]
                      for line, (factor, _) in zip(lines, scales)]
        self.factors = [inverse for _, inverse in scales]

    def round_tiles(self, lines, tile, draws, by_chance):
        high, wide, element = tile
        bits = [[draws.bits(by_chance) for _ in line] for line in lines]
        self.lines = [[None] * len(line) for line in lines]
        self.factors = [Fraction(1)] * len(lines)
        for top in range(0, len(lines), high):
            for left in range(0, len(lines[0]), wide):
                places = [(i, k) for i in range(top, min(top + high, len(lines)))
                          for k in range(left, min(left + wide, len(lines[0])))]
                draw = iter([bits[i][k] for i, k in places])
                made = mx_block(element, [lines[i][k] for i, k in places], lambda: next(draw), None)
                for (i, k), x in zip(places, made):
                    self.lines[i][k] = x

    def turned(self):
        """Of a plain format, whose factors are all alike."""
        other = object.__new__(Operand)
        other.lines = turned(self.lines)
        other.factors = self.factors[:1] * len(other.lines)
        return other


def turned(rows):
    return [list(row) for row in zip(*rows)]


def product(a, b):
    """Of each line of a with each line of b."""
    result = []
    for line, factor in zip(a.lines, a.factors):
        sums = []
        for other, second in zip(b.lines, b.factors):
            total = Fraction(0)
            for x, y in zip(line, other):
                total = rounded(total + x * y)
            sums.append(rounded(total * (factor * second)))
        result.append(sums)
    return result


def sums(operand):
    """Of each line."""
    result = []
    for line, factor in zip(operand.lines, operand.factors):
        total = Fraction(0)
        for x in line:
            total = rounded(total + x)
        result.append(rounded(total * factor))
    return result
