/// Tells numbers that a program computed from those that somebody measured or wrote down.
enum ComputedNumbers {
  /// Digits that measured values have at most; results of 32-bit arithmetic have up to nine.
  static let maxMeasuredDigits = 6

  /// Whether most of them have more digits than anybody measures.
  static func areMost(_ values: [Float]) -> Bool {
    values.filter(isComputed).count * 2 > values.count
  }

  // Whole numbers may count anything.
  private static func isComputed(_ value: Float) -> Bool {
    value != value.rounded(.towardZero) && digits(of: value) > maxMeasuredDigits
  }

  /// Digits of the shortest decimal that reads back as the same number, zeros at its ends left out.
  static func digits(of value: Float) -> Int {
    let zero = UInt8(ascii: "0")
    let all = "\(value.magnitude)".utf8.prefix { $0 != UInt8(ascii: "e") }
      .filter { $0 != UInt8(ascii: ".") }
    return all.drop { $0 == zero }.reversed().drop { $0 == zero }.count
  }
}
