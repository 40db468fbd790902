import Calibration
import Formats
import Gate
import Graph
import Proving
import WeightCompression

/// One encoder of a search, with the ways to store its weights.
struct SearchedPart {
  private let part: Search.Part
  let choices: WeightChoices
  private let memory = CalibrationMemory()

  /// Predicts the losses.
  init(
    _ part: Search.Part, jobs: Int, progress: @escaping @Sendable (SearchStep) -> Void
  ) throws {
    self.part = part
    let losses = try OutputLosses(of: part.model, on: part.probe, jobs: jobs)
    choices = try WeightChoices(
      of: part.model, as: part.format, losses: losses, isFitted: part.calibration != nil,
      jobs: jobs, progress: progress)
  }

  /// The smallest allocation of at most some predicted loss; the best of all where none loses so
  /// little.
  func allocated(_ loss: Double) -> Frontier.Allocation {
    choices.frontier.smallest(loss: loss) ?? choices.frontier.best
  }

  func recipe(_ allocation: Frontier.Allocation) -> Recipe {
    choices.recipe(allocation, named: "smallest")
  }

  /// The part as it is allocated.
  ///
  /// - Parameter isFitted: whether weights are fitted, where there are inputs for that.
  func proverPart(
    _ allocation: Frontier.Allocation, isFitted: Bool = true
  ) throws -> Prover.Part {
    Prover.Part(
      part.model,
      options: try CompressionOptions(recipe: recipe(allocation), floats: part.format.floats),
      calibration: isFitted ? part.calibration : nil, as: part.format, at: part.path,
      memory: memory)
  }

  /// A predicted loss to begin with: half of what the limits allow.
  func start(_ limits: Limits) -> Double {
    let drift = limits[.similarityDriftMean]
    let isEmbedding = if case .embedding = part.model.architecture.output { true } else { false }
    let allowed = isEmbedding ? 1 - limits[.cosineMean] : drift * drift
    return max(allowed, 1e-9) / 2
  }

  /// Bytes that a receipt's digest may add to a folder.
  var noteBytes: Int { if case .folder = type(of: part.format).kind { 1024 } else { 0 } }
}
