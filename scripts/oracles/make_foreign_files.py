"""Writes tiny files of kinds that Ingot does not read, each by the library whose kind it is.

    make_foreign_files.py FOLDER

The files lie in Tests/InteropTests/Fixtures/foreign; what no library is there for is written by the
tests themselves from the first bytes of such files.
"""

import pickle
import sys
from pathlib import Path

import joblib
import onnx
import torch
from onnx import TensorProto, helper
from sklearn.linear_model import LogisticRegression


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    state = {"w": torch.zeros(2, 2)}
    torch.save(state, folder / "pytorch_model.bin")
    torch.save(state, folder / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), folder / "script.pt")
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
    node = helper.make_node("Identity", ["x"], ["y"])
    graph = helper.make_graph([node], "g", inputs[:1], inputs[1:])
    onnx.save(helper.make_model(graph, producer_name="ingot"), folder / "model.onnx")
    model = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    joblib.dump(model, folder / "model.joblib")
    joblib.dump(model, folder / "compressed.joblib", compress=3)
    (folder / "model.pkl").write_bytes(pickle.dumps(model))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
