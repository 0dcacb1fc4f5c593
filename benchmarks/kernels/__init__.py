"""A benchmark for each small kernel, mirroring `jokersim.kernels`."""
