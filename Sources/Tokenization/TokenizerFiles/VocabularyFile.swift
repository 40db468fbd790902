import StrictJSON

/// Reads `vocab.txt`: a piece a line, its place as id.
enum VocabularyFile {
  /// Reads the file.
  ///
  /// - Throws: if it is not text, or has lines that library versions read as different pieces.
  static func vocabulary(_ file: TokenizerFiles.File) throws(JSONError) -> Vocabulary {
    let fault = { (line: Int, fault: String) in
      JSONError(
        origin: file.origin, position: JSONPosition(line: line, column: 1), fault: fault)
    }
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      throw fault(1, "is not text in UTF-8")
    }
    guard !text.unicodeScalars.contains("\0") else { throw fault(1, "holds a zero byte") }
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    var vocabulary = Vocabulary(capacity: lines.count)
    var hasBlank = false
    for (index, line) in lines.enumerated() {
      let piece = String(line.last == "\r" ? line.dropLast() : line)
      if let reason = disagreement(piece) {
        throw fault(index + 1, "'\(piece.prefix(60))' \(reason)")
      }
      let isBlank = isSpace(piece.unicodeScalars)
      guard vocabulary.id(of: piece) == nil, !(isBlank && hasBlank) else {
        throw fault(index + 1, "'\(piece.prefix(60))' appears twice")
      }
      hasBlank = hasBlank || isBlank
      vocabulary.insert(piece, id: Int32(index))
    }
    guard vocabulary.count > 0 else { throw fault(1, "is empty") }
    return vocabulary
  }

  /// Why versions of the library read a line as different pieces; a line of white space alone is a
  /// piece that no text has.
  private static func disagreement(_ piece: String) -> String? {
    if piece.unicodeScalars.contains("\r") {
      return "holds a carriage return, which only some versions of the library take as the end of "
        + "a line; remove it"
    }
    guard let last = piece.unicodeScalars.last, last.properties.isWhitespace,
      !isSpace(piece.unicodeScalars)
    else { return nil }
    return "ends with white space, which only some versions of the library take as a part of the "
      + "piece; remove it"
  }

  private static func isSpace(_ scalars: String.UnicodeScalarView) -> Bool {
    scalars.allSatisfy(\.properties.isWhitespace)
  }
}
