import Graph

/// One encoder as it stands on both sides, and the inputs it takes. A model that is one as a whole
/// is the only tower.
struct Tower: Sendable {
  let kind: InputKind
  /// Nil where outputs were given.
  let baseline: Model?
  /// Nil where outputs were given, and where the candidate leaves it as the baseline has it.
  let candidate: Model?
  /// Numbers of the distinct inputs it takes; never empty.
  let inputs: [Int]
  /// Whether it is judged together with another.
  let isOfSeveral: Bool

  /// Which encoder of several it is; nil for a model that is judged alone.
  var encoder: InputKind? { isOfSeveral ? kind : nil }

  /// `text encoder`; nil for a model that is judged alone.
  var name: String? { encoder?.encoderWords }
}

extension InputKind {
  /// `text encoder`, for messages.
  var encoderWords: String {
    switch self {
    case .image: "image encoder"
    case .text: "text encoder"
    case .values: "model of values"
    }
  }
}
