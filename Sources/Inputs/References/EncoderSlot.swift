package import Graph

/// One encoder on both sides, and the inputs it takes. A model without separate encoders has a
/// single encoder.
package struct EncoderSlot: Sendable {
  package let kind: InputKind
  /// Nil if outputs were given.
  package let baseline: Model?
  /// Nil if outputs were given, and where the candidate leaves it as the baseline has it.
  package let candidate: Model?
  /// Numbers of the distinct inputs it takes; never empty.
  package let inputs: [Int]
  /// Whether it is judged together with another.
  package let isOfSeveral: Bool

  package init(
    kind: InputKind, baseline: Model?, candidate: Model?, inputs: [Int], isOfSeveral: Bool
  ) {
    self.kind = kind
    self.baseline = baseline
    self.candidate = candidate
    self.inputs = inputs
    self.isOfSeveral = isOfSeveral
  }

  /// Which encoder of several it is; nil for a model that is judged alone.
  package var encoder: InputKind? { isOfSeveral ? kind : nil }

  /// `text encoder`; nil for a model that is judged alone.
  package var name: String? { encoder?.encoderWords }
}

extension InputKind {
  /// `text encoder`, for messages.
  package var encoderWords: String {
    switch self {
    case .image: "image encoder"
    case .text: "text encoder"
    case .values: "model of values"
    }
  }
}
