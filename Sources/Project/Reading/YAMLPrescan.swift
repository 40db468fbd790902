/// Looks at a YAML text before it is parsed, for what a parser should not even see.
enum YAMLPrescan {
  /// The first fault of a text.
  ///
  /// Aliases are found by their looks: `*` where a value may begin, and a letter, digit, `_` or `-`
  /// after it; not behind a quotation mark or a hyphen, where it is part of a text. Comments do not count where no quotation mark makes it doubtful that they are some.
  static func fault(in text: String, file: String) -> Fault? {
    var (line, column) = (1, 1)
    var previous: Unicode.Scalar = "\n"
    var isComment = false
    var isDoubtful = lineHasQuotes(text.unicodeScalars[...])
    var index = text.unicodeScalars.startIndex
    while index < text.unicodeScalars.endIndex {
      let scalar = text.unicodeScalars[index]
      text.unicodeScalars.formIndex(after: &index)
      let place = Place(file: file, line: line, column: column)
      if scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar) {
        return Fault(
          .malformedFile, place, "a control character (byte \(scalar.value)) is in the text")
      }
      if isBreak(scalar) {
        if !(scalar == "\n" && previous == "\r") { line += 1 }
        (column, isComment, previous) = (1, false, scalar)
        isDoubtful = lineHasQuotes(text.unicodeScalars[index...])
        continue
      }
      if scalar == "#" && isSpace(previous) && !isDoubtful { isComment = true }
      let next = index < text.unicodeScalars.endIndex ? text.unicodeScalars[index] : " "
      if scalar == "*" && !isComment && mayPrecedeAlias(previous) && isNameByte(next) {
        return Fault(
          .malformedFile, place, "aliases ('*name') are not supported",
          hint: "write the value out; a text that starts with '*' needs quotes")
      }
      column += 1
      previous = scalar
    }
    return nil
  }

  /// The place of a character.
  static func place(ofCharacter offset: Int, in text: String, file: String) -> Place {
    let before = text.prefix(offset).unicodeScalars
    let line = before.count { $0 == "\n" } + 1
    let column = (before.lastIndex(of: "\n").map { before[$0...].count } ?? before.count + 1)
    return Place(file: file, line: line, column: column)
  }

  private static func lineHasQuotes(_ rest: Substring.UnicodeScalarView) -> Bool {
    for scalar in rest {
      if isBreak(scalar) { return false }
      if scalar == "\"" || scalar == "'" { return true }
    }
    return false
  }

  /// Whether YAML 1.1 takes a character for the end of a line.
  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || isBreak(scalar)
  }

  private static func mayPrecedeAlias(_ scalar: Unicode.Scalar) -> Bool {
    isSpace(scalar) || [",", "[", "{", ":", "?", "\u{FEFF}"].contains(scalar)
  }

  private static func isNameByte(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "-" || scalar.properties.isAlphabetic
      || scalar.properties.numericType != nil
  }
}
