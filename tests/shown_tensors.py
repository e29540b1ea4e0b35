# What tests/show_tensors writes, read again, and held to arrays of NumPy.
#
# SPDX-License-Identifier: MIT

import subprocess
import sys

import numpy as np

MOST_AT_ONCE = 500
complaints = 0


def complain(*what):
    global complaints
    complaints += 1
    print(*what)


def end():
    """Ends the program, with 1 after complaints."""
    sys.exit(1 if complaints else 0)


class Tensor:
    def __init__(self, fields, values):
        self.name, self.type, shape, self.order = fields
        self.shape = tuple(int(n) for n in shape.split(",")) if shape else ()
        self.values = values  # None: not read


def split(output):
    """Tensors by the path of their file; None where it was refused."""
    files, at, path = {}, 0, None
    while at < len(output):
        end = output.index(b"\n", at)
        fields = output[at:end].decode("latin-1").split("\t")
        at = end + 1
        if fields[0] == "file":
            path = fields[1]
            files[path] = []
        elif fields[0] == "refused":
            files[path] = None
        elif fields[0] == "tensor":
            values = None
            if fields[5] != "-":
                values = np.frombuffer(output, "=f8", int(fields[5]), at)
                at += 8 * int(fields[5])
            files[path].append(Tensor(fields[1:5], values))
        else:
            assert fields[0] == "end", fields
    return files


def show(program, paths, *options):
    """What the program reads of files, and its complaints."""
    files, said = {}, ""
    for first in range(0, len(paths), MOST_AT_ONCE):
        run = subprocess.run(
            [program, *options, *paths[first : first + MOST_AT_ONCE]], capture_output=True
        )
        assert run.returncode in (0, 2), (run.returncode, run.stderr)
        assert (run.returncode == 2) == (run.stderr != b""), run.stderr
        files.update(split(run.stdout))
        said += run.stderr.decode("latin-1")
    return files, said


def difference(tensor, array):
    """What differs between a tensor and the array that it should be; None if nothing does."""
    if tensor.shape != array.shape:
        return "the shape %s is not %s" % (tensor.shape, array.shape)
    if tensor.values is None:
        return "it is not read"
    with np.errstate(all="ignore"):
        wanted = array.astype(np.float64).flatten(order=tensor.order)
    got = tensor.values
    alike = (got == wanted) & (np.signbit(got) == np.signbit(wanted))
    alike |= np.isnan(got) & np.isnan(wanted)
    if alike.all():
        return None
    at = int(np.argmin(alike))
    return "element %d is %r, not %r" % (at, got[at], wanted[at])
