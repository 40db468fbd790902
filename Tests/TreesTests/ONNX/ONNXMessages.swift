import Foundation

@testable import Trees

/// Small models, made by hand.
enum Message {
  static func model(_ nodes: [ONNXNodeProto], width: Int64 = 2) -> ONNXModelProto {
    var model = ONNXModelProto()
    model.irVersion = 9
    model.opsetImport = [imported("", 21), imported("ai.onnx.ml", 5)]
    model.graph.node = nodes
    model.graph.input = [input("x", 1, width)]
    model.graph.output = [output(nodes.last?.output.last ?? "x")]
    return model
  }

  static func imported(_ domain: String, _ version: Int64) -> ONNXOperatorSetIdProto {
    var entry = ONNXOperatorSetIdProto()
    (entry.domain, entry.version) = (domain, version)
    return entry
  }

  static func input(_ name: String, _ type: Int32, _ width: Int64) -> ONNXValueInfoProto {
    var (rows, columns) = (ONNXTensorShapeProto.Dimension(), ONNXTensorShapeProto.Dimension())
    rows.dimParam = "N"
    columns.dimValue = width
    var input = ONNXValueInfoProto()
    input.name = name
    input.type.tensorType.elemType = type
    input.type.tensorType.shape.dim = [rows, columns]
    return input
  }

  static func output(_ name: String) -> ONNXValueInfoProto {
    var output = ONNXValueInfoProto()
    output.name = name
    return output
  }

  static func node(
    _ kind: String, _ inputs: [String], _ outputs: [String],
    _ attributes: [ONNXAttributeProto] = [],
    domain: String = "ai.onnx.ml"
  ) -> ONNXNodeProto {
    var node = ONNXNodeProto()
    (node.opType, node.domain, node.name) = (kind, domain, "n")
    (node.input, node.output, node.attribute) = (inputs, outputs, attributes)
    return node
  }

  static func integers(_ name: String, _ values: [Int64]) -> ONNXAttributeProto {
    attribute(name, .ints) { $0.ints = values }
  }

  static func integer(_ name: String, _ value: Int64) -> ONNXAttributeProto {
    attribute(name, .int) { $0.i = value }
  }

  static func floats(_ name: String, _ values: [Float]) -> ONNXAttributeProto {
    attribute(name, .floats) { $0.floats = values }
  }

  static func text(_ name: String, _ value: String) -> ONNXAttributeProto {
    attribute(name, .string) { $0.s.append(contentsOf: value.utf8) }
  }

  static func texts(_ name: String, _ values: [String]) -> ONNXAttributeProto {
    attribute(name, .strings) { attribute in
      for value in values {
        attribute.s = .init()
        attribute.s.append(contentsOf: value.utf8)
        attribute.strings.append(attribute.s)
      }
      attribute.s = .init()
    }
  }

  static func tensor(_ name: String, _ dims: [Int64], _ values: [Float]) -> ONNXTensorProto {
    var tensor = ONNXTensorProto()
    (tensor.name, tensor.dims, tensor.dataType, tensor.floatData) = (name, dims, 1, values)
    return tensor
  }

  /// - Parameter type: 1 for float, 2 for bytes, 6 for whole numbers of 32 bits.
  static func tensor(_ name: String, _ type: Int32, _ values: [Float]) -> ONNXAttributeProto {
    attribute(name, .tensor) { attribute in
      attribute.t.dims = [Int64(values.count)]
      attribute.t.dataType = type
      if type == 1 {
        attribute.t.floatData = values
      } else {
        attribute.t.int32Data = values.map { Int32($0) }
      }
    }
  }

  private static func attribute(
    _ name: String, _ type: ONNXAttributeProto.AttributeType,
    _ fill: (inout ONNXAttributeProto) -> Void
  ) -> ONNXAttributeProto {
    var attribute = ONNXAttributeProto()
    (attribute.name, attribute.type) = (name, type)
    fill(&attribute)
    return attribute
  }

  /// A regressor of one tree with a branch and two leaves; attributes replace those of the same name.
  static func stump(_ changes: [ONNXAttributeProto] = []) -> ONNXNodeProto {
    let attributes = [
      integers("nodes_treeids", [4, 4, 4]), integers("nodes_nodeids", [0, 1, 2]),
      integers("nodes_featureids", [1, 0, 0]), integers("nodes_truenodeids", [1, 0, 0]),
      integers("nodes_falsenodeids", [2, 0, 0]), floats("nodes_values", [0.5, 0, 0]),
      texts("nodes_modes", ["BRANCH_LEQ", "LEAF", "LEAF"]), integer("n_targets", 1),
      integers("target_treeids", [4, 4]), integers("target_nodeids", [1, 2]),
      integers("target_ids", [0, 0]), floats("target_weights", [10, 20]),
    ]
    let names = Set(changes.map(\.name))
    return node(
      "TreeEnsembleRegressor", ["x"], ["y"],
      attributes.filter { !names.contains($0.name) } + changes)
  }

  /// A classifier of two classes, of the same nodes, whose leaves both have a score of each of `ids`.
  static func classes(_ labels: ONNXAttributeProto, of ids: [Int64]) -> ONNXNodeProto {
    var stump = stump()
    stump.opType = "TreeEnsembleClassifier"
    stump.output = ["l", "y"]
    stump.attribute.removeAll { $0.name.hasPrefix("target_") || $0.name == "n_targets" }
    let leaves: [Int64] = [1, 2]
    stump.attribute += [
      integers("class_treeids", leaves.flatMap { _ in ids.map { _ in 4 } }),
      integers("class_nodeids", leaves.flatMap { leaf in ids.map { _ in leaf } }),
      integers("class_ids", leaves.flatMap { _ in ids }),
      floats("class_weights", leaves.flatMap { leaf in ids.map { Float(leaf) - Float($0) } }),
      labels,
    ]
    return stump
  }

  /// The same in the operator of version 5: at most 1 is 10, what is larger or missing 20.
  static func stumpOfFive(_ changes: [ONNXAttributeProto] = []) -> ONNXNodeProto {
    let attributes = [
      integers("tree_roots", [0]), integers("nodes_featureids", [1]),
      tensor("nodes_modes", 2, [0]), tensor("nodes_splits", 1, [1]),
      integers("nodes_truenodeids", [0]), integers("nodes_trueleafs", [1]),
      integers("nodes_falsenodeids", [1]), integers("nodes_falseleafs", [1]),
      integers("leaf_targetids", [0, 0]), tensor("leaf_weights", 1, [10, 20]),
    ]
    let names = Set(changes.map(\.name))
    return node(
      "TreeEnsemble", ["x"], ["y"], attributes.filter { !names.contains($0.name) } + changes)
  }
}
