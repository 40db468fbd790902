import Gate
import Inputs
import Proving

// The smallest that passes.
extension Search {
  /// The smallest that passes on the search's share; nil if nothing does.
  mutating func smallest() throws -> Trial? {
    var found: [Trial] = []
    for place in parts.indices {
      guard let trial = try smallest(place) else { return nil }
      found.append(trial)
    }
    return found.count == 1 ? found[0] : try together(found)
  }

  /// The smallest of one part beside the others as trained.
  private mutating func smallest(_ place: Int) throws -> Trial? {
    var (bracket, least): (Bracket, Trial?) = (parts[place].bracket, nil)
    var allocation = try parts[place].start(request.limits, on: request.shares.search)
    var (isRefined, rest) = (false, bracket.mostTrials)
    while rest > 0 {
      let trial = try judge(try make(of: place, allocation))
      if trial.isRefusedForRows, parts[place].keepTablesWhole() {
        // It happens once, and what follows begins anew: it does not count.
        bracket = parts[place].bracket
        allocation = parts[place].allocated(Bracket.rounded(trial.predictedLoss))
        continue
      }
      rest -= 1
      bracket.take(Bracket.Probe(allocation: allocation, trial))
      if !isRefined {
        parts[place].refine(at: allocation)
        bracket.take(parts[place].choices)
        isRefined = true
      }
      if trial.verdict.isPassed, trial.weightBytes < least?.weightBytes ?? .max { least = trial }
      guard rest > 0, !isEnded, let next = bracket.next(isLast: rest == 1) else { break }
      allocation = next
    }
    return try plain(place, smallerThan: least) ?? least ?? lastResort(place, bracket)
  }

  /// What loses least of one part, where nothing else passed.
  private mutating func lastResort(_ place: Int, _ bracket: Bracket) throws -> Trial? {
    guard let allocation = bracket.lastResort else { return nil }
    let trial = try judge(try make(of: place, allocation))
    return trial.verdict.isPassed ? trial : nil
  }

  /// INT8 of one part where that is smaller than what was found, and passes.
  private mutating func plain(_ place: Int, smallerThan found: Trial?) throws -> Trial? {
    let plain = parts[place].choices.plain
    let bytes = plain.bytes + parts[place].choices.fixedBytes
    guard bytes < found?.weightBytes ?? .max, !isEnded,
      !trials.contains(where: { $0.candidate.allocations[place]?.bytes == plain.bytes })
    else { return nil }
    let trial = try judge(try make(of: place, plain))
    return trial.verdict.isPassed ? trial : nil
  }

  /// One part as allocated beside the others as trained.
  private mutating func make(
    of place: Int, _ allocation: Frontier.Allocation
  ) throws -> Candidate {
    try make(parts.indices.map { $0 == place ? allocation : nil })
  }

  /// What was found of each part, as one; with smaller losses where that is refused.
  private mutating func together(_ found: [Trial]) throws -> Trial? {
    var candidate = Candidate(joining: found.map(\.candidate))
    for number in 1...Search.mostTrials {
      let trial = try judge(candidate)
      if trial.verdict.isPassed { return trial }
      guard number < Search.mostTrials, let next = try lessened(candidate) else { break }
      candidate = next
    }
    return nil
  }

  /// Has a candidate proven, and smaller losses tried where that fails.
  mutating func prove(_ found: Candidate) throws -> Outcome {
    var candidate = found
    for number in 1...Search.mostTrials {
      if let outcome = try proven(candidate) { return outcome }
      guard number < Search.mostTrials,
        let next = try isEnded ? larger(than: candidate) : lessened(candidate)
      else { break }
      candidate = next
    }
    return try refusal()
  }

  /// Whether the search shall end at the best so far.
  var isEnded: Bool {
    trials.contains { $0.verdict.isPassed && $0.candidate.isWhole } && request.isEnded()
  }

  /// A candidate of less predicted loss than the last one, which was refused; nil if there is none.
  private mutating func lessened(_ candidate: Candidate) throws -> Candidate? {
    if keepTablesWhole() {
      return try make(
        zip(parts, candidate.allocations).map { part, allocation in
          allocation.map { part.allocated(Bracket.rounded($0.loss)) }
        })
    }
    let use = trials.last?.use ?? .infinity
    let margin = use.isFinite && use > 1 ? 0.9 / use : 0.7
    let next = zip(parts, candidate.allocations).map { part, allocation in
      allocation.map { part.lessened($0, to: Bracket.rounded($0.loss * margin)) }
    }
    return next.map { $0?.places } == candidate.allocations.map { $0?.places }
      ? nil : try make(next)
  }

  /// Stores no table in two parts any more, where the last candidate was refused for rows.
  ///
  /// - Returns: whether any was.
  mutating func keepTablesWhole() -> Bool {
    guard trials.last?.isRefusedForRows == true else { return false }
    var isChanged = false
    for place in parts.indices where parts[place].keepTablesWhole() { isChanged = true }
    return isChanged
  }

  /// The next larger candidate that passed on the search's share; nil if there is none.
  private func larger(than candidate: Candidate) -> Candidate? {
    trials.map(\.candidate).filter(\.isWhole).filter { other in
      other.bytes > candidate.bytes
        && trials.contains { $0.candidate.allocations == other.allocations && $0.verdict.isPassed }
    }.min { $0.bytes < $1.bytes }
  }
}

extension Bracket.Probe {
  init(allocation: Frontier.Allocation, _ trial: Trial) {
    self.init(
      allocation: allocation, use: trial.use, expectedUse: trial.expectedUse,
      isPassed: trial.verdict.isPassed)
  }
}
