"""Writes small text encoders of random weights and what their library makes of 200 texts: Tests/InteropTests/Fixtures/encoders.

usage: make_encoders.py OUT_DIR [--only FAMILY…]

Every module of encoder_families/ has CASES: name → function that writes a model's folder with the library that such models come from.
OUT_DIR gets FAMILY.json, a row per case, and shared/, each file once under its digest. Run it with the packages of
.build-oracle-st6.2-tf5 (PYTHONPATH), which scripts/oracle-versions makes: what people save today. Same output on every run.
"""
import argparse
import hashlib
import importlib
import json
import shutil
import tempfile
from pathlib import Path

from encoder_parts import judge_ids, judge_vectors, seed, texts

import numpy as np

FAMILIES = Path(__file__).parent / "encoder_families"


def store(bytes_: bytes, suffix: str, shared: Path) -> str:
    """Puts bytes into shared/ once; its name there."""
    name = hashlib.sha256(bytes_).hexdigest()[:16] + suffix
    (shared / name).write_bytes(bytes_)
    return name


def row(family: str, name: str, write, shared: Path) -> dict:
    """Writes a model, asks the library, keeps the files."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        folder.mkdir()
        seed(f"{family} {name}")
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


def forget(out: Path) -> None:
    """Takes out of shared/ what no row names any more."""
    rows = [row for path in out.glob("*.json") for row in json.loads(path.read_text(encoding="utf-8"))]
    named = {name for row in rows for name in [*row["files"].values(), row["ids"], row["vectors"]]}
    for path in (out / "shared").iterdir():
        if path.name not in named:
            path.unlink()


def main(out: Path, only: list[str]) -> None:
    """Every family, or those that are named."""
    (out / "shared").mkdir(parents=True, exist_ok=True)
    families = only or sorted(path.stem for path in FAMILIES.glob("*.py") if not path.stem.startswith("_"))
    for family in families:
        cases = importlib.import_module(f"encoder_families.{family}").CASES
        rows = [row(family, name, write, out / "shared") for name, write in cases.items()]
        (out / f"{family}.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{family}: {len(rows)} cases")
    forget(out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    main(arguments.out, arguments.only)
