"""The policy `book` from outside: parameters, tables and what made them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from jokersim.book import FILES, Book, about
from jokersim.errors import InputError
from jokersim.kernels.jit import JIT_DISABLED
from jokersim.kernels.policies import book_index, book_two_index
from jokersim.kernels.state import BID, CHOOSE_TRUMP, PLAY


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ("", "book"),
        ("khishti=-500", "book:khishti=-500"),
        ("khishti=0", "book:khishti=0"),
        ("premium=blind", "book:premium=blind"),
        ("premium=blind;khishti=-900", "book:khishti=-900;premium=blind"),
        ("premium=aware", "book"),
    ],
)
def test_parameters_have_one_canonical_text(parameters: str, name: str) -> None:
    made = Book.parse(parameters)
    assert made.name == name
    again = name.partition(":")[2]
    assert Book.parse(again).name == name


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("khishti=much", "khishti is a whole number"),
        ("khishti=-1000001", "khishti is a whole number"),
        ("khishti", "khishti is a whole number"),
        ("premium=no", "aware or blind"),
        ("worlds=3", "takes khishti and premium"),
        ("=", "takes khishti and premium"),
    ],
)
def test_bad_parameters_are_refused_by_name(parameters: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        Book.parse(parameters)


def test_a_book_plays_the_games_that_it_was_made_for() -> None:
    with pytest.raises(InputError, match="games of four"):
        Book().check("two")
    assert Book.parse("", "two") == Book("two") != Book()
    with pytest.raises(InputError, match="takes no parameters for two, so not 'khishti=-500'"):
        Book.parse("khishti=-500", "two")


@pytest.mark.parametrize("family", ["four", "two"])
def test_tables_are_small_and_say_what_made_them(family: str) -> None:
    assert FILES[family].stat().st_size < 1_000_000
    told = about(family)
    assert told["made_by"] == "scripts/build_book.py"
    assert {"seed", "scale", "rounds", "versions", "rules", "version"} <= set(told)
    assert all(part["games" if family == "four" else "deals"] > 0 for part in told["rounds"])


def test_tables_of_two_fill_the_record() -> None:
    with np.load(FILES["two"], allow_pickle=False) as tables:
        assert set(tables.files) == {*book_two_index.BOOK_TWO.names, "about"}
        for name in book_two_index.BOOK_TWO.names:
            assert tables[name].shape == book_two_index.BOOK_TWO[name].shape
        # What a choice has less than others is the entry 0, which is worth nothing.
        assert tables["values"][0] == 0


def test_tables_fill_the_record_and_hold_chances() -> None:
    own = {"own_khishti", "khishti", "blind"}
    with np.load(FILES["four"], allow_pickle=False) as tables:
        assert set(tables.files) == set(book_index.BOOK.names) - own | {"about"}
        for name in ("worth", "takes", "made", "none"):
            table = tables[name]
            assert table.shape == book_index.BOOK[name].shape
            assert table.min() >= 0
            assert table.max() <= book_index.ONE
        shares = tables["bids"].reshape(book_index.BIDS_SHAPE).astype(int)
    # Shares are of 100, each rounded; what never occurs (no such bid) has none.
    totals = shares.sum(axis=-1)
    assert ((totals == 0) | (abs(totals - 100) <= 5)).all()


def test_what_is_certain_at_the_end_is_in_the_tables() -> None:
    with np.load(FILES["four"], allow_pickle=False) as tables:
        made = tables["made"].reshape(book_index.ENDS_SHAPE)
        none = tables["none"].reshape(book_index.ENDS_SHAPE)
    assert (made[0, 0] == book_index.ONE).all()
    assert (made[0, 1:] == 0).all()
    assert (none[0] == book_index.ONE).all()
    for left in range(9):
        assert (made[left, left + 1 :] == 0).all()


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_rows_of_all_threads_hold_the_same_compiled_code() -> None:
    kinds = [CHOOSE_TRUMP, BID, PLAY]
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda _: Book("four").row("four"), range(8)))
    addresses = {tuple(row.cells[kinds].tolist()) for row in rows}
    assert len(addresses) == 1
    assert all(addresses.pop())
    assert len({row.number for row in rows}) == len(rows)
