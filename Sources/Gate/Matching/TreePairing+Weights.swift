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

  /// Thresholds of fewer numbers are rounded: what is next to the first of three stands for all of them, since
  /// outputs say what becomes of it.
  private func thresholds(_ ours: [Float], _ theirs: [Float]) -> [Float] {
    var values = placed(branches, ours, theirs, others.branches)
    guard ours.count > branches.count, theirs.count == others.branches else { return values }
    for place in branches.indices
    where [ours[place].nextDown, ours[place], ours[place].nextUp].contains(values[place]) {
      for row in stride(from: place, to: ours.count, by: branches.count) { values[row] = ours[row] }
    }
    return values
  }
}
