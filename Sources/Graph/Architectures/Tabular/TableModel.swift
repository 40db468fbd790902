import IngotFeatures
import StrictJSON
package import Trees
import Weights

/// A pipeline over named features: scalers, encoders, linear models, trees and what stands between them, as
/// steps that `model.json` lists (`specs/formats/tabular-model.md`).
package struct TableModel: RecognisedArchitecture {
  package static let name = "tabular"
  package static let signature = "model.json with \"architecture\": \"tabular\""

  package let features: [TreeFeature]
  let steps: [PlacedStep]
  let returned: String
  package let output: ModelOutput
  package let outputName: String
  package let describingFiles = [TreeDescription.fileName]

  package let input: ModelInput

  /// Whether a step is an ensemble of trees.
  var hasTrees: Bool { steps.contains { $0.header != nil } }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> TableModel? {
    guard let object = try files.object(TreeDescription.fileName),
      object["architecture"]?.string == name
    else { return nil }
    let (features, steps, returned) = try TableDescription.read(object)
    let placed = try steps.map { try PlacedStep($0, weights, object.origin) }
    let type = try TableGraph.build(
      placed, featureCount: features.count, returned: returned, batch: 1
    ).outputType
    let width = type.shape.last ?? 1
    let described = try ArrayOutput(object, transform: .identity, width: width)
    return TableModel(
      features: features, steps: placed, returned: returned,
      output: TreeDescription.output(
        described.task, width: width, givesProbabilities: described.givesProbabilities),
      outputName: described.name
        ?? (features.contains { $0.name == "output" } ? "prediction" : "output"),
      input: .features(try FeatureSchema(features.map { feature($0, of: steps) })))
  }

  /// As apps give it: where no step has an answer for missing values, these are refused, and an unknown category
  /// has a code that is in no list.
  private static func feature(_ own: TreeFeature, of steps: [TableStep]) -> Feature {
    let feature = own.feature
    guard !steps.contains(where: \.readsMissing) else { return feature }
    guard case .category(let list) = feature.kind else {
      return Feature(feature.name, feature.kind, missing: .refused)
    }
    let unknown: CategoryList.Unknown =
      list.unknown == .missing ? .code(list.names.count) : list.unknown
    return Feature(
      feature.name, .category(CategoryList(list.names, unknown: unknown)), missing: .refused)
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    try TableGraph.build(
      steps, featureCount: features.count, returned: returned, batch: batch)
  }
}

/// A step with the arrays that it reads.
struct PlacedStep: Sendable {
  let step: TableStep
  /// One for each input; nil where it is a value.
  let arrays: [WeightReference?]
  /// Of trees: what their arrays say; the number of features follows of the value that they read.
  let header: TreeHeader?

  init(_ step: TableStep, _ weights: any WeightSource, _ origin: String) throws {
    self.step = step
    arrays = try step.inputs.enumerated().map { place, input in
      guard case .array(let name) = input else { return nil }
      guard let shape = weights.shape(of: TensorName(name)) else {
        throw GraphError(
          value: step.name, operation: step.kind.rawValue,
          reason: "the array '\(name)' is missing in \(origin)")
      }
      let isMatrix = step.kind == .linear && place == 1
      let needed = isMatrix && shape.count == 1 ? [1] + shape : shape
      guard needed.count == (isMatrix ? 2 : 1), !needed.contains(0) else {
        throw GraphError(
          value: step.name, operation: step.kind.rawValue,
          reason: "the array '\(name)' has the shape \(shape), expected "
            + (isMatrix ? "[outputs, columns]" : "one axis"))
      }
      let role: WeightRole =
        isMatrix ? .matrix(outputAxis: 0) : step.kind == .linear ? .bias : .statistic
      return WeightReference(TensorName(name), needed, role: role)
    }
    header = try step.sums.map {
      try TreeHeader(
        of: weights, origin, arrays: step.name, featureCount: 1,
        base: [Double](repeating: 0, count: $0.count), divisor: $0.divisor,
        precision: TreeEnsemble.Precision(roundsFeatures: true, addsFloats: $0.addsFloats),
        transform: .identity)
    }
  }
}

extension Architecture {
  /// Whether a row of values is divided by its size, which 32 bits may not hold.
  package var dividesRows: Bool {
    if let dense = self as? Dense { return dense.norm != nil }
    return (self as? TableModel)?.steps.contains { [.l1, .l2].contains($0.step.kind) } ?? false
  }
}

extension TableStep {
  /// Whether a step has an answer for missing values.
  fileprivate var readsMissing: Bool {
    kind == .trees || kind == .equal && inputs.count == 2 && inputs[0] == inputs[1]
  }
}
