"""Runs classic Core ML models of tables in numpy, off a Mac, as Apple's text describes each kind.

usage: run_tabular_coreml.py MODEL ROWS OUT [MODEL ROWS OUT ...]

MODEL is a .mlmodel: trees, linear models, scalers, imputers, encoders, vectorizers, normalizers, and pipelines of these.
ROWS is raw little-endian doubles, a row after another, numbers of all inputs in the order of the description (NaN where
one is missing), or with the ending .json a list of objects {input: value}. OUT gets raw doubles, a row after another: of
a classifier the place of the label and the score of each label, of others the numbers of all outputs in order.
Every MODEL is loaded as coremltools' MLModel too. Prints a JSON list: per model its kind, version and outputs.
"""
import json
import logging
import math
import sys

import numpy as np

logging.disable(logging.WARNING)
import coremltools_alone  # noqa: E402, F401
import coremltools as ct  # noqa: E402
from coremltools.models.utils import load_spec  # noqa: E402


def row_of(spec, values: dict) -> np.ndarray:
    """Numbers of all inputs, in the order of the description."""
    return np.concatenate([np.atleast_1d(np.asarray(values[f.name], np.float64)) for f in spec.description.input])


COMPARE = [np.less_equal, np.less, np.greater_equal, np.greater, np.equal, np.not_equal]


def tree_scores(params, transform: int, row: np.ndarray) -> np.ndarray:
    nodes, roots = {}, {}
    for node in params.nodes:
        nodes[node.treeId, node.nodeId] = node
        roots.setdefault(node.treeId, set()).add(node.nodeId)
    for node in params.nodes:
        if node.nodeBehavior != 6:
            roots[node.treeId] -= {node.trueChildNodeId, node.falseChildNodeId}
    sums = np.array(list(params.basePredictionValue) or [0.0] * params.numPredictionDimensions)
    for tree, (root,) in roots.items():
        node = nodes[tree, root]
        while node.nodeBehavior != 6:
            value = row[node.branchFeatureIndex]
            holds = (node.missingValueTracksTrueChild if math.isnan(value)
                     else COMPARE[node.nodeBehavior](value, node.branchFeatureValue))
            node = nodes[tree, node.trueChildNodeId if holds else node.falseChildNodeId]
        for info in node.evaluationInfo:
            sums[info.evaluationIndex] += info.evaluationValue
    if transform == 1:
        sums = np.exp(sums - sums.max())
        return sums / sums.sum()
    assert transform in (0, 2), f"transform {transform}"
    return 1 / (1 + np.exp(-sums)) if transform == 2 else sums


def logit(value):
    return 1 / (1 + np.exp(-value))


def probit(value):
    return np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2)(value)


def linear_scores(model, labels: list, row: np.ndarray) -> np.ndarray:
    sums = np.array([np.dot(w.value, row) for w in model.weights]) + np.array(model.offset)
    if len(labels) == 2:
        return (probit if model.postEvaluationTransform == 1 else logit)(sums)
    assert model.postEvaluationTransform == 0
    if model.classEncoding == 0:
        sums = np.concatenate([[0.0], sums])
        scores = np.exp(sums - sums.max())
    else:
        scores = logit(sums)
    return scores / scores.sum()


def network_sums(model, row: np.ndarray) -> np.ndarray:
    """Of one inner product; a softmax may follow."""
    kinds = [layer.WhichOneof("layer") for layer in model.layers]
    assert kinds in (["innerProduct"], ["innerProduct", "softmax"]), kinds
    layer = model.layers[0].innerProduct
    weights = np.array(layer.weights.floatValue, np.float64).reshape(layer.outputChannels, layer.inputChannels)
    return weights @ row + np.array(layer.bias.floatValue, np.float64)


def labels_of(model) -> list:
    return list(getattr(model, model.WhichOneof("ClassLabels")).vector)


def classified(spec, labels: list, scores: np.ndarray) -> dict:
    if len(scores) == 1:
        scores = np.array([1 - scores[0], scores[0]])
    result = {spec.description.predictedFeatureName: labels[int(np.argmax(scores))]}
    if spec.description.predictedProbabilitiesName:
        result[spec.description.predictedProbabilitiesName] = dict(zip(labels, scores))
    return result


def placed(output, numbers: dict):
    """Numbers by place, dense or sparse as the output is."""
    if output.type.WhichOneof("Type") == "dictionaryType":
        return numbers
    dense = np.zeros(output.type.multiArrayType.shape[0])
    for place, number in numbers.items():
        dense[place] = number
    return dense


