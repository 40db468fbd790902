"""Models of tables that libraries trained, with their own numbers, in one folder for each library.

usage: make_all.py OUT
"""
import pathlib
import subprocess
import sys
import tempfile

LIBRARIES = ("catboost", "lightgbm", "onnx", "sklearn", "xgboost")

here = pathlib.Path(__file__).parent.resolve()
out = pathlib.Path(sys.argv[1]).resolve()
for name in LIBRARIES:
    (out / name).mkdir(parents=True, exist_ok=True)
    # CatBoost writes files of its own where it runs.
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, here / f"make_{name}.py", out / name], check=True, cwd=folder)
