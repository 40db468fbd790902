package import Inputs

/// How a candidate prepares its inputs otherwise than its baseline.
package struct PreparationDifference: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Images are resized, cropped or decoded otherwise.
    case images
    /// Parts of the tokenizer that differ.
    case tokenizer([String])
    /// Other tokens of an input; `first` is the first that differs, from 1.
    case tokens(input: String, found: Int, expected: Int, first: Int)
  }

  package let kind: Kind
  /// The encoder of several; nil of a model that is judged alone.
  package let encoder: InputKind?
}

/// Why generated texts refuse a candidate.
package enum GeneratedFault: Equatable, Sendable {
  case notFinite
  /// The cosine of a generated text, and the lowest of the references.
  case drift(cosine: Double, worst: Double)
}
