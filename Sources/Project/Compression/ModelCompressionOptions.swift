package import Graph
import StrictJSON
package import WeightCompression

/// How the weights of a model are compressed: all in one way, each encoder in its own, or in a way that
/// a search finds.
package enum ModelCompressionOptions: Hashable, Sendable {
  case one(CompressionOptions)
  case each(image: CompressionOptions, text: CompressionOptions)
  case smallest(SearchOptions)

  /// How one encoder is compressed; nil if a search says so. Nil as encoder means a model that is one
  /// as a whole and has no options for each encoder.
  package func options(of encoder: EncoderKind?) -> CompressionOptions? {
    switch (self, encoder) {
    case (.one(let options), _), (.each(let options, _), .image), (.each(_, let options), .text):
      options
    case (.smallest, _): nil
    case (.each, nil): preconditionFailure("a model without encoders has one set of options")
    }
  }

  /// What is searched for; nil where everything is said.
  package var search: SearchOptions? {
    if case .smallest(let options) = self { options } else { nil }
  }

  /// Whether each encoder has options of its own.
  package var isForEach: Bool { if case .each = self { true } else { false } }

  /// The requested compression, in words: one by one for encoders that differ.
  package var label: String {
    switch self {
    case .one(let options): options.label
    case .each(let image, let text) where image == text: image.label
    case .each(let image, let text): "image \(image.label), text \(text.label)"
    case .smallest(let options): options.label
    }
  }
}

/// A search for the smallest model that passes, or for the best of a size.
package struct SearchOptions: Hashable, Sendable {
  /// The most bytes of the model, of both encoders where there are two; nil for the fewest that pass.
  package let budget: Int?
  /// Type of the floats that the format stores.
  package let floats: FloatType

  /// A phrase for listings.
  package var label: String {
    budget.map { "the best of \(Figures.bytes($0))" } ?? "the smallest that passes"
  }

  /// Each choice by name, as `CompressionOptions.words`.
  package var words: [String: String] {
    var words = ["floats": floats == .float16 ? "float16" : "float32", "search": "smallest"]
    words["budget"] = budget.map { "\($0)" }
    return words
  }
}
