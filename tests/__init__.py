"""Tests of jokersim."""
