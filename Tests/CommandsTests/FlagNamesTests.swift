import Foundation
import TestSupport
import Testing

/// Only the command line knows how its options are spelt.
struct FlagNamesTests {
  /// Flags of other tools, which messages quote.
  private static let ofOthers: Set<String> = [
    "Weights/Collection/ForeignFile.swift: --local-dir",
    "Gate/SourceCheck/SourceHints.swift: --both",
  ]

  /// Every flag in the code of a file, comments left out.
  private func flags(_ path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      .flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { String($0.0) } }
  }

  @Test func flagsAreNamedInCommandsAlone() throws {
    let sources = "\(Program.repository)/Sources"
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
      .filter { $0.hasSuffix(".swift") }
    #expect(files.contains("Commands/Output/Flags.swift"))
    var others: Set<String> = []
    for file in files where !file.hasPrefix("Commands/") {
      for flag in try flags("\(sources)/\(file)") { others.insert("\(file): \(flag)") }
    }
    // By the end of their paths: a file keeps its exception where it moves to another target.
    func end(_ entry: String) -> String { String(entry.split(separator: "/").last ?? "") }
    #expect(Set(others.map(end)) == Set(Self.ofOthers.map(end)), "\(others.sorted())")
  }

  /// Each flag that a fault may name is one that the program takes.
  @Test func everyFlagIsTaken() throws {
    let named = try flags("\(Program.repository)/Sources/Commands/Output/Flags.swift")
    #expect(named.count > 5)
    let help = try ["compress", "check", "build", "embed", "validate"].map {
      try Program.run([$0, "--help"]).output
    }.joined()
    for flag in named { #expect(help.contains(flag), "\(flag)") }
  }
}
