/// A pattern of names: `*` matches any run of characters, even an empty one, `?` matches one
/// character, `[*]` an asterisk, `[?]` a question mark, and any other character matches itself.
///
/// Characters are Unicode scalars, compared by value: an é of one scalar and an é of two are
/// different.
package struct NameGlob: Hashable, Sendable {
  private enum Part: Hashable {
    case run, any
    case scalar(Unicode.Scalar)
  }

  /// The pattern, runs of `*` made one.
  private let parts: [Part]
  /// Characters a name has at least.
  private let minimum: Int

  package init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var parts: [Part] = []
    var place = 0
    while place < scalars.count {
      defer { place += 1 }
      switch scalars[place] {
      case "*": if parts.last != .run { parts.append(.run) }
      case "?": parts.append(.any)
      case "[" where NameGlob.isQuoted(scalars, after: place):
        parts.append(.scalar(scalars[place + 1]))
        place += 2
      case let scalar: parts.append(.scalar(scalar))
      }
    }
    self.init(parts: parts)
  }

  /// The pattern that matches one name alone.
  package init(exactly name: String) { self.init(parts: name.unicodeScalars.map(Part.scalar)) }

  private init(parts: [Part]) {
    self.parts = parts
    minimum = parts.count { $0 != .run }
  }

  /// Whether the two characters after a bracket are one of the two with a meaning and its end.
  private static func isQuoted(_ scalars: [Unicode.Scalar], after place: Int) -> Bool {
    place + 2 < scalars.count && (scalars[place + 1] == "*" || scalars[place + 1] == "?")
      && scalars[place + 2] == "]"
  }

  /// The pattern as it can be written.
  package var text: String {
    var text = ""
    for (place, part) in parts.enumerated() {
      switch part {
      case .run:
        // Between brackets one alone would be an asterisk.
        let isBracketed =
          place > 0 && parts[place - 1] == .scalar("[") && place + 1 < parts.count
          && parts[place + 1] == .scalar("]")
        text.append(isBracketed ? "**" : "*")
      case .any: text.append("?")
      case .scalar(let scalar) where scalar == "*" || scalar == "?": text.append("[\(scalar)]")
      case .scalar(let scalar): text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Whether the pattern matches the whole name; takes at most time in the square of the name's
  /// length, for any pattern.
  package func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    guard minimum <= name.count else { return false }
    var (place, at) = (0, 0)
    // The place after the last `*`, and where its match ends as far as is known.
    var retry: (place: Int, at: Int)?
    while at < name.count {
      if place < parts.count, parts[place] == .run {
        place += 1
        retry = (place, at)
      } else if place < parts.count, parts[place] == .any || parts[place] == .scalar(name[at]) {
        place += 1
        at += 1
      } else if let last = retry {
        // One character more for the last `*`; earlier ones are settled.
        retry = (last.place, last.at + 1)
        (place, at) = (last.place, last.at + 1)
      } else {
        return false
      }
    }
    return parts[place...].allSatisfy { $0 == .run }
  }
}
