extension TreeEnsemble {
  /// The same trees with coarser thresholds.
  ///
  /// A threshold becomes a coarse number by which its branch decides as before on every row, and which is no farther
  /// from it than a share of its feature's range (`CoarseThresholds.share`). Where there is none, it becomes the nearest
  /// number of 32 bits that meets both conditions, or stays. Sets of categories stay, thresholds that a value must
  /// equal, and those that mean infinity.
  ///
  /// - Parameter rows: as many numbers each as there are features, NaN where one is missing; others do not count.
  ///   Without any, the range of a feature is that of its thresholds.
  package func coarseningThresholds(_ coarse: CoarseThresholds, rows: [[Double]]) -> TreeEnsemble {
    let references = ReferenceDecisions(self, rows: rows)
    var result = self
    var rooms = [[ThresholdRoom]](repeating: [], count: featureCount)
    for branch in 0..<branchCount where mayBeCoarser(branch) {
      guard let room = references.room(of: branch, moving: coarse.share) else { continue }
      rooms[Int(features[branch])].append(
        ThresholdRoom(
          branch: branch, threshold: thresholds[branch], numbers: room,
          reach: coarse.share * references.range(of: branch)))
    }
    for rooms in rooms where !rooms.isEmpty {
      for (room, number) in zip(rooms, coarse.numbers(for: rooms)) {
        result.thresholds[room.branch] = Double(number)
      }
    }
    return result
  }
}

extension CoarseThresholds {
  /// Numbers for the branches of one feature.
  fileprivate func numbers(for rooms: [ThresholdRoom]) -> [Float] {
    switch self {
    case .halves: rooms.map { $0.nearest(Self.halves(around: $0.threshold)) }
    case .evenlySpaced:
      Self.table(rooms).map { table in
        rooms.map { $0.nearest(Self.neighbours(of: $0.threshold, table)) }
      } ?? rooms.map(\.own)
    case .few(let bits): Self.few(1 << bits, rooms)
    }
  }

  /// The numbers of half precision at or below, and at or above, a number.
  private static func halves(around number: Double) -> [Float] {
    let exponent = number == 0 ? -14 : max(-14, Int(number.exponent))
    let step = Double(sign: .plus, exponent: exponent - 10, significand: 1)
    return [(number / step).rounded(.down) * step, (number / step).rounded(.up) * step].filter {
      abs($0) <= 65504
    }.map { Float($0) }
  }

  /// Evenly spaced numbers, ascending; nil where all thresholds are equal.
  private static func table(_ rooms: [ThresholdRoom]) -> [Float]? {
    let numbers = rooms.map(\.threshold)
    guard let least = numbers.min(), let largest = numbers.max(), least < largest else {
      return nil
    }
    let step = (largest - least) / Double(evenCount - 1)
    return (0..<evenCount).map { Float($0 == evenCount - 1 ? largest : least + step * Double($0)) }
  }

  /// The numbers of an ascending table next to a number.
  private static func neighbours(of number: Double, _ table: [Float]) -> [Float] {
    var (low, high) = (0, table.count)
    while low < high {
      let middle = (low + high) / 2
      if Double(table[middle]) >= number { high = middle } else { low = middle + 1 }
    }
    return [low - 1, low].filter(table.indices.contains).map { table[$0] }
  }

  /// As few numbers as rooms allow, but no fewer than asked for: thresholds move as little as will do.
  private static func few(_ count: Int, _ rooms: [ThresholdRoom]) -> [Float] {
    let own = rooms.map(\.own)
    guard Set(own).count > count else { return own }
    var found = own
    for part in [64, 32, 16, 8, 4, 2, 1] {
      found = shared(rooms.map { $0.narrowed(to: part) })
      if Set(found).count <= count { return found }
    }
    return found
  }

  /// The fewest numbers such that each room has one: the one with the least upper end shares its number with all
  /// that reach down to that, and so on. In each of these it is the nearest to the middle threshold.
  private static func shared(_ rooms: [ThresholdRoom]) -> [Float] {
    let order = rooms.indices.sorted { rooms[$0].numbers.upperBound < rooms[$1].numbers.upperBound }
    var numbers = [Float](repeating: 0, count: rooms.count)
    var start = 0
    while start < order.count {
      let upper = rooms[order[start]].numbers.upperBound
      var lower = rooms[order[start]].numbers.lowerBound
      var end = start + 1
      while end < order.count, rooms[order[end]].numbers.lowerBound <= upper {
        lower = max(lower, rooms[order[end]].numbers.lowerBound)
        end += 1
      }
      let middle = Float(rooms[order[(start + end - 1) / 2]].threshold)
      for place in order[start..<end] { numbers[place] = min(max(middle, lower), upper) }
      start = end
    }
    return numbers
  }
}

/// A branch among those of its feature, and the numbers that it may compare with.
private struct ThresholdRoom {
  let branch: Int
  let threshold: Double
  let numbers: ClosedRange<Float>
  /// How far the threshold may move.
  let reach: Double

  /// The number of 32 bits that is nearest to the threshold.
  var own: Float { min(max(Float(threshold), numbers.lowerBound), numbers.upperBound) }

  /// The nearest of some numbers that it may compare with, or else its own.
  func nearest(_ candidates: [Float]) -> Float {
    candidates.filter(numbers.contains).min {
      abs(Double($0) - threshold) < abs(Double($1) - threshold)
    } ?? own
  }

  /// The same with a part of the reach.
  func narrowed(to part: Int) -> ThresholdRoom {
    let reach = reach / Double(part)
    let lower = max(numbers.lowerBound, Float.atLeast(threshold - reach))
    let upper = min(numbers.upperBound, Float.atMost(threshold + reach))
    return ThresholdRoom(
      branch: branch, threshold: threshold, numbers: lower <= upper ? lower...upper : own...own,
      reach: reach)
  }
}
