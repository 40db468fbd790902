import StrictJSON
import WeightCompression

extension RuleMatch {
  /// The `match` of a planned tensor: the number of the rule, from 1, and what it asks of a weight.
  var json: JSONValue {
    let asked: [(name: String, pattern: JSONValue)] = [
      ("name", .array(conditions.names.map { .string($0.text) })),
      ("role", .array(conditions.roles.map { .string($0.word) })),
      ("shape", .array((conditions.shape ?? []).map { .string($0.description) })),
    ].filter { $0.1 != .array([]) }
    var members = Dictionary(uniqueKeysWithValues: asked.map { ($0.name, $0.pattern) })
    if conditions.elements != .any {
      members["elements"] = .string(conditions.elements.description)
    }
    return ["index": .integer(rule + 1), "conditions": .object(members)]
  }

  /// The `fallback` of a planned tensor: its number among the rule's, from 1, the choice that was to
  /// be, the one that was taken, and why; null where the first choice fits.
  var fallbackJSON: JSONValue {
    guard let fallback, let first = passed.first else { return .null }
    return [
      "index": .integer(fallback + 1), "from": .string(first.scheme.label),
      "to": .string(scheme?.label ?? "kept"), "why": .string(first.fault.cause),
      "passed": .array(passed.map(\.json)),
    ]
  }
}

extension Assignment.Passed {
  /// A choice that does not fit: its scheme, what is wrong in one word, its figures, and the sentence.
  fileprivate var json: JSONValue {
    var members = fault.members
    members["scheme"] = .string(scheme.label)
    members["why"] = .string(fault.cause)
    return .object(members)
  }
}

extension TensorRefusal.Fault {
  fileprivate var members: [String: JSONValue] {
    func sizes(_ shape: [Int]) -> JSONValue { .array(shape.map(JSONValue.integer)) }
    return switch self {
    case .missing: ["fault": "missing"]
    case .shape(let stored, let needed):
      ["fault": "shape", "stored": sizes(stored), "needed": sizes(needed)]
    case .valueCount(let count, let needed):
      ["fault": "value-count", "values": .integer(count), "needed": .integer(needed)]
    case .nonFinite(let count, let first):
      ["fault": "not-finite", "count": .integer(count), "firstIndex": .integer(first)]
    case .tooLarge(let count, let largest, let index):
      [
        "fault": "too-large", "count": .integer(count), "largest": .double(Double(largest)),
        "index": .integer(index),
      ]
    case .groups(let size, let channels):
      ["fault": "groups", "groupSize": .integer(size), "channels": .integer(channels)]
    case .blocks(let size, let inputs):
      ["fault": "blocks", "blockSize": .integer(size), "inputs": .integer(inputs)]
    case .noInputs: ["fault": "no-inputs"]
    case .vectors(let width, let channels):
      ["fault": "vectors", "width": .integer(width), "channels": .integer(channels)]
    case .distinctValues: ["fault": "distinct-values", "most": 256]
    case .splitOfNoTable: ["fault": "no-table"]
    case .thresholds: ["fault": "thresholds"]
    case .split(let rows, let all):
      ["fault": "split", "rows": .integer(rows), "of": .integer(all)]
    case .unevenSplit(let rows, let width):
      ["fault": "uneven-split", "rows": .integer(rows), "width": .integer(width)]
    case .part(let rows, let fault):
      fault.members.merging(["firstRow": .integer(rows.lowerBound)]) { own, _ in own }
    }
  }
}
