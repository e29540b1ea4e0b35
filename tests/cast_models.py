# Models for fpcast: made here, cast, and compared with values that NumPy computes exactly.
#
# SPDX-License-Identifier: MIT
#
# python3 cast_models.py TEST, in a folder for scratch, with fpcast in PATH. Prints what is wrong.

import json
import os
import struct
import subprocess
import sys

import numpy as np

NUMPY = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "BF16": "<u2", "U8": "u1", "I8": "i1",
         "F8_E4M3": "u1", "F8_E5M2": "u1", "F8_E8M0": "u1", "I64": "<i8", "I32": "<i4",
         "BOOL": "u1", "U16": "<u2"}


def complain(*words):
    print(*words)


def write(path, tensors, metadata=None):
    """tensors: name -> (type, array of codes)"""
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, (kind, codes) in tensors.items():
        raw = np.ascontiguousarray(codes).tobytes()
        header[name] = {"dtype": kind, "shape": list(codes.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read(path):
    with open(path, "rb") as file:
        raw = file.read()
    length = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + length])
    metadata = header.pop("__metadata__", {})
    data, made, at = raw[8 + length:], {}, 0
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        if begin != at:
            complain(path, name, "begins at", begin, "and not at", at)
        at = end
        codes = np.frombuffer(data[begin:end], NUMPY[entry["dtype"]])
        if codes.itemsize > 1 and (8 + length + begin) % codes.itemsize:
            complain(path, name, "is not aligned")
        made[name] = (entry["dtype"], codes.reshape(entry["shape"]))
    if at != len(data) or length % 8:
        complain(path, "has a gap")
    return made, metadata


def fpcast(*words, status=0):
    run = subprocess.run(["fpcast", *map(str, words)], capture_output=True, text=True)
    if run.returncode != status:
        complain("fpcast", *words, "has status", run.returncode, run.stderr)
    return run


def values(exponent, fraction, bias, special):
    """All values of a format with a sign; special: what is NaN."""
    made = np.zeros(1 << (1 + exponent + fraction))
    for code in range(len(made)):
        e = code >> fraction & ((1 << exponent) - 1)
        m = code & ((1 << fraction) - 1)
        x = np.ldexp(m + (e > 0) * (1 << fraction), max(e, 1) - bias - fraction)
        made[code] = -x if code >> (exponent + fraction) else x
    made[special] = np.nan
    return made


E4M3 = values(4, 3, 7, [0x7f, 0xff])
E2M1 = values(2, 1, 1, [])


def bf16(codes):
    return (codes.astype("u4") << 16).view("f4")


def to_bf16(x):
    """Doubles to codes of bf16, to nearest even: fractions of whole numbers are exact."""
    x = np.asarray(x, np.float64)
    m, e = np.frexp(x)
    shift = np.maximum(e - 8, -133)
    rounded = np.ldexp(np.rint(np.ldexp(x, -shift)), shift)
    return (rounded.astype("f4").view("u4") >> 16).astype("<u2")


def same(what, got, wanted):
    if got.shape != wanted.shape or got.tobytes() != wanted.tobytes():
        complain(what, "differs: ", got.shape, got.ravel()[:6], wanted.shape, wanted.ravel()[:6])


def same_values(what, got, wanted):
    if got.shape != wanted.shape or not np.array_equal(got, wanted, equal_nan=True):
        complain(what, "has other values:", got.ravel()[:6], wanted.ravel()[:6])


random = np.random.default_rng(7)


def weights(*shape):
    return (random.standard_normal(shape) * 0.02).astype("<f4")


def low_first(bytes_):
    codes = np.stack([bytes_ & 15, bytes_ >> 4], -1)
    return codes.reshape(*bytes_.shape[:-1], -1)


def tiles(scales, rows, columns, shape):
    return np.repeat(np.repeat(scales, rows, -2), columns, -1)[..., :shape[-2], :shape[-1]]


# ---- tests ----

