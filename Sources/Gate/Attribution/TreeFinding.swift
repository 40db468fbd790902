package import StrictJSON

/// What became of one tree of an ensemble, and what it moves.
package struct TreeFinding: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Numbers of its leaves are others, by up to so much.
    case leaves(largest: Double)
    /// A node compares its feature with another number.
    case threshold(feature: String, node: Int, baseline: Double, candidate: Double)
    /// A node asks another feature.
    case feature(node: Int, baseline: String, candidate: String)
    /// A node sends values of its feature elsewhere: missing or equal ones, or categories.
    case rule(feature: String, node: Int)
    /// A node sends some categories elsewhere, by their names, or codes where there are none.
    case categories(feature: String, node: Int, [String])
    /// Its branches and leaves are others.
    case structure
    /// The candidate does not have it.
    case missing
    /// The baseline does not have it.
    case added
  }

  package let kind: Kind
  /// The number of the tree in the baseline, from 0; of one that was added that in the candidate.
  package let tree: Int
  /// Inputs for which it adds something else; of a node those that it sends elsewhere.
  package let moved: Int
  /// Inputs that were looked at.
  package let inputs: Int

  /// The finding as a sentence.
  package var sentence: String {
    let moves = "moves \(moved) of \(Figures.count(inputs, "input"))"
    let sends = "\(moved) of \(Figures.count(inputs, "input")) go another way"
    return switch kind {
    case .leaves(let largest):
      "tree \(tree): leaves differ by up to \(Figures.short(largest)); \(moves)"
    case .threshold(let feature, let node, let baseline, let candidate):
      "feature \(quoted(feature)): threshold \(TreeFinding.number(baseline)) of tree \(tree), node "
        + "\(node) is \(TreeFinding.number(candidate)); \(sends)"
    case .feature(let node, let baseline, let candidate):
      "tree \(tree), node \(node) asks feature \(quoted(candidate)) where the baseline asks "
        + "\(quoted(baseline)); \(sends)"
    case .rule(let feature, let node):
      "feature \(quoted(feature)): tree \(tree), node \(node) sends missing or equal values, or "
        + "categories, another way; \(sends)"
    case .categories(let feature, let node, let names):
      "feature \(quoted(feature)): tree \(tree), node \(node) sends \(names.count == 1 ? "the category" : "the categories") "
        + "\(Figures.list(words: names)) another way; \(sends)"
    case .structure: "tree \(tree) has other branches and leaves; \(moves)"
    case .missing: "tree \(tree) of the baseline is missing; \(moves)"
    case .added: "tree \(tree) is not of the baseline; \(moves)"
    }
  }

  // Thresholds of 32 bits are shown as people wrote them.
  static func number(_ value: Double) -> String {
    Double(Float(value)) == value ? "\(Float(value))" : "\(value)"
  }

  /// `what`, the `tree`, how many inputs `moved` of `inputs`, and the figures of the kind.
  package var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "tree": .integer(tree), "moved": .integer(moved), "inputs": .integer(inputs),
    ]
    switch kind {
    case .leaves(let largest):
      members["what"] = "leaves"
      members["largest"] = .double(largest)
    case .threshold(let feature, let node, let baseline, let candidate):
      members["what"] = "threshold"
      members["feature"] = .string(feature)
      members["node"] = .integer(node)
      members["baseline"] = .double(baseline)
      members["candidate"] = .double(candidate)
    case .feature(let node, let baseline, let candidate):
      members["what"] = "feature"
      members["node"] = .integer(node)
      members["baseline"] = .string(baseline)
      members["candidate"] = .string(candidate)
    case .rule(let feature, let node):
      members["what"] = "rule"
      members["feature"] = .string(feature)
      members["node"] = .integer(node)
    case .categories(let feature, let node, let names):
      members["what"] = "categories"
      members["feature"] = .string(feature)
      members["node"] = .integer(node)
      members["categories"] = .array(names.map(JSONValue.string))
    case .structure: members["what"] = "structure"
    case .missing: members["what"] = "missing"
    case .added: members["what"] = "added"
    }
    return members
  }
}
