import StrictJSON

/// How scores or numbers of a model differ from the right ones, where that is known.
package enum OutputHint: Equatable, Sendable {
  /// Functions that make probabilities of logits.
  package enum Activation: String, Sendable { case sigmoid, softmax }

  /// They are logits where probabilities are right.
  case activation(missing: Activation)
  /// They are probabilities of the other label.
  case otherLabel
  /// A right column is another one of the model's; both from 0.
  case otherColumn(Int, model: Int)
  /// The right ones are the model's but for scale and offset.
  case line(FittedLine)
}

/// A straight line from a model's numbers to the right ones.
package struct FittedLine: Equatable, Sendable {
  let slope: Double
  /// Nil where it is too small to matter.
  let offset: Double?
  /// Whether all are on it; they lie about it otherwise.
  let isExact: Bool
}

extension OutputHint {
  /// The difference and its cause as a sentence.
  package var sentence: String {
    switch self {
    case .activation(let missing):
      "the outputs are not from 0 to 1, as logits are: the \(missing.rawValue) is missing; give the "
        + "last layer the activation '\(missing.rawValue)', or compare a model that is to give scores "
        + "with scores (decision_function)"
    case .otherLabel:
      "each is 1 minus the model's: it is the probability of the other label; swap 'labels'"
    case .otherColumn(let given, let model):
      "column \(given + 1) is the model's column \(model + 1): the labels are in another order"
    case .line(let line):
      "the right numbers are about the model's times \(line.words)"
    }
  }
}

extension FittedLine {
  fileprivate var words: String {
    let shift =
      offset.map { " \($0 < 0 ? "minus" : "plus") \(Figures.short($0.magnitude))" } ?? ""
    let cause =
      isExact
      ? "a scaling of the output or of features is missing, or is done twice"
      : "they lie about that line, not on it; look at scalings of the output and of features"
    return "\(Figures.text(slope, decimals: 3))\(shift): \(cause)"
  }
}
