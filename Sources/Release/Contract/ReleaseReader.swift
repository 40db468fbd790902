import Packaging

/// Reads the section `release`.
enum ReleaseReader {
  static func read(_ section: ContractSection) -> ReleaseTerms? {
    section.allowOnly(["version", "sdk", "archive", "sign", "author", "license"])
    let version = self.version(section)
    let sdk = self.sdk(section)
    if let archive = section.optionalString("archive"), archive.value != "tar.zst" {
      section.fault(
        archive.place,
        archive.value == "zip"
          ? "archive 'zip' is not available yet"
          : "'archive' is '\(archive.value.prefix(60).asciiEscaped)', expected tar.zst",
        hint: "use 'tar.zst'")
    }
    if let sign = section.node("sign") {
      section.fault(
        sign.place, "signing is not available yet; remove 'sign' to build unsigned")
    }
    let author = section.optionalString("author")?.value
    let license = section.optionalString("license")?.value
    guard let version, let sdk else { return nil }
    return ReleaseTerms(version: version, sdk: sdk, author: author, license: license)
  }

  private static func version(_ section: ContractSection) -> SemanticVersion? {
    guard let text = section.string("version", mend: "add a version such as 1.4.0") else {
      return nil
    }
    guard let version = SemanticVersion(text.value) else {
      section.fault(
        text.place,
        "'version' is '\(text.value.prefix(60).asciiEscaped)', expected a version such as 1.4.0")
      return nil
    }
    return version
  }

  /// Reads a half-open range: `>=3.2.0 <5.0.0`, the upper end may be left out.
  private static func sdk(_ section: ContractSection) -> SDKRange? {
    guard let text = section.string("sdk", mend: "add a range such as \">=3.2.0 <5.0.0\"") else {
      return nil
    }
    let parts = text.value.split(separator: " ").map(String.init)
    let minimum = parts.first.flatMap { version(in: $0, after: ">=") }
    let below = parts.count == 2 ? version(in: parts[1], after: "<") : nil
    guard let minimum, parts.count == 1 || below != nil, parts.count <= 2 else {
      section.fault(
        text.place,
        "'sdk' is '\(text.value.prefix(60).asciiEscaped)', expected a range such as \">=3.2.0 <5.0.0\""
      )
      return nil
    }
    do throws(PackagingError) {
      return try SDKRange(minimum: minimum, below: below)
    } catch {
      section.fault(
        text.place, "'sdk' is '\(text.value.prefix(60).asciiEscaped)', which holds no version")
      return nil
    }
  }

  private static func version(in text: String, after sign: String) -> SemanticVersion? {
    text.hasPrefix(sign) ? SemanticVersion(String(text.dropFirst(sign.count))) : nil
  }
}
