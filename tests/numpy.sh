# Arrays of the NumPy that is here: what it writes is read, and what it refuses is refused.
#
# SPDX-License-Identifier: MIT

. "$srcdir/tests/tap.sh"

# The first python3 that has NumPy: there may be others in PATH.
find_numpy() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import numpy' 2>/dev/null && echo "$python" && return
    done
}
python=$(find_numpy)
[ -n "$python" ] || skip_all "there is no NumPy: python3-numpy of Debian"
[ -x tests/show_tensors ] || { echo "Bail out! there is no tests/show_tensors"; exit 1; }

plan 1
make_scratch
PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/tests/numpy_files.py" "$PWD/tests/show_tensors" \
    "$scratch" >"$scratch/said" 2>&1
[ $? -eq 0 ] || echo "the program failed" >>"$scratch/said"
verdict "arrays are read as NumPy reads them, and refused as it refuses them" \
    "$(grep -v '^# NumPy' "$scratch/said" | head -n 20)"
grep '^# NumPy' "$scratch/said"
