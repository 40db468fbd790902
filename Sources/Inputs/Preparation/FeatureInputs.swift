import Execution
import Graph
import StrictJSON

/// Numbers with names, as they are; NaN where one is missing.
struct FeatureInputs: InputPreparation {
  let names: [String]
  let shapes: GraphShapes
  /// The type in which the model takes them.
  let scalar: ScalarType
  /// Whether the model takes missing values.
  let readsMissing: Bool

  /// Rows of one batch.
  private static let maxRows = 256

  func check(_ inputs: [Input]) throws(EvaluationError) {
    for index in inputs.indices { _ = try values(inputs[index], index) }
  }

  func batches(of inputs: [Input], images: ImageFiles) throws -> PreparedBatches {
    let values = try inputs.indices.map { try self.values(inputs[$0], $0) }
    let rows = shapes == .any ? FeatureInputs.maxRows : 1
    return PreparedBatches(plan: Batching.plan(count: values.count, rows: rows)) { batch, graph in
      let rows = batch.rows.flatMap { values[$0] }
      let numbers =
        scalar == .float64 ? InputValues.doubles(rows) : .floats(rows.map { Float($0) })
      return Dictionary(graph.inputs.map { ($0.name, numbers) }) { first, _ in first }
    }
  }

  func single(_ input: Input, _ index: Int, images: ImageFiles) throws -> SingleInput {
    let values = try values(input, index)
    return .features(scalar == .float64 ? values : values.map { Double(Float($0)) })
  }

  private func values(_ input: Input, _ index: Int) throws(EvaluationError) -> [Double] {
    guard case .values(let values) = input else {
      throw input.wrongKind(index, for: ModelInput.features(names: names).words)
    }
    guard values.count == names.count else {
      throw input.unusable(
        index,
        "has \(Figures.count(values.count, "value")), the model takes \(names.count) "
          + "(\(Figures.list(names)))")
    }
    if let bad = values.firstIndex(where: { !isUsable($0) }) {
      let value = values[bad].isNaN ? "missing" : "\(values[bad])"
      throw input.unusable(
        index, "the value of '\(names[bad])' is \(value), expected a finite number of 32 bits")
    }
    return values
  }

  private func isUsable(_ value: Double) -> Bool {
    value.isNaN ? readsMissing : Float(value).isFinite
  }
}
