package import Calibration
import Files
package import Formats
package import Gate
package import Graph
package import Inputs
package import Proving
package import WeightCompression

/// Finds the smallest model that passes, or the best of a size.
///
/// Every weight is compressed in every way, the loss of each is predicted (`OutputLosses`), and the
/// best of all allocations is made and judged (`Frontier`). What a candidate measures says how far
/// the next one may go. The search sees one share of the references, and the verdict falls on the
/// other; only a model that it proves gets its name.
///
/// Of two encoders each is searched beside the other as trained, and both are judged together then.
package struct Search {
  /// One encoder that is compressed.
  package struct Part {
    /// As trained.
    package let model: Model
    package let format: any Format
    /// Where it appears.
    package let path: String
    /// The inputs that weights are fitted to; nil if they are not.
    package let calibration: CalibrationSet?
    /// The inputs that losses are predicted for.
    package let probe: CalibrationSet

    /// - Parameter shares: losses are predicted for inputs of the search's where none fit weights.
    package init(
      _ model: Model, as format: any Format, at path: String, calibration: CalibrationSet?,
      shares: ReferenceShares
    ) {
      (self.model, self.format, self.path) = (model, format, path)
      self.calibration = calibration
      probe = calibration ?? CalibrationSet(inputsOf: shares.search)
    }
  }

  /// What is looked for.
  package struct Request {
    /// The encoders that are compressed.
    package let parts: [Part]
    /// All encoders of the model, as trained.
    package let trained: [Model]
    package let shares: ReferenceShares
    /// Judges candidates while the search goes on.
    package let search: Gate
    /// Judges what was found, on references that the search did not see.
    package let verdict: Gate
    package let limits: Limits
    /// The most bytes of all that is written; nil for the fewest that pass.
    package let budget: Int?
    /// Called with what was found, proven, before it has its name: a recipe for each part.
    package var settling: ([Recipe]) throws -> Void = { _ in }
    /// Called when it has its name, a model for each part; no signal ends the process in between.
    package var naming: ([EmittedModel]) throws -> Void = { _ in }
    /// Called whenever a candidate of all parts passes on the search's share.
    package var passing: () -> Void = {}
    /// Called with the candidate that came nearest, where nothing was found: as it reads back, with the
    /// verdict on it and the gate that gave it.
    package var refusing: ([Model], Verdict, Gate) -> Void = { _, _, _ in }
    /// Whether to end at the best so far; asked between candidates, once one passed.
    package var isEnded: () -> Bool = { false }

    /// - Parameter gate: the gate on each of the shares.
    package init(
      _ parts: [Part], of trained: [Model], on shares: ReferenceShares, limits: Limits,
      budget: Int?, gate: (ReferenceSet) throws -> Gate
    ) rethrows {
      (self.parts, self.trained, self.shares) = (parts, trained, shares)
      search = try gate(shares.search).keepingBaselines()
      verdict = try gate(shares.verdict).keepingBaselines()
      (self.limits, self.budget) = (limits, budget)
    }
  }

  /// How a search ended.
  package enum Outcome {
    /// A model and a recipe for each part.
    case found([EmittedModel], Verdict, [Recipe])
    /// Nothing was written; the candidate that came nearest, and the verdict on it with what makes its
    /// drift.
    case refused(Trial, Verdict)
  }

  /// The most candidates that a bracket of many weights asks for, that are judged of all encoders
  /// together, and that the verdict's share judges.
  package static let mostTrials = 6

  let request: Request
  let prover: Prover
  var parts: [SearchedPart]
  private let progress: @Sendable (SearchStep) -> Void
  /// Candidates that were made, and the most that will be as far as is known.
  private var made = 0
  private var most: Int
  /// Every candidate that was judged, in order.
  package private(set) var trials: [Trial] = []

  /// Predicts the losses.
  ///
  /// - Throws: as `OutputLosses` and compression; `SearchError.nothingToChoose` and `.unfitWeights`.
  package init(
    _ request: Request, jobs: Int, prover: Prover,
    progress: @escaping @Sendable (SearchStep) -> Void
  ) throws {
    self.request = request
    self.prover = prover
    self.progress = progress
    // The gate would find them at the first candidate, minutes later.
    for model in request.trained {
      let faults = try Gate.weightFaults(ofBaseline: model)
      guard faults.isEmpty else { throw SearchError.unfitWeights(origin: model.origin, faults) }
    }
    parts = try request.parts.map { try SearchedPart($0, jobs: jobs, progress: progress) }
    // Each encoder by itself, with one that is refused for rows, INT8 and what loses least, and then all of
    // them together.
    most =
      parts.reduce(0) { $0 + $1.bracket.mostTrials + 3 }
      + (parts.count > 1 ? Search.mostTrials : 0)
    guard parts.contains(where: { !$0.choices.groups.isEmpty }) else {
      throw SearchError.nothingToChoose(origin: origin)
    }
  }

  /// Searches, and writes what was found.
  ///
  /// - Throws: as `Prover.run`; `SearchError.budgetTooSmall`.
  package mutating func run() throws -> Outcome {
    if let budget = request.budget { return try best(budget) }
    guard let found = try smallest() else { return try refusal() }
    most = made + Search.mostTrials - 1
    return try prove(found.candidate)
  }

  /// The model, for messages.
  var origin: String { request.parts[0].model.origin }

  /// The verdict on the refused candidate that uses least of the limits, with what makes its drift.
  ///
  /// - Parameter tried: what is looked at of what was judged; nil for all.
  func refusal(of tried: [Trial]? = nil) throws -> Outcome {
    let refused = (tried ?? trials).filter { !$0.verdict.isPassed }
    // Where limits allow no loss at all, the one that should lose least.
    let nearest = refused.min { ($0.use, $0.predictedLoss) < ($1.use, $1.predictedLoss) }
    guard let nearest else { preconditionFailure("a search without a refusal found something") }
    let gate = nearest.share == .search ? request.search : verdictGate(judging: 0)
    return .refused(
      nearest,
      try prover.trial(
        nearest.candidate.compressed, against: request.trained, by: gate
      ) { models, judging in
        let verdict = try judging()
        request.refusing(models, verdict, gate)
        return verdict
      })
  }

  /// The gate of the verdict's share, which names the search.
  ///
  /// - Parameter more: candidates it judges next.
  private func verdictGate(judging more: Int) -> Gate {
    request.verdict.after(
      searchOn: request.shares, searched: trials.count { $0.share == .search },
      judged: trials.count { $0.share == .verdict } + more)
  }

  /// A gate that does not say what makes a drift: of all that is refused only the last is explained.
  private static func quick(_ gate: Gate) -> Gate {
    var gate = gate
    gate.attribution = .none
    return gate
  }
}

