package import Graph

/// What compression would make of one weight; no value of it was read.
package struct PlannedTensor: Hashable, Sendable {
  package let reference: WeightReference
  /// How it would be stored; nil where it would be kept.
  package let scheme: Scheme?
  /// Type of the stored floats.
  package let floats: FloatWidth
  /// Bytes as stored, scales and palettes included.
  package let byteCount: Int

  package var name: String { reference.name }
  package var shape: [Int] { reference.shape }
  package var role: WeightRole { reference.role }

  /// A phrase for listings: the scheme's, or "kept".
  package var schemeLabel: String { scheme?.label ?? "kept" }

  /// Bits per stored element, without scales and palettes.
  package var bits: Int { scheme?.bits ?? 8 * floats.byteCount }

  /// The shape must take the scheme.
  init(_ reference: WeightReference, _ options: CompressionOptions) {
    self.reference = reference
    floats = options.floats(of: reference.role)
    let count = reference.elementCount
    guard let asked = options.scheme(of: reference.role) else {
      scheme = nil
      byteCount = floats.byteCount * count
      return
    }
    let groups = asked.layout(of: reference).groups
    switch asked {
    case .int8:
      scheme = .int8(groups: groups)
      byteCount = count + floats.byteCount * groups
    case .palette(let bits, _):
      scheme = .palette(bits: bits, groups: groups, channels: reference.channels)
      byteCount =
        BitPacking.byteCount(count, bits: bits) + floats.byteCount * (groups << bits)
    }
  }
}
