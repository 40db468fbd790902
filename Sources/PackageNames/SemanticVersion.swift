/// A version by the rules of Semantic Versioning 2.0.0.
package struct SemanticVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  private let core: [Int]
  private let prerelease: [Substring]

  /// The version as written.
  package let description: String

  /// Parses `MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD]`; nil when the text is not of that form.
  package init?(_ text: String) {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let (versionText, build) = SemanticVersion.split(text[...], at: "+")
    let (coreText, prereleaseText) = SemanticVersion.split(versionText, at: "-")
    let numbers = coreText.split(separator: ".", omittingEmptySubsequences: false)
    let core = numbers.compactMap(SemanticVersion.number)
    guard numbers.count == 3, core.count == 3 else { return nil }
    let parts = prereleaseText?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    let buildParts = build?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard (parts + buildParts).allSatisfy(SemanticVersion.isIdentifier),
      parts.allSatisfy({ !SemanticVersion.isNumeric($0) || SemanticVersion.number($0) != nil })
    else { return nil }
    self.core = core
    prerelease = parts
    description = text
  }

  /// Precedence as section 11 of the standard defines it; build metadata is ignored.
  package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    if left.core != right.core { return left.core.lexicographicallyPrecedes(right.core) }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return !left.prerelease.isEmpty && right.prerelease.isEmpty
    }
    return left.prerelease.lexicographicallyPrecedes(right.prerelease) { left, right in
      switch (number(left), number(right)) {
      case (let left?, let right?): left < right
      case (_?, nil): true
      case (nil, _?): false
      case (nil, nil): left.utf8.lexicographicallyPrecedes(right.utf8)
      }
    }
  }

  private static func split(
    _ text: Substring, at separator: Character
  ) -> (Substring, Substring?) {
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (text[..<index], text[text.index(after: index)...])
  }

  /// A number without leading zeros that fits.
  private static func number(_ text: Substring) -> Int? {
    guard isNumeric(text), text == "0" || !text.hasPrefix("0") else { return nil }
    return Int(text)
  }

  private static func isNumeric(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
