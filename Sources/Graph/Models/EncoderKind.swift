/// One of a model's encoders: a CLIP model has one for images and one for texts.
package enum EncoderKind: String, CaseIterable, Comparable, Sendable {
  case image, text

  package static func < (left: EncoderKind, right: EncoderKind) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The other one of the two.
  package var other: EncoderKind {
    switch self {
    case .image: .text
    case .text: .image
    }
  }
}