def transformed(kind: str, model, spec, values: dict):
    first = values[spec.description.input[0].name]
    output = spec.description.output[0]
    if kind == "scaler":
        shift, scale = np.array(model.shiftValue or [0.0]), np.array(model.scaleValue or [1.0])
        return (first + shift) * scale
    if kind == "imputer":
        missing = getattr(model, model.WhichOneof("ReplaceValue"))
        other = getattr(model, model.WhichOneof("ImputedValue"))
        if not isinstance(first, np.ndarray):
            return other if first == missing or (first != first and missing != missing) else first
        gone = np.isnan(first) if math.isnan(missing) else first == missing
        return np.where(gone, np.array(other.vector), first)
    if kind == "oneHotEncoder":
        known = list(getattr(model, model.WhichOneof("CategoryType")).vector)
        assert first in known or model.handleUnknown == 1, f"{first} is no known category"
        return placed(output, {known.index(first): 1.0} if first in known else {})
    if kind == "dictVectorizer":
        keys = list(getattr(model, model.WhichOneof("Map")).vector)
        return placed(output, {keys.index(key): number for key, number in first.items()})
    if kind == "featureVectorizer":
        parts = []
        for column in model.inputList:
            value = values[column.inputColumn]
            if isinstance(value, dict):
                value = [value.get(place, 0.0) for place in range(column.inputDimensions)]
            parts.append(np.atleast_1d(np.asarray(value, np.float64)))
            assert len(parts[-1]) == column.inputDimensions
        return np.concatenate(parts)
    if kind == "normalizer":
        size = [np.max(first), np.abs(first).sum(), np.sqrt((first * first).sum())][model.normType]
        return first / size if size else first
    assert kind == "arrayFeatureExtractor", kind
    taken = first[list(model.extractIndex)]
    return {"int64Type": lambda: int(taken[0]), "doubleType": lambda: taken[0]}.get(
        output.type.WhichOneof("Type"), lambda: taken)()


def run(spec, values: dict) -> dict:
    """Outputs by name."""
    kind = spec.WhichOneof("Type")
    model = getattr(spec, kind)
    if kind.startswith("pipeline"):
        known = dict(values)
        for step in (model if kind == "pipeline" else model.pipeline).models:
            known.update(run(step, known))
        return {output.name: known[output.name] for output in spec.description.output}
    if kind == "treeEnsembleClassifier":
        return classified(spec, labels_of(model),
                          tree_scores(model.treeEnsemble, model.postEvaluationTransform, row_of(spec, values)))
    if kind == "glmClassifier":
        return classified(spec, labels_of(model), linear_scores(model, labels_of(model), row_of(spec, values)))
    if kind == "neuralNetworkClassifier":
        sums = network_sums(model, row_of(spec, values))
        scores = np.exp(sums - sums.max())
        return classified(spec, labels_of(model), scores / scores.sum())
    name = spec.description.output[0].name
    if kind == "neuralNetwork":
        return {name: network_sums(model, row_of(spec, values))}
    if kind == "treeEnsembleRegressor":
        return {name: tree_scores(model.treeEnsemble, model.postEvaluationTransform, row_of(spec, values))[0]}
    if kind == "glmRegressor":
        sums = np.dot(model.weights[0].value, row_of(spec, values)) + model.offset[0]
        return {name: [lambda x: x, logit, probit][model.postEvaluationTransform](sums)}
    return {name: transformed(kind, model, spec, values)}


def typed(feature, value):
    """A value of JSON as the input's type."""
    kind = feature.type.WhichOneof("Type")
    if kind == "multiArrayType":
        return np.array([math.nan if x is None else x for x in value], np.float64)
    if kind == "dictionaryType":
        integers = feature.type.dictionaryType.WhichOneof("KeyType") == "int64KeyType"
        return {int(key) if integers else key: number for key, number in value.items()}
    return math.nan if value is None else {"doubleType": float, "int64Type": int, "stringType": str}[kind](value)


def read_rows(spec, path: str) -> list[dict]:
    inputs = spec.description.input
    if path.endswith(".json"):
        with open(path) as file:
            return [{f.name: typed(f, row[f.name]) for f in inputs} for row in json.load(file)]
    sizes = [f.type.multiArrayType.shape[0] if f.type.HasField("multiArrayType") else 1 for f in inputs]
    rows = []
    for row in np.fromfile(path, "<f8").reshape(-1, sum(sizes)):
        parts = np.split(row, np.cumsum(sizes)[:-1])
        rows.append({f.name: part if f.type.HasField("multiArrayType") else typed(f, part[0])
                     for f, part in zip(inputs, parts)})
    return rows


def flat(spec, result: dict) -> list[float]:
    scores = spec.description.predictedProbabilitiesName
    if scores:
        labels = list(result[scores])
        return [labels.index(result[spec.description.predictedFeatureName]), *result[scores].values()]
    return [float(x) for output in spec.description.output for x in np.atleast_1d(result[output.name])]


def main(arguments: list[str]) -> None:
    facts = []
    for path, rows, out in zip(arguments[::3], arguments[1::3], arguments[2::3], strict=True):
        spec = load_spec(path)
        ct.models.MLModel(path, skip_model_load=True)
        np.array([flat(spec, run(spec, row)) for row in read_rows(spec, rows)], "<f8").tofile(out)
        facts.append({"kind": spec.WhichOneof("Type"), "version": spec.specificationVersion,
                      "outputs": [output.name for output in spec.description.output],
                      "texts": {f.name: f.shortDescription for f in spec.description.input if f.shortDescription},
                      "about": spec.description.metadata.shortDescription})
    print(json.dumps(facts))


if __name__ == "__main__":
    main(sys.argv[1:])
