import Inputs
import StrictJSON
import Weights

extension SuspectWeight {
  /// Describes the effect of swapping the weight.
  var sentence: String {
    "swapping in '\(name)' " + (bias.map { "with its bias '\($0)' " } ?? "") + "alone "
      + (isCause ? outcome.words + percent : "moves little")
      + "; relative error " + Figures.text(relativeError, decimals: 3)
      + "; \(damage.text)"
  }

  private var percent: String {
    share.isFinite ? ", \(Figures.text(share * 100, decimals: 0)) % of the drift" : ""
  }
}

extension SwapOutcome {
  fileprivate var words: String {
    switch self {
    case .notFinite: "gives outputs that are not finite"
    case .zero: "gives embeddings that are all zero"
    case .input(let input, let cosine):
      "turns \(input) to cosine \(Figures.text(cosine, decimals: 3))"
    case .pair(let a, let b, let before, let after):
      "moves \(a) ↔ \(b) \(Figures.change(before, after))"
    case .output(let input, let before, let after):
      "moves \(input) \(Figures.change(before, after))"
    }
  }
}

extension WeightShare {
  /// Describes the drift of weights together, if none alone makes most of it.
  ///
  /// - Parameter kinds: what is wrong with the weights.
  static func sentence(_ shares: [WeightShare], _ kinds: [DamageCount]) -> String {
    let fact =
      "no single weight makes most of the drift"
      + (kinds.isEmpty ? "" : ": " + kinds.map(\.words).joined(separator: ", "))
    guard !shares.isEmpty else { return fact }
    return "\(fact); swapped in alone, " + shares.map(\.words).joined(separator: ", ")
  }

  private var words: String {
    let percent = "\(Figures.text(share * 100, decimals: 0)) %"
    return count == 1
      ? "'\(first)' \(percent)"
      : "the \(count) weights from '\(first)' to '\(last)' together \(percent)"
  }
}

extension JointDrift {
  /// `together, 'a', 'b' make 93 % of the drift; …`.
  package var sentence: String {
    let names = weights.map { "'\($0)'" }.joined(separator: ", ")
    if weights.count == 1, left.isFinite {
      return
        "with the baseline's \(names) in its place \(Figures.text(left * 100, decimals: 0)) % of "
        + "the drift is left"
    }
    if weights.count == 1 { return "alone, \(names) \(JointDrift.percent(share, "makes"))" }
    let made = "together, \(names) \(JointDrift.percent(share, "make"))"
    return left.isFinite
      ? "\(made); with the baseline's in their place \(Figures.text(left * 100, decimals: 0)) % of "
        + "it is left" : made
  }

  private static func percent(_ share: Double, _ verb: String) -> String {
    share.isFinite
      ? "\(verb) \(Figures.text(share * 100, decimals: 0)) % of the drift" : "\(verb) the drift"
  }
}

extension WeightFault {
  /// The fault as a sentence.
  var sentence: String {
    switch self {
    case .trees(let difference, let feature): difference.sentence(feature ?? "")
    case .unused(let name): "the candidate's graph does not use the baseline's weight '\(name)'"
    case .shape(let name, let candidate, let baseline):
      "the candidate's weight '\(name)' has shape \(candidate), the baseline's has \(baseline)"
    case .added(let name):
      "the candidate's graph uses a weight '\(name)' that the baseline's does not"
    case .count(let name, let side, let values, let shape, let needed):
      "the \(side.rawValue)'s weight '\(name)' has \(Figures.count(values, "value")), its shape \(shape) needs "
        + "\(needed)"
    case .notFinite(let name, let side, let count, let first, let place):
      "the \(side.rawValue)'s weight '\(name)' has \(Figures.count(count, "value")) that "
        + "\(count == 1 ? "is" : "are") not finite, the first (\(first)) at \(place)"
    case .zero(let names):
      "the candidate's \(names.count == 1 ? "weight" : "weights") \(Figures.list(names.map(\.text))) "
        + "\(names.count == 1 ? "is" : "are") all zero, the baseline's "
        + "\(names.count == 1 ? "is" : "are") not"
    }
  }
}

extension TokenFault {
  /// `'gather' ('x') looks them up by something else`.
  var words: String { "'\(operation)' ('\(node)') \(action)" }

  private var action: String {
    switch kind {
    case .makesOthers: "makes other numbers of them"
    case .looksUpBySomethingElse: "looks them up by something else"
    case .looksUpInNumbers: "looks them up in numbers that are no weight"
    case .comparesWithSeveral: "compares them with other than one number"
    case .looksFor(let id): "looks for the id \(id)"
    case .comparesWith(let number): "compares them with \(number)"
    }
  }
}

extension RowFinding {
  /// Rows that are refused, as a sentence.
  var refusal: String {
    if let threshold {
      return count == 1
        ? "a threshold of the candidate's trees is not the baseline's: \(threshold.words)"
        : "\(count) of \(Figures.count(compared, "threshold")) of the candidate's trees are not the baseline's, the "
          + "first of \(threshold.words)"
    }
    let moved = hidden.map {
      "; \(line.rawValue)s that references reach moved by \(Figures.text($0, decimals: 4)) of their length where "
        + "their outputs do not show it"
    }
    let unreached =
      isUnreached ? "; no reference reaches it, and what references reach moved less" : ""
    return "\(start) worse than its compression explains\(end)\(moved ?? unreached)"
  }

  /// Rows that may be as they are, as a sentence.
  var warning: String {
    "\(start) worse than most\(end): they may share a scale or a palette with far larger numbers"
  }

  /// What is wrong, to follow the name of the weight.
  var culpritWords: String {
    if let threshold {
      return
        "\(count) of its \(Figures.count(compared, "threshold")) \(count == 1 ? "is" : "are") not the baseline's, "
        + "the first in tree \(threshold.tree), node \(threshold.node)"
    }
    return
      "\(count) of its \(compared) \(line.rawValue)s \(count == 1 ? "is" : "are") not the baseline's, "
      + "the first \(line.rawValue) \(first.row)"
  }

  private var start: String {
    count == 1
      ? "\(line.rawValue) \(first.row) of the candidate's weight '\(weight)' is"
      : "\(count) of \(compared) \(line.rawValue)s of the candidate's weight '\(weight)' are"
  }

  private var end: String {
    func figure(_ value: Double) -> String { Figures.text(value, decimals: 4) }
    return (count == 1 ? "" : ", the first \(line.rawValue) \(first.row)")
      + ": relative error \(figure(first.error)), where \(figure(first.bound)) is the bound and "
      + "\(figure(typical)) typical"
  }
}
