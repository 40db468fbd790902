import IngotFeatures
import StrictJSON

/// What first differs between features of the same names, in words of a sentence: "the candidate's … is …, the
/// baseline's is …".
struct FeatureDifference: Equatable {
  let what: String
  let baseline: String
  let candidate: String

  /// - Returns: nil where names differ, or nothing does.
  init?(_ baseline: FeatureSchema, _ candidate: FeatureSchema) {
    guard baseline.names == candidate.names,
      let (old, new) = zip(baseline.features, candidate.features).first(where: { $0 != $1 })
    else { return nil }
    let facts = zip(old.facts, new.facts).first { $0.words != $1.words || $0.what != $1.what }
    guard let (before, after) = facts else { return nil }
    let name = quoted(old.name)
    what = "\(before.what) of \(name)"
    (self.baseline, self.candidate) = (before.words, after.words)
  }
}

extension Feature {
  /// What it is, part by part.
  fileprivate var facts: [(what: String, words: String)] {
    var facts: [(what: String, words: String)] = [("kind", kind.word)]
    if case .category(let list) = kind {
      facts.append(("number of categories", "\(list.names.count)"))
      facts += list.names.enumerated().map { ("category \($0.offset)", quoted($0.element)) }
      facts.append(("encoding", list.encoding.rawValue))
      facts.append(("rule for unknown categories", list.unknown.words))
    }
    facts.append(("rule for missing values", missing.words))
    facts.append(("list of numbers that mean a missing value", "\(absent)"))
    return facts
  }
}

extension Feature.Kind {
  fileprivate var word: String {
    switch self {
    case .number: "a number"
    case .boolean: "a truth value"
    case .category: "a category"
    case .cyclic(let period): "a number with the period \(Figures.plain(period))"
    }
  }
}

extension Feature.Missing {
  fileprivate var words: String {
    switch self {
    case .refused: "'refused'"
    case .taken: "'taken'"
    case .replaced(let number): "to count as \(Figures.plain(number))"
    }
  }
}

extension CategoryList.Unknown {
  fileprivate var words: String {
    switch self {
    case .missing: "'missing'"
    case .refused: "'refused'"
    case .code(let code): "the code \(code)"
    }
  }
}