def plain():
    """All codes of 16 bits there and back, and what fpcast keeps."""
    every = np.arange(65536, dtype="<u2").reshape(256, 256)
    write("all.safetensors", {"a": ("F16", every), "b": ("BF16", every),
                              "n": ("I64", np.arange(5)), "t": ("BOOL", np.ones(3, "u1")),
                              "s": ("F64", np.array(1 / 3)), "e": ("F32", np.zeros((0, 4), "<f4"))},
          {"format": "pt", "note": "\u00e9 \"x\""})
    fpcast("all.safetensors", "wide.safetensors", "--as", "fp32", "--keep", "s", "--nan", "preserve")
    wide, metadata = read("wide.safetensors")
    if list(wide) != ["n", "s", "a", "b", "e", "t"]: # by size, as "s" would not be aligned
        complain("the order is", list(wide))
    if metadata != {"format": "pt", "note": "\u00e9 \"x\""}:
        complain("the metadata are", metadata)
    same_values("fp16 to fp32", wide["a"][1], every.view("<f2").astype("f4"))
    same("bf16 to fp32", wide["b"][1].view("<u4"), every.astype("<u4") << 16)
    for name, kind, array in ("n", "I64", np.arange(5)), ("t", "BOOL", np.ones(3, "u1")), \
            ("s", "F64", np.array(1 / 3)):
        if wide[name][0] != kind:
            complain(name, "became", wide[name][0])
        same(name, wide[name][1], array)
    fpcast("wide.safetensors", "back.safetensors", "--tensor", "a=fp16", "--tensor", "b=bf16",
           "--nan", "preserve")
    back, metadata = read("back.safetensors")
    same("fp16 and back", back["a"][1].view("<u2"), every)
    same("bf16 and back", back["b"][1], every)
    # the last pattern that fits, --keep before all, and in place
    fpcast("wide.safetensors", "wide.safetensors", "--as", "bf16", "--tensor", "[ab]=e4m3",
           "--tensor", "b=e5m2", "--keep", "n*")
    mixed = read("wide.safetensors")[0]
    kinds = {name: kind for name, (kind, _) in mixed.items()}
    if kinds != {"a": "F8_E4M3", "b": "F8_E5M2", "n": "I64", "t": "BOOL", "s": "BF16", "e": "BF16"}:
        complain("kinds are", kinds)


def nearest():
    """Rounding of every float of 16 bits of a pattern, against doubles."""
    x = random.integers(0, 1 << 32, 200000, dtype="u4").view("f4")
    x = x[np.isfinite(x) & (np.abs(x) < 3e38)].reshape(-1)
    write("x.safetensors", {"x": ("F32", x)})
    fpcast("x.safetensors", "y.safetensors", "--as", "bf16")
    same("bf16", read("y.safetensors")[0]["x"][1], to_bf16(x))
    fpcast("x.safetensors", "y.safetensors", "--as", "fp16")
    with np.errstate(over="ignore"):
        same("fp16", read("y.safetensors")[0]["x"][1], x.astype("<f2"))
    fpcast("x.safetensors", "y.safetensors", "--as", "fp64")
    same("fp64", read("y.safetensors")[0]["x"][1], x.astype("<f8"))
    fpcast("x.safetensors", "one.safetensors", "--as", "e4m3", "--round", "sr", "--seed", 5)
    fpcast("x.safetensors", "two.safetensors", "--as", "e4m3", "--round", "sr", "--seed", 5)
    fpcast("x.safetensors", "three.safetensors", "--as", "e4m3", "--round", "sr", "--seed", 6)
    one, two, three = (open(name + ".safetensors", "rb").read() for name in ("one", "two", "three"))
    if one != two or one == three:
        complain("a seed does not settle what is random")


