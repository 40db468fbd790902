package import Graph
package import WeightCompression

/// How the weights of a model are compressed: all in one way, or each encoder in its own.
package enum ModelCompressionOptions: Hashable {
  case one(CompressionOptions)
  case each(image: CompressionOptions, text: CompressionOptions)

  /// How one encoder is compressed; nil means a model that is one as a whole and has no options
  /// for each encoder.
  package func options(of encoder: EncoderKind?) -> CompressionOptions {
    switch (self, encoder) {
    case (.one(let options), _), (.each(let options, _), .image), (.each(_, let options), .text):
      options
    case (.each, nil): preconditionFailure("a model without encoders has one set of options")
    }
  }

  /// Whether each encoder has options of its own.
  package var isForEach: Bool { if case .each = self { true } else { false } }

  /// The requested compression, in words: one by one for encoders that differ.
  package var label: String {
    switch self {
    case .one(let options): options.label
    case .each(let image, let text) where image == text: image.label
    case .each(let image, let text): "image \(image.label), text \(text.label)"
    }
  }
}
