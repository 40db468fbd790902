import StrictJSON
import Weights

extension SuspectWeight {
  /// The weight, the effect of swapping it, and how it is wrong.
  var members: FindingMembers {
    [
      "weight": .string(name.text), "bias": bias.map { .string($0.text) } ?? .null,
      "isCause": .bool(isCause), "share": .double(share),
      "relativeError": .double(relativeError), "damage": .string(damage.kind.rawValue),
      "pattern": damage.pattern?.json ?? .null, "effect": .object(outcome.members),
    ]
  }
}

extension SwapOutcome {
  /// `kind`, and which input or pair moved how far.
  fileprivate var members: FindingMembers {
    switch self {
    case .notFinite: ["kind": "not-finite"]
    case .zero: ["kind": "zero"]
    case .input(let input, let cosine):
      ["kind": "input", "input": .string(input), "cosine": .double(cosine)]
    case .pair(let a, let b, let before, let after):
      [
        "kind": "pair", "a": .string(a), "b": .string(b), "before": .double(before),
        "after": .double(after),
      ]
    case .output(let input, let before, let after):
      [
        "kind": "output", "input": .string(input), "before": .double(before),
        "after": .double(after),
      ]
    }
  }
}

extension WeightShare {
  /// The first and last weight, how many, and their share of the drift.
  var json: JSONValue {
    [
      "first": .string(first.text), "last": .string(last.text), "count": .integer(count),
      "share": .double(share),
    ]
  }
}

extension JointDrift {
  /// `weights`, their `share` of the drift together, and what is `left` without them.
  var members: FindingMembers {
    [
      "weights": .array(weights.map { .string($0.text) }), "share": .double(share),
      "left": .double(left),
    ]
  }
}

extension WeightFault {
  /// One word for programs.
  var id: FindingID {
    switch self {
    case .trees: .otherTrees
    case .unused: .weightUnused
    case .shape: .weightShape
    case .added: .weightAdded
    case .count: .weightCount
    case .notFinite: .weightNotFinite
    case .zero: .weightsZero
    }
  }

  /// The weight and its fault.
  var members: FindingMembers {
    switch self {
    case .trees(let difference, let feature):
      difference.members.merging(feature.map { ["feature": .string($0)] } ?? [:]) { $1 }
    case .unused(let name), .added(let name): ["weight": .string(name.text)]
    case .shape(let name, let candidate, let baseline):
      [
        "weight": .string(name.text), "candidate": .array(candidate.map(JSONValue.integer)),
        "baseline": .array(baseline.map(JSONValue.integer)),
      ]
    case .count(let name, let side, let values, let shape, let needed):
      [
        "weight": .string(name.text), "side": .string(side.rawValue), "values": .integer(values),
        "shape": .array(shape.map(JSONValue.integer)), "needed": .integer(needed),
      ]
    case .notFinite(let name, let side, let count, let first, let place):
      [
        "weight": .string(name.text), "side": .string(side.rawValue), "count": .integer(count),
        "first": .string("\(first)"), "index": .array(place.map(JSONValue.integer)),
      ]
    case .zero(let names): ["weights": .array(names.map { .string($0.text) })]
    }
  }
}

extension TokenFault {
  /// The node, and how it uses the ids.
  var members: FindingMembers {
    let own: FindingMembers =
      switch kind {
      case .makesOthers: ["action": "makes-others"]
      case .looksUpBySomethingElse: ["action": "looks-up-by-something-else"]
      case .looksUpInNumbers: ["action": "looks-up-in-numbers"]
      case .comparesWithSeveral: ["action": "compares-with-several"]
      case .looksFor(let id): ["action": "looks-for", "token": .integer(Int(id))]
      case .comparesWith(let number): ["action": "compares-with", "token": .integer(Int(number))]
      }
    return own.merging(["operation": .string(operation), "node": .string(node)]) { $1 }
  }
}

extension RowFinding {
  /// The weight, how many rows or columns of how many, and the first of them.
  var members: FindingMembers {
    let own: FindingMembers = [
      "weight": .string(weight.text), "axis": .string(line.rawValue), "count": .integer(count),
      "compared": .integer(compared), "first": .integer(first.row),
      "relativeError": .double(first.error), "bound": .double(first.bound),
      "typical": .double(typical),
    ]
    let more: FindingMembers = isUnreached ? ["reached": false] : [:]
    return own.merging(more.merging(threshold?.members ?? [:]) { $1 }) { $1 }
  }
}
