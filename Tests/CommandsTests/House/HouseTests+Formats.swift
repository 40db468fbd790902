import Foundation
import TestSupport
import Testing

/// House rules about output formats: each is one folder and one line in a list.
extension HouseTests {
  /// A format, as its own folder declares it.
  private struct FormatFolder {
    /// From `Sources`, with a slash at its end.
    let path: String
    let name: String
    /// Everything it declares for other targets.
    var types: Set<String> = []
  }

  private static let list = "Formats/Format.swift"

  /// Types of a format that others name: the choices of a user, which flags and project files hold.
  private static let choices: Set<String> = [
    "CoreMLOptions", "CoreMLDescription", "DeploymentTarget", "LengthRange",
  ]

  /// Where the name of a format is another thing.
  private static func isExcepted(_ file: String, _ name: String) -> Bool {
    // Trained weights come as safetensors files, whatever is written.
    if name == "safetensors" { return file.hasPrefix("Weights/") }
    // A path that leads nowhere is told from a name on the hub by its ending.
    return file == "Weights/Collection/HubName.swift"
  }

  private func sources() throws -> [String] {
    try TemporaryFolder.files(below: "\(Program.repository)/Sources")
      .filter { $0.hasSuffix(".swift") }.sorted()
  }

  /// The code of a file, without comments.
  private func code(of file: String) throws -> [String] {
    try lines(of: "Sources/\(file)").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
  }

  private func formats(among files: [String]) throws -> [FormatFolder] {
    var formats: [FormatFolder] = []
    for file in files where file.hasPrefix("Formats/") {
      let text = try code(of: file)
      guard text.contains(where: { $0.contains(/struct \w+: Format \{/) }) else { continue }
      let names = text.compactMap { $0.firstMatch(of: /static let name = "(\w+)"/)?.1 }
      let name = try #require(names.first)
      let folder = file.split(separator: "/").prefix(2).joined(separator: "/") + "/"
      formats.append(FormatFolder(path: folder, name: String(name)))
    }
    for index in formats.indices {
      for file in files where file.hasPrefix(formats[index].path) {
        for line in try code(of: file) {
          let type = line.firstMatch(of: /^package (?:struct|enum|final class|protocol) (\w+)/)
          if let type { formats[index].types.insert(String(type.1)) }
        }
      }
    }
    return formats
  }

  /// The names in a line that only the format itself should use.
  private func names(in line: String, of format: FormatFolder) -> [String] {
    let types = line.matches(of: /\b[A-Z]\w+/).map { String($0.0) }
      .filter { format.types.contains($0) && !Self.choices.contains($0) }
    let name = format.name
    let strings = ["\"\(name)\"", "\".\(name)\""].filter(line.contains)
    let members = line.matches(of: /(?:^|[ (\[,]|ModelFormat)\.(\w+)/).map { String($0.1) }
      .filter { $0 == name }
    return types + strings + members
  }

  @Test func formatsAreNamedInTheirFoldersAlone() throws {
    let files = try sources()
    let formats = try formats(among: files)
    let listed = try code(of: Self.list).flatMap { $0.matches(of: /(\w+)\.self,/) }.map { $0.1 }
    #expect(listed.count == formats.count)
    #expect(formats.count > 1)
    for format in formats {
      #expect(format.types.contains { listed.contains($0[...]) }, "\(format.path)")
      for file in files where !file.hasPrefix(format.path) && file != Self.list {
        if Self.isExcepted(file, format.name) { continue }
        for line in try code(of: file) {
          #expect(names(in: line, of: format) == [], "\(file): \(line)")
        }
      }
    }
  }

  @Test func aFormatOutsideItsFolderIsFound() throws {
    let format = FormatFolder(path: "Formats/Arrays/", name: "arrays", types: ["ArrayFolder"])
    let lines = [
      "if ArrayFolder.isMeant(path) {": ["ArrayFolder"],
      #"guard format == "arrays" else { return nil }"#: [#""arrays""#],
      #"path.hasSuffix(".arrays")"#: [#"".arrays""#],
      "if chosen == .arrays {": ["arrays"],
      "let format = ModelFormat.arrays": ["arrays"],
      "let count = model.arrays.count": [],
    ]
    for (line, found) in lines { #expect(names(in: line, of: format) == found, "\(line)") }
  }
}
