package import Graph
import StrictJSON

/// What an input is, and so which model takes it.
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

  /// The encoder of several that takes inputs of this kind; nil where there is none such.
  package var encoder: EncoderKind? {
    switch self {
    case .image: .image
    case .text: .text
    case .values: nil
    }
  }
}

extension Model {
  /// What its inputs are.
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

  /// What one input is: `a text`, `2 values ('x', 'y')`.
  package var shortWords: String {
    switch self {
    case .tokens, .image: kind.words
    case .features: words
    }
  }

  /// Whether what a program takes is what the model it stands for takes: names of features and the
  /// longest text may be others.
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
  /// Whether what a program gives is what the model it stands for gives; whether a vector is an
  /// embedding or numbers only the model says.
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
