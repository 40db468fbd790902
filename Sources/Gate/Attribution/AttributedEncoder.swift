import Graph
import Inputs
import Trees
import Weights

/// One encoder, with the weights that may have made a candidate drift.
struct AttributedEncoder {
  let slot: EncoderSlot
  /// Runs the baseline; all swaps share the values it computes from weights.
  let runner: ModelRunner
  /// The candidate's weights as the baseline calls them.
  let replacements: MatchedWeights
  let differences: [WeightDifference]
  private let references: [TensorName: WeightReference]

  init(
    _ slot: EncoderSlot, baseline runner: ModelRunner, candidate: Model, _ matching: WeightMatching,
    _ differences: [WeightDifference]
  ) {
    self.slot = slot
    self.runner = runner
    self.differences = differences
    replacements = MatchedWeights(matching, baseline: runner.model, candidate: candidate)
    references = Dictionary(matching.pairs.map { ($0.ours.name, $0.ours) }) { first, _ in first
    }
  }

  private var baseline: Model { runner.model }

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

  /// What is wrong with a weight of the encoder.
  func damage(of difference: WeightDifference) throws -> WeightDamage {
    guard difference.relativeError > WeightPattern.minError,
      let reference = references[difference.name]
    else { return .rounding }
    let new = try replacements.floats(of: difference.name)
    let old = try baseline.weights.floats(of: difference.name)
    if reference.role == .threshold, reference.shape.count == 2 {
      // Three numbers add up to one, and what is rounded away may be kept times a large factor.
      func whole(_ stored: [Float]) -> [Float] {
        TreeEnsemble.thresholds(stored.map(Double.init), rows: reference.shape[0]).map {
          Float($0)
        }
      }
      return WeightDamage(in: whole(new), from: whole(old), shape: [reference.shape[1]])
    }
    return WeightDamage(
      in: new, from: old, shape: reference.shape,
      // Fitting weights to inputs moves biases, which take up the mean of what the weights lost.
      isFitted: reference.role == .bias && isCalibrated)
  }

  private var isCalibrated: Bool { slot.candidate?.calibration != nil }
}

/// The baseline's weights with some of the candidate's in their place.
struct SwappedWeights: WeightSource {
  let baseline: any WeightSource
  let candidate: any WeightSource
  /// Names of the weights that are the candidate's.
  let swapped: Set<TensorName>

  var names: [TensorName] { baseline.names }

  func shape(of name: TensorName) -> [Int]? { source(of: name).shape(of: name) }

  func floats(of name: TensorName) throws -> [Float] { try source(of: name).floats(of: name) }

  private func source(of name: TensorName) -> any WeightSource {
    swapped.contains(name) ? candidate : baseline
  }
}
