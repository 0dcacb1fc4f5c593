"""Tests of jokersim.kernels."""
