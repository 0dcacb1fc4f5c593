"""Monte Carlo simulation of the Joker card games."""

from jokersim._version import __version__

__all__ = ["__version__"]
