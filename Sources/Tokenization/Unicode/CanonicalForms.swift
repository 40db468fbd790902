/// Canonical decomposition (Unicode Standard Annex 15, form D) of text held as scalars.
enum CanonicalDecomposition {
  /// Mappings of another library that Hugging Face's lacks, whose tables are of an older Unicode.
  struct Additions: Sendable {
    static let none = Additions(decompositions: "", combiningClasses: "")

    let decomposition: ScalarMapping
    /// The same for a whole range.
    let combiningClass: ScalarMapping
    /// Composed scalars by their two parts.
    let pairs: [UInt64: UInt32]

    init(decompositions: String, combiningClasses: String) {
      decomposition = ScalarMapping(decompositions)
      combiningClass = ScalarMapping(combiningClasses)
      pairs = CanonicalComposition.pairs(of: decompositions, without: [])
    }
  }

  /// Decomposes every scalar and puts marks into canonical order.
  static func apply(to text: inout [UInt32], _ additions: Additions = .none) {
    guard let first = text.firstIndex(where: { $0 >= 0xC0 }) else { return }
    let mapping = ScalarMapping.canonicalDecomposition
    var result = Array(text[..<first])
    result.reserveCapacity(text.count + 16)
    for scalar in text[first...] {
      if scalar < 0xC0 {
        result.append(scalar)
      } else if 0xAC00...0xD7A3 ~= scalar {
        appendHangul(scalar - 0xAC00, to: &result)
      } else {
        let start = result.count
        mapping.append(scalar, to: &result)
        if result.count == start + 1, result[start] == scalar, !additions.decomposition.isEmpty {
          result.removeLast()
          additions.decomposition.append(scalar, to: &result)
        }
      }
    }
    reorder(&result, from: first, additions)
    text = result
  }

  /// Appends the two or three letters of a syllable (The Unicode Standard, section 3.12).
  private static func appendHangul(_ index: UInt32, to result: inout [UInt32]) {
    result.append(0x1100 + index / 588)
    result.append(0x1161 + index % 588 / 28)
    if index % 28 > 0 { result.append(0x11A7 + index % 28) }
  }

  /// Sorts each run of marks by combining class, equal classes in the order they came.
  private static func reorder(_ text: inout [UInt32], from start: Int, _ additions: Additions) {
    var index = start
    while index < text.count {
      var end = index
      while end < text.count, isReordered(text[end], additions) { end += 1 }
      if end - index > 1 { sortMarks(&text, index..<end, additions) }
      index = end + 1
    }
  }

  private static func isReordered(_ scalar: UInt32, _ additions: Additions) -> Bool {
    // The first mark is U+0300.
    guard scalar >= 0x300 else { return false }
    return CharacterClasses.shared[scalar].contains(.reordered)
      || additions.combiningClass.value(of: scalar) != nil
  }

  /// The canonical combining class; 0 for scalars that are not marks or are never reordered.
  static func combiningClass(of scalar: UInt32, _ additions: Additions) -> UInt32 {
    guard isReordered(scalar, additions) else { return 0 }
    return ScalarMapping.combiningClass.value(of: scalar)
      ?? additions.combiningClass.value(of: scalar) ?? 0
  }

  private static func sortMarks(
    _ text: inout [UInt32], _ run: Range<Int>, _ additions: Additions
  ) {
    let marks = run.map { (combiningClass(of: text[$0], additions), $0, text[$0]) }
    for (place, mark) in zip(run, marks.sorted { ($0.0, $0.1) < ($1.0, $1.1) }) {
      text[place] = mark.2
    }
  }
}

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
