/// The few values of a weight, or of a row.
struct UsedLevels {
  let levels: SharedLevels
  /// Those that lines have which references reach.
  let reached: Set<Float>

  /// Those of each list, in their order; nil unless all have few.
  ///
  /// - Parameter reached: the numbers of a list that are in lines which references reach.
  static func all<Reached: Sequence<Float>>(
    _ lists: [[Float]], _ reached: ([Float]) -> Reached
  ) -> [UsedLevels]? {
    var found: [UsedLevels] = []
    for list in lists {
      guard let levels = SharedLevels(of: list) else { return nil }
      found.append(UsedLevels(levels: levels, reached: Set(reached(list))))
    }
    return found
  }
}

/// Whether the few values that there are explain how far a line of a weight moved.
enum LevelUse: Equatable {
  /// Each number became the nearest value, one that lines which references reach have, too; or stayed.
  case shared
  /// Each number became the nearest value, but some of these may have been made for what no reference reaches.
  case own
  case unexplained

  /// - Parameters:
  ///   - error: how far the line moved.
  ///   - levels: one for each number of the line, where each is in another list, or one of the whole weight; nil where
  ///     the values are many.
  init(_ old: [Float], _ new: [Float], error: Double, _ levels: [UsedLevels]?) {
    guard let levels, levels.count == old.count || levels.count == 1 else {
      self = .unexplained
      return
    }
    func list(_ place: Int) -> UsedLevels { levels[levels.count == 1 ? 0 : place] }
    func explain(_ reaches: [Double]) -> Bool {
      let sum = reaches.reduce(0) { $0 + $1 * $1 }
      return error <= sum.squareRoot() * SharedLevels.tolerance
    }
    let distances = old.indices.map { list($0).levels.distance(from: old[$0]) }
    let reaches = old.indices.map { place in
      list(place).reached.contains(new[place])
        ? distances[place] : RowRule.storage * Double(old[place].magnitude)
    }
    self = explain(reaches) ? .shared : explain(distances) ? .own : .unexplained
  }
}
