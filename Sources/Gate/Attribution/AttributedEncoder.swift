import Graph
import Inputs
import Weights

/// One encoder, with the weights that may have made a candidate drift.
struct AttributedEncoder {
  let slot: EncoderSlot
  let baseline: Model
  /// The candidate's weights as the baseline calls them.
  let replacements: MatchedWeights
  let differences: [WeightDifference]
  private let references: [TensorName: WeightReference]

  init(
    _ slot: EncoderSlot, baseline: Model, candidate: Model, _ matching: WeightMatching,
    _ differences: [WeightDifference]
  ) {
    self.slot = slot
    self.baseline = baseline
    self.differences = differences
    replacements = MatchedWeights(matching, baseline: baseline, candidate: candidate)
    references = Dictionary(matching.pairs.map { ($0.ours.name, $0.ours) }) { first, _ in first
    }
  }

  /// Weights that are swapped together, each with its bias.
  var units: [WeightUnit] {
    get throws {
      try WeightUnit.all(differences, in: baseline, isCalibrated: isCalibrated)
    }
  }

  /// The candidate's weights of some names, and the baseline's for all others.
  func swapping(_ names: [TensorName]) -> SwappedWeights {
    SwappedWeights(baseline: baseline.weights, candidate: replacements, swapped: Set(names))
  }

  /// How a weight of the encoder is wrong, if it is wrong in a way that is known.
  func pattern(of difference: WeightDifference) throws -> WeightPattern? {
    guard difference.relativeError > WeightPattern.minError,
      let reference = references[difference.name]
    else { return nil }
    // Fitting weights to inputs moves biases, which take up the mean of what the weights lost.
    if reference.role == .bias, isCalibrated { return nil }
    return WeightPattern.found(
      in: try replacements.floats(of: difference.name),
      from: try baseline.weights.floats(of: difference.name), shape: reference.shape)
  }

  private var isCalibrated: Bool { slot.candidate?.calibration != nil }
}
