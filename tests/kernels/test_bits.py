"""Bit operations: the processor's instructions and plain arithmetic answer the same."""

import numpy as np
import pytest
from numba import types

from jokersim.cards import ALL_CARDS, N_CARDS, cards_of
from jokersim.kernels import bits
from jokersim.kernels.jit import JIT_DISABLED
from tests.kernels import entries

N = 2_000 if JIT_DISABLED else 100_000


def facts_of(masks, n):
    facts = np.empty((9, len(masks)), np.int64)
    entries.bit_facts(np.asarray(masks, np.int64), np.asarray(n, np.int64), facts)
    return facts


def random_masks():
    rng = np.random.default_rng(1)
    return np.concatenate(
        [
            rng.integers(0, 1 << N_CARDS, N),
            # Sparse ones, and masks of up to 63 bits.
            rng.integers(0, 1 << N_CARDS, N) & rng.integers(0, 1 << N_CARDS, N) & 0x1_0000_0FFF,
            rng.integers(0, 1 << 63, N),
        ]
    )


def test_the_portable_path_equals_the_deposit_path():
    masks = random_masks()
    n = np.random.default_rng(2).integers(0, 40, len(masks))
    facts = facts_of(masks, n)
    assert np.array_equal(facts[5], facts[6])


def test_bits_are_laid_in_order_whichever_way():
    masks = random_masks()
    sources = np.random.default_rng(4).integers(0, 1 << N_CARDS, len(masks))
    laid = np.empty((2, len(masks)), np.int64)
    entries.deposits(sources, masks, laid)
    assert np.array_equal(laid[0], laid[1])
    for source, mask, found in list(
        zip(*map(np.ndarray.tolist, (sources, masks, laid[0])), strict=True)
    )[::97]:
        places = [i for i in range(63) if mask >> i & 1]
        assert found == sum(1 << at for k, at in enumerate(places) if source >> k & 1)


def test_bits_of_random_masks_are_those_that_counting_finds():
    masks = random_masks()[: 3 * N : 97]
    n = np.random.default_rng(3).integers(0, 20, len(masks))
    facts = facts_of(masks, n)
    for mask, k, found in zip(masks.tolist(), n.tolist(), facts.T.tolist(), strict=True):
        places = [i for i in range(63) if mask >> i & 1]
        nth = 1 << places[k] if k < len(places) else 0
        ends = (places[0], places[-1]) if places else (64, -1)
        masks_of_ends = tuple(1 << i for i in ends) if places else (0, 0)
        highest = masks_of_ends[1] if k % 2 else mask
        chosen = highest or k
        assert found == [len(places), *ends, *masks_of_ends, nth, nth, highest, chosen]


def test_empty_masks():
    for n in (0, 35):
        assert facts_of([0], [n])[:, 0].tolist() == [0, 64, -1, 0, 0, 0, 0, 0, n]


def test_every_bit_of_the_deck_is_found_in_turn():
    n = np.arange(N_CARDS)
    found = facts_of(np.full(N_CARDS, ALL_CARDS), n)
    assert found[5].tolist() == [1 << card for card in cards_of(ALL_CARDS)]


def test_one_bit_masks():
    ids = np.arange(63)
    facts = facts_of(np.int64(1) << ids, np.zeros(63))
    assert facts.tolist() == [
        [1] * 63,
        ids.tolist(),
        ids.tolist(),
        *[[1 << i for i in range(63)]] * 6,
    ]


@pytest.mark.skipif(JIT_DISABLED, reason="types are the compiler's")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("either", 3),
        ("highest_if", 2),
        ("popcount", 1),
        ("first_index", 1),
        ("last_index", 1),
        ("first_bit", 1),
        ("last_bit", 1),
        ("nth_bit", 2),
        ("nth_bit_portable", 2),
        ("deposit", 2),
        ("deposit_portable", 2),
    ],
)
def test_masks_and_counts_are_signed(name, arguments):
    function = getattr(bits, name)
    function.compile((types.int64,) * arguments)
    assert {o.signature.return_type for o in function.overloads.values()} == {types.int64}
