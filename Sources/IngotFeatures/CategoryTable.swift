import StrictJSON

/// Codes of categories by their names.
struct CategoryTable: Sendable {
  private let codes: [ExactString: Int]
  /// Of names that are numbers; nil where several names are one number.
  private let numbers: [Double: Int?]

  init(_ names: [String]) {
    codes = Dictionary(names.enumerated().map { (ExactString($1), $0) }) { first, _ in first }
    var numbers: [Double: Int?] = [:]
    for (code, name) in names.enumerated() {
      guard let number = Self.number(in: name) else { continue }
      numbers.updateValue(numbers[number] == nil ? code : nil, forKey: number)
    }
    self.numbers = numbers
  }

  /// Whether a category may be given as a number.
  var hasNumbers: Bool { !numbers.isEmpty }

  func code(of text: String) -> Int? { codes[ExactString(text)] }

  /// The category that is written like a number, or else the only one that is the number.
  func code(of number: Double) -> Int? {
    codes[ExactString(Self.text(of: number))] ?? numbers[number] ?? nil
  }

  /// The category `true` or `false`, which libraries also write `True` and `False`.
  func code(of truth: Bool) -> Int? {
    (truth ? ["true", "True"] : ["false", "False"]).lazy.compactMap(code).first
  }

  /// `2`, also for 2.0, and `0.5`.
  static func text(of number: Double) -> String {
    guard let whole = Int(exactly: number), whole.magnitude <= 1 << 53 else { return "\(number)" }
    return "\(whole)"
  }

  private static func number(in name: String) -> Double? {
    guard name.utf8.allSatisfy(Set("+-.0123456789eE".utf8).contains), let value = Double(name),
      value.isFinite
    else { return nil }
    return value
  }
}
