"""What the blocks of a match are made of, in a form that travels to other processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from jokersim.match.blocks import SEATINGS, FourBlocks, TwoBlocks
from jokersim.policies import Policy, parse_policies
from jokersim.rules import FourRules, Rules

if TYPE_CHECKING:
    from jokersim.simulate.dask import Made

__all__ = ["MatchRecipe"]


class MatchRecipe(NamedTuple):
    """A match: its policies by name, with the hash that their sources must have."""

    rules: Rules
    names: tuple[str, str]
    sources: tuple[str, str]
    seed: int
    seats: str

    @classmethod
    def of(cls, rules: Rules, sides: tuple[Policy, Policy], seed: int, seats: str) -> Self:
        """Answer the recipe of a match."""
        ours, theirs = sides
        return cls(rules, (ours.name, theirs.name), (ours.source, theirs.source), seed, seats)

    def of_games(self, start: int, stop: int) -> Self:  # noqa: ARG002
        """Answer the recipe of a range of blocks, which is that of all."""
        return self

    def made(self, sides: tuple[Policy, ...] | None = None) -> Made:
        """Make what plays blocks; `sides` where the policies themselves are at hand."""
        from jokersim.simulate.dask import Made, check_sources

        if sides is None:
            sides = parse_policies(list(self.names), self.rules.family, len(self.names))
            check_sources(sides, self.sources)
        ours, theirs = sides
        player: FourBlocks | TwoBlocks
        if isinstance(self.rules, FourRules):
            player = FourBlocks(self.rules, (ours, theirs), self.seed, SEATINGS[self.seats])
        else:
            player = TwoBlocks(self.rules, (ours, theirs), self.seed)
        in_python = any(side.user is not None and not side.user.compiled for side in sides)
        return Made(player, player.rows_a_game(""), in_python)