def dequantised():
    """Schemes that the wild has, made here, and their products in doubles."""
    shape = (576, 300)
    codes = random.integers(0, 127, shape).astype("u1") | (random.integers(0, 2, shape) << 7).astype("u1")
    f32 = lambda *s: np.ldexp(random.integers(1, 1 << 24, s).astype("f4"), -30).astype("<f4")
    packed = random.integers(0, 256, (64, 48), dtype="u1")
    u8 = lambda *s: random.integers(100, 140, s).astype("u1")
    e4m3 = lambda *s: random.integers(1, 126, s).astype("u1")
    grid, channel, whole = f32(5, 3), f32(576, 1), f32(1)
    mx, nv, two, blocks = u8(64, 3), e4m3(64, 6), f32(1)[0], random.integers(0, 256, (2, 8, 3, 16), dtype="u1")
    scales = u8(2, 8, 3)
    write("q.safetensors", {
        "d.weight": ("F8_E4M3", codes), "d.weight_scale_inv": ("F32", grid),
        "c.weight": ("F8_E4M3", codes), "c.weight_scale": ("F32", channel),
        "t.weight": ("F8_E4M3", codes), "t.weight_scale": ("F32", whole),
        "m.weight_packed": ("U8", packed), "m.weight_scale": ("U8", mx),
        "n.weight": ("U8", packed), "n.weight_scale": ("F8_E4M3", nv),
        "n.weight_scale_2": ("F32", np.array(two)),
        "g.weight_packed": ("U8", packed), "g.weight_scale": ("F8_E4M3", nv),
        "g.weight_global_scale": ("F32", np.array([two])),
        "x.up_blocks": ("U8", blocks), "x.up_scales": ("U8", scales),
        "norm.weight": ("BF16", to_bf16(weights(7)))})
    power = lambda u: np.ldexp(1.0, u.astype(int) - 127)
    d = lambda x: x.astype(np.float64)
    nibbles = E2M1[low_first(packed)]
    fp4 = nibbles * np.repeat(E4M3[nv], 16, 1)
    expected = {
        "d.weight": E4M3[codes] * tiles(d(grid), 128, 128, shape),
        "c.weight": E4M3[codes] * d(channel), "t.weight": E4M3[codes] * d(whole),
        "m.weight": nibbles * np.repeat(power(mx), 32, 1), "n.weight": fp4 * d(two),
        "g.weight": fp4 / d(two),
        "x.up": (E2M1[low_first(blocks)] * power(scales)[..., None]).reshape(2, 8, 96)}
    fpcast("q.safetensors", "f.safetensors", "--as", "fp32")
    got = read("f.safetensors")[0]
    if set(got) != set(expected) | {"norm.weight"}:
        complain("names are", list(got))
    for name, x in expected.items():
        same_values(name + " to fp32", got[name][1], x.astype("f4"))
    fpcast("q.safetensors", "b.safetensors", "--as", "bf16")
    got = read("b.safetensors")[0]
    for name, x in expected.items():
        if name != "g.weight": # a quotient in doubles would be rounded twice here
            same(name + " to bf16", got[name][1][~np.isnan(x)], to_bf16(x[~np.isnan(x)]))
    # what is kept stays as it was, with its scales
    fpcast("q.safetensors", "k.safetensors", "--as", "fp32", "--keep", "*")
    kept, before = read("k.safetensors")[0], read("q.safetensors")[0]
    if {n: (k, a.tobytes(), a.shape) for n, (k, a) in kept.items()} != \
            {n: (k, a.tobytes(), a.shape) for n, (k, a) in before.items()}:
        complain("what is kept is not what was there")
    run = fpcast("q.safetensors", "z.safetensors", "--tensor", "g.*=fp64", status=2)
    if "twice" not in run.stderr or os.path.exists("z.safetensors"):
        complain("quotients become fp64:", run.stderr)
    fpcast("q.safetensors", "z.safetensors", "--tensor", "[nd].*=fp64")
    got = read("z.safetensors")[0]
    same_values("n.weight to fp64", got["n.weight"][1], expected["n.weight"])
    if "c.weight_scale" not in got or "n.weight_scale_2" in got:
        complain("scales are", list(got))


