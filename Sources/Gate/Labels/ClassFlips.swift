import Inputs
package import StrictJSON

/// What became of the inputs to which the baseline gives one class.
package struct ClassFlips: Equatable, Sendable {
  /// The label without quotes.
  package let label: String
  /// The label as messages name it.
  let words: String
  /// Distinct inputs that the baseline gives the class.
  package let inputs: Int
  /// How many of these the candidate gives another one, by that, in the order of the labels.
  package let to: [Target]

  /// Another class, and how many inputs went there.
  package struct Target: Equatable, Sendable {
    package let label: String
    let words: String
    package let count: Int
  }

  /// Inputs that went anywhere.
  package var flips: Int { to.reduce(0) { $0 + $1.count } }

  /// `'later' 3 of 120 (2 to 'now', 1 to 'never')`.
  fileprivate var sentence: String {
    let targets = to.map { "\($0.count) to \($0.words)" }
    return "\(words) \(flips) of \(inputs) (\(targets.joined(separator: ", ")))"
  }

  /// Classes that one line names at most, those with most flips.
  private static let maxNamed = 5

  /// One line for people; nil where nothing flips.
  static func words(_ all: [ClassFlips]) -> String? {
    let flipped = all.enumerated().filter { $0.element.flips > 0 }
      .sorted { ($1.element.flips, $0.offset) < ($0.element.flips, $1.offset) }.map(\.element)
    guard !flipped.isEmpty else { return nil }
    let more = flipped.count - maxNamed
    return "flips by class: " + flipped.prefix(maxNamed).map(\.sentence).joined(separator: "; ")
      + (more > 0 ? "; \(more) more" : "")
  }

  /// `label`, `inputs`, `flips`, and by `label` and `count` what they are `to`.
  package var json: JSONValue {
    [
      "label": .string(label), "inputs": .integer(inputs), "flips": .integer(flips),
      "to": .array(to.map { ["label": .string($0.label), "count": .integer($0.count)] }),
    ]
  }
}
