"""Compiled kernels: plain numbers and arrays in, plain numbers and arrays out.

Nothing in here knows files, text, rule objects or command lines; nothing outside imports numba.
Modules from the bottom up:

- `jit` (how things are compiled and kept; `watch` tells when), `bits`, `streams`, `dealing`,
  `given` (deals that somebody gives);
- `trick` (the one trick engine: legal cards and taker, for two and four seats), `scoring`;
- `state` (the memory that a game is played in, and so what a policy sees), `observed` (that memory
  as users' policies are handed it), `policies`;
- four seats: `deal` (the steps of a deal), `game` (whole games of a run) with `game_sums`,
  `games_random` and `deal_random` (the same where all play at random, many games in step),
  `stepping` (one decision at a time); two seats, likewise: `party`, `parties` with `party_sums`,
  `parties_random` and `party_random`, `party_stepping`;
- `worlds` (hidden cards that fit what a seat has seen), `odds_worlds` (those of a question, with
  what was seen replayed) and `odds_auction` (before the first card), `odds` and `odds_two` (choices
  played out over worlds), `odds_bids` (said bids of many positions), `open_four` and `open_two`
  (perfect play with open cards).
"""
