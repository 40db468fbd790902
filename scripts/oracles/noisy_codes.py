"""Writes INT8 codes of Gaussian weights, and the codes of the same weights after noise: MEGABYTES OLD NEW.

Rows of 1,024 weights have one scale each; the noise of a weight is Gaussian, 0.3 % of its size.
"""
import sys

import numpy


def codes(weights: numpy.ndarray) -> bytes:
    scales = numpy.abs(weights).max(axis=1, keepdims=True) / 127
    return numpy.rint(weights / scales).astype(numpy.int8).tobytes()


random = numpy.random.default_rng(18)
with open(sys.argv[2], "wb") as old, open(sys.argv[3], "wb") as new:
    for _ in range(int(sys.argv[1])):
        weights = random.standard_normal((1024, 1024), dtype=numpy.float32)
        old.write(codes(weights))
        noise = random.standard_normal(weights.shape, dtype=numpy.float32)
        new.write(codes(weights * (1 + numpy.float32(0.003) * noise)))
