"""Lets coremltools start without the libraries that it converts models from.

coremltools imports each of them where it is installed, which takes most of its start; import this before coremltools
in a script that neither converts nor compresses (kmeans is scikit-learn's). What a script has imported stays.
"""
import sys

for library in ("sklearn", "torch", "torchvision", "transformers", "xgboost"):
    # An import of None fails, and coremltools takes the library for one that is not installed.
    sys.modules.setdefault(library, None)
