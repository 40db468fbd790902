import TestSupport
import Testing

struct UsageTests {
  static let commands = [
    "inspect", "compress", "embed", "check", "init", "validate", "doctor", "build", "verify",
  ]

  @Test func helpListsEveryCommandAndStatus() throws {
    let help = try Program.run(["--help"])
    #expect(help.status == 0)
    #expect(help.errors.isEmpty)
    for command in Self.commands { #expect(help.output.contains("  \(command) ")) }
    #expect(help.output.contains("0 done, 1 failed, 3 refused by the gate, 4 verification failed"))
  }

  @Test(arguments: commands)
  func everyCommandHasHelpWithAnExample(_ command: String) throws {
    let help = try Program.run([command, "--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("ingot \(command)"))
    #expect(help.output.contains("Example"))
  }

  @Test func versionIsOneLine() throws {
    let version = try Program.run(["--version"])
    #expect(version.status == 0)
    #expect(version.output == "0.1.0\n")
  }

  static let wrongUsages = [
    ["bake"], ["compress"], ["compress", "m", "--output", "o", "--bits", "many"],
    ["compress", "m", "--output", "o", "--scheme", "int3"],
    ["compress", "m", "--output", "o", "--scheme", "palettize", "--bits", "5"],
    ["compress", "m", "--output", "o", "--format", "onnx"],
    ["check", "a", "b"], ["check", "a", "b", "--references", "r", "--limits", "loose"],
    ["embed", "m", "--inputs", "i", "--output", "o", "--jobs", "0"],
    ["verify", "p", "--require-profile", "loose"],
  ]

  @Test(arguments: wrongUsages)
  func wrongUsageIsStatus64AndSaysNothingOnStdout(_ arguments: [String]) throws {
    let run = try Program.run(arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("Error: "))
  }

  static let misspellings: [(arguments: [String], words: String, command: String)] = [
    (["comprss", "m"], "Unknown command 'comprss'. Did you mean 'compress'?", ""),
    (["Inspect", "m"], "Unknown command 'Inspect'. Did you mean 'inspect'?", ""),
    (["bake"], "Unknown command 'bake'", ""),
    (["store", "chek"], "Unknown command 'chek'. Did you mean 'check'?", " store"),
    (
      ["compress", "m", "--outptu", "o"], "Unknown option '--outptu'. Did you mean '--output'?",
      " compress"
    ),
    (
      ["compress", "m", "-o", "o", "--refrences=p"],
      "Unknown option '--refrences'. Did you mean '--references'?", " compress"
    ),
    (
      ["publish", "packages", "--repositry", "r", "--keys", "k"],
      "Unknown option '--repositry'. Did you mean '--repository'?", " publish offer"
    ),
    (
      ["publish", "--repositry", "r", "packages"],
      "Unknown option '--repositry'. Did you mean '--repository'?", " publish offer"
    ),
    (
      ["publish", "witdraw", "1.4.0", "--app", "a"],
      "Unknown command 'witdraw'. Did you mean 'withdraw'?", " publish"
    ),
    (["inspect", "m", "--frobnicate"], "Unknown option '--frobnicate'", " inspect"),
  ]

  /// Of a command that is not named, as of one that is.
  @Test(arguments: [
    (["publish", "packages", "--repository", "r"], "'--keys <dir>'"),
    (["publish", "packages", "--repository", "r", "--keys", "k", "--rollout", "5"], "'5'"),
    (["publish", "packages", "--repository", "r", "--keys", "k", "--time", "now"], "'now'"),
  ])
  func whatIsMissingOrWrongIsNamed(_ arguments: [String], _ thing: String) throws {
    let run = try Program.run(arguments)
    #expect(run.status == 64)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first?.hasPrefix("Error: ") == true && lines.first?.contains(thing) == true)
    #expect(lines.count { $0.hasPrefix("Usage: ingot publish offer ") } == 1, "\(run.errors)")
  }

  /// Whatever else is wrong on the line, the unknown word is the one to fix.
  @Test(arguments: misspellings.indices)
  func aMisspeltWordIsAnsweredWithTheNearestOne(_ index: Int) throws {
    let (arguments, words, command) = Self.misspellings[index]
    let run = try Program.run(arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first.map(String.init) == "Error: \(words)")
    #expect(lines.count { $0.hasPrefix("Usage: ingot\(command) ") } == 1, "\(run.errors)")
  }
}
