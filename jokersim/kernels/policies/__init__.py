"""Built-in policies as kernels, by integer id, and the dispatch to them.

A policy function is given the view of the seat that decides (`seat` and `hand` written), what is
legal and the streams; it never sees the arrays that hold other hands.
"""

RANDOM = 0
BASIC = 1
