import Execution
import Graph
import IngotFeatures
import StrictJSON

/// Values with names, as a schema makes numbers of them; NaN where one is missing.
struct FeatureInputs: InputPreparation {
  let preparer: FeaturePreparer
  let shapes: GraphShapes
  /// The type in which the model takes them.
  let scalar: ScalarType

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
    let codes = try codes(input, index)
    do throws(FeatureError) {
      return try preparer.columns(ofCodes: codes)
    } catch {
      throw input.unusable(index, error.description)
    }
  }

  /// One number for each feature; texts are turned into codes.
  private func codes(_ input: Input, _ index: Int) throws(EvaluationError) -> [Double] {
    let schema = preparer.schema
    switch input {
    case .named(let row): return try row.codes(by: preparer, of: input, index)
    case .values(let values):
      guard values.count == schema.features.count else {
        throw input.unusable(
          index,
          "has \(Figures.count(values.count, "value")), the model takes "
            + "\(schema.features.count) (\(Figures.list(schema.names)))")
      }
      return values
    case .text, .textPair, .image:
      throw input.wrongKind(index, for: ModelInput.features(schema).words)
    }
  }
}
