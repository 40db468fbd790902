import PackageNames

/// The grammars of names that come from outside, checked byte by byte.
package enum Identifiers {
  /// Whether a text is a UUID in lower case: 8-4-4-4-12 hexadecimal digits.
  package static func isAppID(_ text: String) -> Bool {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { group in group.allSatisfy { isDigit($0) || (0x61...0x66) ~= $0 } }
  }

  /// Whether a text is a flow's name: `[a-z0-9_]{1,64}`.
  package static func isFlowName(_ text: String) -> Bool {
    (1...64) ~= text.utf8.count
      && text.utf8.allSatisfy { isDigit($0) || isLower($0) || $0 == UInt8(ascii: "_") }
  }

  /// Whether a text can name a model: one part of a package path, at most 64 bytes.
  package static func isModelName(_ text: String) -> Bool {
    text.utf8.count <= 64 && SafePath.isSegment(text.utf8)
  }

  /// What the names of models' own files begin with, which no member's may.
  static let modelStem = "model."

  /// Whether a text can name a member of a family: a model's name that is not like the file of one.
  package static func isMemberName(_ text: String) -> Bool {
    isModelName(text) && !text.utf8.starts(with: modelStem.utf8)
  }

  /// Whether a text can name a model in a package: a model's name, or `FAMILY/MEMBER`.
  package static func isPackedName(_ text: String) -> Bool {
    guard let slash = text.firstIndex(of: "/") else { return isModelName(text) }
    return isModelName(String(text[..<slash]))
      && isMemberName(String(text[text.index(after: slash)...]))
  }

  /// Whether a name can be unpacked on Windows, which reserves names of devices, in any case and
  /// with any ending, and drops a dot at the end ("Naming Files, Paths, and Namespaces",
  /// Microsoft).
  package static func isPortable(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }.lowercased()
    let devices = ["con", "prn", "aux", "nul"]
    let isNumbered =
      ["com", "lpt"].contains(stem.prefix(3)) && stem.utf8.count == 4
      && stem.utf8.last.map { (0x31...0x39) ~= $0 } == true
    return !devices.contains(stem) && !isNumbered && name.utf8.last != UInt8(ascii: ".")
  }

  /// Whether a text is a bundle identifier: at least two parts of letters, digits and hyphens.
  package static func isBundleIdentifier(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 155 && parts.count >= 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy {
            isDigit($0) || isLower($0 | 0x20) || $0 == UInt8(ascii: "-")
          }
      }
  }

  /// Whether a text can name an option: 1 to 64 letters.
  package static func isOptionName(_ text: String) -> Bool {
    (1...64) ~= text.utf8.count && text.utf8.allSatisfy { isLower($0 | 0x20) }
  }

  /// Whether a text is a decimal number as manifests write them: no exponent, no leading zero.
  package static func isDecimal(_ text: String) -> Bool {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2) ~= parts.count, text.utf8.count <= 400,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) })
    else { return false }
    return parts[0].count == 1 || parts[0].first != UInt8(ascii: "0")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39) ~= byte }
  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A) ~= byte }
}
