"""Writes small image encoders of random weights and what their library makes of 22 pictures: Tests/InteropTests/Fixtures/image-encoders.

usage: make_image_encoders.py OUT_DIR [--only FAMILY…] [--seed N] [--count N] [--older]

Every module of image_families/ has CASES: name → function that writes a model's folder with the library that such models come from, and
returns what the library makes of the pictures: {"pixels": function of the folder, "images": function of the folder}, and for a model with
a text encoder "ids" and "texts". `image_parts` has these functions for transformers.
  pixels  uint8 [22, 3, height, width]   levels after resize and crop, before they are scaled; planes R, G, B; float32 where the
                                         library resizes what it scaled, in units of a level
  images  float32 [22, width]            vectors
  ids     a list of ids for each of the 200 texts of make_encoders.py
  texts   float32 [200, width]           their vectors
OUT_DIR gets FAMILY.json, a row per case, pictures/ in the order of pictures.json, and shared/, each file once under its digest. Run it with
the packages of .build-oracle-st6.2-tf5 (PYTHONPATH), which scripts/oracle-versions makes: what people save today. Same output on every run.
The other options are those of make_encoders.py.
"""
import io
import json
import tempfile
from pathlib import Path

from encoder_parts import seed, texts
from make_encoders import arguments, main, store

import clip_pictures
import image_parts
import numpy as np


def array(values: np.ndarray) -> bytes:
    """A .npy file."""
    file = io.BytesIO()
    np.save(file, np.ascontiguousarray(values))
    return file.getvalue()


def answers(judge: dict, folder: Path, name: str) -> dict[str, tuple[bytes, str]]:
    """What the library makes of a model's inputs, as files: key of the row → bytes and suffix."""
    found = {"pixels": judge["pixels"](folder), "images": judge["images"](folder)}
    assert found["pixels"].dtype in (np.uint8, np.float32) and len(found["pixels"]) == len(clip_pictures.PICTURES), name
    if "texts" in judge:
        found["texts"] = judge["texts"](folder)
        assert len(found["texts"]) == len(texts()), name
    assert all(np.isfinite(values).all() for values in found.values()), name
    files = {key: (array(values if key == "pixels" else values.astype(np.float32)), ".npy")
             for key, values in found.items()}
    if "ids" in judge:
        files["ids"] = (json.dumps(judge["ids"](folder), separators=(",", ":")).encode(), ".json")
    return files


def row(family: str, name: str, write, shared: Path, number: int = 0) -> dict:
    """Writes a model, asks the library, keeps the files."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        folder.mkdir()
        seed(f"{family} {name}", number)
        judge = write(folder)
        (folder / "README.md").unlink(missing_ok=True)
        files = {str(path.relative_to(folder)): store(path.read_bytes(), path.suffix, shared)
                 for path in sorted(folder.rglob("*")) if path.is_file()}
        kept = {key: store(*file, shared) for key, file in answers(judge, folder, name).items()}
        return {"name": name, "files": files, **kept}


def forget(out: Path) -> None:
    """Takes out of shared/ what no row names any more."""
    rows = [row for path in out.glob("*.json") if path.stem != "pictures" for row in json.loads(path.read_text(encoding="utf-8"))]
    named = {name for row in rows for name in [*row["files"].values(), *(row[key] for key in row if key not in ("name", "files"))]}
    for path in (out / "shared").iterdir():
        if path.name not in named:
            path.unlink()


if __name__ == "__main__":
    options = arguments(__doc__)
    (options.out / "pictures").mkdir(parents=True, exist_ok=True)
    image_parts.write_pictures(options.out / "pictures")
    (options.out / "pictures.json").write_text(json.dumps(list(clip_pictures.PICTURES), indent=1) + "\n")
    main(options, "image_families", row, forget)
