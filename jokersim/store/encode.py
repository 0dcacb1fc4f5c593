"""How the values of a column of a row group are laid out.

Few distinct values become codes into a dictionary: written as runs where values keep, else packed
to as many bits as a code takes. Of what has too many, bytes are parted into planes, of which zstd
drops those that are constant (the high bytes of a mask). All of it follows from the values of the
row group alone. Knows nothing of files.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jokersim.cards import TRUMPS
from jokersim.kernels import packing
from jokersim.store.thrift import varint

__all__ = ["CODES", "PLAIN", "PLANES", "Encoded", "Encoder"]

Values = npt.NDArray[Any]

# How values are written, as Parquet numbers it.
PLAIN: Final = 0
CODES: Final = 8
PLANES: Final = 9

# Larger dictionaries take more than they save.
_MOST_CODES: Final = 1 << 12
_MOST_SPREAD: Final = 1 << 16
_SAMPLE: Final = 64
_BYTE: Final = 0xFF
_OCTET: Final = packing.OCTET
# What the last codes are padded with, and the word that the first bytes stand in.
_MARGIN: Final = 8


class Encoded(NamedTuple):
    """A column of a row group before compression, and what codes stand for."""

    encoding: int
    dictionary: npt.NDArray[np.int64] | None
    data: memoryview | bytes


class Encoder:
    """Lays columns out; used by one thread. What it answers is good until it is asked again."""

    def __init__(self) -> None:
        self._words = np.empty(0, np.int64)

    def encode(self, values: Values, kind: str) -> Encoded:
        """Lay out the values of a column of a schema's type, at least one."""
        if len(self._words) < len(values) + _MARGIN:
            self._words = np.empty(len(values) + _MARGIN, np.int64)
        if kind == "bool":
            return Encoded(PLAIN, None, np.packbits(values, bitorder="little").data)
        if kind == "float64" or _is_wide(values[:_SAMPLE]):
            return Encoded(PLANES, None, self._planes(values))
        low, high, n_runs = map(int, packing.survey(values))
        if kind == "string":
            if low < 0 or high >= len(TRUMPS):
                raise ValueError("it holds no trump: codes are 0 to 4")
            low, high = 0, len(TRUMPS) - 1
        starts = None
        if _shorter_as_runs(n_runs, len(values), _bits(high - low)):
            starts = np.concatenate([[0], 1 + np.flatnonzero(values[1:] != values[:-1])])
        numbered = _numbered(values if starts is None else values[starts], low, high)
        if numbered is None:
            return Encoded(PLANES, None, self._planes(values))
        codes, dictionary = numbered
        width = _bits(len(dictionary) - 1)
        if starts is None:
            return Encoded(CODES, dictionary, self._packed(codes, width))
        lengths = np.diff(starts, append=len(values))
        return Encoded(CODES, dictionary, self._runs(codes.astype(np.int64), lengths, width))

    def _planes(self, values: Values) -> memoryview | bytes:
        if values.dtype.itemsize != packing.WORD // _OCTET:
            octets = values.astype(np.int32, copy=False).view(np.uint8)
            return octets.reshape(len(values), -1).T.tobytes()
        planes = self._words.view(np.uint8)
        packing.split_words(values.view(np.int64), planes)
        return planes.data[: values.nbytes]

    def _runs(
        self, codes: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], width: int
    ) -> memoryview:
        octets = self._words.view(np.uint8)
        octets[0] = width
        size = packing.write_runs(codes, lengths, width, octets[1:])
        return octets.data[: 1 + size]

    def _packed(self, codes: npt.NDArray[Any], width: int) -> memoryview:
        eights = -(-len(codes) // _OCTET)
        if codes.dtype == np.uint8:
            whole = np.zeros(eights * _OCTET, np.uint8)
            whole[: len(codes)] = codes
            packing.pack_bytes(whole.view(np.int64), width, self._words[1:])
        else:
            filled = packing.pack(codes, width, self._words[1:])
            self._words[1 + filled : 1 + filled + 2] = 0  # the codes that fill up the last eight
        # In front of the words: the width, and how many times eight codes follow.
        head = bytes((width,)) + varint(eights << 1 | 1)
        octets = self._words.view(np.uint8)
        begin = packing.WORD // _OCTET - len(head)
        octets[begin : begin + len(head)] = np.frombuffer(head, np.uint8)
        return octets.data[begin : begin + len(head) + eights * width]


def _bits(most: int) -> int:
    """Answer how many bits codes up to `most` take."""
    return max(1, most.bit_length())


def _shorter_as_runs(n_runs: int, n: int, width: int) -> bool:
    """Tell whether runs take less room than all codes packed, of at most so many bits.

    A run is some byte or two that tell its length, and a code in whole bytes.
    """
    return n_runs * (1 + -(-width // _OCTET)) < n * width / _OCTET


def _is_wide(values: Values) -> bool:
    """Tell whether values are too far apart for a dictionary."""
    return int(values.max()) - int(values.min()) >= _MOST_SPREAD


def _numbered(
    values: Values, low: int, high: int
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]] | None:
    """Answer the code of each value, in one byte if that is enough, and what the codes stand for.

    None where there are too many values.
    """
    if high - low <= _BYTE:
        # Every number between: nothing is looked up. Of one byte, differences wrap into place.
        if values.dtype.itemsize == 1:
            return values.view(np.uint8) - np.uint8(low & _BYTE), np.arange(low, high + 1)
        return (values - low).astype(np.uint8), np.arange(low, high + 1)
    if high - low >= _MOST_SPREAD:
        return None
    values = values.astype(np.int64 if values.dtype == np.int64 else np.int32, copy=False)
    table = np.zeros(high - low + 1, np.int32)
    n = packing.mark(values, low, table)
    if n > _MOST_CODES:
        return None
    codes = np.empty(len(values), np.uint8 if n <= _BYTE + 1 else np.int32)
    packing.look_up(values, low, table, codes)
    return codes, low + np.flatnonzero(table >= 0)
