import Calibration
import Formats
import Gate
import Graph
import Inputs
import Proving
import WeightCompression

/// One encoder of a search, with the ways to store its weights.
struct SearchedPart {
  private let part: Search.Part
  private let jobs: Int
  /// As predicted before any fit.
  private var predicted: WeightChoices
  private(set) var choices: WeightChoices
  private let memory = CalibrationMemory()

  /// Predicts the losses.
  init(
    _ part: Search.Part, jobs: Int, progress: @escaping @Sendable (SearchStep) -> Void
  ) throws {
    (self.part, self.jobs) = (part, jobs)
    let losses = try OutputLosses(of: part.model, on: part.probe, jobs: jobs)
    predicted = try WeightChoices(
      of: part.model, as: part.format, losses: losses,
      calibrating: part.calibration == nil ? nil : memory, jobs: jobs, progress: progress)
    choices = predicted
  }

  /// The smallest allocation of at most some predicted loss; the best of all where none loses so
  /// little.
  func allocated(_ loss: Double) -> Frontier.Allocation {
    choices.frontier.smallest(loss: loss) ?? choices.frontier.best
  }

  /// The smallest allocation of at most some loss, or INT8 where that is smaller and loses less than
  /// what was refused.
  func lessened(_ refused: Frontier.Allocation, to loss: Double) -> Frontier.Allocation {
    let (next, plain) = (allocated(loss), choices.plain)
    return plain.bytes < next.bytes && plain.loss < refused.loss ? plain : next
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
      calibration: isFitted ? part.calibration : nil, as: part.format, at: ModelPlace(part.path),
      memory: memory)
  }

  /// What to begin with: of an embedding what should just pass. Of any other output, whose losses are of
  /// no known scale, a fifth of the bytes there is a choice about.
  ///
  /// - Parameter references: that candidates are judged by.
  /// - Throws: as running the model as trained.
  func start(_ limits: Limits, on references: ReferenceSet) throws -> Frontier.Allocation {
    if case .embedding = part.model.architecture.output {
      let trained = try references.embeddings(
        by: part.model, try part.model.digests(), jobs: jobs
      ).outputs
      let loss = StartingLoss(among: trained).allowed(by: limits)
      return allocated(Bracket.rounded(max(loss, 1e-9)))
    }
    let frontier = choices.frontier
    let bytes = frontier.smallest + (frontier.best.bytes - frontier.smallest) / 5
    return frontier.best(bytes: bytes) ?? frontier.best
  }

  /// Takes from the fit of one allocation how well each weight can be fitted.
  mutating func refine(at allocation: Frontier.Allocation) {
    choices = predicted.refined(by: memory.partsLeft, at: allocation)
  }

  /// Stores no table in two parts any more.
  ///
  /// - Returns: whether any was.
  mutating func keepTablesWhole() -> Bool {
    guard let whole = choices.withoutSplits, let before = predicted.withoutSplits else {
      return false
    }
    (choices, predicted) = (whole, before)
    return true
  }

  /// Decides on one candidate after another.
  var bracket: Bracket {
    Bracket(choices.groups.map(\.choices), choices.frontier, fixedBytes: choices.fixedBytes)
  }

  /// Bytes that a receipt's digest adds to a folder: an entry of 88, and longer lengths around it.
  var noteBytes: Int { if case .folder = type(of: part.format).kind { 96 } else { 0 } }
}
