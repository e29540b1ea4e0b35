# Files that safetensors, gguf and ml_dtypes write are read as these read them, and files of
# safetensors that were changed are refused where it refuses them.
#
#     peer_files.py SHOW_TENSORS FOLDER
#
# SPDX-License-Identifier: MIT

import json
import os
import random
import sys

import gguf
import ml_dtypes
import numpy as np
import safetensors
import safetensors.numpy

from shown_tensors import complain, difference, end, show

PROGRAM, FOLDER = sys.argv[1:3]
CHANGED = 4000

os.chdir(FOLDER)


def compare(name, wanted, *options):
    """A file has these arrays."""
    files, said = show(PROGRAM, [name], *options)
    tensors = files[name]
    if said or tensors is None:
        complain(said)
        return
    if sorted(t.name for t in tensors) != sorted(wanted):
        complain(name, "has", [t.name for t in tensors])
    for tensor in tensors:
        why = difference(tensor, wanted[tensor.name])
        if why:
            complain("%s: %s: %s" % (name, tensor.name, why))


def codes(dtype, shape, seed=1):
    """Random codes of a type."""
    count = int(np.prod(shape, dtype=int)) * np.dtype(dtype).itemsize
    made = np.random.default_rng(seed).integers(0, 256, count, dtype=np.uint8)
    return made.view(dtype).reshape(shape)


# ---- ml_dtypes ----

# Its types of fewer than 8 bits have a byte each; NumPy knows but the size of them.
ML_TYPES = {
    "bfloat16": "bf16", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2",
    "float8_e4m3fnuz": "e4m3fnuz", "float8_e5m2fnuz": "e5m2fnuz",
    "float8_e4m3b11fnuz": "e4m3b11fnuz", "float8_e4m3": "e4m3ieee", "float8_e3m4": "e3m4",
    "float8_e8m0fnu": "e8m0", "float6_e2m3fn": "e2m3", "float6_e3m2fn": "e3m2",
    "float4_e2m1fn": "e2m1",
}


def compare_ml_dtypes():
    for name, format in ML_TYPES.items():
        dtype = np.dtype(getattr(ml_dtypes, name))
        bits = {"float6": 6, "float4": 4}.get(name[:6], 8 * dtype.itemsize)
        every = np.arange(1 << bits, dtype="u1" if bits <= 8 else "u2").view(dtype)
        np.save(name + ".npy", every)
        with np.errstate(all="ignore"):
            compare(name + ".npy", {"": every.astype(np.float64)}, "--from", format)


# ---- safetensors ----

SAFE_TYPES = (
    "float64 float32 float16 bfloat16 float8_e4m3fn float8_e5m2 float8_e8m0fnu float8_e4m3fnuz "
    "float8_e5m2fnuz int8 uint8 int16 uint16 int32 uint32"
).split()


def compare_safetensors():
    arrays = {}
    for name in SAFE_TYPES:
        dtype = getattr(ml_dtypes, name, None) or name
        for shape in [(), (0,), (5,), (3, 4), (2, 3, 4)]:
            arrays["%s.%s" % (name, "x".join(map(str, shape)))] = codes(dtype, shape)
    with open("all.safetensors", "wb") as to:
        to.write(safetensors.numpy.save(arrays, {"format": "np"}))
    compare("all.safetensors", arrays)


SOUND = [
    {"a": ("F32", [2, 3], 0, 24), "b": ("U8", [4], 24, 28)},
    {"a": ("F16", [0], 0, 0), "b": ("BF16", [3], 0, 6)},
    {"w": ("F4", [2, 4], 0, 4), "v": ("F8_E4M3", [], 4, 5)},
]
PIECES = list("{}[]:,\" 0123456789-.eFUBI_a\\\n") + [
    "dtype", "shape", "data_offsets", "F32", "U8", "F4", "[0,4]", "{}", "null", "1e2", "0.5",
    "__metadata__", "\"x\":1,", "\u00e9", "\\u00e9", "\\ud800",
]


