# Checkpoints that were changed on purpose, so that their checksums fit: all are refused.
#
# SPDX-License-Identifier: MIT

from checkpoints import *

assert fplab("--steps", "4", "--checkpoint", "good").returncode == 0
header, data = read("good")
count = 0


def refuse(what, header, data, length=None):
    global count
    count += 1
    write("bad", header, data, length)
    run = fplab("--resume", "bad", "--steps", "1", "--tsv")
    if run.returncode != 2 or run.stdout or not run.stderr.startswith("fplab: "):
        print(what, run.returncode, run.stderr[-300:])


write("same", header, data)
if fplab("--resume", "same", "--steps", "1").returncode != 0:
    print("what was not changed is refused")
for old, new in [
        ('"step":"4"', '"step":"-4"'), ('"step":"4"', '"step":"04"'), ('"step":"4"', '"step":4'),
        ('"step":"4"', '"step":""'), ('"step":"4"', '"step":"18446744073709551616"'),
        ('"step":"4"', '"step":"18446744073709551615"'), ('"step":"4"', '"steps":"4"'),
        ('"moves":"4"', '"moves":"5"'), ('"position":"128"', '"position":"151"'),
        ('"good-steps":"0"', '"good-steps":"x"'),
        ('"loss-scale-log2":"0"', '"loss-scale-log2":"101"'),
        ('"loss-scale-log2":"0"', '"loss-scale-log2":"--1"'), ('"seed":"0"', '"seed":"a"'),
        ('"as":"bf16"', '"as":"bf16,fp16"'), ('"as":"bf16"', '"as":"fp99"'),
        ('"as":"bf16"', '"as":["bf16"]'), ('"optimizer":"adamw"', '"optimizer":"sgd"'),
        ('"optimizer":"adamw"', '"optimizer":"adamx"'), ('"batch":"32"', '"batch":"0"'),
        ('"batch":"32"', '"batch":"1000"'), ('"hidden":"16"', '"hidden":"17"'),
        ('"hidden":"16"', '"hidden":"4000000000"'), ('"rate":"0.01"', '"rate":"-1"'),
        ('"kind":"fplab train, version 1"', '"kind":"fplab train, version 2"'),
        ('"optimizer-states":"kept"', '"optimizer-states":"omitted"'),
        ('"optimizer-states":"kept"', '"optimizer-states":"sold"'),
        ('"dtype":"F32"', '"dtype":"F16"'), ('"dtype":"U32"', '"dtype":"I32"'),
        ('"shape":[4,16]', '"shape":[16,4]'), ('"shape":[4,16]', '"shape":[64]'),
        ('"shape":[4,16]', '"shape":[4,16,1]'), ('"shape":[4,16]', '"shape":[-4,-16]'),
        ('"shape":[4,16]', '"shape":[4,16.0]'), ('"shape":[4,16]', '"shape":"4,16"'),
        ('"shape":[4,16]', '"shape":[4,1e999]'),
        ('"data_offsets":[0,256]', '"data_offsets":[0,257]'),
        ('"data_offsets":[0,256]', '"data_offsets":[256,0]'),
        ('"data_offsets":[0,256]', '"data_offsets":[-256,0]'),
        ('"data_offsets":[0,256]', '"data_offsets":[18446744073709551615,255]'),
        ('"data_offsets":[0,256]', '"data_offsets":[0]'),
        ('"data_offsets":[256,320]', '"data_offsets":[192,256]'),
        ('"data_offsets":[0,256]}', '"data_offsets":[0,256],"more":1}'),
        ('"layer1.bias":', '"layer1.weight":'), ('"layer1.bias":', '"layer9.bias":'),
        ('"data.order":', '"more":{},"data.order":'), ('"step":"4"', '"step":"4","step":"4"'),
        ('"layer1.bias":{', '"layer1.bias":' + '[' * 3000 + '{'), ('}}', '}'), ('}}', '}}}'),
        ('"kind"', '"k\\u0000ind"'), ('"bf16"', '"\xff"')]:
    if old not in header:
        print("there is no", old)
    refuse(new[:60], header.replace(old, new, 1), data)
for length in 0, 1, len(header) - 1, len(header) + 1, len(header) + len(data) + 1, 2**63, 2**64 - 1:
    refuse("length %d" % length, header, data, length)
refuse("data cut", header, data[:-4])
refuse("data longer", header, data + b"1234")
order = [i for i, in struct.iter_unpack("<I", data[-600:])]
for change in {0: order[1]}, {7: 150}, {149: 2**32 - 1}:
    wrong = [change.get(i, row) for i, row in enumerate(order)]
    refuse("order %r" % change, header, data[:-600] + struct.pack("<150I", *wrong))
if fplab("--steps", "4", "--state", "tf32", "--checkpoint", "good").returncode == 0:
    header, data = read("good")
    start = json.loads(header)["optimizer.m.layer1.weight"]["data_offsets"][0]
    refuse("a wide code", header, data[:start + 3] + b"\1" + data[start + 4:])
if count < 60:
    print("only", count, "were tried")
