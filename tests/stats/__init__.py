"""Tests of jokersim.stats."""
