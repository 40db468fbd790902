/// Texts of a card as a package may say them: whoever wrote the card, they steer no terminal and pass
/// for no line of their own.
enum CardText {
  /// Most bytes of one text; longer ones are not names.
  static let maxBytes = 200
  /// Most bytes of a list in one line.
  private static let maxBytesOfList = 1000

  /// A text as one line: a run of blanks, ends of lines and control characters becomes one blank, and
  /// marks that cannot be seen, as those that turn the reading direction, are left out.
  ///
  /// - Returns: nil if nothing is left, or the text is too long.
  static func line(_ text: String) -> String? {
    guard text.utf8.count <= maxBytes else { return nil }
    var line = String.UnicodeScalarView()
    var isParted = false
    for scalar in text.unicodeScalars where !isHidden(scalar) {
      if parts(scalar) {
        isParted = true
        continue
      }
      if isParted, !line.isEmpty { line.append(" ") }
      isParted = false
      line.append(scalar)
    }
    return line.isEmpty ? nil : String(line)
  }

  /// Texts with commas between; nil if there are none, or they are too long together.
  static func list(_ texts: [String]) -> String? {
    let list = texts.joined(separator: ", ")
    return list.isEmpty || list.utf8.count > maxBytesOfList ? nil : list
  }

  private static func parts(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }

  /// Whether a scalar is a mark of formatting; those that join and part letters belong to words.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format && scalar != "\u{200C}" && scalar != "\u{200D}"
  }
}
