"""Saves inputs and what scikit-learn makes of them: python probabilities.py MODEL.joblib X.npy [--both, for "columns": 2]"""
import json, sys
import joblib, numpy as np

model, X = joblib.load(sys.argv[1]), np.load(sys.argv[2])
rows = model.predict_proba(X)
np.save("vectors.npy", rows[:, 1:] if rows.shape[1] == 2 and "--both" not in sys.argv else rows)
with open("inputs.jsonl", "w", encoding="utf-8") as file:
    file.writelines(json.dumps({"values": [v if v == v else None for v in row]}) + "\n" for row in X.astype(float).tolist())
