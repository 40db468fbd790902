import Trees

extension TreePairing {
  /// The numbers of an array of the candidate's trees, each in the place that the baseline's has. Arrays that
  /// say the form of trees are the baseline's, as are nodes that no row reaches.
  ///
  /// - Parameters:
  ///   - ours: the baseline's numbers.
  ///   - theirs: the candidate's.
  func floats(of array: TreeArrays, ours: [Float], theirs: [Float]) -> [Float] {
    switch array {
    case .leaves: placed(leaves, ours, theirs, others.leaves)
    case .thresholds: thresholds(ours, theirs)
    default: ours
    }
  }

  /// - Parameters:
  ///   - places: of each of our columns theirs.
  ///   - count: of their columns; rows that they do not have are 0.
  private func placed(
    _ places: [Int?], _ ours: [Float], _ theirs: [Float], _ count: Int
  ) -> [Float] {
    var values = ours
    for start in stride(from: 0, to: ours.count, by: max(1, places.count)) {
      let row = start / places.count
      for (place, other) in places.enumerated() {
        guard let other else { continue }
        let found = row * count + other
        values[start + place] = found < theirs.count ? theirs[found] : 0
      }
    }
    return values
  }

  /// Where ours have fewer numbers, what those that are missing would add is a step of the last one: it is not ours.
  private func thresholds(_ ours: [Float], _ theirs: [Float]) -> [Float] {
    var values = placed(branches, ours, theirs, others.branches)
    guard !branches.isEmpty, others.branches > 0 else { return values }
    let rows = ours.count / branches.count
    for (place, other) in branches.enumerated() {
      guard let other else { continue }
      let first = rows * others.branches + other
      let rests = stride(from: first, to: theirs.count, by: others.branches)
      guard let rest = rests.map({ theirs[$0] }).first(where: { $0 != 0 }) else { continue }
      let last = (rows - 1) * branches.count + place
      values[last] = rest > 0 ? values[last].nextUp : values[last].nextDown
    }
    return values
  }
}
