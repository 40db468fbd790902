package import Graph
import StrictJSON

/// The kind of an input, which decides the model that takes it.
package enum InputKind: Hashable, Comparable, Sendable {
  case image, text, values

  /// `an image`, for messages.
  package var words: String {
    switch self {
    case .image: "an image"
    case .text: "a text"
    case .values: "a list of values"
    }
  }

  /// The encoder of a model with several that takes these inputs; nil if no encoder does.
  package var encoder: EncoderKind? {
    switch self {
    case .image: .image
    case .text: .text
    case .values: nil
    }
  }
}

extension Model {
  /// The kind of its inputs.
  package var kind: InputKind { architecture.input.kind }
}

extension ModelInput {
  /// The kind of input the model takes.
  package var kind: InputKind {
    switch self {
    case .tokens: .text
    case .features: .values
    case .image: .image
    }
  }

  /// One input in words: `a text`, `2 values ('x', 'y')`.
  package var shortWords: String {
    switch self {
    case .tokens, .image: kind.words
    case .features: words
    }
  }

  /// Whether a program takes the same inputs as the model it replaces; names of features and the
  /// longest text may differ.
  package func canReplace(_ other: ModelInput) -> Bool {
    switch (self, other) {
    case (.tokens(_, let ours), .tokens(_, let theirs)): ours == theirs
    case (.features(let ours), .features(let theirs)): ours.count == theirs.count
    case (.image, .image): self == other
    default: false
    }
  }
}

extension ModelOutput {
  /// Whether a program gives the same outputs as the model it replaces; only the model knows
  /// whether a vector is an embedding or plain numbers.
  package func canReplace(_ other: ModelOutput) -> Bool {
    switch (self, other) {
    case (.classes(let labels, let width, _), .classes(let theirs, let theirWidth, _)):
      labels == theirs && width == theirWidth
    case (.classes, _), (_, .classes): false
    default: width == other.width
    }
  }

  /// Words for messages.
  package var words: String {
    switch self {
    case .embedding(let width): "an embedding of \(width)"
    case .classes(let labels, let width, _):
      "\(Figures.count(width, "score")) for the labels \(Figures.list(words: labels.words))"
    case .numbers(let width): Figures.count(width, "number")
    }
  }
}
