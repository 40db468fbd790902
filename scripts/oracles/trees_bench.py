"""The peers of scripts/bench-trees.

usage: trees_bench.py make OUT ROWS    trains what is measured
       trees_bench.py run OUT          seconds of ONNX Runtime on two threads, best of three
"""
import json
import pathlib
import pickle
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "trees"))


def make(out: pathlib.Path, rows: int) -> None:
    import snippets
    import xgboost
    from onnxmltools import convert_xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType
    from sklearn.ensemble import RandomForestClassifier

    rng = np.random.default_rng(0)
    x = rng.normal(size=(20000, 20)).astype(np.float32)
    y = x[:, 0] * x[:, 1] + np.sin(3 * x[:, 2]) + 0.1 * x[:, 3:].sum(axis=1) + rng.normal(size=len(x))
    booster = xgboost.train(
        {"max_depth": 8, "eta": 0.05, "nthread": 2, "min_child_weight": 0, "lambda": 0.1},
        xgboost.DMatrix(x, y), 1000)
    booster.save_model(out / "model.json")
    onnx = convert_xgboost(booster, initial_types=[("x", FloatTensorType([None, 20]))])
    (out / "model.onnx").write_bytes(onnx.SerializeToString())
    np.save(out / "rows.npy", rng.normal(size=(rows, 20)).astype(np.float32))
    np.load(out / "rows.npy").astype("<f8").tofile(out / "rows.f64")
    np.zeros(1000).tofile(out / "one.f64")

    labels = (y > np.median(y)).astype(int)
    forest = RandomForestClassifier(500, max_depth=12, n_jobs=2, random_state=0).fit(x, labels)
    (out / "forest.pickle").write_bytes(pickle.dumps(forest))
    (out / "forest").mkdir(exist_ok=True)
    snippets.save("Trees and forests", forest, [f"x{n}" for n in range(20)], out / "forest")
    with open(out / "forest.jsonl", "w") as file:
        for row in rng.normal(size=(1000, 20)).astype(np.float32):
            file.write(json.dumps({"input": {"values": [float(value) for value in row]}}) + "\n")


def run(out: pathlib.Path) -> None:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(str(out / "model.onnx"), options, providers=["CPUExecutionProvider"])
    rows = np.load(out / "rows.npy")
    session.run(None, {"x": rows[:1000]})
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        session.run(None, {"x": rows})
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"rows": len(rows), "seconds": min(seconds)}))


folder = pathlib.Path(sys.argv[2])
make(folder, int(sys.argv[3])) if sys.argv[1] == "make" else run(folder)
