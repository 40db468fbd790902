"""Prints what numpy finds in each float tensor of a safetensors file, one JSON object a line.

Usage: weight_statistics.py FILE

All arithmetic is in float64; halves are numpy's own. `peak` is the distance of the farthest value from
the mean in standard deviations. Channels are those of axis 0.
"""

import json
import sys

import numpy as np
from safetensors.numpy import load_file


def tails(values):
    """Peak and excess kurtosis of each row; NaN for constant ones."""
    deviations = values - values.mean(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (deviations**2).mean(axis=1)
        peak = np.abs(deviations).max(axis=1) / np.sqrt(variance)
        return peak, (deviations**4).mean(axis=1) / variance**2 - 3


def statistics(array):
    whole = array.astype(np.float64)
    peak, kurtosis = tails(whole.reshape(1, -1))
    halves = np.abs(array.astype(np.float16).astype(np.float64))
    nonzero = whole != 0
    found = {
        "peak": float(peak[0]),
        "kurtosis": float(kurtosis[0]),
        "deviation": float(whole.std()),
        "vanishing": int((nonzero & (halves == 0)).sum()),
        "subnormal": int(((halves > 0) & (np.abs(whole) < 2.0**-14)).sum()),
        "overflow": int(np.isinf(halves).sum()),
    }
    if array.ndim == 2:
        peaks, kurtoses = tails(whole)
        worst = int(np.nanargmax(peaks))
        found |= {
            "worstChannel": worst,
            "worstPeak": float(peaks[worst]),
            "worstKurtosis": float(kurtoses[worst]),
            "heavyChannels": int(((peaks >= 12) & (kurtoses >= 10)).sum()),
        }
    return found


for name, array in sorted(load_file(sys.argv[1]).items()):
    # A constant tensor has no tails to compare.
    if array.dtype.kind == "f" and array.min() < array.max():
        print(json.dumps({"name": name, **statistics(array)}))
