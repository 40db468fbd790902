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