QUANTISED = [
    ("mxfp4", [], "weight_packed:U8", "weight_scale:U8"),
    ("mxfp4", ["--layout", "modelopt"], "weight:U8", "weight_scale:U8"),
    ("mxfp4", ["--layout", "gpt-oss"], "weight_blocks:U8", "weight_scales:U8"),
    ("nvfp4", [], "weight:U8", "weight_scale:F8_E4M3", "weight_scale_2:F32"),
    ("nvfp4", ["--layout", "compressed-tensors"], "weight_packed:U8", "weight_scale:F8_E4M3",
     "weight_global_scale:F32"),
    ("deepseek-128x128", [], "weight:F8_E4M3", "weight_scale_inv:F32"),
    ("channel-e4m3", [], "weight:F8_E4M3", "weight_scale:F32"),
    ("tensor-e4m3", [], "weight:F8_E4M3", "weight_scale:F32"),
    ("tensor-e5m2", [], "weight:F8_E5M2", "weight_scale:F32"),
    ("mxfp8", [], "weight:F8_E4M3", "weight_scale:F8_E8M0"),
    ("e4m3@fp32/64x64", [], "weight:F8_E4M3", "weight_scale:F32"),
]


def quantised():
    """Every layout under its names, read back within the error that its elements allow."""
    w = weights(2, 200, 160)
    w[1, 3] = 0
    write("w.safetensors", {"l.weight": ("F32", w), "l.bias": ("F32", weights(160)),
                            "big.weight": ("BF16", to_bf16(weights(600, 1024)))}, {"a": "b"})
    before = read("w.safetensors")[0]
    for block, more, *ends in QUANTISED:
        what = " ".join([block, *more])
        fpcast("w.safetensors", "q.safetensors", "--as", block, *more)
        got, metadata = read("q.safetensors")
        names = {name: kind for name, (kind, _) in got.items()}
        wanted = {"l.bias": "F32"}
        for layer in "l", "big":
            wanted.update({layer + "." + end.split(":")[0]: end.split(":")[1] for end in ends})
        if names != wanted or metadata != {"a": "b"}:
            complain(what, "gives", names, metadata)
        fpcast("q.safetensors", "f.safetensors", "--as", "fp32")
        back = read("f.safetensors")[0]
        for name, x in ("l.weight", w), ("big.weight", bf16(before["big.weight"][1])):
            error = np.abs(back[name][1].astype(float) - x)
            allowed = np.abs(x).max() / (3.5 if "4" in block.split("-")[0] and "e4m3" not in block else 8)
            if back[name][1].shape != x.shape or not (error <= allowed).all():
                complain(what, name, "comes back with an error of", error.max())
        same(what + " bias", back["l.bias"][1], before["l.bias"][1])
        fpcast("q.safetensors", "again.safetensors", "--as", block, *more)
        again = read("again.safetensors")[0]
        if {n: a.tobytes() for n, (k, a) in again.items()} != {n: a.tobytes() for n, (k, a) in got.items()}:
            complain(what, "is not kept where it is there already")
    # The definitions, computed here: DeepSeek's tiles and one scale for all.
    x = w.astype("f4")
    fpcast("w.safetensors", "q.safetensors", "--as", "deepseek-128x128")
    got = read("q.safetensors")[0]
    for e in range(2):
        for i in range(2):
            for k in range(2):
                tile = np.abs(x[e, 128 * i:128 * i + 128, 128 * k:128 * k + 128]).max()
                scale = np.float32(max(tile, np.float32(1e-4))) / np.float32(448)
                if got["l.weight_scale_inv"][1][e, i, k] != scale:
                    complain("tile", e, i, k, "has scale", got["l.weight_scale_inv"][1][e, i, k], scale)
    fpcast("w.safetensors", "q.safetensors", "--as", "mxfp4")
    got = read("q.safetensors")[0]
    amax = np.abs(x.reshape(2, 200, 5, 32)).max(-1)
    exponent = np.where(amax > 0, np.frexp(amax)[1] - 1 - 2 + 127, 0)
    same("scales of mxfp4", got["l.weight_scale"][1], exponent.astype("u1"))
    if got["l.weight_packed"][1].shape != (2, 200, 80):
        complain("packed has shape", got["l.weight_packed"][1].shape)
    fpcast("w.safetensors", "q.safetensors", "--as", "nvfp4")
    got = read("q.safetensors")[0]
    encode = np.float32(2688) / np.float32(np.abs(x).max())
    if got["l.weight_scale_2"][1] != np.float32(1) / encode:
        complain("the scale of the whole is", got["l.weight_scale_2"][1])
    fpcast("w.safetensors", "q.safetensors", "--as", "nvfp4", "--layout", "compressed-tensors")
    if read("q.safetensors")[0]["l.weight_global_scale"][1].tolist() != [encode]:
        complain("the global scale is not the inverse")


