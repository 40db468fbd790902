/// Numbers in findings: four digits, the same in every locale.
enum ShortNumber {
  /// A value of a tensor: the shortest decimal that reads back as the same number.
  static func text(_ value: Float) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A figure that is not negative, with one decimal below 1000 and none from there on.
  static func text(_ value: Double) -> String {
    guard value < 1e15 else { return "\(value)" }
    let tenths = (value * 10).rounded()
    guard tenths < 10000 else { return "\(Int(value.rounded()))" }
    return "\(Int(tenths) / 10).\(Int(tenths) % 10)"
  }

  /// A share as a percentage.
  static func percent(_ share: Double) -> String { text(share * 100) + " %" }
}
