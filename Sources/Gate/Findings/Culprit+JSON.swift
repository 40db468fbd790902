import Inputs
package import StrictJSON
import Weights

extension Culprit {
  /// `subject`, `weight`, `encoder`, the `kind` of damage and its `words`, and of a weight that was
  /// swapped its `share` alone, its `relativeError` and `pattern`.
  package var json: JSONValue {
    [
      "subject": .string(word), "weight": weight.map { .string($0.text) } ?? .null,
      "bias": suspect?.bias.map { .string($0.text) } ?? .null,
      "encoder": encoder.map { .string("\($0)") } ?? .null, "kind": .string(kind.rawValue),
      "words": .string(words), "share": suspect.map { .double($0.share) } ?? .null,
      "relativeError": suspect.map { .double($0.relativeError) } ?? .null,
      "pattern": suspect?.damage.pattern?.json ?? .null,
    ]
  }

  /// The kind of part in one word.
  private var word: String {
    switch subject {
    case .weight: "weight"
    case .tokenizer: "tokenizer"
    case .preprocessing: "preprocessing"
    case .program: "program"
    }
  }

  /// The part as people call it: the weight's name, or what it is.
  package var name: String { weight?.text ?? word }
}

extension JointDrift {
  /// `weights`, `share` and `left`.
  package var json: JSONValue { .object(members) }
}