def sharded():
    """A model in three files: cast, in place, and made one; its index."""
    os.makedirs("model", exist_ok=True)
    layers = {f"model.layers.{i}.{part}": weights(64, 96) for i in range(3)
              for part in ("attn.weight", "mlp.weight")}
    layers.update({f"model.layers.{i}.norm.weight": weights(96) for i in range(3)})
    where = {}
    for i in range(3):
        name = f"model-{i + 1:05}-of-00003.safetensors"
        mine = {n: ("F32", x) for n, x in layers.items() if f".{i}." in n}
        write("model/" + name, mine, {"format": "pt", "shard": str(i)})
        where.update({n: name for n in mine})
    total = sum(x.nbytes for x in layers.values())
    index = {"metadata": {"total_size": total, "total_parameters": 7, "x": [1, "a"]},
             "weight_map": where}
    with open("model/model.safetensors.index.json", "w") as file:
        json.dump(index, file)

    def check(folder, rule):
        found = json.load(open(folder + "/model.safetensors.index.json"))
        if set(os.listdir(folder)) != set(os.listdir("model")):
            complain(folder, "holds", os.listdir(folder))
        size = 0
        for i in range(3):
            name = f"model-{i + 1:05}-of-00003.safetensors"
            got, metadata = read(folder + "/" + name)
            if metadata != {"format": "pt", "shard": str(i)}:
                complain(name, "has metadata", metadata)
            for n, (kind, codes) in got.items():
                size += codes.nbytes
                if found["weight_map"].get(n) != name:
                    complain(n, "is in", name, "and the index says", found["weight_map"].get(n))
                rule(n, kind, codes)
        if found["metadata"] != {"total_size": size, "total_parameters": 7, "x": [1, "a"]}:
            complain("the index says", found["metadata"], "of", size)

    def is_bf16(n, kind, codes):
        wanted = layers[n] if "norm" in n else to_bf16(layers[n])
        if (kind == "F32") != ("norm" in n):
            complain(n, "is", kind)
        same(n, codes, wanted)

    fpcast("model", "out", "--as", "bf16", "--keep", "*norm*")
    check("out", is_bf16)
    fpcast("model/model.safetensors.index.json", "out2/", "--as", "mxfp4", "--keep", "*norm*")
    check("out2", lambda n, kind, codes: None)
    fpcast("model/", "one.safetensors", "--as", "bf16", "--keep", "*norm*")
    got, metadata = read("one.safetensors")
    for n, (kind, codes) in got.items():
        is_bf16(n, kind, codes)
    if set(got) != set(layers) or metadata != {"format": "pt", "shard": "0"}:
        complain("one file has", list(got), metadata)
    before = {n: open("model/" + n, "rb").read() for n in os.listdir("model")}
    fpcast("model", "model", "--as", "e4m3", "--fail-on", "underflow", status=1)
    fpcast("model", "nowhere", "--as", "e4m3", "--fail-on", "underflow", status=1)
    if {n: open("model/" + n, "rb").read() for n in os.listdir("model")} != before:
        complain("a model that is refused is changed")
    if os.path.exists("nowhere"):
        complain("what is refused leaves a folder")
    fpcast("model", "model", "--as", "bf16", "--keep", "*norm*")
    check("model", is_bf16)


