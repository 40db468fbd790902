import Graph
import Inputs

/// How the decisions of a model agree with true labels: whether these can be the labels of this model.
struct LabelAgreement {
  /// A decision and the true label of one line, by their places among the model's labels.
  struct Line: Hashable {
    let decided: Int
    let known: Int
  }

  /// Every label as messages name it.
  private let words: [String]
  private let counts: [Line: Int]
  private let lineCount: Int

  /// - Parameter lines: one for each line with a true label.
  init(_ lines: [Line], labels: ClassLabels) {
    words = labels.words
    lineCount = lines.count
    counts = lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Standard deviations that chance exceeds once in a thousand cases.
  private static let deviations = 3.09

  /// The doubt, if there is any: two labels that changed places, or labels that agree far less than those
  /// of a model that knows nothing.
  var warning: ReferenceWarning? {
    if let swapped { return .swappedLabels(swapped) }
    let right = counts.reduce(0) { $0 + ($1.key.decided == $1.key.known ? $1.value : 0) }
    guard right > 0 else { return lineCount > 0 ? .wrongLabels(.init(lines: lineCount)) : nil }
    guard lineCount >= ReferenceSet.fewestLines, let common, right * 2 < common.lines else {
      return nil
    }
    return .wrongLabels(.init(lines: lineCount, right: right, common: common))
  }

  /// The label that most lines have; the first of several.
  private var common: WrongLabels.Common? {
    var sums: [Int: Int] = [:]
    for (line, count) in counts { sums[line.known, default: 0] += count }
    let most = sums.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.map { .init(words: words[$0.key], lines: $0.value) }
  }

  /// The two labels that fit best the other way round; nil if none do, beyond chance.
  private var swapped: SwappedLabels? {
    var best: (first: Int, second: Int, gain: Int)?
    let pairs = Set(
      counts.keys.filter { $0.decided != $0.known }.map {
        Line(decided: min($0.decided, $0.known), known: max($0.decided, $0.known))
      })
    for pair in pairs {
      let (first, second) = (pair.decided, pair.known)
      guard let gain = gain(ofSwapping: first, second) else { continue }
      if let best, (best.gain, first, second) >= (gain, best.first, best.second) { continue }
      best = (first, second, gain)
    }
    guard let best else { return nil }
    let right = counts.reduce(0) { $0 + ($1.key.decided == $1.key.known ? $1.value : 0) }
    return SwappedLabels(
      first: words[best.first], second: words[best.second], lines: lineCount, right: right,
      rightSwapped: right + best.gain)
  }

  /// Lines that agree more where two labels change places; nil unless decisions and labels of the lines that
  /// are about these two go against each other beyond chance (χ² of the four counts). A model that mostly decides
  /// for one of the two is wrong on most lines where the other is common, and goes against nothing.
  private func gain(ofSwapping first: Int, _ second: Int) -> Int? {
    func count(_ decided: Int, _ known: Int) -> Double {
      Double(counts[Line(decided: decided, known: known)] ?? 0)
    }
    let (right, wrong) = (
      [count(first, first), count(second, second)], [count(first, second), count(second, first)]
    )
    let gain = wrong[0] + wrong[1] - right[0] - right[1]
    let slant = wrong[0] * wrong[1] - right[0] * right[1]
    guard gain > 0, slant > 0 else { return nil }
    let all = right[0] + right[1] + wrong[0] + wrong[1]
    let margins =
      (right[0] + wrong[0]) * (right[1] + wrong[1]) * (right[0] + wrong[1]) * (right[1] + wrong[0])
    let square = all * slant * slant / margins
    return square >= Self.deviations * Self.deviations ? Int(gain) : nil
  }
}

/// Labels that agree less with a model than its own would.
package struct WrongLabels: Equatable, Sendable {
  /// The label that most lines have.
  package struct Common: Equatable, Sendable {
    /// As messages name it.
    package let words: String
    package let lines: Int

    package init(words: String, lines: Int) { (self.words, self.lines) = (words, lines) }
  }

  /// Lines with a true label.
  package let lines: Int
  /// Those that the baseline gives theirs.
  package let right: Int
  /// What would be right more often; nil where nothing is right.
  package let common: Common?

  package init(lines: Int, right: Int = 0, common: Common? = nil) {
    (self.lines, self.right, self.common) = (lines, right, common)
  }

  /// The fact as a sentence.
  var sentence: String {
    let fact =
      if let common {
        "\(right) of \(lines) labelled lines \(right == 1 ? "its" : "their") label, where always saying "
          + "\(common.words) would be right for \(common.lines)"
      } else if lines == 1 {
        "the one labelled line another label"
      } else {
        "none of \(lines) labelled lines its label"
      }
    return "the baseline gives \(fact): are these the labels of this model?"
  }
}

/// Two labels that look swapped.
package struct SwappedLabels: Equatable, Sendable {
  /// As messages name it, the earlier one of the model's.
  package let first: String
  package let second: String
  /// Lines with a true label.
  package let lines: Int
  /// Those that the baseline gives theirs.
  package let right: Int
  /// Those that it would give theirs if the two changed places.
  package let rightSwapped: Int

  package init(first: String, second: String, lines: Int, right: Int, rightSwapped: Int) {
    (self.first, self.second, self.lines) = (first, second, lines)
    (self.right, self.rightSwapped) = (right, rightSwapped)
  }

  /// The fact as a sentence.
  var sentence: String {
    "labels look swapped, \(first) for \(second): the baseline gives "
      + "\(right == 0 ? "none" : "\(right)") of \(lines) labelled lines \(right == 1 ? "its" : "their") "
      + "label, and \(rightSwapped) where the two change places"
  }
}
