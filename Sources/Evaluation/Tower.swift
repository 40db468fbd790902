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

  /// `the candidate's weights`, or which of them.
  var candidateWeights: String {
    name.map { "the weights of the candidate's \($0)" } ?? "the candidate's weights"
  }

  /// `the candidate`, or which encoder of it.
  var candidateWords: String { name.map { "the candidate's \($0)" } ?? "the candidate" }

  /// `text encoder`; nil for a model that is judged alone.
  var name: String? { isOfSeveral ? kind.encoderWords : nil }
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
