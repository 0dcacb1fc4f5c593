"""Compiled kernels: plain numbers and arrays in, plain numbers and arrays out.

Nothing in here knows files, text, rule objects or command lines; nothing outside imports numba.
Modules from the bottom up: `jit` (how things are compiled), `bits`, `streams`, `trick` (the one trick
engine: legal cards and taker, for two and four seats), `scoring`, `dealing`, `state` (the memory a
game is played in), `policies`, then `deal` (four seats) and `party` (two seats).
"""
