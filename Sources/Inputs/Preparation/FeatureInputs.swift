import Execution
import Graph
import StrictJSON

/// Numbers with names, as they are.
struct FeatureInputs: InputPreparation {
  let names: [String]
  let shapes: GraphShapes

  /// Rows of one batch.
  private static let maxRows = 256

  func check(_ inputs: [Input]) throws(EvaluationError) {
    for index in inputs.indices { _ = try values(inputs[index], index) }
  }

  func batches(of inputs: [Input], images: ImageFiles) throws -> PreparedBatches {
    let values = try inputs.indices.map { try self.values(inputs[$0], $0) }
    let rows = shapes == .any ? FeatureInputs.maxRows : 1
    return PreparedBatches(plan: Batching.plan(count: values.count, rows: rows)) { batch, graph in
      Dictionary(
        graph.inputs.map { ($0.name, .floats(batch.rows.flatMap { values[$0] })) }
      ) { first, _ in first }
    }
  }

  func single(_ input: Input, _ index: Int, images: ImageFiles) throws -> SingleInput {
    .floats(try values(input, index))
  }

  private func values(_ input: Input, _ index: Int) throws(EvaluationError) -> [Float] {
    guard case .values(let values) = input else {
      throw input.wrongKind(index, for: ModelInput.features(names: names).words)
    }
    guard values.count == names.count else {
      throw input.unusable(
        index,
        "has \(Figures.count(values.count, "value")), the model takes \(names.count) "
          + "(\(Figures.list(names)))")
    }
    if let bad = values.firstIndex(where: { !$0.isFinite }) {
      throw input.unusable(
        index, "the value of '\(names[bad])' is \(values[bad]), expected a finite number")
    }
    return values
  }
}
