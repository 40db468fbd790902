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
    guard baseline.names == candidate.names else { return nil }
    for (old, new) in zip(baseline.features, candidate.features) {
      let facts = zip(
        [("name", quoted(old.name))] + old.facts, [("name", quoted(new.name))] + new.facts)
      guard
        let (before, after) = facts.first(where: {
          $0.0 != $1.0 || ExactString($0.1) != ExactString($1.1)
        })
      else { continue }
      what = "\(before.0) of \(quoted(old.name))"
      // Texts may look alike and have other characters.
      let areAlike = before.1 == after.1
      self.baseline = areAlike ? before.1.escaped : before.1
      self.candidate = areAlike ? after.1.escaped : after.1
      return
    }
    return nil
  }
}

extension String {
  /// With every character beyond ASCII as JSON escapes it.
  fileprivate var escaped: String {
    unicodeScalars.map { $0.isASCII ? String($0) : $0.jsonEscape }.joined()
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
