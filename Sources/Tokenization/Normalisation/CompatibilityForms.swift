/// Compatibility decomposition and composition (Unicode Standard Annex 15, forms KD and KC) of text
/// held as scalars.
enum CompatibilityForms {
  /// Full compatibility decompositions, without those that are canonical.
  private static let mapping = ScalarMapping(CompatibilityTable.compatibility)

  /// Decomposes every scalar and puts marks into canonical order.
  static func decompose(_ text: inout [UInt32]) {
    map(&text)
    CanonicalDecomposition.apply(to: &text)
  }

  /// Decomposes the text, then composes pairs that have a scalar of their own.
  static func compose(_ text: inout [UInt32]) {
    map(&text)
    CanonicalComposition.apply(to: &text)
  }

  private static func map(_ text: inout [UInt32]) {
    // The first scalar with a compatibility decomposition is U+00A0.
    guard let first = text.firstIndex(where: { $0 >= 0xA0 }) else { return }
    var result = Array(text[..<first])
    result.reserveCapacity(text.count + 16)
    for scalar in text[first...] {
      if scalar < 0xA0 { result.append(scalar) } else { mapping.append(scalar, to: &result) }
    }
    text = result
  }
}

/// The rule `nmt` of SentencePiece, as Hugging Face's library has it.
enum NmtRule {
  static func apply(to text: inout [UInt32]) {
    var kept = 0
    for scalar in text where !isRemoved(scalar) {
      text[kept] = isSpace(scalar) ? 0x20 : scalar
      kept += 1
    }
    text.removeSubrange(kept...)
  }

  private static func isRemoved(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F, 0x8F, 0x9F: true
    default: false
    }
  }

  private static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x1680, 0x200B...0x200F, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD:
      true
    default: false
    }
  }
}
