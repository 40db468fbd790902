"""Lays the trees of a Core ML model out in another way, or spoils one of them, with coremltools.

relay_trees.py MODE IN OUT ...

turned     the same decisions: comparisons the other way round with their children changed, < for <= with the next
           number, nodes of each tree from the last to the first
missing    as turned, and missing values of one comparison go to the other side
threshold  as turned, and one threshold lies where another begins: twice as far, or at 1 where it is 0
leaf       as turned, and one leaf has another number
fewer      as turned, without the last tree; of one tree alone with a copy of it
"""

import math
import sys

import coremltools_alone  # noqa: F401
import coremltools as ct

LESS_EQUAL, LESS, GREATER_EQUAL, GREATER, EQUAL, NOT_EQUAL, LEAF = range(7)


def trees_of(spec):
    kind = spec.WhichOneof("Type")
    if kind.startswith("pipeline"):
        pipeline = getattr(spec, kind)
        models = pipeline.models if kind == "pipeline" else pipeline.pipeline.models
        return trees_of(models[-1])
    return getattr(spec, kind).treeEnsemble


def turn(node, number):
    up, down = math.nextafter(node.branchFeatureValue, math.inf), math.nextafter(node.branchFeatureValue, -math.inf)
    # Ingot keeps no threshold that is next to 0.
    if number % 3 == 1 and node.nodeBehavior in (LESS_EQUAL, LESS) and abs(node.branchFeatureValue) > 1e-6:
        node.branchFeatureValue = up if node.nodeBehavior == LESS_EQUAL else down
        node.nodeBehavior = LESS if node.nodeBehavior == LESS_EQUAL else LESS_EQUAL
    elif number % 3 == 0:
        opposite = {LESS_EQUAL: GREATER, LESS: GREATER_EQUAL, EQUAL: NOT_EQUAL}
        opposite.update({value: key for key, value in opposite.items()})
        node.nodeBehavior = opposite[node.nodeBehavior]
        node.trueChildNodeId, node.falseChildNodeId = node.falseChildNodeId, node.trueChildNodeId
        node.missingValueTracksTrueChild = not node.missingValueTracksTrueChild


def relay(mode, source, target):
    spec = ct.utils.load_spec(source)
    ensemble = trees_of(spec)
    nodes = list(ensemble.nodes)
    if mode == "fewer":
        last = nodes[-1].treeId
        others = [node for node in nodes if node.treeId != last]
        if not others:
            for node in nodes:
                copy = ensemble.nodes.add()
                copy.CopyFrom(node)
                copy.treeId = last + 1
            others = list(ensemble.nodes)
        nodes = others
    for number, node in enumerate(nodes):
        if node.nodeBehavior != LEAF:
            turn(node, number)
    branches = [node for node in nodes if node.nodeBehavior != LEAF]
    if mode == "missing" and branches:
        node = branches[len(branches) // 2]
        node.missingValueTracksTrueChild = not node.missingValueTracksTrueChild
    if mode == "threshold" and branches:
        node = branches[len(branches) // 2]
        node.branchFeatureValue = 2 * node.branchFeatureValue or 1
    if mode == "leaf":
        leaves = [node for node in nodes if node.nodeBehavior == LEAF]
        for evaluation in leaves[len(leaves) // 2].evaluationInfo:
            evaluation.evaluationValue = 2 * evaluation.evaluationValue + 1
    trees = {}
    for node in nodes:
        trees.setdefault(node.treeId, []).append(node)
    copies = []
    for tree in trees.values():
        for node in reversed(tree):
            copy = type(node)()
            copy.CopyFrom(node)
            copies.append(copy)
    del ensemble.nodes[:]
    ensemble.nodes.extend(copies)
    ct.utils.save_spec(spec, target)


mode, *paths = sys.argv[1:]
for source, target in zip(paths[::2], paths[1::2]):
    relay(mode, source, target)
