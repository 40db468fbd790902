import Foundation
import TestSupport
import Testing

/// What apps link has to be there on iOS 16 and macOS 13. No system of Apple's was at hand, so that names
/// are looked for that came later.
struct AppSystemsTests {
  /// Names of Swift's libraries that need iOS 17 or 18, or macOS 14 or 15.
  private static let later = [
    "import Synchronization", "import Observation", "String(validating:", "InlineArray<", "UInt128",
    "Int128", "any AsyncSequence<", "some AsyncSequence<", "repeat each ", "withTaskExecutor",
    "withDiscardingTaskGroup", ".next(isolation:",
  ]

  private func uses(_ text: String) -> [String] {
    text.split(separator: "\n").filter { line in
      !line.contains("//") && Self.later.contains { line.contains($0) }
    }.map(String.init)
  }

  @Test func theManifestNamesTheSystems() throws {
    let manifest = try String(
      contentsOfFile: "\(Program.repository)/Package.swift", encoding: .utf8)
    #expect(manifest.contains("platforms: [.macOS(.v13), .iOS(.v16)],"))
  }

  @Test func nothingIsUsedThatCameLater() throws {
    let folder = "\(Program.repository)/Sources"
    let files = try TemporaryFolder.files(below: folder).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 500)
    for file in files {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      #expect(uses(text) == [], "\(file)")
    }
    #expect(uses("let text = String(validating: bytes, as: UTF8.self)").count == 1)
  }
}
