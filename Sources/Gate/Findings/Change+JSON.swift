import Inputs
import StrictJSON

extension InputKind? {
  /// `encoder`: `image` or `text`; null of a model that is judged alone.
  var members: FindingMembers { ["encoder": map { .string("\($0)") } ?? .null] }
}

extension NamedInput {
  /// `input` and `line`.
  var members: FindingMembers { ["input": .string(label), "line": .integer(line)] }
}

extension LimitSource {
  /// `profile`, and whether the limit is `overridden`.
  var members: FindingMembers {
    ["profile": .string(profile.rawValue), "overridden": .bool(isOverridden)]
  }
}

extension LimitMiss {
  /// The miss, and whose limit it is.
  func members(_ source: LimitSource) -> FindingMembers {
    guard case .object(let members) = json else { return source.members }
    return members.merging(source.members) { $1 }
  }
}

extension OutputFault {
  /// How many of how many, and the first input.
  var members: FindingMembers {
    switch self {
    case .notFinite(let values, let all, let inputs, let allInputs, let first):
      first.members.merging([
        "values": .integer(values), "allValues": .integer(all), "inputs": .integer(inputs),
        "allInputs": .integer(allInputs),
      ]) { $1 }
    case .zero(let embeddings, let all, let first):
      first.members.merging([
        "embeddings": .integer(embeddings), "allEmbeddings": .integer(all),
      ]) { $1 }
    }
  }
}

extension OutputChange {
  /// `input`, `line`, `output`, `before` and `after`.
  var members: FindingMembers {
    input.members.merging([
      "output": output.map(JSONValue.string) ?? .null, "before": .double(before),
      "after": .double(after),
    ]) { $1 }
  }
}

extension PairChange {
  /// `a`, `b`, `line`, `before`, `after`, and in `encoders` the share of each alone.
  var members: FindingMembers {
    [
      "a": .string(a), "b": .string(b), "line": .integer(line), "before": .double(before),
      "after": .double(after), "encoders": encoders,
    ]
  }

  private var encoders: JSONValue {
    switch cause {
    case .unknown: []
    case .moved(let encoder):
      [.object(["encoder": .string("\(encoder)"), "similarity": .double(after)])]
    case .both(let shares):
      .array(
        shares.map {
          ["encoder": .string("\($0.encoder)"), "similarity": .double($0.similarity)]
        })
    }
  }
}

extension Flip {
  /// `line`, `before`, `after`, `margin`, and of a pair its sides, of a label the two.
  var members: FindingMembers {
    let own: FindingMembers = [
      "line": .integer(line), "before": .double(before), "after": .double(after),
      "margin": .double(margin),
    ]
    switch decision {
    case .pair(let change, let threshold, let expectation):
      return change.members.merging(own) { $1 }.merging([
        "threshold": .double(threshold),
        "expect": expectation.map { .string($0.rawValue) } ?? .null,
      ]) { $1 }
    case .label(let input, let from, let to):
      return own.merging([
        "input": .string(input), "from": .string(from), "to": .string(to),
      ]) { $1 }
    }
  }

  /// One of the `flips` of an answer: its members, its sentence, and whether it was tolerated.
  func json(tolerating limit: Double) -> JSONValue {
    .object(
      members.merging(["sentence": .string(text), "tolerated": .bool(margin <= limit)]) { $1 })
  }
}

extension PreparationDifference {
  /// `encoder`, `what` (`images`, `normalisation`, `tokenizer`, `tokens` or
  /// `statement`), and its figures.
  var members: FindingMembers {
    let own: FindingMembers
    switch kind {
    case .images: own = ["what": "images"]
    case .normalisation: own = ["what": "normalisation"]
    case .tokenizer(let parts):
      own = ["what": "tokenizer", "parts": .array(parts.map(JSONValue.string))]
    case .tokens(let input, let found, let expected, let first):
      own = [
        "what": "tokens", "input": .string(input), "tokens": .integer(found),
        "expectedTokens": .integer(expected), "firstDifference": .integer(first),
      ]
    case .stated(let key, let found, let expected):
      own = [
        "what": "statement", "key": .string(key), "value": .string(found),
        "expectedValue": .string(expected),
      ]
    }
    return encoder.members.merging(own) { $1 }
  }
}

extension ComputationDifference {
  /// `what` (`pooling`, `value`, `part`, `length` or `unknown`), what was `found` and what the baseline has there;
  /// of texts that are cut their `count` and the first; of what is unknown the part of the drift that is
  /// `missing`.
  var members: FindingMembers {
    switch self {
    case .pooling(let found, let expected):
      ["what": "pooling", "found": .string(found), "expected": .string(expected)]
    case .value(let found, let expected):
      ["what": "value", "found": .string(found), "expected": .string(expected)]
    case .part(let part, let found, let expected):
      [
        "what": "part", "part": .string(part), "found": .string(found),
        "expected": .string(expected),
      ]
    case .cut(let texts, let all, let first, let found, let expected):
      first.members.merging([
        "what": "length", "found": .integer(found), "expected": .integer(expected),
        "count": .integer(texts), "of": .integer(all),
      ]) { $1 }
    case .unknown(let missing): ["what": "unknown", "missing": .double(missing)]
    }
  }
}

extension GeneratedFault {
  /// The cosine of a generated text, and the worst of the references.
  var members: FindingMembers {
    switch self {
    case .notFinite: [:]
    case .drift(let cosine, let worst):
      ["cosine": .double(cosine), "worstReference": .double(worst)]
    }
  }
}
