"""Tests of jokersim.rules."""
