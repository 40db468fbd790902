import Graph
import IngotFeatures
import Inputs
import StrictJSON

/// What an app gives to a model and gets from it, of one model without encoders beside it.
struct MemberInterface {
  let input: ModelInput
  let output: ModelOutput
  let outputName: String

  init(of model: Model) {
    let architecture = model.architecture
    (input, output) = (architecture.input, architecture.output)
    outputName = architecture.outputName
  }

  /// One thing in which interfaces may differ, and its value in words: `kind of 'age'`, `a number`.
  fileprivate struct Fact {
    let what: String
    let value: String
    var isOfOutput = false
  }

  /// The first thing in which two interfaces disagree.
  struct Disagreement {
    let what: String
    let values: (String, String)
    /// Whether it is in what a model gives, and not in its features or labels.
    let isOfOutput: Bool
  }

  /// What an app that treats both alike would get wrong: other features, codes, labels or outputs; nil if nothing.
  func disagreement(with other: MemberInterface) -> Disagreement? {
    guard !isFitFor(other) else { return nil }
    return MemberInterface.first(facts, other.facts)
  }

  /// Values that one takes and the other refuses: missing ones, and categories that are not in the list; nil if
  /// there are none. The number that takes the place of a missing value is the member's own.
  func rules(unlike other: MemberInterface) -> Disagreement? {
    let features = zip(input.features, other.input.features)
    guard features.contains(where: { !$0.hasRules(of: $1) }) else { return nil }
    return MemberInterface.first(rules, other.rules)
  }

  private static func first(_ ours: [Fact], _ theirs: [Fact]) -> Disagreement? {
    zip(ours, theirs).first {
      $0.what != $1.what || ExactString($0.value) != ExactString($1.value)
    }.map {
      Disagreement(what: $0.what, values: ($0.value, $1.value), isOfOutput: $0.isOfOutput)
    }
  }

  /// Whether `facts` are equal. A family has thousands of members, and no words are made of those that agree.
  private func isFitFor(_ other: MemberInterface) -> Bool {
    let (ours, theirs) = (input.features, other.input.features)
    return input.kindWords == other.input.kindWords && ours.count == theirs.count
      && zip(ours, theirs).allSatisfy { $0.isFilled(as: $1) }
      && output.kindWords == other.output.kindWords && output.labels == other.output.labels
      && ExactString(outputName) == ExactString(other.outputName)
  }

  // A fact that decides how many follow comes before them, so that two lists are compared place by place.
  private var facts: [Fact] {
    var facts = [Fact(what: "input", value: input.kindWords)]
    let features = input.features
    if !features.isEmpty {
      facts.append(Fact(what: "number of features", value: "\(features.count)"))
      facts += features.enumerated().map {
        Fact(what: "feature \($0.offset + 1)", value: quoted($0.element.name))
      }
      facts += features.flatMap(\.facts)
    }
    facts.append(Fact(what: "output", value: output.kindWords, isOfOutput: true))
    if let labels = output.labels {
      facts.append(Fact(what: "number of labels", value: "\(labels.count)"))
      facts += labels.words.enumerated().map {
        Fact(what: "label \($0.offset + 1)", value: $0.element)
      }
    }
    facts.append(Fact(what: "name of the output", value: quoted(outputName), isOfOutput: true))
    return facts
  }

  private var rules: [Fact] { input.features.flatMap(\.rules) }
}

extension ModelInput {
  /// Empty of a model of anything but values.
  fileprivate var features: [Feature] {
    if case .features(let schema) = self { schema.features } else { [] }
  }

  fileprivate var kindWords: String {
    switch self {
    case .tokens: "a text"
    case .features: "values"
    case .image: "an image"
    }
  }
}

extension ModelOutput {
  fileprivate var kindWords: String {
    switch self {
    case .embedding, .numbers: words
    case .classes(_, let width, .probabilities):
      width == 1 ? "1 probability" : "\(width) probabilities"
    case .classes(_, let width, .scores): Figures.count(width, "score")
    case .tokenClasses: "labels of tokens"
    }
  }

  fileprivate var labels: ClassLabels? {
    switch self {
    case .classes(let labels, _, _), .tokenClasses(let labels, _): labels
    case .embedding, .numbers: nil
    }
  }
}

extension Feature {
  /// Whether an app gives both the same values, and they become the same numbers.
  fileprivate func isFilled(as other: Feature) -> Bool {
    guard ExactString(name) == ExactString(other.name) else { return false }
    guard case .category(let ours) = kind, case .category(let theirs) = other.kind else {
      return kind == other.kind
    }
    return ours.encoding == theirs.encoding
      && ours.names.elementsEqual(theirs.names) { ExactString($0) == ExactString($1) }
  }

  /// Whether both refuse the same values.
  fileprivate func hasRules(of other: Feature) -> Bool {
    (missing == .refused) == (other.missing == .refused)
      && refusesUnknown == other.refusesUnknown
  }

  private var refusesUnknown: Bool {
    if case .category(let list) = kind { list.unknown == .refused } else { false }
  }

  fileprivate var facts: [MemberInterface.Fact] {
    let name = quoted(name)
    switch kind {
    case .number: return [.init(what: "kind of \(name)", value: "a number")]
    case .boolean: return [.init(what: "kind of \(name)", value: "a truth value")]
    case .cyclic(let period):
      return [.init(what: "kind of \(name)", value: "a number of period \(Figures.plain(period))")]
    case .category(let list):
      let facts = [
        MemberInterface.Fact(what: "kind of \(name)", value: "a category"),
        .init(what: "encoding of \(name)", value: list.encoding.rawValue),
        .init(what: "number of categories of \(name)", value: "\(list.names.count)"),
      ]
      return facts
        + list.names.enumerated().map {
          .init(what: "category \($0.offset) of \(name)", value: quoted($0.element))
        }
    }
  }

  fileprivate var rules: [MemberInterface.Fact] {
    let values = missing == .refused ? "refused" : "taken"
    let rule = MemberInterface.Fact(
      what: "rule for missing values of \(quoted(name))", value: values)
    guard case .category = kind else { return [rule] }
    return [
      rule,
      .init(
        what: "rule for unknown categories of \(quoted(name))",
        value: refusesUnknown ? "refused" : "taken"),
    ]
  }
}
