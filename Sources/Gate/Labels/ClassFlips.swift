import Inputs
package import StrictJSON

/// What became of the inputs to which the baseline gives one class.
package struct ClassFlips: Equatable, Sendable {
  /// The label without quotes.
  package let label: String
  /// The label as messages name it.
  let words: String
  /// Distinct inputs that the baseline gives the class.
  package let inputs: Int
  /// How many of these the candidate gives another one, by that, in the order of the labels.
  package let to: [Target]

  /// Another class, and how many inputs went there.
  package struct Target: Equatable, Sendable {
    package let label: String
    let words: String
    package let count: Int
  }

  /// Inputs that went anywhere.
  package var flips: Int { to.reduce(0) { $0 + $1.count } }

  /// `'later' 3 of 120 (2 to 'now', 1 to 'never')`.
  fileprivate var sentence: String {
    let targets = to.map { "\($0.count) to \($0.words)" }
    return "\(words) \(flips) of \(inputs) (\(targets.joined(separator: ", ")))"
  }

  /// Classes that one line names at most, those with most flips.
  private static let maxNamed = 5

  /// One line for people; nil where nothing flips.
  static func words(_ all: [ClassFlips]) -> String? {
    let flipped = all.enumerated().filter { $0.element.flips > 0 }
      .sorted { ($1.element.flips, $0.offset) < ($0.element.flips, $1.offset) }.map(\.element)
    guard !flipped.isEmpty else { return nil }
    let more = flipped.count - maxNamed
    return "flips by class: " + flipped.prefix(maxNamed).map(\.sentence).joined(separator: "; ")
      + (more > 0 ? "; \(more) more" : "")
  }

  /// `label`, `inputs`, `flips`, and by `label` and `count` what they are `to`.
  package var json: JSONValue {
    [
      "label": .string(label), "inputs": .integer(inputs), "flips": .integer(flips),
      "to": .array(to.map { ["label": .string($0.label), "count": .integer($0.count)] }),
    ]
  }
}

extension ClassFlips {
  /// The classes that lost inputs, as receipts have them.
  static func recorded(_ all: [ClassFlips]) -> [ClassFlips] { all.filter { $0.flips > 0 } }

  /// Reads `classes` of a receipt: what `json` writes of classes that lost inputs, and nothing else.
  static func recorded(of parent: JSONObject) throws(JSONError) -> [ClassFlips] {
    var all: [ClassFlips] = []
    var labels: Set<ExactString> = []
    for node in try parent.array("classes") {
      guard let object = node.object else {
        throw parent.error("'classes' holds \(node.kind), expected objects", at: node.position)
      }
      let flips = try ClassFlips(object)
      guard labels.insert(ExactString(flips.label)).inserted else {
        throw object.error("the class '\(flips.label)' is there twice", at: object.position)
      }
      all.append(flips)
    }
    guard !all.isEmpty else {
      throw parent.error(
        "'classes' is empty; where no class lost an input there is no such key",
        at: try parent.required("classes").position)
    }
    return all
  }

  private init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["label", "inputs", "flips", "to"])
    label = try object.string("label")
    words = label
    inputs = try object.integer("inputs", in: 1...ReferenceSet.lineLimit)
    var targets: [Target] = []
    var labels: Set<ExactString> = [ExactString(label)]
    for node in try object.array("to") {
      guard let target = node.object else {
        throw object.error("'to' holds \(node.kind), expected objects", at: node.position)
      }
      try target.allowOnly(["label", "count"])
      let name = try target.string("label")
      guard labels.insert(ExactString(name)).inserted else {
        throw target.error("inputs go to the class '\(name)' twice", at: target.position)
      }
      targets.append(
        Target(label: name, words: name, count: try target.integer("count", in: 1...inputs)))
    }
    to = targets
    let total = flips
    guard total > 0, total <= inputs, try object.integer("flips") == total else {
      throw object.error(
        "'flips' of the class '\(label)' is not what 'to' adds up to, or more than its inputs",
        at: object.position)
    }
  }
}
