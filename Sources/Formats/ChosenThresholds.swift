package import Graph
import StrictJSON
import Trees
package import WeightCompression
package import Weights

/// Compressed trees with other thresholds.
package struct ChosenThresholds: CompressedTensors {
  private let weights: any CompressedTensors
  /// In the shape of the trees as trained.
  private let numbers: [Float]

  /// Thresholds as a recipe asks for them, chosen so that branches decide as before on all rows. Without a rule
  /// for them, those of 64 bits are in 32 where no branch decides otherwise.
  ///
  /// - Parameters:
  ///   - rows: references, with values in the order of the model's features; nil where there are none.
  /// - Returns: nil where thresholds stay as they are.
  /// - Throws: `TreeError`, and errors of the weights.
  package init?(
    _ weights: any CompressedTensors, of model: Model, rows: [[Double]]?
  ) throws {
    guard let forest = model.architecture as? ForestModel else { return nil }
    let scheme = weights.thresholds
    guard scheme != nil || rows != nil && !forest.header.precision.roundsFeatures else {
      return nil
    }
    let own = try forest.ensemble(of: model.weights)
    let chosen =
      scheme.map { own.coarseningThresholds($0.coarse, rows: rows ?? []) }
      ?? own.roundingThresholds(rows: rows ?? [])
    guard let chosen else { return nil }
    self.weights = weights
    numbers = chosen.values(of: .thresholds).map { Float($0) }
  }

  package var planned: [PlannedTensor] { weights.planned }
  package var unused: [TensorName] { weights.unused }
  package var calibration: CalibrationRecord? { weights.calibration }
  package var thresholds: ThresholdScheme? { weights.thresholds }

  package func forEach(_ body: (CompressedTensor) throws -> Void) throws {
    try weights.forEach { tensor in
      guard tensor.role == .threshold else { return try body(tensor) }
      try body(
        CompressedTensor(
          tensor.reference, .uncompressed(numbers), floats: tensor.floats,
          madeFrom: tensor.dequantized()))
    }
  }
}

extension ThresholdScheme {
  /// What becomes of thresholds.
  var coarse: CoarseThresholds {
    switch self {
    case .float16: .halves
    case .evenlySpaced: .evenlySpaced
    case .palette(let bits): .few(bits: bits)
    }
  }
}

extension CoarseThresholds {
  /// How coarse a file says that the thresholds of its trees were asked to be; nil if nothing was asked.
  ///
  /// - Parameter key: of its metadata.
  /// - Throws: `EmissionError.malformed` for words that mean no scheme.
  static func stated(in file: WeightCollection, by key: String) throws -> CoarseThresholds? {
    try file.metadata[key].map {
      guard let coarse = CoarseThresholds(words: $0) else {
        throw EmissionError.malformed(
          path: file.origin,
          fault: "'\(key)' is \(quoted($0)), which is not a scheme for thresholds")
      }
      return coarse
    }
  }
}
