import Gate

/// Chooses how many weights are lifted to a level: as few as are enough, by the drift that so many leave.
struct LevelChoice {
  /// The fewest that were tried and are enough; nil if none was.
  private(set) var enough: Int?
  /// The part of the limits that one unit of drift uses.
  private(set) var rate: Double
  private let count: Int
  /// The most that were tried and are not enough.
  private var tooFew = 0

  /// - Parameters:
  ///   - count: weights that the level is above.
  ///   - rate: as it is known before any of them is tried.
  init(of count: Int, rate: Double) { (self.count, self.rate) = (count, rate) }

  /// The fewest that should be enough and were not tried; nil if there are none.
  ///
  /// - Parameter drift: what is left with so many lifted, which is less the more they are.
  func next(leaving drift: (Int) throws -> Double) rethrows -> Int? {
    var (low, high) = (tooFew + 1, (enough ?? count + 1) - 1)
    guard low <= high, try isPromising(drift(high)) else { return nil }
    while low < high {
      let middle = (low + high) / 2
      if try isPromising(drift(middle)) { high = middle } else { low = middle + 1 }
    }
    return high
  }

  private func isPromising(_ drift: Double) -> Bool { max(0, drift) * rate <= 1 }

  /// Takes what a try measured, from which the next ones are predicted.
  ///
  /// - Parameter drift: that was left on the inputs that drifted most.
  mutating func take(_ tried: Int, leaving drift: Double, _ measured: MendBench.Measured) {
    if measured.isInside { enough = tried } else { tooFew = max(tooFew, tried) }
    rate = RepairChoice.rate(drift, measured) ?? rate
  }
}
