#!/usr/bin/env python3
"""Makes tests/data/vectors/ of a folder that holds the results whole, as NAME.txt.gz and NAME.tsv.gz:

    python3 tests/sample_vectors.py FOLDER tests/data/vectors

Recorded hardware is taken whole. Of computed results this takes, of each file, the first row of
each kind of decision, and every STEP-th row; what a kind is, kind() says below. The order is that
of the files' names and of their rows, so that the same folder gives the same bytes.

SPDX-License-Identifier: MIT
"""

import gzip
import os
import re
import sys
from collections import Counter

# Every so many rows, beside the first of each kind. 1 takes all. A row of a table has 256 results.
STEP = {"accumulators": 1, "arith": 64, "decimal": 1, "decode": 4, "encode": 64, "mx": 4, "testfloat": 32}
TABLE_STEP = 16

RULE = {
    1: ["Every row there is."],
    0: [
        "Of each file the first row of each kind of decision and every %d-th row. Two rows are of a",
        "kind if they have the same tag, their cells raise the same flags, carry the same marks and",
        "differ from each other in the same modes, and their first results are both zero, both NaN or",
        "infinite, both subnormal or both none of these.",
    ],
    2: ["Of each format the first code of each class and every %d-th code."],
    3: [
        "Of each file of blocks the first of each kind and every %d-th. Two blocks are of a kind if they",
        "have the same tag, carry the same marks, and their scales differ from each other in the same",
        "options. Files of dequantisation are whole.",
    ],
}

HEAD = {
    "accumulators": "Dot products and conversions that hardware returned.",
    "arith": "Results of arithmetic, computed by exact rationals rounded once.",
    "decimal": "Codes of decimal numbers, computed by exact rationals rounded once.",
    "decode": "Values of codes, computed from each format's definition.",
    "encode": "Codes of binary64 numbers, computed by exact rationals rounded once.",
    "mx": "Blocks of OCP MX and NVFP4 and what they stand for, computed by exact rationals.",
    "testfloat": "Results of Berkeley SoftFloat on operands of Berkeley TestFloat.",
}


def read(path):
    """The comments and the rows of a file; a row keeps the line of its format before it."""
    comments, rows, format_line = [], [], None
    with gzip.open(path, "rt") as lines:
        for line in lines.read().splitlines():
            if line.startswith("# format="):
                format_line = line
            elif line.startswith("#"):
                comments.append(line.replace("CONVENTIONS.md", "README").replace(", see LICENCE here", ""))
            elif line:
                rows.append((format_line, line))
    return comments, rows


def size_class(code, format_line):
    """zero, subnormal, special or normal, of a result's code."""
    fields = dict(re.findall(r"(\w+)=(\S+)", format_line or ""))
    if code.startswith("x") or not fields:
        return code.startswith("x") or int(code, 16) == 0
    bits = int(fields["bits"])
    value = int(code, 16)
    if fields["signed"] == "1":
        value &= (1 << bits - 1) - 1
    top = fields["max_code"]
    if value == 0:
        return "zero"
    if value > int(top, 16):
        return "special"
    fraction = int(fields["precision"]) - 1
    return "subnormal" if value >> fraction == 0 else "normal"


def kind(folder, format_line, row):
    """What makes a row worth keeping: the rest of its kind decides nothing else."""
    if folder == "decode":
        return (format_line, row.split()[1])
    if folder == "mx":
        scales = [cell.split("=")[1].split(":")[0] for cell in row.split("|")[-1].split()]
        marks = [scale.endswith("?") for scale in scales]
        return (row.split()[1], tuple(scales.index(scale) for scale in scales), tuple(marks))
    if folder == "encode":
        tag, cells = row.split(" ", 2)[1:]
    elif folder == "decimal":
        tag, cells = row.split("\t")[1], row.split("\t")[3]
    else:
        tag, cells = "", row.split("|")[1]
    cells = cells.split()
    for i, cell in enumerate(cells):
        if cell == "=":
            cells[i] = cells[i - 1]
    parts = [re.match(r"([0-9A-Fa-fx]+)(\??)(.*)", cell).groups() for cell in cells]
    codes = [code for code, _, _ in parts]
    pattern = tuple((codes.index(code), mark, flags) for code, mark, flags in parts)
    return (tag, pattern, size_class(codes[0], format_line))


def sample(folder, name, rows):
    if "rne_table" in name:
        return [row for i, row in enumerate(rows) if i % TABLE_STEP == 0]
    whole = name.startswith("cmp") or ".dequant." in name
    step, seen, taken = 1 if whole else STEP[folder], set(), []
    for i, (format_line, row) in enumerate(rows):
        new = step > 1 and kind(folder, format_line, row)
        if i % step == 0 or new not in seen:
            taken.append((format_line, row))
        seen.add(new)
    return taken


def heading(folder, licence):
    step = STEP[folder]
    rule = RULE[1 if step == 1 else {"decode": 2, "mx": 3}.get(folder, 0)]
    lines = [HEAD[folder], "SPDX-License-Identifier: " + ("BSD-2-Clause" if licence else "MIT"), ""]
    lines += [line % step if "%" in line else line for line in rule]
    if folder == "arith":
        lines.append("Of tables of 256 by 256 results every %d-th row." % TABLE_STEP)
    if folder == "testfloat":
        lines.append("Of comparisons every row.")
    lines += ["Taken by tests/sample_vectors.py; README says what columns and marks mean.", ""]
    return lines + (licence + [""] if licence else [])


def bundle(source, folder, target):
    names = sorted(n for n in os.listdir(os.path.join(source, folder)) if n.endswith(".gz"))
    files = {name: read(os.path.join(source, folder, name)) for name in names}
    counts = Counter(line for comments, _ in files.values() for line in set(comments))
    every = dict.fromkeys(line for comments, _ in files.values() for line in comments)
    common = [line for line in every if counts[line] > len(names) / 2]
    licence = os.path.join(source, folder, "LICENCE")
    text = open(licence).read().splitlines() if os.path.exists(licence) else []
    with open(os.path.join(target, folder + ".txt"), "w") as out:
        for line in heading(folder, text):
            out.write(("# " + line).rstrip() + "\n")
        for line in common:
            out.write(line + "\n")
        for name, (comments, rows) in files.items():
            out.write("#\n# file=%s/%s\n" % (folder, name.removesuffix(".gz")))
            for line in comments:
                if line not in common:
                    out.write(line + "\n")
            last = None
            for format_line, row in sample(folder, name, rows):
                if format_line != last:
                    out.write(format_line + "\n")
                    last = format_line
                out.write(row + "\n")


if __name__ == "__main__":
    for each in STEP:
        bundle(sys.argv[1], each, sys.argv[2])
