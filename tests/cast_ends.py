# Casts that end early: killed, stopped, without room, with an input that changes below them.
#
# SPDX-License-Identifier: MIT
#
# python3 cast_ends.py TEST, in a folder for scratch, with fpcast in PATH. Prints what is wrong; a
# first line that begins with SKIP says why a test cannot run.

import json
import os
import random
import re
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time
import zipfile

LEFT = re.compile(r"^o\.safetensors\.[0-9]+-[0-9]+\.new$")
MEBIBYTES = 24


def weights(path, mebibytes=MEBIBYTES):
    part = random.Random(5).randbytes(1 << 20)
    header = json.dumps({"w": {"dtype": "F32", "shape": [mebibytes << 8, 1 << 10],
                               "data_offsets": [0, mebibytes << 20]}}).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + part * mebibytes)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def run(*words, **more):
    return subprocess.run(["fpcast", *words], capture_output=True, text=True, **more)


def left():
    return [name for name in os.listdir(".") if LEFT.match(name)]


def begin(*words):
    """The cast, with the signals of a shell's foreground."""
    def usual():
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return subprocess.Popen(["fpcast", *words], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, preexec_fn=usual)


def seconds_of(*words):
    start = time.monotonic()
    made = run(*words)
    if made.returncode != 0:
        print(*words, "has status", made.returncode, made.stderr)
    return time.monotonic() - start


def interrupted(source, target, kill, times):
    """target is old or new, whole, whenever the cast is ended; the number of those that ended early
    while they wrote."""
    words = source, target, "--as", "bf16", "--round", "sr"
    old = b"old" if source != target else content(source)
    if source != target:
        shutil.copy(source, "kept")
    taken = seconds_of(*words)
    new, early = content(target), 0
    for i in range(times):
        with open(target, "wb") as file:
            file.write(old)
        cast = begin(*words)
        time.sleep(random.uniform(0, 1) * taken)
        number = kill[i % len(kill)]
        cast.send_signal(number)
        message = cast.communicate()[1]
        now = content(target)
        ended = cast.returncode == -number
        if not ended and cast.returncode != 0:
            print("status", cast.returncode, message)
        if now != old and now != new:
            print("after signal", number, "the file has", len(now), "bytes, not", len(old))
        if ended and number != signal.SIGKILL and left():
            print("signal", number, "leaves", left())
        if set(os.listdir(".")) - {source, target, "kept"} - set(left()):
            print("what is left:", os.listdir("."))
        early += ended and (number != signal.SIGKILL or bool(left()))
    with open(target, "wb") as file:
        file.write(old)
    seconds_of(*words)
    if left() or content(target) != new:
        print("the next run leaves", left())
    return early


def killed():
    weights("i.safetensors")
    if interrupted("i.safetensors", "o.safetensors", [signal.SIGKILL], 24) == 0:
        print("no cast was killed while it wrote")
    os.rename("i.safetensors", "o.safetensors")
    if interrupted("o.safetensors", "o.safetensors", [signal.SIGKILL], 12) == 0:
        print("no cast in place was killed while it wrote")


def stopped():
    weights("i.safetensors")
    names = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
    if interrupted("i.safetensors", "o.safetensors", names, 16) == 0:
        print("no cast was stopped")


def refused(what, sentence, *words, **more):
    """The cast fails with such a sentence, and the folder is as it was."""
    before = {name: content(name) for name in os.listdir(".") if os.path.isfile(name)}
    made = run(*words, **more)
    if made.returncode != 2 or not re.search(sentence, made.stderr) or made.stdout != "" or \
            made.stderr.count("\n") != 1:
        print(what, "gives status", made.returncode, made.stdout, made.stderr)
    if {name: content(name) for name in os.listdir(".") if os.path.isfile(name)} != before:
        print(what, "leaves", os.listdir("."))


