/// Numbers as people read them, the same on every machine and in every locale.
enum Numbers {
  /// A number with a fixed count of decimals, rounded half away from zero.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value.magnitude * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let digits = String(Int(scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = value < 0 && scaled > 0 ? "-" : ""
    if decimals == 0 { return sign + padded }
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// Four significant digits, for values of any size.
  static func short(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
    var exponent = 0
    var rest = value.magnitude
    while rest >= 10 { (rest, exponent) = (rest / 10, exponent + 1) }
    while rest < 1 { (rest, exponent) = (rest * 10, exponent - 1) }
    if (-4...6).contains(exponent) { return fixed(value, max(0, 3 - exponent)) }
    return (value < 0 ? "-" : "") + fixed(rest, 3) + "e\(exponent)"
  }

  /// A count of bytes in B, kB, MB or GB (powers of 1000).
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1000: "\(count) B"
    case ..<1_000_000: "\(fixed(Double(count) / 1e3, 1)) kB"
    case ..<1_000_000_000: "\(fixed(Double(count) / 1e6, 1)) MB"
    default: "\(fixed(Double(count) / 1e9, 2)) GB"
    }
  }

  /// A number and its noun: `1 tensor`, `3 tensors`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A shape as `[384, 1536]`.
  static func shape(_ shape: [Int]) -> String { "\(shape)" }
}
