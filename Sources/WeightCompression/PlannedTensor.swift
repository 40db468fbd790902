package import Graph
package import Weights

/// What compression would make of one weight; no value of it was read, but for its distinct ones.
package struct PlannedTensor: Hashable, Sendable {
  package let reference: WeightReference
  /// What was asked for; nil where it would be kept.
  package let asked: Scheme?
  /// How it would be stored, which tells less: not how scales are found.
  package let scheme: Scheme?
  /// Bits of the palette of distinct values, where it is asked for and they are known.
  private let uniqueBits: Int?
  /// Type of the stored floats.
  package let floats: FloatWidth
  /// Which rule of a recipe says so, and why its first choice does not fit; nil without a recipe.
  package let match: RuleMatch?
  /// The name of an earlier weight that holds the same numbers and is stored in the same way: this
  /// one is stored with it.
  package let sharedWith: TensorName?

  package var name: TensorName { reference.name }
  package var shape: [Int] { reference.shape }
  package var role: WeightRole { reference.role }

  /// Which rule says so, in words for listings; nil without a recipe.
  package var note: String? { match?.words }

  /// A phrase for listings: the scheme's, or "kept".
  package var schemeLabel: String {
    sharedWith.map { "same as '\($0)'" } ?? scheme?.label ?? "kept"
  }

  /// Bits per stored element, or per vector of them, without scales and palettes.
  package var bits: Int { scheme?.own.storedBits(floats) ?? 8 * floats.byteCount }

  /// Bytes as stored, scales and palettes included.
  package var byteCount: Int {
    guard sharedWith == nil else { return 0 }
    return scheme?.own.storedBytes(of: reference, floats)
      ?? floats.byteCount * reference.elementCount
  }

  /// What a scheme makes of a weight whose shape takes it.
  ///
  /// - Parameters:
  ///   - asked: nil where it is kept.
  ///   - uniqueBits: of the palette of distinct values, where they are asked for.
  ///   - match: where a recipe says it.
  init(
    _ reference: WeightReference, asked: Scheme?, uniqueBits: Int? = nil, floats: FloatWidth,
    match: RuleMatch? = nil, sharedWith: TensorName? = nil
  ) {
    self.reference = reference
    self.asked = asked
    self.uniqueBits = uniqueBits
    self.floats = floats
    self.match = match
    self.sharedWith = sharedWith
    scheme = (uniqueBits.map { .palette(bits: $0, .perTensor) } ?? asked)?.own
      .stored(for: reference)
  }

  /// The same, stored with another weight.
  func shared(with first: TensorName?) -> PlannedTensor {
    PlannedTensor(
      reference, asked: asked, uniqueBits: uniqueBits, floats: floats, match: match,
      sharedWith: first)
  }

  /// The same for some channels of the weight.
  func resized(to reference: WeightReference) -> PlannedTensor {
    PlannedTensor(reference, asked: asked, uniqueBits: uniqueBits, floats: floats, match: match)
  }

  /// What was made of a weight.
  ///
  /// - Parameter first: the weight it is stored with, if there is one.
  init(of tensor: CompressedTensor, sharedWith first: TensorName? = nil) {
    self.init(
      tensor.reference, asked: tensor.scheme, floats: tensor.floats, sharedWith: first)
  }
}
