import Foundation
import TestSupport
import Testing

/// Only the command line knows how its options are spelt.
struct FlagNamesTests {
  /// Flags of other tools, which messages quote.
  private static let ofOthers: Set<String> = [
    "Weights/Collection/ForeignFile.swift: --local-dir",
    "Gate/SourceCheck/SourceHint+Sentence.swift: --both",
  ]

  /// Every flag in the code of a file, comments left out.
  private func flags(_ path: String) throws -> [String] {
    try code(path).flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { String($0.0) } }
  }

  /// The lines of a file but for comments.
  private func code(_ path: String) throws -> [Substring] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
  }

  private let sources = "\(Program.repository)/Sources"

  private func files() throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
      .filter { $0.hasSuffix(".swift") }
    #expect(files.contains("Commands/Output/Flags.swift"))
    return files
  }

  /// A message that names a command asks for its name, as for that of an option.
  @Test func commandsAreNamedInCommandsAlone() throws {
    for file in try files() where !file.hasPrefix("Commands/") {
      let named = try code("\(sources)/\(file)").filter { $0.contains(/'ingot [a-z]/) }
      #expect(named.isEmpty, "\(file): \(named)")
    }
  }

  @Test func flagsAreNamedInCommandsAlone() throws {
    let files = try files()
    var others: Set<String> = []
    // A style sheet has properties of that form.
    for file in files where !file.hasPrefix("Commands/") && !file.hasSuffix("/StyleSheet.swift") {
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
