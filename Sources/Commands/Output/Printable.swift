extension String {
  /// The text with everything that would steer a terminal, or turn its reading direction, written
  /// as an escape: names from files are untrusted.
  ///
  /// - Parameter keepsLines: whether newlines stay; otherwise the text becomes one line.
  func printable(keepsLines: Bool) -> String {
    let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) || keepsLines && $0 == 0x0A }
    if isPlain { return self }
    var text = ""
    for scalar in unicodeScalars {
      let isKept = keepsLines && scalar == "\n" || !scalar.steersTerminals
      text += isKept ? String(scalar) : scalar.escaped(asASCII: true)
    }
    return text
  }

  /// A value from a file as one line, in quotes where blanks at its ends, or nothing at all, would not
  /// be seen.
  var printableValue: String {
    let ends = [unicodeScalars.first, unicodeScalars.last]
    let isSeen = ends.allSatisfy { $0.map { !$0.properties.isWhitespace } ?? false }
    return (isSeen ? self : "\"\(self)\"").printable(keepsLines: false)
  }
}

extension Unicode.Scalar {
  /// Controls of C0 and C1, and the marks that change the direction of text.
  fileprivate var steersTerminals: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
