import PackageNames
import Packaging

/// Reads the section `release`.
enum ReleaseReader {
  /// The forms an archive can have.
  static let archives = ArchiveForm.allCases.map(\.rawValue)

  /// The sound parts of the section: the whole, or at least the key that signs.
  static func read(_ section: ContractSection) -> (options: ReleaseOptions?, sign: Located<String>?)
  {
    section.allowOnly(["version", "sdk", "archive", "sign", "author", "license"])
    let version = self.version(section)
    let sdk = self.sdk(section)
    let archive = self.archive(section)
    let sign = section.node("sign").flatMap { _ in
      section.path("sign", mend: "name a key file, or remove 'sign' to build unsigned")
    }
    let author = section.optionalString("author")?.value
    let license = section.optionalString("license")?.value
    guard let version, let sdk else { return (nil, sign) }
    let options = ReleaseOptions(
      version: version, sdk: sdk, author: author, license: license, archive: archive, sign: sign)
    return (options, sign)
  }

  private static func archive(_ section: ContractSection) -> Located<String>? {
    guard let archive = section.optionalString("archive") else { return nil }
    guard archives.contains(archive.value) else {
      section.fault(
        .badValue, archive.place,
        "'archive' is '\(archive.value.prefix(60).asciiEscaped)', expected tar.zst or zip",
        hint: Suggestion.nearest(to: archive.value, among: archives).map { "did you mean '\($0)'?" }
      )
      return nil
    }
    return archive
  }

  private static func version(_ section: ContractSection) -> SemanticVersion? {
    guard let text = section.string("version", mend: "add a version such as 1.4.0") else {
      return nil
    }
    guard let version = SemanticVersion(text.value) else {
      section.fault(
        .badValue, text.place,
        "'version' is '\(text.value.prefix(60).asciiEscaped)', expected a version such as 1.4.0",
        hint: Correction.version(text.value))
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
    let found = "'sdk' is '\(text.value.prefix(60).asciiEscaped)'"
    guard let minimum, parts.count == 1 || below != nil, parts.count <= 2 else {
      section.fault(
        .badValue, text.place, "\(found), expected a range such as \">=3.2.0 <5.0.0\"")
      return nil
    }
    do throws(PackagingError) {
      return try SDKRange(minimum: minimum, below: below)
    } catch {
      section.fault(
        .badValue, text.place, "\(found), which holds no version",
        hint: "the second version is the first that is too new; it must be the greater one")
      return nil
    }
  }

  private static func version(in text: String, after sign: String) -> SemanticVersion? {
    text.hasPrefix(sign) ? SemanticVersion(String(text.dropFirst(sign.count))) : nil
  }
}
