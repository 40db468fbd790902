import Gate
import StrictJSON

/// The classes whose inputs the candidate gives another label, those with most flips first.
struct ClassesView {
  struct Row {
    let label: String
    let inputs: String
    let flips: String
    /// `2 to now, 1 to never`.
    let targets: String
  }

  /// Classes, and targets of one, that are shown at most.
  static let longest = 20

  let rows: [Row]
  /// `and 3 more classes`; nil where all are shown.
  let more: String?

  /// Nil where no class lost an input.
  init?(_ classes: [ClassFlips]) {
    let flipped = classes.enumerated().filter { $0.element.flips > 0 }
      .sorted { ($1.element.flips, $0.offset) < ($0.element.flips, $1.offset) }.map(\.element)
    guard !flipped.isEmpty else { return nil }
    rows = flipped.prefix(ClassesView.longest).map(ClassesView.row)
    let left = flipped.count - rows.count
    more = left > 0 ? "and \(left) more \(left == 1 ? "class" : "classes")" : nil
  }

  private static func row(_ flips: ClassFlips) -> Row {
    let targets = flips.to.prefix(longest).map {
      "\($0.count) to \(HostileText.cut($0.label, to: 100))"
    }
    let left = flips.to.count - targets.count
    return Row(
      label: HostileText.cut(flips.label, to: 100), inputs: "\(flips.inputs)",
      flips: "\(flips.flips)",
      targets: (targets + (left > 0 ? ["\(left) more"] : [])).joined(separator: ", "))
  }
}