def changed_file(draw):
    entries = {
        name: {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
        for name, (dtype, shape, begin, end) in draw.choice(SOUND).items()
    }
    size = max(entry["data_offsets"][1] for entry in entries.values())
    text = json.dumps(entries, separators=draw.choice([(",", ":"), (", ", ": ")]))
    for _ in range(draw.choice([0, 1, 1, 1, 2])):
        at = draw.randrange(len(text) + 1)
        cut = draw.choice([0, 1, 1, 3])
        text = text[:at] + draw.choice(PIECES + [""]) + text[at + cut :]
    header = text.encode("utf-8", "surrogatepass")
    length = len(header) + draw.choice([0] * 9 + [-1, 1, 1 << 40])
    size += draw.choice([0] * 9 + [-1, 1])
    return (length % (1 << 64)).to_bytes(8, "little") + header + bytes(max(size, 0))


def taken(data):
    try:
        return dict(safetensors.deserialize(data))
    except Exception:
        return None


def comes_twice(data):
    """A name that comes twice, of which safetensors takes the last, and this reader none."""
    twice = []

    def check(pairs):
        names = [name for name, _ in pairs]
        twice.extend(n for n in names if names.count(n) > 1)
        return dict(pairs)

    try:
        json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")], object_pairs_hook=check)
    except ValueError:
        pass
    return bool(twice)


def compare_changed():
    draw = random.Random(3)
    files = {}
    for number in range(CHANGED):
        name = "changed%d.safetensors" % number
        files[name] = changed_file(draw)
        with open(name, "wb") as to:
            to.write(files[name])
    shown, said = show(PROGRAM, list(files))
    told = set()
    for line in said.splitlines():
        told.add(line.split(": ")[1])
    both = 0
    for name, data in files.items():
        theirs = taken(data)
        if (theirs is None) != (name in told) and not comes_twice(data):
            complain("safetensors %s %r" % ("refuses" if theirs is None else "reads", data))
        if theirs is None or shown[name] is None:
            continue
        both += 1
        for tensor in shown[name]:
            if list(tensor.shape) != theirs[tensor.name]["shape"]:
                complain("another shape than of %r" % data)
    return both


# ---- gguf ----


def compare_gguf():
    types = gguf.GGMLQuantizationType
    x = np.random.default_rng(2).standard_normal((6, 64), dtype=np.float32)
    for endian in (gguf.GGUFEndian.LITTLE, gguf.GGUFEndian.BIG):
        wanted = {}
        name = "%s.gguf" % endian.name
        to = gguf.GGUFWriter(name, "llama", endianess=endian)
        to.add_uint32("some.key", 7)
        to.add_array("some.words", ["a", "b"])
        to.add_float32("some.number", 0.5)
        for dtype in "f4 f2 f8 i1 i2 i4".split():
            array = codes(dtype, (3, 5))
            wanted[dtype] = array.copy()
            to.add_tensor(dtype, array.copy())
        # In the other order of bytes the package turns but the scales of blocks it writes itself.
        if endian == gguf.GGUFEndian.LITTLE:
            for kind in (types.BF16, types.Q8_0, types.Q4_0, types.MXFP4):
                data = gguf.quants.quantize(x, kind)
                wanted[kind.name] = gguf.quants.dequantize(data, kind)
                to.add_tensor(kind.name, data, raw_dtype=kind)
        to.write_header_to_file()
        to.write_kv_data_to_file()
        to.write_tensors_to_file()
        to.close()
        compare(name, wanted)


compare_ml_dtypes()
compare_safetensors()
both = compare_changed()
compare_gguf()
print(
    "# safetensors %s, gguf, ml_dtypes %s, NumPy %s: %d changed files of safetensors, of which "
    "both read %d" % (safetensors.__version__, ml_dtypes.__version__, np.__version__, CHANGED, both)
)
end()