def converted():
    """Between kinds of files."""
    x = weights(33, 5)
    np.save("x.npy", x)
    fpcast("x.npy", "y.npy", "--as", "fp16")
    np.save("wanted.npy", x.astype("f2"))
    if open("y.npy", "rb").read() != open("wanted.npy", "rb").read():
        complain("a file is not as NumPy writes it")
    for array in np.asfortranarray(x), x.T, x.astype(">f4"), np.float32(3), x[:0], x[0], \
            np.asfortranarray(weights(3, 4, 5)):
        np.save("x.npy", array)
        fpcast("x.npy", "y.npy", "--as", "fp64")
        got = np.load("y.npy")
        same_values("npy", got, np.asarray(array).astype("f8"))
        if got.flags.f_contiguous != np.load("x.npy").flags.f_contiguous:
            complain("the order of a file has changed")
        for form in "fp32", "fp64":
            fpcast("x.npy", "y.safetensors", "--as", form)
            same_values("npy to safetensors", read("y.safetensors")[0]["x"][1], np.asarray(array))
        fpcast("y.safetensors", "z.npy", "--as", "fp32")
        same_values("safetensors to npy", np.load("z.npy"), np.asarray(array))
    np.save("x.npy", x)
    fpcast("x.npy", "y.bin", "--as", "bf16")
    if open("y.bin", "rb").read() != to_bf16(x).tobytes():
        complain("codes alone are others")
    fpcast("y.bin", "y.npy", "--from", "bf16", "--as", "fp32", "--offset", 4, "--count", 7)
    same_values("raw", np.load("y.npy"), bf16(to_bf16(x)).ravel()[2:9])
    open("big.bin", "wb").write(x.astype(">f4").tobytes())
    fpcast("big.bin", "y.safetensors", "--from", "fp32", "--endian", "big")
    same("big", read("y.safetensors")[0]["big"][1], x.ravel())
    np.savez_compressed("a.npz", w=x, n=np.arange(4), b=np.array([True, False]),
                        big=np.arange(3, dtype=">i8"), f=np.asfortranarray(x), h=x.astype(">f2"))
    for words in ["--as", "bf16"], ["--as", "fp32", "--keep", "*"]:
        fpcast("a.npz", "a.safetensors", *words)
        got = read("a.safetensors")[0]
        kept = "--keep" in words
        same("w", got["w"][1], x if kept else to_bf16(x))
        same("f", got["f"][1], x if kept else to_bf16(x))
        same("n", got["n"][1], np.arange(4))
        same("big", got["big"][1], np.arange(3))
        same("b", got["b"][1], np.array([1, 0], "u1"))
        same("h", got["h"][1], x.astype("<f2") if kept else to_bf16(x.astype("f2")))
    fpcast("x.npy", "y.safetensors", "--as", "dlfloat16", status=2)
    fpcast("x.npy", "y.safetensors", "--as", "dlfloat16", "--codes")
    if read("y.safetensors")[0]["x"][0] != "U16":
        complain("codes are not U16")
    fpcast("y.safetensors", "z.npy", "--from", "dlfloat16", "--as", "fp32")
    if np.abs(np.load("z.npy") - x).max() > 2 ** -10 * np.abs(x).max():
        complain("dlfloat16 does not come back")


