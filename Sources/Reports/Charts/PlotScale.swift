import StrictJSON

/// Maps values to places along an axis.
struct PlotScale {
  /// The values at both ends.
  let lower: Double
  let upper: Double
  /// Whether steps of one size multiply the value.
  let isLogarithmic: Bool
  /// The places of both ends, in any unit.
  let start: Double
  let end: Double

  /// - Parameters:
  ///   - values: finite; above 0 where the scale is logarithmic. At least one.
  ///   - padding: share of the range that is left free at both ends.
  init(
    _ values: [Double], isLogarithmic: Bool, padding: Double, from start: Double, to end: Double
  ) {
    let moved = values.map { isLogarithmic ? Logarithm.ten($0) : $0 }
    let low = moved.min() ?? 0, high = moved.max() ?? 0
    // Of one value a tenth of it to both sides, or a factor of three.
    let least = isLogarithmic ? 1 : max(high.magnitude * 0.2, 1e-12)
    let spare = max(0, least - (high - low)) / 2
    let padded = (high - low + 2 * spare) * padding
    (lower, upper) = (low - spare - padded, high + spare + padded)
    (self.isLogarithmic, self.start, self.end) = (isLogarithmic, start, end)
  }

  /// A scale whose steps add to the value, with these very ends.
  init(between lower: Double, and upper: Double, from start: Double, to end: Double) {
    (self.lower, self.upper, isLogarithmic) = (lower, upper, false)
    (self.start, self.end) = (start, end)
  }

  /// The place of a value; those beyond the ends are at the ends.
  func place(of value: Double) -> Double {
    let moved = isLogarithmic ? Logarithm.ten(value) : value
    let share = (moved - lower) / (upper - lower)
    return start + (end - start) * min(1, max(0, share))
  }

  func contains(_ value: Double) -> Bool {
    let moved = isLogarithmic ? Logarithm.ten(value) : value
    return moved >= lower && moved <= upper
  }

  /// Round values between the ends: some three to six of them.
  var ticks: [Double] { isLogarithmic ? logarithmicTicks : linearTicks(count: 4) }

  private var logarithmicTicks: [Double] {
    let exponents = Int(lower.rounded(.down))...Int(upper.rounded(.up))
    let step = max(1, (exponents.count + 5) / 6)
    let decades = exponents.filter { $0 % step == 0 }.map { Logarithm.power(ofTen: $0) }
    let inside = decades.filter(contains)
    guard inside.count < 3, step == 1 else { return inside }
    return exponents.flatMap { exponent in
      [1, 2, 5].map { $0 * Logarithm.power(ofTen: exponent) }
    }.filter(contains)
  }

  private func linearTicks(count: Int) -> [Double] {
    let rough = (upper - lower) / Double(count)
    let exponent = Int(Logarithm.ten(rough).rounded(.down))
    let unit = Logarithm.power(ofTen: exponent)
    let step = [1, 2, 2.5, 5, 10].map { $0 * unit }.first { $0 >= rough } ?? rough
    let first = Int((lower / step).rounded(.up)), last = Int((upper / step).rounded(.down))
    return first <= last ? (first...last).map { Double($0) * step } : []
  }
}

/// Logarithms by repeated division, which every machine gives the same bits.
enum Logarithm {
  /// The decimal logarithm to some twelve digits; −300 of what is not above 0.
  static func ten(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return -300 }
    var whole = 0.0, rest = value
    while rest >= 10 { (rest, whole) = (rest / 10, whole + 1) }
    while rest < 1 { (rest, whole) = (rest * 10, whole - 1) }
    // Squaring doubles the logarithm: each carry is a bit of the fraction.
    var fraction = 0.0, bit = 0.5
    for _ in 0..<40 {
      rest *= rest
      if rest >= 10 { (rest, fraction) = (rest / 10, fraction + bit) }
      bit /= 2
    }
    return whole + fraction
  }

  /// 10 to a whole power.
  static func power(ofTen exponent: Int) -> Double {
    Double("1e\(exponent)") ?? .infinity
  }
}

/// Lengths and places as SVG and CSS write them.
enum Place {
  static func percent(_ share: Double) -> String { Figures.text(share, decimals: 2) + "%" }
  static func pixels(_ length: Double) -> String { Figures.text(length, decimals: 1) }
}
