import Foundation
import TestSupport
import Testing

/// What the pages name is there: links and headings, files, tests, types. No cell and no README is
/// longer than anybody reads.
struct PagesTests {
  private func check(_ root: [String] = []) throws -> Program {
    try Program.run(root, program: "\(Program.repository)/scripts/check-pages")
  }

  @Test func whatThePagesNameIsThere() throws {
    let run = try check()
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
  }

  @Test func aFolderWithoutPagesIsAnError() throws {
    let empty = try TemporaryFolder()
    #expect(try check([empty.path]).status == 1)
  }

  @Test func whatIsNotThereIsNamed() throws {
    let root = try TemporaryFolder()
    try root.write("Package.swift", #".target(name: "Ovens"), tests(of: "Ovens")"#)
    try root.write("Sources/Ovens/Oven.swift", "struct Oven { func bake() {} }\n")
    try root.write("Tests/OvensTests/OvenTests.swift", "struct OvenTests { func itBakes() {} }\n")
    try root.write(
      "CONTRIBUTING.md",
      """
      # Sound
      [here](#sound), [there](specs/README.md#a-list-of-it-all), `Sources/Ovens/`, `Oven.swift`,
      `Ovens`, `Oven.bake()`, `OvensTests`, `OvenTests.itBakes`, `json`, `--output`.
      # Not
      [a](#nowhere), [b](specs/none.md), `Sources/Pans/`, `Pan.swift`, `Pan`, `Oven.fry`, `PanTests`.
      ```
      `Sources/Code/` is code
      ```
      """)
    try root.write(
      "specs/README.md",
      """
      # A list of `it` all
      | promise | test |
      |---|---|
      | it bakes | `OvenTests.itBakes`, `itBa…`, `itFries` |
      """)
    try root.write(
      "README.md",
      "| a | b |\n|---|---|\n| short | \(String(repeating: "long ", count: 61)) |\n"
        + String(repeating: "line\n", count: 118))
    let run = try check([root.path])
    #expect(run.status == 1)
    #expect(
      run.errors.split(separator: "\n").map(String.init) == [
        "error: README.md: '121 lines': at most 120 are read",
        "error: README.md: 'long long long long long long long long …': the cell has more than 300 "
          + "characters; make it a section",
        "error: CONTRIBUTING.md: '#nowhere': the page has no such heading",
        "error: CONTRIBUTING.md: 'specs/none.md': there is no such file",
        "error: CONTRIBUTING.md: 'Sources/Pans/': there is no such file",
        "error: CONTRIBUTING.md: 'PanTests': there are no such tests",
        "error: CONTRIBUTING.md: 'Pan.swift': there is no such file",
        "error: CONTRIBUTING.md: 'Pan': there is no such type or target",
        "error: CONTRIBUTING.md: 'Oven.fry': there is no such member",
        "error: CONTRIBUTING.md: 'PanTests': there is no such type or target",
        "error: specs/README.md: 'OvenTests.itFries': there is no such test",
      ])
  }
}
