/// Damage of one weight that its numbers show one by one: a factor, zeros, signs, clipping.
///
/// Each way is tried as an explanation: it holds where it leaves no more than a quarter of the error,
/// which compression beside it may have made.
struct ValueDamage {
  private let new: [Float]
  private let old: [Float]
  private let lines: [WeightLines]
  /// Σ (new − old)².
  private let error: Double
  /// Σ old².
  private let size: Double

  /// Factors that are nearer to 1 are no damage.
  private static let leastFactor = 0.02
  /// A factor nearer to −1 than this is a lost sign; compression takes a little of the length.
  private static let sign = 0.1
  /// Size of a number, beside the root mean square of all, that counts as zero.
  private static let nothing = 0.01
  /// Numbers of a line from which a factor of its own tells anything.
  private static let shortest = 4
  /// Share of the damage that whole lines must hold to be named.
  private static let wholeLines = 0.9

  init(new: [Float], old: [Float], shape: [Int]) {
    (self.new, self.old) = (new, old)
    lines = WeightLines.all(of: shape)
    var error = 0.0, size = 0.0
    for (one, other) in zip(old, new) {
      let value = Double(one), difference = value - Double(other)
      error += difference * difference
      size += value * value
    }
    (self.error, self.size) = (error, size)
  }

  private func explains(_ left: Double) -> Bool {
    left <= WeightPattern.unexplained * WeightPattern.unexplained * error
  }

  /// One factor for all numbers.
  var factor: WeightPattern? {
    guard size > 0 else { return nil }
    let product = zip(old, new).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    let factor = product / size
    guard (factor - 1).magnitude > ValueDamage.leastFactor,
      explains(left { _, old in factor * Double(old) })
    else { return nil }
    guard (factor + 1).magnitude < ValueDamage.sign else { return .scaled(factor) }
    return .negated(DamagedPart(unit: .value, count: old.count, all: old.count, first: 0))
  }

  /// Zeros where the baseline has other numbers.
  var zeroed: WeightPattern? {
    let least = Float(ValueDamage.nothing * (size / Double(max(1, old.count))).squareRoot())
    func isLost(_ new: Float, _ old: Float) -> Bool {
      new.magnitude <= least && old.magnitude > least
    }
    guard explains(left { isLost($0, $1) ? Double($0) : Double($1) }) else { return nil }
    return part(where: isLost).map(WeightPattern.zeroed)
  }

  /// Numbers with the other sign.
  var negated: WeightPattern? {
    guard explains(left { $0 * $1 < 0 ? -Double($1) : Double($1) }) else { return nil }
    return part { $0 * $1 < 0 }.map(WeightPattern.negated)
  }

  /// Numbers that end at the largest that the candidate has, which is none beyond the baseline's.
  var saturated: WeightPattern? {
    guard let low = new.min(), let high = new.max(), let least = old.min(), let most = old.max(),
      low <= most, high >= least
    else { return nil }
    guard explains(left { Double(min(max($1, low), high)) }),
      let part = part(where: { $1 > high || $1 < low })
    else { return nil }
    let largest = old.reduce(Float(0)) { max($0, $1.magnitude) }
    let isHigh = old.contains { $0 > high }
    return .saturated(
      part, limit: Double(isHigh ? high.magnitude : low.magnitude), largest: Double(largest))
  }

  /// Lines with factors of their own.
  var scaledLines: WeightPattern? {
    for lines in lines where lines.length >= ValueDamage.shortest {
      var left = 0.0
      var damaged: [(line: Int, factor: Double)] = []
      for line in 0..<lines.count {
        var product = 0.0, before = 0.0, after = 0.0
        for place in lines.places(line) {
          product += Double(old[place]) * Double(new[place])
          before += Double(old[place]) * Double(old[place])
          after += Double(new[place]) * Double(new[place])
        }
        let factor = before > 0 ? product / before : 1
        left += max(0, after - factor * product)
        if (factor - 1).magnitude > 2 * ValueDamage.leastFactor { damaged.append((line, factor)) }
      }
      guard explains(left), let first = damaged.first else { continue }
      return .scaledLines(
        DamagedPart(
          unit: DamagedPart.Unit(axis: lines.axis), count: damaged.count, all: lines.count,
          first: first.line), factor: first.factor)
    }
    return nil
  }

  /// What is left of the error where `expected(new, old)` takes the baseline's place.
  private func left(_ expected: (Float, Float) -> Double) -> Double {
    var left = 0.0
    for index in old.indices {
      let difference = Double(new[index]) - expected(new[index], old[index])
      left += difference * difference
    }
    return left
  }

  /// The numbers that are damaged: whole lines where these hold nearly all of the damage.
  private func part(where isDamaged: (Float, Float) -> Bool) -> DamagedPart? {
    let hit = old.indices.map { isDamaged(new[$0], old[$0]) }
    let count = hit.count { $0 }
    guard count > 0, let first = hit.firstIndex(of: true) else { return nil }
    func weight(_ places: some Sequence<Int>) -> (hit: Double, all: Double) {
      var sums = (hit: 0.0, all: 0.0)
      for place in places {
        let value = Double(old[place]) * Double(old[place])
        sums.all += value
        if hit[place] { sums.hit += value }
      }
      return sums
    }
    let damage = weight(old.indices).hit
    for lines in lines where lines.length > 1 && count < old.count {
      let sums = (0..<lines.count).map { weight(lines.places($0)) }
      let whole = sums.indices.filter {
        sums[$0].all > 0 && sums[$0].hit >= ValueDamage.wholeLines * sums[$0].all
      }
      let held = whole.reduce(0) { $0 + sums[$1].hit }
      guard let first = whole.first, held >= ValueDamage.wholeLines * damage else { continue }
      return DamagedPart(
        unit: DamagedPart.Unit(axis: lines.axis), count: whole.count, all: lines.count, first: first
      )
    }
    return DamagedPart(unit: .value, count: count, all: old.count, first: first)
  }
}
