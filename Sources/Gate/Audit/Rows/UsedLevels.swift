/// The few values of a weight, or of a row, and how many numbers have each.
struct UsedLevels {
  let levels: SharedLevels
  let counts: [Float: Int]

  /// - Returns: nil if the values are more than a palette holds.
  private init?(_ values: [Float]) {
    guard let levels = SharedLevels(of: values) else { return nil }
    (self.levels, counts) = (levels, Self.counts(of: values))
  }

  /// Those of each, in their order; nil unless all have few.
  static func all(_ lists: [[Float]]) -> [UsedLevels]? {
    var found: [UsedLevels] = []
    for list in lists {
      guard let levels = UsedLevels(list) else { return nil }
      found.append(levels)
    }
    return found
  }

  static func counts(of values: [Float]) -> [Float: Int] {
    values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

/// Whether the few values that there are explain how far a line of a weight moved.
enum LevelUse: Equatable {
  /// Each number became the nearest value of those that other lines have, or stayed.
  case shared
  /// Each number became the nearest value, but some of these may have been made for the line.
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
    let own = levels.count == 1 ? UsedLevels.counts(of: new) : [:]
    let reaches = old.indices.map { place in
      let isShared = list(place).counts[new[place], default: 0] > own[new[place], default: 1]
      return isShared ? distances[place] : RowRule.storage * Double(old[place].magnitude)
    }
    self = explain(reaches) ? .shared : explain(distances) ? .own : .unexplained
  }
}
