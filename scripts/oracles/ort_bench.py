"""Proves how fast ONNX Runtime is on the same machine: fp32, two threads, the peer of `scripts/bench`.

usage: ort_bench.py MODEL_DIR SENTENCES.jsonl CACHE_DIR [--threads N] [--repeats N]

Exports the encoder (ids and mask to pooled, normalised embedding) once to CACHE_DIR/encoder.onnx, then times
(a) batches of 32 x 128 tokens and (b) the sentences in length-sorted batches of 32, without and with tokenising.
Prints the best of the repeats as JSON.
"""
import argparse
import json
import time
from pathlib import Path
from typing import Callable

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

BATCH, LENGTH = 32, 128


def export(model: Path, target: Path) -> None:
    """Writes the ONNX file; needs torch and transformers, the timing does not."""
    import torch

    from reference_encoder import ExportableEncoder, ReferenceEncoder
    ids = torch.ones((2, 8), dtype=torch.int64)
    dynamic = {0: "rows", 1: "length"}
    unfinished = target.with_suffix(".unfinished")
    torch.onnx.export(
        ExportableEncoder(ReferenceEncoder(model)).eval(), (ids, torch.ones_like(ids)), str(unfinished), dynamo=False,
        input_names=["ids", "mask"], output_names=["embedding"], opset_version=17,
        dynamic_axes={"ids": dynamic, "mask": dynamic, "embedding": {0: "rows"}})
    unfinished.rename(target)


def open_session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    """A CPU session with that many threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def best(repeats: int, work: Callable[[], object]) -> float:
    """The least seconds of several runs, after one that does not count."""
    work()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def feeds(rows: list[list[int]]) -> list[dict[str, np.ndarray]]:
    """Length-sorted, padded batches."""
    rows, result = sorted(rows, key=len), []
    for start in range(0, len(rows), BATCH):
        part = rows[start:start + BATCH]
        ids = np.zeros((len(part), len(part[-1])), dtype=np.int64)
        mask = np.zeros_like(ids)
        for index, row in enumerate(part):
            ids[index, :len(row)], mask[index, :len(row)] = row, 1
        result.append({"ids": ids, "mask": mask})
    return result


def read_tokenizer(model: Path) -> Tokenizer:
    """tokenizer.json at the encoder's own length."""
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(json.loads((model / "sentence_bert_config.json").read_text())["max_seq_length"])
    return tokenizer


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    network = options.cache / "encoder.onnx"
    if not network.exists():
        export(options.model, network)
    session, tokenizer = open_session(network, options.threads), read_tokenizer(options.model)
    texts = [json.loads(line)["text"] for line in options.sentences.read_text(encoding="utf-8").splitlines()]
    rows = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    batches = feeds(rows)
    run = lambda feed: session.run(["embedding"], feed)
    block = {"ids": np.full((BATCH, LENGTH), 2000, np.int64), "mask": np.ones((BATCH, LENGTH), np.int64)}
    fixed = best(options.repeats, lambda: run(block))
    mixed = best(options.repeats, lambda: [run(feed) for feed in batches])
    whole = best(options.repeats, lambda: [run(feed) for feed in feeds([e.ids for e in tokenizer.encode_batch(texts)])])
    print(json.dumps({
        "batch32x128": {"sentencesPerSecond": BATCH / fixed},
        "mixed": {"sentencesPerSecond": len(rows) / mixed},
        "mixedWithTokenising": {"sentencesPerSecond": len(rows) / whole},
        "meanTokens": sum(map(len, rows)) / len(rows), "longest": max(map(len, rows)), "sentences": len(rows),
        "onnxruntime": onnxruntime.__version__, "threads": options.threads,
    }, sort_keys=True))


if __name__ == "__main__":
    main()
