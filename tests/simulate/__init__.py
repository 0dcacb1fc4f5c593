"""Tests of jokersim.simulate."""
