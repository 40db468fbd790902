"""Runs an `ingot` on the table of small text encoders; the same as InteropTests/TextModelTableTests, without a build of the tests.

usage: judge_text_models.py INGOT [NAME…]

Prints every case that is not as cases.json says, and a tally. Exit status 1 if there is one.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from text_model_parts import read_texts, smallest_cosine

TABLE = Path(__file__).resolve().parents[2] / "Tests/InteropTests/Fixtures/text-models"


def assemble(row: dict, folder: Path) -> None:
    """The model's folder."""
    if (TABLE / row["name"]).exists():
        shutil.copytree(TABLE / row["name"], folder)
    for name, shared in row["files"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if row.get("links"):
            (folder / name).symlink_to(TABLE / "shared" / shared)
        else:
            shutil.copy(TABLE / "shared" / shared, folder / name)


def names(said: str, row: dict) -> bool:
    """Whether a message names the file and the key of a case, the key as such and not in a value that it shows."""
    file, key = row.get("file"), row.get("key")
    by_file = not file or f"MODEL/{file}:" in said or f"'{file}'" in said
    return by_file and (not key or f"'{key}'" in said or f"{key} '" in said)


def verdict(row: dict, ingot: str, work: Path) -> str:
    """`as expected`, or what is wrong."""
    folder, output = work / row["name"], work / "out.npy"
    assemble(row, folder)
    output.unlink(missing_ok=True)
    command = [ingot, "embed", str(folder), "--inputs", str(work / "inputs.jsonl"), "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    said = done.stderr.strip().replace(str(folder), "MODEL")
    if done.returncode not in (0, 1):
        return f"CRASHED with {done.returncode}: {said[-300:]}"
    if done.returncode == 1:
        right = row["expect"] == "refused" and names(said, row)
        return "as expected" if right else f"refused ({row['expect']}, {row.get('file')}, {row.get('key')}): {said[:300]}"
    if row["expect"] == "refused":
        return f"ran; has to be refused and name {row.get('file')}, {row.get('key')}"
    cosine = smallest_cosine(np.load(output), np.load(TABLE / "shared" / row["vectors"]))
    return "as expected" if cosine >= 0.999999 else f"DISAGREES: {cosine:.7f}"


def main(ingot: str, only: list[str]) -> int:
    """Runs the table."""
    rows = [row for row in json.loads((TABLE / "cases.json").read_text(encoding="utf-8")) if not only or row["name"] in only]
    tally = Counter()
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        lines = [json.dumps({"text": text}) + "\n" for text in read_texts(TABLE / "texts.json")]
        (work / "inputs.jsonl").write_text("".join(lines), encoding="utf-8")
        for row in rows:
            found = verdict(row, ingot, work)
            tally[found.split(":")[0].split(" (")[0].split(";")[0]] += 1
            if found != "as expected":
                print(f"{row['name']}: {found}")
    print(dict(tally))
    return 0 if rows and tally["as expected"] == len(rows) else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
