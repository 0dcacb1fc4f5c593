"""What tests of summaries compute by themselves."""

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
