import Gate
import Graph
import Inputs
import Trees
import WeightCompression
import Weights

extension Prover.Compressed {
  /// The same with thresholds of 64 bits in 32, where no branch decides otherwise for any reference; what the
  /// gate judges is this.
  ///
  /// - Throws: `TreeError`, and errors of the weights.
  func rounded(on references: ReferenceSet) throws -> Prover.Compressed {
    guard let forest = part.model.architecture as? ForestModel,
      !forest.header.precision.roundsFeatures
    else { return self }
    let rows = references.inputs.map { input -> [Double] in
      if case .values(let row) = input { row } else { [] }
    }
    guard let trees = try forest.ensemble(of: part.model.weights).roundingThresholds(rows: rows)
    else { return self }
    let values = trees.values(of: .thresholds).map { Float($0) }
    return Prover.Compressed(
      part: part, weights: RoundedThresholds(weights: weights, thresholds: values))
  }
}

/// Compressed trees with other thresholds.
private struct RoundedThresholds: CompressedTensors {
  let weights: any CompressedTensors
  /// In the shape of the trees as trained.
  let thresholds: [Float]

  var planned: [PlannedTensor] { weights.planned }
  var unused: [TensorName] { weights.unused }
  var calibration: CalibrationRecord? { weights.calibration }

  func forEach(_ body: (CompressedTensor) throws -> Void) throws {
    try weights.forEach { tensor in
      guard tensor.name.text == TreeArrays.thresholds.tensorName else { return try body(tensor) }
      try body(
        CompressedTensor(
          tensor.reference, .uncompressed(thresholds), floats: tensor.floats,
          madeFrom: tensor.dequantized()))
    }
  }
}
