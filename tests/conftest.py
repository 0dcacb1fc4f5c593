"""Settings of the whole suite: the same examples on every run, and no leaning on the caller."""

import os

from hypothesis import settings

# A run of the suite answers a question about the code, so it draws the same examples each time;
# `--hypothesis-profile explore` looks for new ones. The first call of a kernel may compile, which
# says nothing about the example: no deadline.
settings.register_profile("fixed", derandomize=True, database=None, deadline=None, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("fixed")

# The caller's defaults (JOKERSIM_SEED and the like) are not the tests'. Where compiled code is kept
# changes no result.
for _name in [name for name in os.environ if name.startswith("JOKERSIM_")]:
    if _name != "JOKERSIM_CACHE_DIR":
        del os.environ[_name]
