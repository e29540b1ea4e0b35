# lab_models.py - the experiments of fplab once more, in integers and rationals of another language
# SPDX-License-Identifier: MIT
#
# Usage: lab_models.py WHAT. Prints what is wrong; nothing is good.

import decimal
import fractions
import itertools
import random
import subprocess
import sys

from random_bits import random_bits

Fraction = fractions.Fraction


def rows(*arguments):
    """What fplab prints with --tsv, a dictionary for each row."""
    run = subprocess.run(["fplab", *map(str, arguments), "--tsv"], capture_output=True, text=True)
    lines = [line.split("\t") for line in run.stdout.splitlines()]
    if run.returncode != 0 or len(lines) < 2:
        return [{"error": run.stderr}]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


# ---- random numbers: Box and Muller in decimals ----

def series(x, first):
    """sin x for first x, cos x for first 1."""
    total, term, n = decimal.Decimal(0), decimal.Decimal(first), 0 if first == 1 else 1
    while abs(term) > decimal.Decimal(10) ** -60:
        total += term
        term *= -x * x / ((n + 1) * (n + 2))
        n += 2
    return total


def pi():
    """Machin's formula."""
    def arctangent(n):
        total, power, k = decimal.Decimal(0), decimal.Decimal(1) / n, 0
        while power > decimal.Decimal(10) ** -70:
            total += (-1) ** k * power / (2 * k + 1)
            power /= n * n
            k += 1
        return total
    return 4 * (4 * arctangent(5) - arctangent(239))


def normal(seed, index):
    even = index - index % 2
    r, s = (random_bits(seed, even + i) >> 11 for i in (0, 1))
    radius = (-2 * ((decimal.Decimal(r + 1) / 2**53).ln())).sqrt()
    angle = 2 * pi() * s / 2**53
    return float(radius * series(angle, angle if index % 2 else 1))  # rounded once


def uniform(seed, index):
    return float(Fraction(random_bits(seed, index) >> 11, 2**53))


def check_random():
    decimal.getcontext().prec = 80
    checked = 0
    for data, draw in (("normal", normal), ("uniform", uniform),
                       ("centred", lambda seed, index: 2 * uniform(seed, index) - 1)):
        for seed, k in itertools.product((0, 1, 12345, 2**64 - 1), (1, 2, 3)):
            products = [Fraction(draw(seed, i)) * Fraction(draw(seed, k + i)) for i in range(k)]
            exact = float(sum(products))
            got = rows("dot", "--k", k, "--as", "fp64", "--to", "fp64", "--accumulate", "exact",
                       "--data", data, "--seed", seed)[0]
            checked += 1
            if "error" in got or float(got["result"]) != exact:
                print("dot of", k, data, "numbers with seed", seed, "gives", got, "not", exact)
    return checked


# ---- stochastic steps, one exact sum and one draw each ----

def stochastic(start, step, count, seed, run, fraction_bits, emin):
    weight = Fraction(start)
    for i in range(count):
        total = weight + step
        magnitude, exponent = abs(total), emin
        while magnitude >= Fraction(2) ** (exponent + 1):
            exponent += 1
        unit = Fraction(2) ** (exponent - fraction_bits)
        low, rest = divmod(magnitude, unit)
        # away from zero where the part of the step in 64 bits and the random bits carry
        chance = rest / unit * 2**64
        away = rest > 0 and int(chance) + random_bits(seed, run * count + i) >= 2**64
        weight = (low + away) * unit * (-1 if total < 0 else 1)
    return weight


def check_stochastic():
    checked = 0
    step = Fraction(8589935, 2**33)  # 1e-3 in fp32
    for (name, bits, emin), seed in itertools.product(
            (("bf16", 7, -126), ("fp16", 10, -14), ("e4m3", 3, -6)), (0, 1, 99)):
        got = rows("update", 1, "1e-3", 300, "--as", name, "--stochastic", 3, "--seed", seed)[-1]
        ends = [stochastic(1, step, 300, seed, run, bits, emin) for run in range(3)]
        checked += 1
        if "error" in got or Fraction(got["exact"]) != ends[0] or \
                abs(Fraction(got["mean"]) - sum(ends) / 3) > Fraction(1, 10**15):
            print("stochastic steps in", name, "with seed", seed, "give", got, "not", ends)
    return checked


# ---- views: elements by their indices, and strides by trying ----

