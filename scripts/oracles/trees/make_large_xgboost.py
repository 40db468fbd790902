"""Writes a large model of XGBoost, by repeating the trees of a small one, to measure how it is read.

usage: make_large_xgboost.py OUT.json MEGABYTES [DEPTH]
"""
import re
import sys

import numpy as np
import xgboost as xgb

out, size, depth = sys.argv[1], int(sys.argv[2]) * 1_000_000, int(sys.argv[3]) if len(sys.argv) > 3 else 8
random = np.random.default_rng(1)
x = random.normal(size=(4000, 20))
y = x[:, 0] * x[:, 1] + x[:, 2] + random.normal(size=4000) / 2
small = xgb.train({"max_depth": depth, "min_child_weight": 0, "nthread": 1}, xgb.DMatrix(x, y), 40)

# XGBoost writes keys in order and no space; so does this.
text = bytes(small.save_raw("json")).decode()
start, end = text.index('"trees":[') + 9, text.index(']},"name":"gbtree"')
trees = ['{"base_weights"' + tree.rstrip(",") for tree in text[start:end].split('{"base_weights"')[1:]]
count = size * len(trees) // (end - start)
head = text[:start].replace(f'"num_trees":"{len(trees)}"', f'"num_trees":"{count}"')
head = re.sub(r'"iteration_indptr":\[[^\]]*\]', '"iteration_indptr":' + str(list(range(count + 1))).replace(" ", ""), head)
head = re.sub(r'"tree_info":\[[^\]]*\]', '"tree_info":' + str([0] * count).replace(" ", ""), head)
with open(out, "w") as file:
    file.write(head)
    for number in range(count):
        tree = re.sub(r'"id":\d+', f'"id":{number}', trees[number % len(trees)], count=1)
        file.write("," * (number > 0) + tree)
    file.write(text[end:])
print(f"{count} trees")
