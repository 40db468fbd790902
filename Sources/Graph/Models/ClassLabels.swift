/// The names of a classifier's classes: texts, or whole numbers as scikit-learn often has them.
///
/// `1` and `"1"` are different labels: an app compares the model's output with the one it expects.
package enum ClassLabels: Hashable, Sendable, ExpressibleByArrayLiteral {
  case texts([String])
  case integers([Int])

  package init(arrayLiteral elements: String...) { self = .texts(elements) }

  /// Whether both are the same, byte for byte.
  package func isExactly(_ other: ClassLabels) -> Bool {
    guard self == other, case .texts(let ours) = self, case .texts(let theirs) = other else {
      return self == other
    }
    return zip(ours, theirs).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Number of labels.
  package var count: Int {
    switch self {
    case .texts(let texts): texts.count
    case .integers(let integers): integers.count
    }
  }

  /// Every label without quotes.
  package var plain: [String] {
    switch self {
    case .texts(let texts): texts
    case .integers(let integers): integers.map(String.init)
    }
  }

  /// Every label as messages name it: a text in quotes, a number without.
  package var words: [String] {
    switch self {
    case .texts(let texts): texts.map { "'\($0)'" }
    case .integers: plain
    }
  }

  /// The type of one label in manifests.
  package var dtype: String {
    switch self {
    case .texts: "string"
    case .integers: "int64"
    }
  }
}

/// The meaning of a classifier's numbers.
package enum ScoreScale: Hashable, Sendable {
  /// From 0 to 1.
  case probabilities
  /// Numbers of any size; the largest decides: distances, margins, logits.
  case scores
}
