# Casts of a published model, against codes that another program computed.
#
# SPDX-License-Identifier: MIT
#
# python3 cast_samples.py FOLDER, in a folder for scratch, with fpcast in PATH: FOLDER has the model
# and a table of what its tensors become (its README). Prints what is wrong.

import csv
import hashlib
import json
import struct
import subprocess
import sys

BITS = {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}


def read(path):
    with open(path, "rb") as file:
        raw = file.read()
    length = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + length])
    header.pop("__metadata__", None)
    data = raw[8 + length:]
    return {name: (entry["dtype"], data[slice(*entry["data_offsets"])])
            for name, entry in header.items()}


def unpack(data, bits):
    whole = int.from_bytes(data, "little")
    return bytes(whole >> i & (1 << bits) - 1 for i in range(0, 8 * len(data), bits))


def cast(*words):
    run = subprocess.run(["fpcast", *words], capture_output=True, text=True)
    if run.returncode != 0 or run.stderr != "":
        print(*words, "has status", run.returncode, run.stderr)


def main(folder):
    model = folder + "/silero_f32.safetensors"
    with open(folder + "/silero_f32.tsv") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    if len(rows) != 45:
        print("there are", len(rows), "rows")
    before, made = read(model), {}
    for row in rows:
        way = row["format"], row["overflow"]
        if way not in made:
            cast(model, "o.safetensors", "--as", way[0], "--overflow", way[1])
            made[way] = read("o.safetensors")
        kind, codes = made[way][row["tensor"]]
        if kind == "F32": # it would end within a byte
            with open("t.bin", "wb") as file:
                file.write(before[row["tensor"]][1])
            cast("t.bin", "o.bin", "--from", "fp32", "--as", way[0], "--overflow", way[1])
            with open("o.bin", "rb") as file:
                codes = file.read()
        elif kind in BITS:
            codes = unpack(codes, BITS[kind])
        if hashlib.sha256(codes).hexdigest() != row["sha256"]:
            print(row["tensor"], "differs in", *way)


main(sys.argv[1])
