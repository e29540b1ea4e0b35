# random_bits.py - random bits of a seed and an index, as fpfmt.h has them, in another language
# SPDX-License-Identifier: MIT


def philox(counter, key):
    """Philox4x32-10."""
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [b >> 32 ^ counter[1] ^ key[0], b & 0xFFFFFFFF,
                   a >> 32 ^ counter[3] ^ key[1], a & 0xFFFFFFFF]
        key = [key[0] + 0x9E3779B9 & 0xFFFFFFFF, key[1] + 0xBB67AE85 & 0xFFFFFFFF]
    return counter


def random_bits(seed, index):
    """64 bits."""
    block = index // 2
    words = philox([block & 0xFFFFFFFF, block >> 32, 1, 0], [seed & 0xFFFFFFFF, seed >> 32])
    return words[2 * (index % 2)] | words[2 * (index % 2) + 1] << 32
