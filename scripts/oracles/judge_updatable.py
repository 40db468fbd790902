"""Compares linear models that devices train further with what coremltools' builder makes of the same numbers.

usage: judge_updatable.py MODEL [MODEL ...]

Each MODEL is a pipeline whose last step is a network of one inner product. The network is built again by coremltools'
NeuralNetworkBuilder, and every field of both messages is compared; so is what the pipeline says of training. Fails at
the first difference. Prints a JSON list: per model its kind and the names of what training takes.
"""
import json
import logging
import sys

import numpy as np

logging.disable(logging.WARNING)
import coremltools_alone  # noqa: E402, F401
import coremltools as ct  # noqa: E402
from coremltools.models import datatypes  # noqa: E402
from coremltools.models.neural_network import NeuralNetworkBuilder, SgdParams  # noqa: E402
from coremltools.models.utils import load_spec  # noqa: E402


def built_again(spec):
    """The network as coremltools makes it."""
    kind = spec.WhichOneof("Type")
    network, source = getattr(spec, kind), spec.description.input[0]
    layer = network.layers[0].innerProduct
    width, count = layer.inputChannels, layer.outputChannels
    output = network.layers[-1].output[0]
    classifies = kind == "neuralNetworkClassifier"
    builder = NeuralNetworkBuilder([(source.name, datatypes.Array(width))], [(output, datatypes.Array(count))],
                                   mode="classifier" if classifies else None)
    weights = np.array(layer.weights.floatValue, np.float32).reshape(count, width)
    builder.add_inner_product("linear", weights, np.array(layer.bias.floatValue, np.float32), width, count, True,
                              source.name, "sums" if classifies else output)
    if classifies:
        builder.add_softmax("softmax", "sums", output)
        labels = list(getattr(network, network.WhichOneof("ClassLabels")).vector)
        builder.set_class_labels(labels, spec.description.predictedFeatureName, output)
    builder.make_updatable(["linear"])
    if classifies:
        builder.set_categorical_cross_entropy_loss("loss", output)
    else:
        builder.set_mean_squared_error_loss("loss", (output, datatypes.Array(count)))
    descent = SgdParams(lr=0.01, batch=8, momentum=0)
    descent.set_lr(0.01, 0, 1)
    descent.set_batch(8, allowed_set=[1, 2, 4, 8, 16, 32, 64])
    descent.set_momentum(0, 0, 1)
    builder.set_sgd_optimizer(descent)
    builder.set_epochs(10, allowed_set=[1, 2, 5, 10, 20, 50, 100])
    builder.set_shuffle(seed=1)
    return builder.spec


def judge(path: str) -> dict:
    spec = load_spec(path)
    ct.models.MLModel(path, skip_model_load=True)
    kind = spec.WhichOneof("Type")
    steps = spec.pipeline.models if kind == "pipeline" else spec.pipelineClassifier.pipeline.models
    again = built_again(steps[-1])
    assert again == steps[-1], f"coremltools makes\n{again}\nthe file has\n{steps[-1]}"
    assert spec.isUpdatable and spec.specificationVersion == 4
    assert [step.isUpdatable for step in steps] == [False] * (len(steps) - 1) + [True]
    training = spec.description.trainingInput
    inputs = [(f.name, f.type) for f in spec.description.input]
    assert [(f.name, f.type) for f in training[:-1]] == inputs
    assert training[-1] == steps[-1].description.trainingInput[-1]
    return {"kind": kind, "training": [f.name for f in training]}


if __name__ == "__main__":
    # The builder tells of each loss.
    out, sys.stdout = sys.stdout, sys.stderr
    facts = [judge(path) for path in sys.argv[1:]]
    print(json.dumps(facts), file=out)
