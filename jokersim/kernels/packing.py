"""Columns of integers as the bits, runs and planes of bytes in which columnar files keep them.

Codes are small numbers, 0 up: a value less the lowest one, or its place in a dictionary. They are
packed from the lowest bit of each byte on, eight to as many bytes as a code has bits, or written
as runs. Arrays of words are little-endian. Knows nothing of files.
"""

from __future__ import annotations

import numpy as np

from jokersim.kernels.jit import entry, leaf

_EVEN = np.int64(0x00FF00FF00FF00FF)
_PAIRS = np.int64(0x0000FFFF0000FFFF)
_FOURS = np.int64(0x00000000FFFFFFFF)
_NEAR = 1024
_FEW = 255
WORD = 64
OCTET = 8


@leaf
def _squeezed(word, width):
    """Eight bytes, which are codes of `width` bits, as those codes side by side.

    Pairs, fours and eights move together. No step looks at a value: the loop around it works on as
    many words as a register holds.
    """
    step = OCTET - width
    word = (word & _EVEN) | ((word >> step) & (_EVEN << width))
    word = (word & _PAIRS) | ((word >> (2 * step)) & (_PAIRS << (2 * width)))
    return (word & _FOURS) | ((word >> (4 * step)) & (_FOURS << (4 * width)))


@entry
def pack_bytes(words, width, packed):
    """Pack codes of `width` (1 to 8) bits that come as bytes, eight a word; `words` are used up.

    The words of `packed` that are filled are answered.
    """
    for i in range(len(words)):
        words[i] = _squeezed(words[i], width)
    bits = OCTET * width
    filled = 0
    at = 0
    open_word = np.int64(0)
    for i in range(len(words)):
        open_word |= words[i] << filled
        filled += bits
        if filled >= WORD:
            packed[at] = open_word
            at += 1
            filled -= WORD
            # What did not fit; a shift by all 64 bits would leave the word as it is.
            rest = bits - filled
            open_word = (words[i] >> rest) & ((np.int64(1) << filled) - 1) if filled else 0
    if filled:
        packed[at] = open_word
        at += 1
    return at


@entry
def survey(values):
    """The lowest and the highest of some values, and how many runs of one value they are."""
    low = values[0]
    high = values[0]
    for i in range(len(values)):
        low = min(low, values[i])
        high = max(high, values[i])
    runs = 1
    for begin in range(1, len(values), _FEW):
        # Counted in a byte, as many at a time as one can count: a register holds more of them.
        here = values[begin : begin + _FEW]
        before = values[begin - 1 : begin - 1 + len(here)]
        changed = np.uint8(0)
        for i in range(len(here)):
            changed = np.uint8(changed + np.uint8(here[i] != before[i]))
        runs += np.int64(changed)
    return low, high, runs


@entry
def mark(values, low, codes):
    """Number the values that occur, upward from the lowest: `codes[value - low]`, else -1.

    `codes` comes in as zeros. How many there are is answered.
    """
    for i in range(len(values)):
        codes[values[i] - low] = 1
    n = 0
    for k in range(len(codes)):
        there = codes[k]
        codes[k] = n if there else -1
        n += there
    return n


@entry
def look_up(values, low, codes, found):
    """Write the code of each value, as `mark` numbered them."""
    for i in range(len(values)):
        found[i] = codes[values[i] - low]


@entry
def pack(codes, width, packed):
    """Pack codes of `width` (1 to 31) bits each; the words filled are answered."""
    filled = 0
    at = 0
    open_word = np.int64(0)
    for i in range(len(codes)):
        code = np.int64(codes[i])
        open_word |= code << filled
        filled += width
        if filled >= WORD:
            packed[at] = open_word
            at += 1
            filled -= WORD
            open_word = code >> (width - filled)
    if filled:
        packed[at] = open_word
        at += 1
    return at


@entry
def write_runs(codes, lengths, width, octets):
    """Write runs: twice the length, seven bits a byte, then the code in as few bytes as it takes.

    The bytes written are answered.
    """
    at = 0
    for i in range(len(codes)):
        length = lengths[i] << 1
        while length >= 0x80:
            octets[at] = (length & 0x7F) | 0x80
            at += 1
            length >>= 7
        octets[at] = length
        at += 1
        for shift in range(0, width, OCTET):
            octets[at] = (codes[i] >> shift) & 0xFF
            at += 1
    return at


@entry
def split_words(words, planes):
    """Part 64-bit words into planes: all their lowest bytes, then all the next, and so on."""
    n = len(words)
    for begin in range(0, n, _NEAR):  # what all planes are made of stays near
        part = words[begin : begin + _NEAR]
        for plane in range(WORD // OCTET):
            octets = planes[plane * n + begin :]
            for i in range(len(part)):
                octets[i] = (part[i] >> (OCTET * plane)) & 0xFF
