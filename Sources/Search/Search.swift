package import Formats
package import Gate
package import Graph
import Inputs
package import Proving
import StrictJSON
package import WeightCompression
import Weights
package import Calibration

/// Finds the smallest model that passes, or the best of a size.
///
/// Every weight is compressed in every way, the loss of each is predicted (`OutputLosses`), and the
/// best of all allocations is made and judged (`Frontier`). What a candidate measures says how far
/// the next one may go. The search sees one share of the references, and the verdict falls on the
/// other; only a model that it proves gets its name.
package struct Search {
  /// What is looked for.
  package struct Request {
    /// The encoder that is compressed.
    package let model: Model
    /// All encoders of the model, as trained.
    package let trained: [Model]
    package let format: any Format
    /// The inputs that weights are fitted to; nil if they are not.
    package let calibration: CalibrationSet?
    /// The inputs that losses are predicted for.
    package let probe: CalibrationSet
    /// Judges candidates while the search goes on.
    package let search: Gate
    /// Judges what was found, on references that the search did not see.
    package let verdict: Gate
    package let limits: Limits
    /// The most bytes of the model; nil for the fewest that pass.
    package let budget: Int?
    /// Where the model appears.
    package let path: String

    package init(
      _ model: Model, of trained: [Model], as format: any Format, at path: String,
      calibration: CalibrationSet?, probe: CalibrationSet, search: Gate, verdict: Gate,
      limits: Limits, budget: Int?
    ) {
      (self.model, self.trained, self.format, self.path) = (model, trained, format, path)
      (self.calibration, self.probe) = (calibration, probe)
      (self.search, self.verdict, self.limits, self.budget) = (search, verdict, limits, budget)
    }
  }

  /// How a search ended.
  package enum Outcome {
    case found(EmittedModel, Verdict, Recipe)
    /// Nothing was written; the verdict on the candidate that came nearest.
    case refused(Verdict)
  }

  /// The most candidates that one share judges.
  package static let mostTrials = 6

  private let request: Request
  private let prover: Prover
  private let progress: @Sendable (SearchStep) -> Void
  private let choices: WeightChoices
  private let memory = CalibrationMemory()
  /// Candidates that were made, and the most that will be as far as is known.
  private var made = 0
  private var most = Search.mostTrials
  /// Every candidate that was judged, in order.
  package private(set) var trials: [Trial] = []

  /// Predicts the losses.
  ///
  /// - Throws: as `OutputLosses` and compression; `SearchError.nothingToChoose`.
  package init(
    _ request: Request, jobs: Int, prover: Prover,
    progress: @escaping @Sendable (SearchStep) -> Void
  ) throws {
    self.request = request
    self.prover = prover
    self.progress = progress
    let losses = try OutputLosses(of: request.model, on: request.probe, jobs: jobs)
    choices = try WeightChoices(
      of: request.model, as: request.format, losses: losses,
      isFitted: request.calibration != nil, jobs: jobs, progress: progress)
    guard !choices.groups.isEmpty else {
      throw SearchError.nothingToChoose(origin: request.model.origin)
    }
  }

  /// Searches, and writes what was found.
  ///
  /// - Throws: as `Prover.run`; `SearchError.budgetTooSmall`.
  package mutating func run() throws -> Outcome {
    if let budget = request.budget { return try best(budget) }
    guard let found = try smallest() else { return try refusal() }
    return try prove(found)
  }

  // MARK: The smallest

  /// The smallest that passes on the search's share; nil if nothing does.
  private mutating func smallest() throws -> Trial? {
    var bracket = Bracket()
    var loss = start
    for _ in 0..<Search.mostTrials {
      let allocation = allocated(loss)
      if trials.contains(where: { $0.allocation == allocation }) { break }
      let candidate = try make(allocation)
      let verdict = try prover.trial(candidate, against: request.trained, by: quick)
      let trial = take(candidate, allocation, verdict, on: .search)
      bracket.take(trial)
      if bracket.isNarrow { break }
      loss = Search.rounded(bracket.next(after: trial))
    }
    return bracket.passed
  }

  /// A predicted loss to begin with: half of what the limits allow.
  private var start: Double {
    let drift = request.limits[.similarityDriftMean]
    let isEmbedding = if case .embedding = request.model.architecture.output { true } else { false }
    let allowed = isEmbedding ? 1 - request.limits[.cosineMean] : drift * drift
    return max(allowed, 1e-9) / 2
  }

  /// Two digits, so that a search does not follow the rounding of sums.
  private static func rounded(_ loss: Double) -> Double {
    var unit = 1.0
    while loss / unit < 10, unit > 1e-30 { unit /= 10 }
    return (loss / unit).rounded() * unit
  }

  /// Has a candidate proven, and smaller losses tried where that fails.
  private mutating func prove(_ found: Trial) throws -> Outcome {
    var candidate = found.compressed, allocation = found.allocation
    most = made + Search.mostTrials - 1
    for number in 1...Search.mostTrials {
      if let outcome = try proven(candidate, allocation) { return outcome }
      guard number < Search.mostTrials, let use = trials.last?.use else { break }
      let margin = use.isFinite && use > 1 ? 0.9 / use : 0.7
      let next = allocated(Search.rounded(allocation.loss * margin))
      guard next != allocation else { break }
      allocation = next
      candidate = try make(next)
    }
    return try refusal()
  }

  /// What was written of a candidate that the verdict's share lets pass; nil if it does not.
  private mutating func proven(
    _ candidate: Prover.Compressed, _ allocation: Frontier.Allocation
  ) throws -> Outcome? {
    progress(.proving)
    let outcome = try prover.prove([candidate], against: request.trained, by: request.verdict)
    switch outcome {
    case .proven(let written, let verdict):
      take(candidate, allocation, verdict, on: .verdict)
      return .found(written[0], verdict, recipe(allocation))
    case .refused(let verdict, _):
      take(candidate, allocation, verdict, on: .verdict)
      return nil
    }
  }

  // MARK: The best of a size

  private mutating func best(_ budget: Int) throws -> Outcome {
    var room = try weightRoom(of: budget)
    for _ in 0..<Search.mostTrials {
      guard let allocation = choices.frontier.best(bytes: room) else { break }
      let candidate = try make(allocation)
      let excess = try prover.byteCount(of: candidate) + noteBytes - budget
      guard excess > 0 else {
        return try proven(candidate, allocation) ?? refusal()
      }
      room -= excess
    }
    throw SearchError.budgetTooSmall(
      origin: request.model.origin, budget: budget,
      smallest: budget - room + choices.frontier.smallest)
  }

  /// Bytes that a receipt's digest may add to a folder.
  private var noteBytes: Int {
    if case .folder = type(of: request.format).kind { 1024 } else { 0 }
  }

  /// Bytes for the weights there is a choice about, from the size of a model as it is written.
  private func weightRoom(of budget: Int) throws -> Int {
    guard let least = choices.frontier.best(bytes: choices.frontier.smallest) else { return 0 }
    let part = Prover.Part(
      request.model, options: try options(least), calibration: nil, as: request.format,
      at: request.path)
    let size = try prover.byteCount(of: try prover.compress(part)) + noteBytes
    return budget - (size - least.bytes)
  }

  // MARK: A candidate

  /// The smallest allocation of at most some predicted loss; the best of all where none loses so
  /// little.
  private func allocated(_ loss: Double) -> Frontier.Allocation {
    choices.frontier.smallest(loss: loss) ?? choices.frontier.best
  }

  @discardableResult
  private mutating func take(
    _ candidate: Prover.Compressed, _ allocation: Frontier.Allocation, _ verdict: Verdict,
    on share: ReferenceSet.Share
  ) -> Trial {
    let trial = Trial(candidate, allocation, fixedBytes: choices.fixedBytes, verdict, on: share)
    trials.append(trial)
    return trial
  }

  private mutating func make(_ allocation: Frontier.Allocation) throws -> Prover.Compressed {
    made += 1
    progress(.trying(made, of: most))
    return try prover.compress(
      Prover.Part(
        request.model, options: try options(allocation), calibration: request.calibration,
        as: request.format, at: request.path, memory: memory))
  }

  private func recipe(_ allocation: Frontier.Allocation) -> Recipe {
    choices.recipe(allocation, named: "smallest")
  }

  private func options(_ allocation: Frontier.Allocation) throws -> CompressionOptions {
    try CompressionOptions(recipe: recipe(allocation), floats: request.format.floats)
  }

  /// The gate of the search, which need not say what makes a drift.
  private var quick: Gate {
    var gate = request.search
    gate.attribution = .none
    return gate
  }

  /// The verdict on the refused candidate that uses least of the limits, with what makes its drift.
  private func refusal() throws -> Outcome {
    let refused = trials.filter { !$0.verdict.isPassed }
    let nearest = refused.min { $0.use < $1.use }
    guard let nearest else { preconditionFailure("a search without a refusal found something") }
    guard nearest.share == .search else { return .refused(nearest.verdict) }
    return .refused(
      try prover.trial(nearest.compressed, against: request.trained, by: request.search))
  }
}
