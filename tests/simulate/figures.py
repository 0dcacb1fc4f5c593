"""What tests of summaries compute by themselves."""

from fractions import Fraction

import numpy as np
from scipy import stats


def interval(values, level):
    """Mean with the ends of its normal interval."""
    n = len(values)
    half = stats.norm.isf((1 - level) / 2) * np.std(values, ddof=1) / np.sqrt(n)
    return [np.mean(values), np.mean(values) - half, np.mean(values) + half]


def figures(own, name):
    return [own[name], own[f"{name}_low"], own[f"{name}_high"]]


def share(count, n, level):
    """Share with the ends of Wilson's interval."""
    return [count / n, *stats.binomtest(count, n).proportion_ci(level, "wilson")]


def exact_money(run):
    """Net money of both seats over a run of parties, summed exactly."""
    games = run.games()
    total = [Fraction(0), Fraction(0)]
    counts = games[~games.void].groupby(["winner", "multiplier"]).size()
    for (winner, multiplier), n in counts.items():
        for seat, money in enumerate(run.rules.exact_payoffs(winner, multiplier)):
            total[seat] += n * money
    return total
