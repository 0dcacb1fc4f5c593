"""The version of the package: a leaf that every module may import.

Owns one string, which the build reads from here and every output carries.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
