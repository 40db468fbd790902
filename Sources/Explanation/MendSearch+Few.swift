import Gate

// Changes of a few weights that are only rounded.
extension MendSearch {
  /// The cheapest of all combinations that is inside, by what they were predicted to do; nil if none
  /// that was tried is.
  mutating func few(_ options: [[Repair]], _ start: Start) throws -> [Repair]? {
    guard !options.isEmpty else { return nil }
    var choice = RepairChoice(
      options, losses: try losses(of: options, start), floor: try drift(best(of: options), start),
      before: start.drift, use: start.use)
    var inside: RepairChoice.Combination?
    while tries < MendSearch.mostTriesOfFew, let next = choice.next(below: inside) {
      let measured = try attempt(start.faults + choice.repairs(next))
      choice.take(next, measured)
      guard measured.isInside else { continue }
      // A later one is cheaper.
      inside = next
      if measured.use > RepairChoice.wellUsed { break }
    }
    return inside.map { start.faults + choice.repairs($0) }
  }

  /// What each weight loses as it is and in each of its ways, the others in the best of theirs.
  private mutating func losses(of options: [[Repair]], _ start: Start) throws -> [[Double]] {
    let best = best(of: options)
    let floor = try drift(best, start)
    var losses: [[Double]] = []
    for (place, repairs) in options.enumerated() {
      let others = best.indices.filter { $0 != place }.map { best[$0] }
      losses.append(
        try ([nil] + repairs).map { repair in
          try drift(others + (repair.map { [$0] } ?? []), start) - floor
        })
    }
    return losses
  }

  private func best(of options: [[Repair]]) -> [Repair] { options.compactMap(\.last) }
}
