import StrictJSON
import Yams

/// Reads a YAML text within limits; the only file that knows Yams.
///
/// Refused beyond what YAML itself refuses: aliases (a few hundred bytes of them can expand to
/// gigabytes), tags, keys that are not plain words, and values that nest too deep.
package enum YAMLReader {
  /// Largest project file or recipe, in bytes.
  package static let sizeLimit = 256 << 10
  /// Levels of values within each other.
  static let depthLimit = 32

  /// Reads a whole text.
  ///
  /// - Parameters:
  ///   - file: its name, for places.
  ///   - format: the key that names the format; no word of a text without it is shown. Nil if all
  ///     may be.
  /// - Returns: nil when a fault was found and added to `faults`.
  package static func read(
    _ bytes: [UInt8], file: String, naming format: String? = nil,
    _ faults: inout ProjectFaults
  ) -> YAMLNode? {
    let start = Place(startOf: file)
    guard let text = String(utf8: bytes) else {
      faults.add(.malformedFile, start, "the text is not valid UTF-8")
      return nil
    }
    if let fault = YAMLPrescan.fault(in: text, file: file) {
      faults.add(.malformedFile, fault.place, fault.message, hint: fault.hint)
      return nil
    }
    do {
      // Without resolution: what a scalar means is decided where it is used.
      guard let node = try Yams.compose(yaml: text, .basic, .default, .utf8) else {
        faults.add(.malformedFile, start, "the file is empty")
        return nil
      }
      return convert(node, file: file, depth: 0, &faults)
    } catch {
      let fault = self.fault(
        of: error, text: text, file: file, isShown: format.map { holds($0, text) } ?? true)
      faults.add(.malformedFile, fault.place, fault.message, hint: fault.hint)
      return nil
    }
  }

  private static func convert(
    _ node: Node, file: String, depth: Int, _ faults: inout ProjectFaults
  ) -> YAMLNode? {
    let place = Place(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    guard depth < depthLimit else {
      faults.add(.malformedFile, place, "values nest deeper than \(depthLimit) levels")
      return nil
    }
    guard isPlainTag(node.tag) else {
      faults.add(.malformedFile, place, "tags ('!') are not supported")
      return nil
    }
    switch node {
    case .scalar(let scalar):
      let content = YAMLNode.Content.scalar(scalar.string, isPlain: scalar.style == .plain)
      return YAMLNode(content: content, place: place)
    case .sequence(let sequence):
      var elements: [YAMLNode] = []
      for element in sequence {
        guard let element = convert(element, file: file, depth: depth + 1, &faults) else {
          return nil
        }
        elements.append(element)
      }
      return YAMLNode(content: .sequence(elements), place: place)
    case .mapping(let mapping):
      return convert(mapping, place, depth: depth, &faults)
    case .alias:
      faults.add(.malformedFile, place, "aliases are not supported")
      return nil
    }
  }

  private static func convert(
    _ mapping: Node.Mapping, _ place: Place, depth: Int, _ faults: inout ProjectFaults
  ) -> YAMLNode? {
    var members: [(key: YAMLNode, value: YAMLNode)] = []
    for (key, value) in mapping {
      guard let key = convert(key, file: place.file, depth: depth + 1, &faults),
        let value = convert(value, file: place.file, depth: depth + 1, &faults)
      else { return nil }
      guard case .scalar = key.content else {
        faults.add(.malformedFile, key.place, "a key is \(key.kind), expected a word")
        return nil
      }
      members.append((key, value))
    }
    return YAMLNode(content: .mapping(members), place: place)
  }

  /// Whether a line of a text begins with a key, in quotes or braces or not.
  private static func holds(_ key: String, _ text: String) -> Bool {
    text.utf8.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
      line.drop { " \t{\"'".utf8.contains($0) }.starts(with: key.utf8)
    }
  }

  private static func isPlainTag(_ tag: Tag) -> Bool {
    [Tag.Name.str, .seq, .map, .implicit].map(\.rawValue).contains(tag.rawValue)
  }

  private static func fault(
    of error: any Error, text: String, file: String, isShown: Bool
  ) -> Fault {
    func fault(_ mark: Mark, _ message: String, _ hint: String? = nil) -> Fault {
      Fault(
        .malformedFile, Place(file: file, line: mark.line, column: mark.column), message, hint: hint
      )
    }
    let start = Place(startOf: file)
    switch error as? YamlError {
    // The words of libyaml, which ends here after 1000 levels.
    case .parser(_, let problem, let mark, _) where problem.hasPrefix("Maximum nesting level"):
      return fault(mark, "values nest deeper than \(depthLimit) levels")
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _):
      let hint: String? =
        switch context?.text {
        case "while parsing a flow mapping":
          "inside { … } write a value that holds braces in quotes"
        case "while scanning an alias": "write a text that starts with '*' in quotes"
        default: nil
        }
      return fault(mark, "is not YAML: " + sentence(context?.text, problem), hint)
    case .composer(_, "but found another document", let mark, _):
      return fault(mark, "a second document starts here; the file has to be one")
    case .composer(let context, let problem, let mark, _):
      return fault(mark, "is not YAML: " + sentence(context?.text, problem))
    case .duplicatedKeysInMapping(let keys, let context):
      let key = isShown ? keys.first.map { "the key '\($0.prefix(60))'" } : nil
      return fault(context.mark, "\(key ?? "a key") appears twice")
    case .reader(let problem, let offset, _, _):
      let place = offset.map { YAMLPrescan.place(ofCharacter: $0, in: text, file: file) }
      return Fault(.malformedFile, place ?? start, "is not YAML: \(problem)")
    default:
      return Fault(.malformedFile, start, "is not YAML: \(error)")
    }
  }

  private static func sentence(_ context: String?, _ problem: String) -> String {
    context.map { "\($0), \(problem)" } ?? problem
  }
}

/// Looks at a YAML text before it is parsed, for what a parser should not even see.
private enum YAMLPrescan {
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
