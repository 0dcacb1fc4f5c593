"""How fast jokersim is, and beside what: see README.md in this folder."""
