# A checkpoint scanned whole, held to what safetensors, NumPy and ml_dtypes make of its values.
#
#     checkpoint_figures.py FPINSPECT FILE
#
# SPDX-License-Identifier: MIT

import json
import subprocess
import sys

import ml_dtypes
import numpy as np
from safetensors.numpy import load_file

FORMATS = {
    "bf16": ml_dtypes.bfloat16, "fp16": np.float16, "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
}
program, path = sys.argv[1:3]
wrong = 0


def expect(what, got, wanted):
    global wrong
    if got != wanted:
        wrong += 1
        print("%s is %s, not %s" % (what, got, wanted))


scan = subprocess.run(
    [program, "--scan", path, "--as", ",".join(FORMATS), "--json"], capture_output=True, check=True
)
report = json.loads(scan.stdout)
arrays = {n: a for n, a in load_file(path).items() if a.dtype.kind == "f"}
scanned = {t["tensor"]: t for t in report["tensors"] if t["tensor"] in arrays}
expect("the list of tensors", sorted(scanned), sorted(arrays))
totals = {name: [0, 0] for name in FORMATS}
values = zeros = 0
for name, array in arrays.items():
    x = array.ravel()
    told = scanned[name]
    expect(name + " zero", int(told["zero"]), int((x == 0).sum()))
    expect(name + " count", int(told["count"]), x.size)
    for row in told["formats"]:
        dtype = FORMATS[row["format"]]
        with np.errstate(all="ignore"):
            rounded = x.astype(dtype).astype(np.float32)
        exact, lost = int((rounded == x).sum()), int(((rounded == 0) & (x != 0)).sum())
        expect("%s %s exact" % (name, row["format"]), int(row["exact"]), exact)
        expect("%s %s underflow" % (name, row["format"]), int(row["underflow"]), lost)
        totals[row["format"]][0] += exact
        totals[row["format"]][1] += lost
    values += x.size
    zeros += int((x == 0).sum())
print("# %d tensors, %d values, %d of them 0" % (len(arrays), values, zeros))
for name, (exact, lost) in totals.items():
    print("# %s: %d exact, %d become 0" % (name, exact, lost))
sys.exit(wrong > 0)
