/// A pattern of names: `*` matches any run of characters, even an empty one, `?` matches one
/// character, and any other character matches itself.
///
/// Characters are Unicode scalars, compared by value: an é of one scalar and an é of two are
/// different. A literal `*` cannot be written; `?` matches it.
package struct NameGlob: Hashable, Sendable {
  /// The pattern, runs of `*` made one.
  private let pattern: [Unicode.Scalar]
  /// Characters a name has at least.
  private let minimum: Int

  package init(_ text: String) {
    var pattern: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars where !(scalar == "*" && pattern.last == "*") {
      pattern.append(scalar)
    }
    self.pattern = pattern
    minimum = pattern.count { $0 != "*" }
  }

  /// The pattern as it can be written.
  package var text: String {
    var text = ""
    text.unicodeScalars.append(contentsOf: pattern)
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
      if place < pattern.count, pattern[place] == "*" {
        place += 1
        retry = (place, at)
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[at] {
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
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}
