import IngotFeatures
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
    outputName = model.outputName ?? Self.outputName(beside: model.features)
    library = model.library
  }

  /// The name of an output that has none: one that no feature has.
  private static func outputName(beside features: [TreeFeature]) -> String {
    features.contains { $0.name == "output" } ? "prediction" : "output"
  }

  /// The text of `model.json`.
  package var text: String { json.pretty }

  /// The content of `model.json`.
  var json: JSONValue {
    .object([
      "architecture": .string(ForestModel.name), "library": .string(library),
      "inputs": .array(features.map(\.json)),
      "base": .array(base.map(JSONValue.double)),
      "divisor": .double(divisor),
      "features": .string(Self.word(isFloat: precision.roundsFeatures)),
      "sums": .string(Self.word(isFloat: precision.addsFloats)),
      "transform": .string(transform.rawValue), "output": outputValue,
    ])
  }

  private static func word(isFloat: Bool) -> String { isFloat ? "float32" : "float64" }

  private var outputValue: JSONValue {
    task.json(
      name: outputName, width: max(2, base.count), givesProbabilities: givesProbabilities)
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
    outputName = output.name ?? Self.outputName(beside: features)
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
    try TreeHeader(
      of: weights, origin, arrays: "trees", featureCount: features.count, base: base,
      divisor: divisor, precision: precision, transform: transform)
  }

  /// What the outputs are.
  var output: ModelOutput {
    Self.output(task, width: base.count, givesProbabilities: givesProbabilities)
  }

  /// What outputs are that are so many numbers.
  static func output(_ task: TreeTask, width: Int, givesProbabilities: Bool) -> ModelOutput {
    guard case .classification(let labels) = task else { return .numbers(width: width) }
    let named: ClassLabels =
      switch labels {
      case nil: .integers(Array(0..<max(2, width)))
      case .texts(let texts): .texts(texts)
      case .integers(let integers): .integers(integers)
      }
    return .classes(
      labels: named, width: width, scale: givesProbabilities ? .probabilities : .scores)
  }
}