def limited():
    weights("i.safetensors", 2)
    with open("o.safetensors", "w") as file:
        file.write("old")
    for size in 0, 10, 4096, 100000, (1 << 20) + 10:
        refused(f"a limit of {size} bytes", "o.safetensors: it cannot be written: File too large",
                "i.safetensors", "o.safetensors", "--as", "bf16",
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    os.makedirs("model")
    for i in range(3):
        shutil.copy("i.safetensors", f"model/{i}.safetensors")
    made = run("model", "out", "--as", "bf16")
    if made.returncode != 2 or os.path.exists("out"):
        print("a name in two shards gives", made.returncode, made.stderr)


def mounted():
    """A file system without room, and one that can only be read, where such can be had."""
    weights("i.safetensors", 2)
    os.mkdir("m")
    script = """mount -t tmpfs -o size=1m none m && echo old >m/o.safetensors || exit 77
        fpcast i.safetensors m/o.safetensors --as bf16; echo "$?" "$(ls m)" "$(cat m/o.safetensors)"
        mount -o remount,ro m || exit 77
        fpcast i.safetensors m/o.safetensors --as e4m3; echo "$?" "$(ls m)" "$(cat m/o.safetensors)" """
    made = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True) \
        if shutil.which("unshare") else None
    if made is None or made.returncode == 77 or "unshare" in made.stderr:
        print("SKIP no file system can be mounted here")
        return
    if made.stdout != "2 o.safetensors old\n" * 2:
        print(made.stdout)
    sentences = made.stderr.splitlines()
    if len(sentences) != 2 or "No space left" not in sentences[0] or \
            "Read-only" not in sentences[1]:
        print(made.stderr)


def shrinking():
    """An input that is cut off below the cast: all of the new file, or the old one."""
    weights("i.safetensors")
    whole = content("i.safetensors")
    taken = seconds_of("i.safetensors", "o.safetensors", "--as", "bf16")
    new = content("o.safetensors")
    for i in range(10):
        with open("i.safetensors", "wb") as file:
            file.write(whole)
        with open("o.safetensors", "w") as file:
            file.write("old")
        cast = begin("i.safetensors", "o.safetensors", "--as", "bf16")
        time.sleep(random.uniform(0, 1) * taken)
        os.truncate("i.safetensors", 1 << 20)
        message = cast.communicate()[1]
        now = content("o.safetensors")
        if (cast.returncode, now) not in ((0, new), (2, b"old")) or left():
            print("status", cast.returncode, message, len(now), left())
    with zipfile.ZipFile("a.npz", "w", zipfile.ZIP_STORED) as archive:
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }"
        header += b" " * (117 - len(header)) + b"\n"
        archive.writestr("a.npy", b"\x93NUMPY\1\0" + struct.pack("<H", 118) + header + bytes(4000))
    damaged = bytearray(content("a.npz"))
    damaged[2000] ^= 1
    with open("a.npz", "wb") as file:
        file.write(damaged)
    refused("a damaged archive", "a.npz: tensor 'a': its data (are damaged|end early)", "a.npz",
            "o.safetensors", "--as", "bf16")


def replaced():
    """A link stays a link, and a file that is replaced keeps its mode."""
    weights("i.safetensors", 1)
    with open("real.safetensors", "w") as file:
        file.write("old")
    os.chmod("real.safetensors", 0o640)
    os.symlink("real.safetensors", "link.safetensors")
    seconds_of("i.safetensors", "link.safetensors", "--as", "bf16")
    if not os.path.islink("link.safetensors") or os.path.getsize("real.safetensors") < 1000:
        print("the link does not lead to the new file")
    if stat.S_IMODE(os.stat("real.safetensors").st_mode) != 0o640:
        print("the mode is another one")
    os.mkdir("folder.safetensors")
    refused("a folder as the target", "folder.safetensors: ", "i.safetensors",
            "folder.safetensors", "--as", "bf16")


if __name__ == "__main__":
    random.seed(int(os.environ.get("SEED", time.time_ns() % 1000000)))
    globals()[sys.argv[1]]()
