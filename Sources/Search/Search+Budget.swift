import Gate
import Proving

// The best of a size.
extension Search {
  /// The best model of at most a size.
  mutating func best(_ budget: Int) throws -> Outcome {
    for candidate in try candidates(of: budget) {
      if let outcome = try proven(candidate) { return outcome }
      guard trials.last?.isRefusedForRows == true else { break }
    }
    if isEnded { return try refusal() }
    if keepTablesWhole() { return try best(budget) }
    let tried = trials
    return try smallest(within: budget) ?? refusal(of: tried)
  }

  /// The smallest that passes, where that is within the budget: of few weights what should lose
  /// least may be refused where a smaller one is not.
  private mutating func smallest(within budget: Int) throws -> Outcome? {
    guard parts.count == 1, parts[0].bracket.isOfFew, let found = try smallest(),
      try byteCount(of: found.candidate) <= budget
    else { return nil }
    return try proven(found.candidate)
  }

  /// What may be the best model of at most a size: what passes on the search's share first, and of that
  /// what loses least.
  ///
  /// Where weights are fitted, the first says how well each can be, and the best by that is made too. A
  /// table in two parts is stored by how often inputs look its rows up, which others may not: one whole
  /// is tried beside it. None follows where the search shall end at the best so far.
  private mutating func candidates(of budget: Int) throws -> [Candidate] {
    let first = try fitting(budget)
    guard request.parts.contains(where: { $0.calibration != nil }) else { return [first] }
    for (place, allocation) in first.allocations.enumerated() {
      if let allocation { parts[place].refine(at: allocation) }
    }
    var tried = [try judge(first)]
    guard !isEnded else { return [first] }
    let second = try fitting(budget, known: first)
    if second.allocations != first.allocations { tried.append(try judge(second)) }
    if second.isSplit, !isEnded {
      for place in parts.indices { _ = parts[place].keepTablesWhole() }
      let third = try fitting(budget, known: second)
      if third.recipes != second.recipes { tried.append(try judge(third)) }
    }
    return tried.sorted {
      ($0.verdict.isPassed ? 0 : 1, $0.loss) < ($1.verdict.isPassed ? 0 : 1, $1.loss)
    }.map(\.candidate)
  }

  /// The candidate of least predicted loss that is not larger.
  ///
  /// - Parameter known: a candidate that was made, and need not be made again.
  private mutating func fitting(_ budget: Int, known: Candidate? = nil) throws -> Candidate {
    let frontier = self.frontier
    var room = try weightRoom(of: budget, known, frontier)
    while let allocation = frontier.best(bytes: room) {
      let allocations = split(allocation)
      if let known, known.allocations == allocations { return known }
      let candidate = try make(allocations)
      let excess = try byteCount(of: candidate) - budget
      guard excess > 0 else { return candidate }
      room = allocation.bytes - excess
    }
    if let known { return known }
    throw SearchError.budgetTooSmall(
      origin: origin, budget: budget, smallest: budget - room + frontier.smallest)
  }

  /// The frontier of all parts at once.
  private var frontier: Frontier {
    parts.count == 1
      ? parts[0].choices.frontier
      : Frontier(parts.flatMap { $0.choices.groups.map(\.choices) })
  }

  /// The allocation of each part.
  private func split(_ all: Frontier.Allocation) -> [Frontier.Allocation?] {
    var rest = all.places[...]
    return parts.map { part in
      let choices = part.choices.groups.map(\.choices)
      defer { rest = rest.dropFirst(choices.count) }
      return Frontier.Allocation(places: Array(rest.prefix(choices.count)), of: choices)
    }
  }

  private func byteCount(of candidate: Candidate) throws -> Int {
    try candidate.compressed.reduce(parts.reduce(0) { $0 + $1.noteBytes }) {
      $0 + (try prover.byteCount(of: $1))
    }
  }

  /// Bytes for the weights there is a choice about, from the size of all that is written.
  ///
  /// What is written besides weights differs by a few bytes from one allocation to another. A fitted
  /// candidate takes long, so that the one after `known` leaves room for that.
  private func weightRoom(
    of budget: Int, _ known: Candidate?, _ frontier: Frontier
  ) throws -> Int {
    if let known {
      let weights = parts.reduce(0) { $0 + $1.choices.groups.count }
      return known.bytes + (budget - (try byteCount(of: known))) - Search.roomPerWeight * weights
    }
    guard let least = frontier.best(bytes: frontier.smallest) else { return 0 }
    let unfitted = Candidate(
      compressed: try zip(parts, split(least)).compactMap { part, allocation in
        try allocation.map { try prover.compress(try part.proverPart($0, isFitted: false)) }
      }, recipes: [], allocations: [])
    return budget - (try byteCount(of: unfitted) - least.bytes)
  }

  /// Bytes by which the words for a weight's scheme may differ.
  private static let roomPerWeight = 16
}
