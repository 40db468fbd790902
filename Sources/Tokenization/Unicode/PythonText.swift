/// Methods of Python's `str`, scalar for scalar.
enum PythonText {
  /// Removes scalars for which `str.isspace` holds at both ends.
  static func strip(_ text: inout [UInt32]) {
    text.removeSubrange((text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0)...)
    text.removeSubrange(..<(text.firstIndex { !isSpace($0) } ?? text.count))
  }

  /// Makes every run of white space one plain space, as `re.sub(r"\s+", " ", text)`.
  static func collapseSpace(_ text: inout [UInt32]) {
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    var isBehindSpace = false
    for scalar in text {
      let isSpace = isSpace(scalar)
      if !isSpace { result.append(scalar) } else if !isBehindSpace { result.append(0x20) }
      isBehindSpace = isSpace
    }
    text = result
  }

  /// White space of Python: that of Unicode, and the separators U+001C to U+001F.
  private static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000:
      true
    default: false
    }
  }

  /// Turns a text into lower case, scalar by scalar; only a sigma depends on the end of its word.
  static func lowercase(_ text: inout [UInt32]) {
    let mapping = ScalarMapping.lowercase
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    for index in text.indices {
      if text[index] == 0x3A3 {
        result.append(isFinalSigma(text, index) ? 0x3C2 : 0x3C3)
      } else {
        mapping.append(text[index], to: &result)
      }
    }
    text = result
  }

  /// Whether a sigma ends a word: a cased scalar before it, and none behind it; case-ignorable
  /// scalars (marks, apostrophes) are skipped.
  private static func isFinalSigma(_ text: [UInt32], _ index: Int) -> Bool {
    let isLoud = { (scalar: UInt32) in properties(scalar)?.isCaseIgnorable != true }
    let isCased = { (scalar: UInt32) in properties(scalar)?.isCased == true }
    guard let before = text[..<index].last(where: isLoud), isCased(before) else { return false }
    return text[(index + 1)...].first(where: isLoud).map { !isCased($0) } ?? true
  }

  private static func properties(_ scalar: UInt32) -> Unicode.Scalar.Properties? {
    Unicode.Scalar(scalar)?.properties
  }
}
