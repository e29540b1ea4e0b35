# Arrays that NumPy writes are read as NumPy reads them, and what it refuses is refused.
#
#     numpy_files.py SHOW_TENSORS FOLDER
#
# SPDX-License-Identifier: MIT

import os
import random
import re
import sys
import warnings

import numpy as np

from shown_tensors import complain, difference, end, show

PROGRAM, FOLDER = sys.argv[1:3]
HEADERS = 3000

os.chdir(FOLDER)

READ = "f2 f4 f8 i1 i2 i4 u1 u2 u4".split()
SHAPES = [(), (1,), (0,), (7,), (2, 3), (2, 0, 3), (3, 1), (2, 3, 4), (1,) * 32]


def arrays():
    """Arrays of random codes: every type in either order of bytes, every shape in either order."""
    draw = np.random.default_rng(5)
    for name in READ:
        for order in "<>":
            dtype = np.dtype(order + name)
            for number, shape in enumerate(SHAPES):
                count = int(np.prod(shape, dtype=int))
                codes = draw.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
                array = codes.view(dtype).reshape(shape)
                title = "%s%s.%d" % ("le" if order == "<" else "be", name, number)
                yield title, array
                if array.ndim > 1:
                    yield title + "F", np.asfortranarray(array)
                    yield title + "T", array.T
                    yield title + "S", array[::-1, ..., ::2]


def write_all():
    named = dict(arrays())
    for number, (name, array) in enumerate(named.items()):
        with open(name + ".npy", "wb") as to:
            version = [(1, 0), (2, 0), (3, 0)][number % 3]
            np.lib.format.write_array(to, array, version=version)
    np.savez("stored.npz", **named)
    np.savez_compressed("packed.npz", **named)
    return named


def compare_all():
    named = write_all()
    files, said = show(PROGRAM, [name + ".npy" for name in named])
    if said:
        complain(said)
    for name, array in named.items():
        tensors = files[name + ".npy"]
        why = difference(tensors[0], array) if tensors else "it is refused"
        if why:
            complain("%s.npy: %s" % (name, why))
    files, said = show(PROGRAM, ["stored.npz", "packed.npz"])
    if "was built without" in said:
        return len(named)
    if said:
        complain(said)
    for archive, tensors in files.items():
        if sorted(t.name for t in tensors) != sorted(named):
            complain(archive, "has other names")
        for tensor in tensors:
            why = difference(tensor, named[tensor.name])
            if why:
                complain("%s: %s: %s" % (archive, tensor.name, why))
    return len(named)


def list_others():
    """Numbers of no format here: they are told, and their elements are not read."""
    others = {
        "bool": np.array([True, False]),
        "i8": np.array([1, 2]),
        "c8": np.array([1j, 2], "c8"),
        "long": np.array([1, 2], np.longdouble),
    }
    for name, array in others.items():
        np.save(name + ".npy", array)
    files, said = show(PROGRAM, [name + ".npy" for name in others])
    if said:
        complain(said)
    for name, array in others.items():
        tensors = files[name + ".npy"]
        if not tensors or tensors[0].shape != array.shape or tensors[0].values is not None:
            complain("%s is not told as what is not read" % name)


def refuse_others():
    """Types that are no numbers."""
    others = {
        "time": np.array(["2020-01-01"], "M8[D]"),
        "text": np.array(["a"]),
        "bytes": np.array([b"a"]),
        "record": np.array([(1, 2.0)], [("a", "i4"), ("b", "f4")]),
        "object": np.array([None]),
    }
    for name, array in others.items():
        np.save(name + ".npy", array)
    files, said = show(PROGRAM, [name + ".npy" for name in others])
    for name in others:
        if files[name + ".npy"] is not None:
            complain("%s is read" % name)
    if said.count("\n") != len(others):
        complain("not a sentence for each:\n" + said)


# ---- headers that were damaged ----

SOUND = [
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }",
    "{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3,), }",
    "{'descr': '|i1', 'fortran_order': False, 'shape': (5,), }",
    "{'shape': (), 'descr': 'f8', 'fortran_order': False}",
]
BLANKS = [" ", "\n", "\t", "  ", "#\n"]
PIECES = list("{}()[],:'\"\\# \n\t\x00x0123456789_-+.LbuUFTeE<>=|fi") + [
    "True", "False", "None", "'descr'", "'shape'", "0x", "0o", "0b", "\\x41", "\\n", "'''",
    "u'", "b'", "r'", "\xe9", "1e3", "2L", "f4", "<V2", "#\n", "()", "1j",
]


def damaged_header(draw):
    text = draw.choice(SOUND)
    for _ in range(draw.choice([1, 1, 2, 3])):
        at = draw.randrange(len(text) + 1)
        cut = draw.choice([0, 0, 1, 1, 2, 5])
        piece = draw.choice(PIECES + [""] + BLANKS * 8)
        text = text[:at] + piece + text[at + (0 if piece in BLANKS else cut) :]
    return text


def write_damaged(draw, number):
    major = draw.choice([1, 2, 3])
    header = damaged_header(draw).encode("utf-8" if major == 3 else "latin-1")
    name = "damaged%d.npy" % number
    with open(name, "wb") as to:
        to.write(b"\x93NUMPY" + bytes([major, 0]))
        to.write(len(header).to_bytes(2 if major == 1 else 4, "little"))
        to.write(header + bytes(range(200)))
    return name, header


def load(name):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = np.load(name)
    except MemoryError:
        return None
    except Exception:
        return None
    return array


# What NumPy reads by luck, and no program writes: signs of numbers, -1 for all the rest, and types
# with escapes, commas, blanks or zeros in them.
ODD = re.compile(rb"[-+]|\\[0-7]|[<>|=fiu][0-9]*,['\"]|[fiu][0\s]")


def is_read(array):
    """Is it of a type that is read here?"""
    return array.dtype.kind in "fiu" and array.dtype.str[1:] in READ


def compare_damaged():
    draw = random.Random(7)
    headers = dict(write_damaged(draw, i) for i in range(HEADERS))
    files, _ = show(PROGRAM, list(headers))
    both = 0
    for name, header in headers.items():
        array, tensors = load(name), files[name]
        if array is None:
            if tensors is not None:
                complain("NumPy refuses %r" % header)
        elif tensors is None:
            if is_read(array) and not ODD.search(header):
                complain("NumPy reads %r" % header)
        else:
            both += 1
            why = difference(tensors[0], array)
            if why:
                complain("%r: %s" % (header, why))
    return both


count = compare_all()
list_others()
refuse_others()
both = compare_damaged()
print(
    "# NumPy %s: %d arrays, %d damaged headers, of which both read %d"
    % (np.__version__, count, HEADERS, both)
)
end()
