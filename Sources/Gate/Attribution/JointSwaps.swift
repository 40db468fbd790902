import Inputs
import Weights

/// Swaps the worst weights together: their drift does not follow from that of each alone.
///
/// They are taken one after another, the one that moves outputs most first, until they make nearly
/// all of the drift.
struct JointSwaps {
  /// The weights, the worst first.
  private(set) var weights: [RankedWeight] = []
  /// What they make together, and what is left without them; nil if no weight moves an output.
  private(set) var drift: JointDrift?

  /// Share of the drift at which no more weights are added.
  private static let enough = 0.9

  private let runs: [EncoderAttribution]
  private let drifted: DriftedInputs

  /// - Parameters:
  ///   - ranked: weights that move outputs, the worst first.
  ///   - runs: what was found of each encoder.
  ///   - isAll: whether weights make all of the drift; what is left without some cannot be told else.
  init(
    _ ranked: [RankedWeight], of runs: [EncoderAttribution], _ drifted: DriftedInputs, isAll: Bool
  ) throws {
    (self.runs, self.drifted) = (runs, drifted)
    guard let first = ranked.first else { return }
    defer { for run in runs { run.bench.encoder.runner.forgetWeights() } }
    weights = [first]
    var outputs = first.weight.effect.outputs
    for next in ranked.dropFirst() {
      if weights.count == DriftAttribution.maxNamed || isEnough(outputs) { break }
      weights.append(next)
      let bench = runs[next.run].bench
      outputs = outputs.replacing(
        bench.places, with: try bench.outputs(swapping: names(of: next.run)))
    }
    drift = JointDrift(
      weights: weights.map(\.weight.unit.name), share: drifted.share(of: outputs),
      left: isAll ? drifted.share(of: try outputsWithout()) : .nan)
  }

  private func isEnough(_ outputs: OutputMatrix) -> Bool {
    !(drifted.share(of: outputs) < JointSwaps.enough)
  }

  private func names(of run: Int) -> [TensorName] {
    weights.filter { $0.run == run }.flatMap(\.weight.unit.names)
  }

  /// Outputs of the candidate with the baseline's weights in the place of these.
  private func outputsWithout() throws -> OutputMatrix {
    var outputs = drifted.after
    for run in Set(weights.map(\.run)).sorted() {
      let bench = runs[run].bench
      let mended = Set(names(of: run))
      let kept = bench.encoder.differences.filter {
        $0.relativeError > 0 && !mended.contains($0.name)
      }
      outputs = outputs.replacing(
        bench.places, with: try bench.outputs(swapping: kept.map(\.name)))
    }
    return outputs
  }
}
