"""Saves texts and what sentence-transformers makes of them: python sentences.py MODEL TEXTS.txt"""
import json, sys
import numpy as np
from sentence_transformers import SentenceTransformer

texts = [line.rstrip("\n") for line in open(sys.argv[2], encoding="utf-8")]
model = SentenceTransformer(sys.argv[1], device="cpu").float()
np.save("vectors.npy", model.encode(texts, batch_size=1))
with open("inputs.jsonl", "w", encoding="utf-8") as file:
    file.writelines(json.dumps({"text": text}) + "\n" for text in texts)
