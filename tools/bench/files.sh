# How fast files of tensors are scanned and cast, beside cat and cp of the same file in the same run.
# FOLDER has the tools; a second argument is an extended regular expression that lines have to match.
# Files are in the memory of /dev/shm where that is, else in the folder for temporary files.
#
# SPDX-License-Identifier: MIT

bin=$1
# Where libtool put scripts around the programs, the programs themselves.
if [ -x "$bin/.libs/fpcast" ] && [ -f "$bin/.libs/libfpfmt.so" ]; then
    bin=$1/.libs
    LD_LIBRARY_PATH=$bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
pattern=${2:-.}
folder=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/fpbench.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# Normally distributed weights of binary32, a million of them again and again.
weights() {
    python3 - "$1" "$2" <<'PYTHON'
import array, json, random, struct, sys
random.seed(1)
mebibytes = int(sys.argv[1])
part = array.array("f", (random.gauss(0, 0.02) for _ in range(1 << 18))).tobytes()
header = json.dumps({"w": {"dtype": "F32", "shape": [mebibytes << 8, 1 << 10],
                           "data_offsets": [0, mebibytes << 20]}}).encode()
header += b" " * (-len(header) % 8)
with open(sys.argv[2], "wb") as to:
    to.write(struct.pack("<Q", len(header)) + header)
    for _ in range(mebibytes):
        to.write(part)
PYTHON
}

# seconds COMMAND...: the best of three runs
seconds() {
    python3 - "$@" <<'PYTHON'
import subprocess, sys, time
best = None
for _ in range(3):
    begun = time.perf_counter()
    subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
    taken = time.perf_counter() - begun
    best = taken if best is None or taken < best else best
print(best)
PYTHON
}

# line NAME FORMATS SIZE BESIDE SECONDS OTHER: ns for an element and format, and the share of the
# speed of the program beside it
line() {
    awk -v name="$1" -v formats="$2" -v size="$3" -v beside="$4" -v taken="$5" -v other="$6" 'BEGIN {
        count = split(formats, all, ",")
        printf "%-10s %-22s %5d MiB %8.3f s %8.3f ns/el %7.3f /%s\n", name, formats, size, taken,
            taken * 1e9 / (size * 262144) / count, other / taken, beside
    }'
}

wanted() {
    echo "$*" | grep -q -E "$pattern"
}

for size in 64 1024; do
    file=$folder/w.safetensors
    weights $size "$file"
    read_time=$(seconds cat "$file")
    for formats in bf16 bf16,fp16,e5m2,e4m3 mxfp4; do
        [ "$formats" = mxfp4 ] && [ $size -gt 64 ] && continue
        wanted scan $formats $size && line scan $formats $size cat \
            "$(seconds "$bin/fpinspect" --scan "$file" --as $formats --tsv)" "$read_time"
    done
    copy_time=$(seconds cp "$file" "$folder/copy")
    rm -f "$folder/copy"
    for format in bf16 e4m3; do
        wanted cast $format $size && [ -x "$bin/fpcast" ] && line cast $format $size cp \
            "$(seconds "$bin/fpcast" "$file" "$folder/cast.safetensors" --as $format)" "$copy_time"
        rm -f "$folder/cast.safetensors"
    done
done