extension Search {
  /// Compresses parts as allocated; those without an allocation stay as trained.
  mutating func make(_ allocations: [Frontier.Allocation?]) throws -> Candidate {
    made += 1
    progress(.trying(made, of: most))
    // What was needed before, and what this needs, is not needed after.
    Memory.giveBackFreed()
    defer { Memory.giveBackFreed() }
    return Candidate(
      compressed: try zip(parts, allocations).compactMap { part, allocation in
        try allocation.map { try prover.compress(try part.proverPart($0)) }
      },
      recipes: zip(parts, allocations).compactMap { part, allocation in
        allocation.map(part.recipe)
      }, allocations: allocations)
  }

  /// Has a candidate judged by the search's share.
  mutating func judge(_ candidate: Candidate) throws -> Trial {
    let gate = Search.quick(request.search)
    let verdict = try prover.trial(candidate.compressed, against: request.trained, by: gate)
    let trial = take(candidate, verdict, on: .search)
    if verdict.isPassed, candidate.isWhole { request.passing() }
    return trial
  }

  /// What was written of a candidate that the verdict's share lets pass; nil if it does not.
  mutating func proven(_ candidate: Candidate) throws -> Outcome? {
    progress(.proving)
    let gate = Search.quick(verdictGate(judging: 1))
    let outcome = try prover.prove(
      candidate.compressed, against: request.trained, by: gate,
      around: {
        let verdict = try $1()
        if verdict.isPassed { try request.settling(candidate.recipes) }
        return verdict
      }, then: request.naming)
    switch outcome {
    case .proven(let written, let verdict):
      take(candidate, verdict, on: .verdict)
      return .found(written, verdict, candidate.recipes)
    case .refused(let verdict, _):
      take(candidate, verdict, on: .verdict)
      return nil
    }
  }

  @discardableResult
  private mutating func take(
    _ candidate: Candidate, _ verdict: Verdict, on share: ReferenceSet.Share
  ) -> Trial {
    let trial = Trial(candidate, of: parts, verdict, on: share)
    trials.append(trial)
    return trial
  }
}
