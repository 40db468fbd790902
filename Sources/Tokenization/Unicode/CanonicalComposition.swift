/// Canonical composition (Unicode Standard Annex 15, form C) of text held as scalars.
enum CanonicalComposition {
  /// Decomposes the text, then composes pairs that have a scalar of their own.
  static func apply(
    to text: inout [UInt32], _ additions: CanonicalDecomposition.Additions = .none
  ) {
    // Below the first mark, U+0300, nothing changes and nothing composes.
    guard text.contains(where: { $0 >= 0x300 }) else { return }
    CanonicalDecomposition.apply(to: &text, additions)
    var kept = 0
    var starter = -1
    var lastClass: UInt32 = 0
    for scalar in text {
      let combiningClass = CanonicalDecomposition.combiningClass(of: scalar, additions)
      let isFree = kept - 1 == starter || lastClass < combiningClass
      if starter >= 0, isFree, let whole = composed(text[starter], scalar, additions) {
        text[starter] = whole
        continue
      }
      if combiningClass == 0 { starter = kept }
      lastClass = combiningClass
      text[kept] = scalar
      kept += 1
    }
    text.removeSubrange(kept...)
  }

  private static func composed(
    _ first: UInt32, _ second: UInt32, _ additions: CanonicalDecomposition.Additions
  ) -> UInt32? {
    // Jamo (The Unicode Standard, section 3.12).
    if 0x1100..<0x1113 ~= first, 0x1161..<0x1176 ~= second {
      return 0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28
    }
    if 0xAC00..<0xD7A4 ~= first, (first - 0xAC00) % 28 == 0, 0x11A8..<0x11C3 ~= second {
      return first + (second - 0x11A7)
    }
    let key = UInt64(first) << 32 | UInt64(second)
    return pairs[key] ?? additions.pairs[key]
  }

  /// Composed scalars by their two parts.
  private static let pairs: [UInt64: UInt32] = {
    var excluded: Set<UInt32> = []
    for item in TableReader(DecompositionTable.notComposed) {
      excluded.formUnion(item.first...item.last)
    }
    return pairs(of: DecompositionTable.canonical, without: excluded)
  }()

  /// The table holds full decompositions; without its last scalar, one is another scalar's.
  static func pairs(of table: String, without excluded: Set<UInt32>) -> [UInt64: UInt32] {
    var wholes: [[UInt32]: UInt32] = [:]
    for item in TableReader(table) where item.targets.count > 1 && !excluded.contains(item.first) {
      wholes[item.targets] = item.first
    }
    var pairs: [UInt64: UInt32] = [:]
    for (parts, whole) in wholes {
      let head = Array(parts.dropLast())
      guard let first = head.count == 1 ? head[0] : wholes[head], let last = parts.last else {
        continue
      }
      pairs[UInt64(first) << 32 | UInt64(last)] = whole
    }
    return pairs
  }
}
