import Foundation
import Testing

/// `specs/commands/` has a page for each command, and it says what `--help` says.
struct CommandPagesTests {
  static let folder = "\(Program.repository)/specs/commands"

  private func check(_ pages: String) throws -> Program {
    try Program.run(
      ["--check", "--ingot", Program.path, "--folder", pages],
      program: "\(Program.repository)/scripts/command-pages")
  }

  private func page(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Self.folder)/\(name).md", encoding: .utf8)
  }

  /// The first words of the lines of a help text that have two spaces before them.
  private func listed(_ help: String, after heading: String) -> [String] {
    guard let start = help.range(of: "\n\(heading):\n") else { return [] }
    return help[start.upperBound...].components(separatedBy: "\n\n")[0]
      .matches(of: /(?m)^ {2}(\S.*?)(?: {2}|$)/).map { String($0.1) }
  }

  @Test func pagesSayWhatTheProgramSays() throws {
    let run = try check(Self.folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
  }

  @Test func stalePagesAreNamed() throws {
    let copy = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
      try copy.write(name, try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)")))
    }
    try copy.write("doctor.md", try page("doctor") + "It also bakes.\n")
    try copy.write("bake.md", "# ingot bake\n")
    try FileManager.default.removeItem(atPath: copy.path("store.md"))
    let run = try check(copy.path)
    #expect(run.status == 1)
    #expect(
      run.errors == """
        error: \(copy.path("bake.md")): a page of no command
        error: \(copy.path("doctor.md")): differs from what the program says
        error: \(copy.path("store.md")): there is no such page
        hint: write the pages again with: scripts/command-pages

        """)
  }

  /// Read from the help itself, so that the script that writes the pages is not its own judge.
  @Test func everyOptionOfEveryCommandIsOnItsPage() throws {
    let commands = listed(try Program.run(["--help"]).output, after: "SUBCOMMANDS")
    #expect(commands.count >= 12)
    for command in commands {
      let page = try page(command)
      #expect(page.hasPrefix("# ingot \(command)\n"))
      let inner = listed(try Program.run(["help", command]).output, after: "SUBCOMMANDS")
      #expect(inner.isEmpty == (command != "store"))
      for words in inner.isEmpty ? [[command]] : inner.map({ [command, $0] }) {
        let options = listed(try Program.run(["help"] + words).output, after: "OPTIONS")
        #expect(options.count >= 3, "\(words)")
        for option in options { #expect(page.contains("\n- `\(option)`:"), "\(words): \(option)") }
      }
    }
  }
}
