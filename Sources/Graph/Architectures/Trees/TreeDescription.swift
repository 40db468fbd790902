import StrictJSON
package import Trees
import Weights

/// What the arrays of an ensemble do not say: `model.json` of a model of trees.
package struct TreeDescription: Equatable, Sendable {
  package static let fileName = "model.json"
  private static let keys = [
    "architecture", "library", "inputs", "base", "divisor", "features", "sums", "transform",
    "output",
  ]

  package let features: [TreeFeature]
  package let base: [Double]
  package let divisor: Double
  package let precision: TreeEnsemble.Precision
  package let transform: TreeEnsemble.Transform
  package let task: TreeTask
  /// Whether a classifier's outputs are probabilities, not scores.
  package let givesProbabilities: Bool
  package let outputName: String
  /// The library that grew the trees.
  package let library: String

  /// That of a model that was read.
  package init(_ model: TreeModel) {
    features = model.features
    base = model.ensemble.base
    divisor = model.ensemble.divisor
    precision = model.ensemble.precision
    transform = model.ensemble.transform
    task = model.task
    givesProbabilities = model.givesProbabilities
    outputName = model.outputName ?? "output"
    library = model.library
  }

  /// The text of `model.json`.
  package var text: String {
    JSONValue.object([
      "architecture": .string(ForestModel.name), "library": .string(library),
      "inputs": .array(features.map(Self.value)), "base": .array(base.map(JSONValue.double)),
      "divisor": .double(divisor),
      "features": .string(Self.word(isFloat: precision.roundsFeatures)),
      "sums": .string(Self.word(isFloat: precision.addsFloats)),
      "transform": .string(transform.rawValue), "output": outputValue,
    ]).pretty
  }

  private static func word(isFloat: Bool) -> String { isFloat ? "float32" : "float64" }

  private static func value(of feature: TreeFeature) -> JSONValue {
    switch feature.kind {
    case .number: ["name": .string(feature.name)]
    case .boolean: ["name": .string(feature.name), "kind": "boolean"]
    case .category(let names) where names.isEmpty:
      ["name": .string(feature.name), "kind": "category"]
    case .category(let names):
      [
        "name": .string(feature.name), "kind": "category",
        "categories": .array(names.map(JSONValue.string)),
      ]
    }
  }

  private var outputValue: JSONValue {
    guard case .classification(let labels) = task else {
      return ["kind": "regressor", "name": .string(outputName)]
    }
    let values: [JSONValue] =
      switch labels {
      case nil: (0..<max(2, base.count)).map(JSONValue.integer)
      case .texts(let texts): texts.map(JSONValue.string)
      case .integers(let integers): integers.map(JSONValue.integer)
      }
    return [
      "kind": "classifier", "name": .string(outputName), "labels": .array(values),
      "gives": .string(givesProbabilities ? "probabilities" : "scores"),
    ]
  }
}

extension TreeDescription {
  init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(Self.keys)
    features = try ArrayTrees.features(object)
    base = try Self.numbers("base", of: object)
    divisor = object.has("divisor") ? try object.double("divisor") : 1
    precision = TreeEnsemble.Precision(
      roundsFeatures: try Self.isFloat("features", of: object),
      addsFloats: try Self.isFloat("sums", of: object))
    let word = try object.string("transform")
    guard let transform = TreeEnsemble.Transform(rawValue: word) else {
      throw object.mismatch(
        "transform",
        expected: "one of "
          + TreeEnsemble.Transform.allCases.map(\.rawValue).joined(separator: ", "),
        try object.required("transform"))
    }
    guard base.count > 1 || ![.softmax, .oneVersusRest, .share].contains(transform) else {
      throw object.error(
        "'\(word)' is for several outputs, there is 1",
        at: try object.required("transform").position)
    }
    self.transform = transform
    library = object.has("library") ? try object.string("library") : ""
    let output = try ArrayOutput(object, transform: transform, width: base.count)
    task = output.task
    givesProbabilities = output.givesProbabilities
    outputName = output.name ?? "output"
  }

  private static func isFloat(_ key: String, of object: JSONObject) throws(JSONError) -> Bool {
    let word = try object.string(key)
    guard ["float32", "float64"].contains(word) else {
      throw object.mismatch(key, expected: "'float32' or 'float64'", try object.required(key))
    }
    return word == "float32"
  }

  private static func numbers(
    _ key: String, of object: JSONObject
  ) throws(JSONError) -> [Double] {
    var numbers: [Double] = []
    for node in try object.array(key) {
      guard let number = node.double else {
        throw object.mismatch(key, expected: "numbers", node)
      }
      numbers.append(number)
    }
    return numbers
  }

  /// The header for arrays of these shapes.
  func header(of weights: any WeightSource, _ origin: String) throws -> TreeHeader {
    func shape(_ array: TreeArrays, _ rank: Int) throws(ModelError) -> [Int] {
      let name = TensorName(array.tensorName)
      guard let shape = weights.shape(of: name) else {
        throw ModelError.missingWeight(origin: origin, name: name)
      }
      guard shape.count == rank, !shape.contains(0) else {
        throw ModelError.wrongShape(
          origin: origin, name: name, found: shape, expected: [Int](repeating: 1, count: rank))
      }
      return shape
    }
    let leaves = try shape(.leaves, 2)
    var header = TreeHeader(
      featureCount: features.count, branchCount: try shape(.features, 1)[0],
      treeCount: try shape(.roots, 1)[0], leafCount: leaves[1], leafWidth: leaves[0],
      setCount: try shape(.categoryStarts, 1)[0] - 1, wordCount: try shape(.categoryWords, 1)[0],
      base: base, divisor: divisor, precision: precision, transform: transform)
    if !precision.roundsFeatures {
      let thresholds = try shape(.thresholds, 2)
      guard thresholds[0] <= header.thresholdCount else {
        throw ModelError.wrongShape(
          origin: origin, name: TensorName(TreeArrays.thresholds.tensorName), found: thresholds,
          expected: TreeArrays.thresholds.shape(header))
      }
      header.thresholdCount = thresholds[0]
    }
    guard leaves[0] <= base.count, divisor > 0, divisor.isFinite else {
      throw TreeError(
        path: origin,
        fault: "leaves have \(leaves[0]) numbers for \(base.count) outputs, divided by \(divisor)")
    }
    return header
  }

  /// What the outputs are.
  var output: ModelOutput {
    guard case .classification(let labels) = task else { return .numbers(width: base.count) }
    let named: ClassLabels =
      switch labels {
      case nil: .integers(Array(0..<max(2, base.count)))
      case .texts(let texts): .texts(texts)
      case .integers(let integers): .integers(integers)
      }
    return .classes(
      labels: named, width: base.count, scale: givesProbabilities ? .probabilities : .scores)
  }
}
