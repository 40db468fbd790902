/// Canonical decomposition (Unicode Standard Annex 15, form D) of text held as scalars.
enum CanonicalDecomposition {
  /// Decomposes every scalar and puts marks into canonical order.
  static func apply(to text: inout [UInt32]) {
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
        mapping.append(scalar, to: &result)
      }
    }
    reorder(&result, from: first)
    text = result
  }

  /// Appends the two or three letters of a syllable (The Unicode Standard, section 3.12).
  private static func appendHangul(_ index: UInt32, to result: inout [UInt32]) {
    result.append(0x1100 + index / 588)
    result.append(0x1161 + index % 588 / 28)
    if index % 28 > 0 { result.append(0x11A7 + index % 28) }
  }

  /// Sorts each run of marks by combining class, equal classes in the order they came.
  private static func reorder(_ text: inout [UInt32], from start: Int) {
    let classes = CharacterClasses.shared
    var index = start
    while index < text.count {
      var end = index
      while end < text.count, classes[text[end]].contains(.reordered) { end += 1 }
      if end - index > 1 { sortMarks(&text, index..<end) }
      index = end + 1
    }
  }

  private static func sortMarks(_ text: inout [UInt32], _ run: Range<Int>) {
    let mapping = ScalarMapping.combiningClass
    let marks = run.map { (mapping.value(of: text[$0]) ?? 0, $0, text[$0]) }
    for (place, mark) in zip(run, marks.sorted { ($0.0, $0.1) < ($1.0, $1.1) }) {
      text[place] = mark.2
    }
  }
}
