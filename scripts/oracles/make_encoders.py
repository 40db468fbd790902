"""Writes small text encoders of random weights and what their library makes of 200 texts: Tests/InteropTests/Fixtures/encoders.

usage: make_encoders.py OUT_DIR [--only FAMILY…] [--seed N] [--count N] [--older]

Every module of encoder_families/ has CASES: name → function that writes a model's folder with the library that such models come from.
OUT_DIR gets FAMILY.json, a row per case, and shared/, each file once under its digest. Run it with the packages of
.build-oracle-st6.2-tf5 (PYTHONPATH), which scripts/oracle-versions makes: what people save today. Same output on every run.
--seed gives other weights, --count so many cases of each family, drawn by the seed. --older passes over cases that need a newer library.
"""
import argparse
import hashlib
import importlib
import json
import random
import tempfile
from pathlib import Path

from encoder_parts import judge_ids, judge_vectors, seed, texts

import numpy as np


def store(bytes_: bytes, suffix: str, shared: Path) -> str:
    """Puts bytes into shared/ once; its name there."""
    name = hashlib.sha256(bytes_).hexdigest()[:16] + suffix
    (shared / name).write_bytes(bytes_)
    return name


def row(family: str, name: str, write, shared: Path, number: int = 0) -> dict:
    """Writes a model, asks the library, keeps the files."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        folder.mkdir()
        seed(f"{family} {name}", number)
        judge = write(folder) or {}
        (folder / "README.md").unlink(missing_ok=True)
        ids = judge.get("ids", judge_ids)(folder)
        vectors = judge.get("vectors", judge_vectors)(folder)
        assert vectors.shape[0] == len(texts()) and np.isfinite(vectors).all(), name
        files = {str(path.relative_to(folder)): store(path.read_bytes(), path.suffix, shared)
                 for path in sorted(folder.rglob("*")) if path.is_file()}
        ids_name = store(json.dumps(ids, separators=(",", ":")).encode(), ".json", shared)
        target = Path(place) / "vectors.npy"
        np.save(target, vectors.astype(np.float32))
        return {"name": name, "files": files, "ids": ids_name, "vectors": store(target.read_bytes(), ".npy", shared)}


def rows(family: str, row, cases: dict, options, shared: Path) -> list[dict]:
    """Rows of a family's cases, or of some that the seed draws; those that an older library cannot write are named."""
    names, found = list(cases), []
    if options.count:
        random.Random(f"{options.seed} {family}").shuffle(names)
    for name in names:
        try:
            found.append(row(family, name, cases[name], shared, options.seed))
        except (AttributeError, ImportError, IndexError, KeyError, TypeError) as error:
            if not options.older:
                raise
            print(f"{family}: {name} is not for this version: {type(error).__name__}: {error}")
        if options.count and len(found) == options.count:
            break
    print(f"{family}: {len(found)} cases")
    return found


def forget(out: Path) -> None:
    """Takes out of shared/ what no row names any more."""
    rows = [row for path in out.glob("*.json") for row in json.loads(path.read_text(encoding="utf-8"))]
    named = {name for row in rows for name in [*row["files"].values(), row["ids"], row["vectors"]]}
    for path in (out / "shared").iterdir():
        if path.name not in named:
            path.unlink()


def main(options, package: str, row, forget) -> None:
    """Every family of a package of families, or those that are named."""
    (options.out / "shared").mkdir(parents=True, exist_ok=True)
    folder = Path(__file__).parent / package
    for family in options.only or sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")):
        cases = importlib.import_module(f"{package}.{family}").CASES
        found = rows(family, row, cases, options, options.out / "shared")
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        (options.out / f"{family}.json").write_text(text, encoding="utf-8")
    forget(options.out)


def arguments(description: str) -> argparse.Namespace:
    """What both makers are told."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--older", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main(arguments(__doc__), "encoder_families", row, forget)