class Tensor:
    def __init__(self, shape):
        self.shape = shape
        self.at = {index: n for n, index in enumerate(itertools.product(*map(range, shape)))}
        self.place = dict(self.at)  # in the memory that it lies in

    def renamed(self, shape, new):
        """The elements under new indices; new maps those that stay."""
        made = Tensor(())
        made.shape = shape
        made.at = {new[i]: value for i, value in self.at.items() if i in new}
        made.place = {new[i]: place for i, place in self.place.items() if i in new}
        return made

    def in_order(self):
        return list(itertools.product(*map(range, self.shape)))

    def has_strides(self):
        """Is the place of every element that of the first and so much for each index?"""
        first = (0,) * len(self.shape)
        steps = [self.place[first[:a] + (1,) + first[a + 1:]] - self.place[first] if n > 1 else 0
                 for a, n in enumerate(self.shape)]
        return all(place == self.place[first] + sum(i * s for i, s in zip(index, steps))
                   for index, place in self.place.items())

    def copied(self):
        made = self.renamed(self.shape, {i: i for i in self.at})
        made.place = {index: n for n, index in enumerate(self.in_order())}
        return made


def some_permutation(tensor, chance):
    order = list(range(len(tensor.shape)))
    chance.shuffle(order)
    new = {i: tuple(i[a] for a in order) for i in tensor.at}
    return ["permute", ",".join(map(str, order))], \
        tensor.renamed(tuple(tensor.shape[a] for a in order), new)


def some_transpose(tensor, chance):
    a, b = (chance.randrange(-len(tensor.shape), len(tensor.shape)) for _ in (0, 1))
    order = list(range(len(tensor.shape)))
    order[a], order[b] = order[b], order[a]
    new = {i: tuple(i[x] for x in order) for i in tensor.at}
    return ["transpose", f"{a},{b}"], tensor.renamed(tuple(tensor.shape[x] for x in order), new)


def some_slice(tensor, chance):
    parts, kept = [], []
    for n in tensor.shape:
        if chance.random() < 0.15:
            index = chance.randrange(-n, n)
            parts.append(str(index))
            kept.append([index % n])
            continue
        while True:
            bounds = [chance.choice(["", chance.randrange(-n - 1, n + 2)]) for _ in (0, 1)]
            step = chance.choice(["", 1, 2, 3, -1, -2])
            chosen = range(n)[slice(*(None if x == "" else x for x in (*bounds, step)))]
            if len(chosen) > 0:
                break
        parts.append(f"{bounds[0]}:{bounds[1]}" + (f":{step}" if step != "" else ""))
        kept.append(chosen)
    whole = [":" in part for part in parts]
    new = {}
    for index in tensor.at:
        if all(i in chosen for i, chosen in zip(index, kept)):
            new[index] = tuple(list(chosen).index(i) for i, chosen, keep in
                               zip(index, kept, whole) if keep)
    shape = tuple(len(chosen) for chosen, keep in zip(kept, whole) if keep)
    return ["slice", ",".join(parts)], tensor.renamed(shape, new)


def some_reshape(tensor, chance):
    left, shape = len(tensor.at), []
    while left > 1 and len(shape) < 5:
        size = chance.choice([d for d in range(1, left + 1) if left % d == 0])
        shape.append(size)
        left //= size
    shape.append(left)
    made = Tensor(tuple(shape))
    new = dict(zip(tensor.in_order(), made.in_order()))
    text = list(map(str, shape))
    if chance.random() < 0.3:
        text[chance.randrange(len(text))] = "-1"
    return ["reshape", ",".join(text)], tensor.renamed(tuple(shape), new)


def check_views():
    chance, checked, copies = random.Random(7), 0, 0
    for _ in range(300):
        tensor = Tensor(tuple(chance.choice((1, 2, 2, 3, 4)) for _ in range(chance.randint(1, 4))))
        words, memory = [",".join(map(str, tensor.shape))], ["new"]
        for _ in range(chance.randint(2, 6)):
            if not tensor.shape:
                break
            make = chance.choice((some_permutation, some_transpose, some_slice, some_reshape,
                                  some_reshape))
            said, tensor = make(tensor, chance)
            words += said
            memory.append("same" if tensor.has_strides() else "copy")
            if memory[-1] == "copy":
                copies += 1
                tensor = tensor.copied()
        got = rows("view", *words)
        values = ",".join(str(tensor.at[index]) for index in tensor.in_order())
        checked += 1
        if "error" in got[0] or [row["memory"] for row in got] != memory or \
                got[-1]["values"] != values or \
                got[-1]["shape"] != (",".join(map(str, tensor.shape)) or "-"):
            print("view", *words, "gives", got, "not", memory, values)
    return checked if copies >= 40 else 0


checks = {"random": (check_random, 36), "stochastic": (check_stochastic, 9),
          "views": (check_views, 300)}
check, least = checks[sys.argv[1]]
done = check()
if done < least:
    print("only", done, "were checked")
