"""Models of very many features; trees look at few of them.

usage: make_wide_trees.py OUT_DIR FEATURES

Writes model.json (XGBoost), model.txt (LightGBM) and model.onnx.
"""
import sys
from pathlib import Path

import lightgbm as lgb
import numpy as np
import onnx
import scipy.sparse
import xgboost as xgb

out, features = Path(sys.argv[1]), int(sys.argv[2])
random = np.random.default_rng(7)
used = [0, features // 2, features - 1]
x = scipy.sparse.lil_matrix((200, features))
for column in used:
    x[:, column] = random.normal(size=(200, 1))
x = x.tocsr()
y = np.asarray(x[:, used].sum(axis=1)).ravel()

booster = xgb.train({"max_depth": 3, "nthread": 1}, xgb.DMatrix(x, y), 2)
booster.save_model(out / "model.json")
# Features that are constant are left in the file.
gbm = lgb.train({"num_leaves": 7, "num_threads": 1, "verbose": -1, "seed": 7}, lgb.Dataset(x, y), 2)
gbm.save_model(out / "model.txt")

trees = onnx.helper.make_node(
    "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1, nodes_treeids=[0, 0, 0],
    nodes_nodeids=[0, 1, 2], nodes_featureids=[features - 1, 0, 0], nodes_values=[0.5, 0.0, 0.0],
    nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"], nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0],
    target_treeids=[0, 0], target_nodeids=[1, 2], target_ids=[0, 0], target_weights=[1.0, 2.0])
graph = onnx.helper.make_graph(
    [trees], "wide", [onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [None, features])],
    [onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [None, 1])])
model = onnx.helper.make_model(
    graph, opset_imports=[onnx.helper.make_opsetid("", 18), onnx.helper.make_opsetid("ai.onnx.ml", 3)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, out / "model.onnx")
