"""Makes the broken fallback: a CLIP whose text encoder went to 4 bits over ranges that an outlier or an infinity destroyed.

usage: break_clip.py MODEL_DIR OUT_DIR outlier|infinity

MODEL_DIR is a model of make_clip.py. Every matrix of its text encoder goes to 16 levels in even steps from the least to
the greatest value, and back to F32: what a tool wrote that had failed at k-means, without complaint. Writes
  OUT_DIR/baseline   `outlier` only: MODEL_DIR with one number of its token table at 1000, in the row of a token that
                     no text of inputs.jsonl has: it computes the same; rare tokens of trained models have such rows
  OUT_DIR/candidate  `outlier`: the baseline with a range per matrix; the table's is that number's, and all others of
                     the table fall together; `infinity`: MODEL_DIR with one range for all, the causal mask of -inf in
                     it as fp16's least number, and every matrix falls together
  OUT_DIR/pairs.jsonl, images/…   each picture with its own phrases (the best of several counts) and with a foreign one,
                     where they are clearly above and clearly below the threshold in the baseline
Prints baseline, candidate and references as paths, the threshold, the tensor that the outlier is in (null for
`infinity`), and how many pairs are above and below, as JSON.
"""
import json
import shutil
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

import clip_pictures

LEVELS, OUTLIER, LEAST = 16, np.float32(1000), np.float32(-65504)
WEIGHTS = ("model.safetensors", "open_clip_model.safetensors")
BESIDE = ("images", "inputs.jsonl", "pairs.jsonl", "expected.npz", *WEIGHTS)
MARGIN = 0.1


def copy(source: Path, target: Path, tensors: dict[str, np.ndarray]) -> None:
    """The model of `source` with other weights."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=lambda folder, names: [name for name in names if name in BESIDE])
    name = next(name for name in WEIGHTS if (source / name).exists())
    save_file({key: np.ascontiguousarray(value) for key, value in tensors.items()}, target / name,
              metadata={"format": "pt"})


def text_matrices(tensors: dict[str, np.ndarray]) -> list[str]:
    """The names of the text encoder's matrices, the mask too, in either layout."""
    image = ("visual.", "vision_model.", "visual_projection.")
    return sorted(name for name, value in tensors.items()
                  if value.ndim > 1 and value.dtype == np.float32 and not name.startswith(image))


def with_outlier(tensors: dict[str, np.ndarray], used: np.ndarray) -> tuple[dict[str, np.ndarray], str]:
    """The same model but for one number of a token that no text has; and the name of the matrix it is in."""
    name = next(name for name in tensors if name.endswith("token_embedding.weight"))
    table = tensors[name].copy()
    unused = np.setdiff1d(np.arange(len(table)), used)
    table[unused[-1], table.shape[1] // 3] = OUTLIER
    return {**tensors, name: table}, name


def uniform(value: np.ndarray, least: np.float32, greatest: np.float32) -> np.ndarray:
    """Every number at the nearest of 16 levels in even steps."""
    step = (greatest - least) / (LEVELS - 1)
    return (np.rint((np.maximum(value, least) - least) / step) * step + least).astype(np.float32)


def broken(tensors: dict[str, np.ndarray], together: bool) -> dict[str, np.ndarray]:
    """The text encoder's matrices at 16 levels each; the range is each one's, or that of all together."""
    names = text_matrices(tensors)
    ranges = {name: (np.maximum(tensors[name].min(), LEAST), tensors[name].max()) for name in names}
    if together:
        # A mask that the checkpoint does not have is made by the converter, and was in the range too.
        both = LEAST, max(greatest for _, greatest in ranges.values())
        ranges = dict.fromkeys(names, both)
    return {**tensors, **{name: uniform(tensors[name], *ranges[name]) for name in names}}


def references(source: Path, folder: Path) -> dict:
    """pairs.jsonl and images: own phrases and a foreign one per picture, on their sides of a threshold."""
    names, expected = list(clip_pictures.PICTURES), np.load(source / "expected.npz")
    texts = clip_pictures.texts()
    similarity = expected["image_embedding"] @ expected["text_embedding"].T
    phrases = [entry[4] for entry in clip_pictures.PICTURES.values()]
    own = [[place for place, text in enumerate(texts) if phrase in text] for phrase in phrases]
    best = np.array([similarity[image, places].max() for image, places in enumerate(own)])
    threshold = round(float(np.quantile(best, 0.15)) - MARGIN, 2)
    lines, above, below = [], 0, 0
    for image, places in enumerate(own):
        picture = {"image": f"images/{names[image]}"}
        if best[image] >= threshold + MARGIN:
            side = [{"text": texts[place]} for place in places]
            lines.append({"a": picture, "b": {"anyOf": side} if len(side) > 1 else side[0]})
            above += 1
        foreign = [other for other in range(len(names)) if similarity[image, other] <= threshold - MARGIN]
        if foreign:
            lines.append({"a": picture, "b": {"text": phrases[foreign[image % len(foreign)]]}})
            below += 1
    (folder / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    shutil.copytree(source / "images", folder / "images", dirs_exist_ok=True)
    return {"references": str(folder / "pairs.jsonl"), "threshold": threshold, "above": above, "below": below}


def main(source: Path, folder: Path, how: str) -> dict:
    """Writes everything."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = load_file(next(source / name for name in WEIGHTS if (source / name).exists()))
    baseline, tensor = source, None
    if how == "outlier":
        used = np.load(source / "expected.npz")["input_ids"]
        (tensors, tensor), baseline = with_outlier(tensors, used), folder / "baseline"
        copy(source, baseline, tensors)
    copy(source, folder / "candidate", broken(tensors, together=how == "infinity"))
    return {"baseline": str(baseline), "candidate": str(folder / "candidate"), "tensor": tensor,
            **references(source, folder)}


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in ("outlier", "infinity"):
        sys.exit(__doc__)
    print(json.dumps(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])))