def gguf(path, tensors):
    """tensors: name -> (number of the type, shape, bytes)"""
    text = lambda s: struct.pack("<Q", len(s)) + s.encode()
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), 1)
    head += text("general.name") + struct.pack("<I", 8) + text("x")
    data = b""
    for name, (kind, shape, raw) in tensors.items():
        head += text(name) + struct.pack("<I", len(shape))
        head += b"".join(struct.pack("<Q", n) for n in shape[::-1])
        head += struct.pack("<IQ", kind, len(data))
        data += raw + b"\0" * (-len(raw) % 32)
    with open(path, "wb") as file:
        file.write(head + b"\0" * (-len(head) % 32) + data)


def stored():
    """Blocks of ggml, by their definitions; types of NumPy that are those of ml_dtypes."""
    n = 6 * 96 // 32
    d = (random.standard_normal(n) * 0.01).astype("<f2")
    nibbles = random.integers(0, 256, (n, 16), dtype="u1")
    split = np.concatenate([nibbles & 15, nibbles >> 4], 1)
    eights = random.integers(-128, 128, (n, 32)).astype("i1")
    powers = random.integers(100, 140, n).astype("u1")
    join = lambda a, b: np.concatenate([a.view("u1").reshape(n, -1), b.view("u1").reshape(n, -1)], 1)
    x, wide = weights(6, 96), d.astype("f8")[:, None]
    gguf("w.gguf", {
        "q8.weight": (8, (6, 96), join(d, eights).tobytes()),
        "q4.weight": (2, (6, 96), join(d, nibbles).tobytes()),
        "mx.weight": (39, (6, 96), join(powers, nibbles).tobytes()),
        "f32": (0, (6, 96), x.tobytes()), "bf16": (30, (96,), to_bf16(x[0]).tobytes()),
        "i": (26, (3,), np.arange(3, dtype="<i4").tobytes())})
    expected = {"q8.weight": wide * eights, "q4.weight": wide * (split.astype(int) - 8),
                "mx.weight": E2M1[split] * np.ldexp(1.0, powers.astype(int) - 127)[:, None]}
    for form, kind in ("fp32", "F32"), ("bf16", "BF16"), ("fp64", "F64"):
        fpcast("w.gguf", "w.safetensors", "--as", form)
        got, metadata = read("w.safetensors")
        for name, values_ in expected.items():
            values_ = values_.reshape(6, 96)
            values_ = np.where(values_ == 0, np.copysign(0, got[name][1].astype("f8")), values_) \
                if form != "bf16" else values_
            if got[name][0] != kind:
                complain(name, "is", got[name][0])
            if form == "bf16":
                same_values(name, bf16(got[name][1]), bf16(to_bf16(values_)))
            else:
                same_values(name, got[name][1], values_.astype(got[name][1].dtype))
        same("i", got["i"][1], np.arange(3, dtype="<i4"))
    fpcast("w.gguf", "q.safetensors", "--as", "mxfp4")
    names = set(read("q.safetensors")[0])
    if "q8.weight_packed" not in names or "mx.weight_scale" not in names:
        complain("blocks of GGUF become", names)
    run = fpcast("w.gguf", "k.safetensors", status=2)
    if "give it another with --as" not in run.stderr:
        complain("blocks of GGUF that are kept:", run.stderr)
    np.save("x.npy", x)
    for form, descr, size in ("bf16", "|V2", 2), ("e4m3", "|V1", 1), ("e8m0", "|V1", 1):
        fpcast("x.npy", "y.npy", "--as", form)
        y = np.load("y.npy")
        if y.dtype.str != descr or y.itemsize != size or y.shape != x.shape:
            complain(form, "is", y.dtype.str, y.shape)
        fpcast("y.npy", "z.npy", "--from", form, "--as", "fp32")
        fpcast("z.npy", "again.npy", "--as", form)
        if open("again.npy", "rb").read() != open("y.npy", "rb").read():
            complain(form, "does not come back")
    run = fpcast("y.npy", "z.npy", "--as", "fp32", status=2)
    if "say what they are by --from" not in run.stderr:
        complain("bytes without a meaning:", run.stdout, run.stderr)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
