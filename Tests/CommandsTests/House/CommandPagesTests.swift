import Foundation
import TestSupport
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

  /// How a help text spells each option: `-o, --output <path>`.
  private func options(_ words: [String]) throws -> [String] {
    let help = try Program.run(["help"] + words).output
    return help.components(separatedBy: "\nOPTIONS:\n").dropFirst().joined()
      .matches(of: /(?m)^ {2}((?:-[\w-]+, )*-[\w-]+(?: <[^>]+>)?)/).map { String($0.1) }
  }

  /// The names of a command's subcommands; none for one that does something itself.
  private func subcommands(_ words: [String]) throws -> [String] {
    let help = try Program.run(["help"] + words).output
    return help.components(separatedBy: "\nSUBCOMMANDS:\n").dropFirst().joined()
      .components(separatedBy: "\n\n")[0].matches(of: /(?m)^ {2}(\S+)/).map { String($0.1) }
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
    let commands = try subcommands([])
    #expect(commands.count >= 12)
    for command in commands {
      let page = try page(command)
      #expect(page.hasPrefix("# ingot \(command)\n"))
      let inner = try subcommands([command])
      #expect(inner.isEmpty == !["client", "publish", "store"].contains(command))
      for words in inner.isEmpty ? [[command]] : inner.map({ [command, $0] }) {
        let options = try options(words)
        #expect(options.contains("--json"), "\(words)")
        for option in options { #expect(page.contains("\n- `\(option)`:"), "\(words): \(option)") }
      }
    }
  }
}
