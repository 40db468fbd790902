"""Does in coremltools what `ingot compress MODEL --format mlpackage` does with INT8, in as little as that takes.

usage: package_bench.py MODEL_DIR OUT.mlpackage [LENGTH]

Loads the encoder, traces it at one length, converts it to an fp16 ML program, quantises the weights (INT8, linear,
symmetric, per channel) and saves the package. Nothing is imported, printed or checked that this does not need;
time and peak memory are the whole process's, measured from outside (measure.py). Prints the package's bytes as JSON.
"""
import json
import logging
import os
import shutil
import sys
import warnings
from pathlib import Path

os.environ["TQDM_DISABLE"] = "1"
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import coremltools as ct
import coremltools.optimize.coreml as cto
import numpy as np
import torch
from transformers import BertModel

LENGTH = 256


class Encoder(torch.nn.Module):
    """The encoder, the mean over the mask's tokens, length one."""

    def __init__(self, folder: str):
        super().__init__()
        self.bert = BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="sdpa").eval()

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """[1, length] ids and mask to [1, hidden]."""
        weights = mask.unsqueeze(-1).float()
        states = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        return torch.nn.functional.normalize((states * weights).sum(dim=1) / weights.sum(dim=1), dim=-1)


def main(model: str, target: Path, length: int) -> None:
    """Makes the package."""
    ones = torch.ones((1, length), dtype=torch.int32)
    with torch.inference_mode():
        traced = torch.jit.trace(Encoder(model), (ones, ones), check_trace=False)
    inputs = [ct.TensorType(name=name, shape=(1, length), dtype=np.int32) for name in ("input_ids", "attention_mask")]
    program = ct.convert(traced, inputs=inputs, outputs=[ct.TensorType(name="embedding")], convert_to="mlprogram",
                         minimum_deployment_target=ct.target.iOS16, skip_model_load=True)
    config = cto.OpLinearQuantizerConfig(mode="linear_symmetric", dtype="int8", granularity="per_channel")
    result = cto.linear_quantize_weights(program, cto.OptimizationConfig(global_config=config))
    shutil.rmtree(target, ignore_errors=True)
    result.save(str(target))
    print(json.dumps({"bytes": sum(file.stat().st_size for file in target.rglob("*") if file.is_file())}))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) == 4 else LENGTH)
