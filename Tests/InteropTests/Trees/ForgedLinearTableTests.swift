import Foundation
import TestSupport
import Testing

/// Weights of Core ML's linear models are held to the source's, though names and layout are others: references may
/// leave a feature alone, and then no output tells of what it is multiplied with.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct ForgedLinearTableTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try Oracle.run("forge_linear_table.py", ["make", folder.path("made")])
  }

  private func compress(_ name: String, _ flags: [String]) throws -> String {
    let path = folder.path("\(name)\(flags.joined()).mlmodel")
    let made = try Program.run(
      [
        "compress", folder.path("made/\(name)/model"), "--output", path, "--references",
        folder.path("made/\(name)/references.jsonl"),
      ] + flags)
    #expect(made.status == 0, "\(name) \(flags): \(made.output) \(made.errors)")
    return path
  }

  private func check(_ name: String, _ path: String) throws -> (status: Int32, text: String) {
    let checked = try Program.run([
      "check", folder.path("made/\(name)/model"), path, "--references",
      folder.path("made/\(name)/references.jsonl"),
    ])
    return (checked.status, checked.output + checked.errors)
  }

  @Test(arguments: ["sigmoid", "softmax", "length"])
  func whatWasCompressedPasses(_ name: String) throws {
    for flags in [
      ["--scheme", "none"], ["--scheme", "int8"], ["--scheme", "palettize", "--bits", "4"],
      ["--scheme", "float16"], ["--scheme", "none", "--updatable"],
      ["--scheme", "int8", "--updatable"],
    ] {
      let (status, text) = try check(name, try compress(name, flags))
      #expect(status == 0, "\(flags): \(text)")
      #expect(!text.contains("other names"), "\(flags): \(text)")
    }
  }

  @Test(arguments: ["sigmoid", "softmax", "length"])
  func oneForgedNumberIsRefused(_ name: String) throws {
    for flags in [
      ["--scheme", "none"], ["--scheme", "int8"], ["--scheme", "none", "--updatable"],
    ] {
      let forged = folder.path("forged\(flags.joined())")
      let text = try Oracle.run(
        "forge_linear_table.py", ["forge", try compress(name, flags), forged])
      let names = try JSONDecoder().decode([String].self, from: Data(text.utf8))
      #expect(names == ["flag", "rome", "scaler"])
      for forgery in names {
        let (status, text) = try check(name, "\(forged)/\(forgery).mlmodel")
        #expect(status == 3, "\(flags) \(forgery): \(text)")
        // Behind a norm no weight makes up for another scale: it is compared as it is.
        if name == "length", forgery == "scaler" {
          #expect(text.contains("'sigma'"), "\(text)")
          continue
        }
        let column = forgery == "rome" ? 4 : 5
        #expect(
          text.contains("column \(column) of the candidate's weight 'w' is worse than its"),
          "\(flags) \(forgery): \(text)")
      }
    }
  }

  /// Core ML lets an app leave such an input out; the baseline refuses a row without it.
  @Test func anInputThatMayBeLeftOutIsRefused() throws {
    let optional = folder.path("optional.mlmodel")
    _ = try Oracle.run(
      "forge_linear_table.py",
      ["optional", try compress("sigmoid", ["--scheme", "none"]), optional])
    let (status, text) = try check("sigmoid", optional)
    #expect(status == 1, "\(text)")
    #expect(
      text.contains(
        "has the optional input 'flag', but the model refuses a missing value of 'flag'"), "\(text)"
    )
  }
}
