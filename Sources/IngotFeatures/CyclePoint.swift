/// Where a number stands on a circle: the sine and the cosine of 2π × value ÷ period.
///
/// Computed by additions, products and divisions alone, so that every device has the same bits; C libraries
/// differ in the last. Within 2⁻⁵² of the true numbers.
struct CyclePoint {
  let sine: Double
  let cosine: Double

  /// - Parameters:
  ///   - value: finite.
  ///   - period: above 0.
  init(of value: Double, period: Double) {
    let turn = value.truncatingRemainder(dividingBy: period) / period
    // The nearest quarter of a turn, and an angle from −π/4 to π/4 to it.
    let quarter = Int((turn * 4).rounded())
    let angle = (turn - Double(quarter) / 4) * 2 * .pi
    let (sine, cosine) = (Self.sine(angle), Self.cosine(angle))
    // Subtracted from 0, so that no zero has a sign.
    switch quarter & 3 {
    case 0: (self.sine, self.cosine) = (sine, cosine)
    case 1: (self.sine, self.cosine) = (cosine, 0 - sine)
    case 2: (self.sine, self.cosine) = (0 - sine, 0 - cosine)
    default: (self.sine, self.cosine) = (0 - cosine, sine)
    }
  }

  /// x − x³/3! + x⁵/5! − …, from the smallest on.
  private static func sine(_ x: Double) -> Double { x * series(x * x, from: 17) }

  /// 1 − x²/2! + x⁴/4! − …
  private static func cosine(_ x: Double) -> Double { series(x * x, from: 18) }

  private static func series(_ square: Double, from last: Int) -> Double {
    var sum = 1.0
    for place in stride(from: last, through: 2, by: -2) {
      sum = 1 - sum * square / Double(place * (place - 1))
    }
    return sum
  }
}
