"""Writes the table of small text encoders and their embeddings: Tests/InteropTests/Fixtures/text-models.

usage: make_text_models.py OUT_DIR [--work DIR] [--only NAME…] [--collect]

Every folder is written by save() of the version of sentence-transformers that the case names, then changed as the case says, then embedded by
ST 6.2 with transformers 4.57 (the judge), by ST 6.2 with transformers 5, and by its writer. Needs what scripts/oracle-versions makes.
OUT_DIR gets cases.json, texts.json, shared/ (files over 400 bytes and vectors, each once) and for each case a folder of its other files.
Same output on every run.
"""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from text_model_cases import cases
from text_model_parts import edit, embed, read_texts, rename_tensors, smallest_cosine, texts, write_encoder, write_model, write_shards

ROOT = Path(__file__).resolve().parents[2]
JUDGE, OTHER = "st6.2", "st6.2-tf5"
ENOUGH = 0.999999


def write(case: dict, work: Path) -> None:
    """One model folder."""
    folder, encoder = work / "models" / case["name"], work / "encoders" / case["name"]
    if case.get("bare"):
        write_encoder(folder, **case.get("encoder", {}))
    else:
        write_model(folder, encoder, case)
    if case.get("bare_encoder"):  # the head is dropped by save(), so the encoder's own files go over it
        for name in ["model.safetensors", "config.json"]:
            shutil.copy(encoder / name, folder / name)
    if case.get("vocabulary_only"):
        from text_model_parts import vocabulary
        (folder / "tokenizer.json").unlink()
        pieces = vocabulary(case.get("encoder", {}).get("cased", True))
        (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    elif not case.get("bare"):
        (folder / "vocab.txt").unlink(missing_ok=True)
    (folder / "README.md").unlink(missing_ok=True)
    steady(folder)
    if case.get("subfolder"):
        into_subfolder(folder)
    edit(folder, case.get("edits", {}))
    if "tensors" in case:
        rename_tensors(folder / "model.safetensors", **case["tensors"])
    if "shards" in case:
        write_shards(folder, **case["shards"])


def steady(folder: Path) -> None:
    """Takes out the path of the work folder, which differs from run to run."""
    for path in folder.glob("*.json"):
        whole = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(whole, dict) and {"name_or_path", "_name_or_path"} & set(whole):
            for key in ["name_or_path", "_name_or_path"]:
                whole.pop(key, None)
            path.write_text(json.dumps(whole, indent=2, ensure_ascii=False), encoding="utf-8")


def into_subfolder(folder: Path) -> None:
    """The layout of the first versions: the Transformer in a folder of its own."""
    inner = folder / "0_Transformer"
    inner.mkdir()
    for path in list(folder.iterdir()):
        if path.is_file() and path.name not in ("modules.json", "config_sentence_transformers.json"):
            path.rename(inner / path.name)
    edit(folder, {"modules.json": {"0.path": "0_Transformer"}})


def work_on(step: str, work: Path, names: list[str]) -> None:
    """What a subprocess in one environment does for its cases."""
    rows = {case["name"]: case for case in cases()}
    inputs = read_texts(work / "texts.json")
    environment = os.environ["TEXT_MODEL_ENVIRONMENT"]
    for name in names:
        if step == "write":
            try:
                write(rows[name], work)
            except Exception as error:
                sys.exit(f"{name}: {type(error).__name__}: {error}")
            continue
        out = work / "vectors" / environment
        out.mkdir(parents=True, exist_ok=True)
        try:
            np.save(out / f"{name}.npy", embed(work / "models" / name, inputs))
            if environment == JUDGE:
                np.save(out / f"{name}.batch.npy", embed(work / "models" / name, inputs, batch=32))
        except Exception as error:  # the library refuses in many ways
            said = f"{type(error).__name__}: {error}".replace(str(work), "")
            (out / f"{name}.txt").write_text(said[:300], encoding="utf-8")


def run(environment: str, step: str, work: Path, names: list[str]) -> None:
    """One step for many cases in one environment."""
    if not names:
        return
    variables = {**os.environ, "PYTHONPATH": str(ROOT / f".build-oracle-{environment}"), "TEXT_MODEL_ENVIRONMENT": environment,
                 "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--step", step, "--work", str(work), "--only", *names]
    done = subprocess.run(command, env=variables, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{environment}: {done.stderr[-2000:]}")


def collect(case: dict, work: Path, out: Path) -> dict:
    """Copies a case to the fixtures and says how the versions agree on it."""
    name, folder, vectors = case["name"], work / "models" / case["name"], work / "vectors"
    row = {key: case[key] for key in ("name", "writer", "expect", "file", "key", "links") if key in case}
    row["files"] = store(folder, out / name, out / "shared")
    judged = vectors / JUDGE / f"{name}.npy"
    if case["expect"] != "refused" and not judged.exists():
        raise SystemExit(f"{name}: the judge refuses: {(vectors / JUDGE / (name + '.txt')).read_text()}")
    row["judge"] = opinion(judged, judged)
    if judged.exists():
        right = np.load(judged)
        row["width"] = int(right.shape[-1])
        row["batch32"] = round(smallest_cosine(right, np.load(vectors / JUDGE / f"{name}.batch.npy")), 6)
        if case["expect"] != "refused":
            row["vectors"] = hashlib.sha256(right.tobytes()).hexdigest()[:16] + ".npy"
            np.save(out / "shared" / row["vectors"], right)
    row["others"] = {place: opinion(vectors / place / f"{name}.npy", judged) for place in sorted({OTHER, case["writer"]} - {JUDGE})}
    return row


def opinion(path: Path, judged: Path) -> str | float:
    """What one version makes of a case: the smallest cosine to the judge's vectors, or its error."""
    if not path.exists():
        return path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")[0][:120]
    if not judged.exists():
        return "embeds"
    one, other = np.load(path), np.load(judged)
    return f"width {one.shape[-1]}" if one.shape != other.shape else round(smallest_cosine(one, other), 6)


def store(folder: Path, place: Path, shared: Path) -> dict:
    """Small files into the case's folder, large ones into the shared one; the latter by their path in the model."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name, data = path.relative_to(folder).as_posix(), path.read_bytes()
        if name.endswith("tokenizer.json"):
            data = json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":")).encode()
        if len(data) > 400 or name.endswith(".safetensors"):
            target = shared / f"{hashlib.sha256(data).hexdigest()[:16]}{path.suffix}"
            found[name] = target.name
        else:
            target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return found


def make(rows: list[dict], work: Path) -> None:
    """Writes and embeds."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "texts.json").write_text(json.dumps(texts(), indent=0, ensure_ascii=True), encoding="utf-8")
    writers = sorted({case["writer"] for case in rows})
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(lambda place: run(place, "write", work, [case["name"] for case in rows if case["writer"] == place]), writers))
        list(pool.map(lambda place: run(place, "embed", work, [
            case["name"] for case in rows if place in (JUDGE, OTHER, case["writer"])]), sorted({JUDGE, OTHER, *writers}, reverse=True)))


def main(out: Path, work: Path, only: list[str], again: bool) -> None:
    """Writes, embeds and collects."""
    rows = [case for case in cases() if not only or case["name"] in only]
    assert len({case["name"] for case in rows}) == len(rows), "two cases of one name"
    if not again:
        make(rows, work)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        if old.is_dir():
            shutil.rmtree(old)
    table = [collect(case, work, out) for case in rows]
    (out / "cases.json").write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    shutil.copy(work / "texts.json", out / "texts.json")
    for row in table:
        print(row["name"], row["expect"], row["judge"], row.get("batch32"), row["others"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--work", type=Path, default=ROOT / ".build-text-models")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--collect", action="store_true", help="take the folders and vectors that the work folder has")
    parser.add_argument("--step", choices=["write", "embed"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        work_on(arguments.step, arguments.work, arguments.only)
    elif arguments.out:
        main(arguments.out, arguments.work.resolve(), arguments.only, arguments.collect)
    else:
        parser.error("OUT_DIR is missing")
