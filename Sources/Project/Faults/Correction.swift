import PackageNames
import Packaging

/// The probable meaning of a value in the wrong form; nil if nothing is obvious.
enum Correction {
  /// For a UUID: upper case, missing hyphens, braces, a prefix, spaces around it.
  static func appID(_ text: String) -> String? {
    guard text.utf8.count <= 80 else { return nil }
    var bare = trimmed(text).lowercased()
    if bare.hasPrefix("urn:uuid:") { bare = String(bare.dropFirst(9)) }
    bare = bare.filter { !"{}()".contains($0) }
    let digits = bare.filter { $0 != "-" }
    let hyphenated = self.hyphenated(digits)
    if Identifiers.isAppID(hyphenated) { return "write it as \(hyphenated)" }
    let isHexadecimal = digits.utf8.allSatisfy {
      (0x30...0x39) ~= $0 || (0x61...0x66) ~= $0
    }
    guard isHexadecimal, !digits.isEmpty else { return nil }
    return "a UUID has 32 hexadecimal digits, this one \(digits.utf8.count)"
  }

  /// 32 digits in groups of 8-4-4-4-12; any other number as it is.
  private static func hyphenated(_ digits: String) -> String {
    let bytes = Array(digits.utf8)
    guard bytes.count == 32 else { return digits }
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
      .map { String(decoding: bytes[$0], as: UTF8.self) }.joined(separator: "-")
  }

  /// For a bundle identifier: spaces around it, underscores, a wildcard, one part only.
  static func bundleIdentifier(_ text: String) -> String? {
    guard text.utf8.count <= 155 else {
      return "it has \(text.utf8.count) bytes, at most 155 fit"
    }
    if text.contains("*") { return "name one app; a wildcard stands for many" }
    let written = trimmed(text).split(separator: "_", omittingEmptySubsequences: false)
      .joined(separator: "-")
    if written != text, Identifiers.isBundleIdentifier(written) {
      return text.contains("_")
        ? "'_' is not allowed; is it '\(written)'?" : "write it as \(written)"
    }
    guard !text.contains(".") else { return nil }
    return "a bundle identifier has two parts or more, with a '.' between them"
  }

  /// For a flow's name: upper case, hyphens, spaces.
  static func flowName(_ text: String) -> String? {
    let name = String(
      trimmed(text).lowercased().map { [" ", "-", "."].contains($0) ? "_" : $0 })
    return Identifiers.isFlowName(name) ? "write it as \(name), and its folder too" : nil
  }

  /// For a version: a leading `v`, one or two numbers only.
  static func version(_ text: String) -> String? {
    guard text.utf8.count <= 60 else { return nil }
    var written = trimmed(text)
    if written.hasPrefix("v") { written.removeFirst() }
    for candidate in [written, written + ".0", written + ".0.0"]
    where SemanticVersion(candidate) != nil {
      return "write it as \(candidate)"
    }
    return nil
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
