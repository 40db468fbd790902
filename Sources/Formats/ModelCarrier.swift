package import Graph

/// A format's decisions about a model's inputs and outputs.
package struct ModelCarrier: Equatable, Sendable {
  /// Inputs that are taken at once; nil for any number.
  package let batch: Int?
  /// Tokens of a text; nil if there is not one length.
  package let length: Int?
  /// Planes of numbers, or a pixel buffer.
  package let imageType: String
  package let embeddingType: String
  /// Names of the outputs; of a classifier those of the label and its numbers. Empty if the format
  /// has no names of its own.
  package let outputNames: [String]
  /// The type of features; nil for the one in which the model computes.
  package var featureType: String? = nil
  /// Whether each feature is an input of its own, by its name.
  package var namesFeatures = false

  /// Any number of inputs at once, of any length.
  package static let plain = ModelCarrier(
    batch: nil, length: nil, imageType: "float32", embeddingType: "float32", outputNames: [])
}

extension ModelFormat {
  /// How a model is carried by the format that it was opened from.
  package static func carrier(ofOpened model: Model) -> ModelCarrier {
    allCases.lazy.compactMap { $0.type.carrier(ofOpened: model) }.first ?? .plain
  }
}
