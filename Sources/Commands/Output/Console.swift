import ArgumentParser
import Files
import Reports
import StrictJSON

/// All words the program says: answers on stdout, everything else on stderr.
struct Console: Sendable {
  let isQuiet: Bool
  /// Whether progress is told in lines of JSON.
  let writesProgress: Bool
  private let usesColour: Bool

  init(isQuiet: Bool, writesProgress: Bool = false) {
    self.isQuiet = isQuiet
    self.writesProgress = writesProgress
    let isPlain =
      !(System.environment("NO_COLOR") ?? "").isEmpty || System.environment("TERM") == "dumb"
    usesColour = System.isTerminal(2) && !isPlain
  }

  /// Prints an answer, which ends in a newline, as it is.
  ///
  /// - Throws: where a file that it may be about was shortened meanwhile, too.
  func answer(_ text: String) throws {
    try ShortenedFiles.requireNone()
    guard System.write(text, to: 1) else {
      throw OutputError(reason: System.lastError)
    }
  }

  /// Prints an answer of `--json`: one object, with `schemaVersion`.
  func answer(object: JSONValue) throws {
    guard case .object(var members) = object else {
      preconditionFailure("an answer is an object")
    }
    members["schemaVersion"] = 1
    try answer(JSONValue.object(members).pretty)
  }

  /// How to draw on stdout; nil unless that is a terminal, and where only the answer is wanted.
  ///
  /// 80 columns where the terminal does not say how many it has.
  var drawing: TerminalDrawing? {
    guard System.isTerminal(1), !isQuiet else { return nil }
    return TerminalDrawing(
      width: System.terminalColumns(1) ?? 80, isPlain: System.environment("TERM") == "dumb",
      usesColour: (System.environment("NO_COLOR") ?? "").isEmpty)
  }

  /// Says something on stderr unless quiet.
  func note(_ text: String) {
    if !isQuiet { say(text) }
  }

  /// Says what is doubtful, quiet or not, an indented line for each detail, and the way out where
  /// there is one.
  func warn(_ text: String, details: [String] = [], hint: String? = nil) {
    say(paint("warning:", "33"), text)
    for detail in details { say(" ", detail) }
    if let hint { say(paint("hint:", "36"), hint) }
  }

  /// Says what failed: one line, an indented line for each detail, and the way out where there is
  /// one.
  func fail(_ text: String, details: [String] = [], hint: String? = nil) {
    // Further lines are indented: a name from a file must not pass for a message of its own.
    let lines = text.split(separator: "\n").map(String.init)
    say(paint("error:", "31"), lines.first ?? "")
    for detail in lines.dropFirst() + details { say(" ", detail) }
    if let hint { say(paint("hint:", "36"), hint) }
  }

  /// Writes one line to stderr; `head` is ours, the text may hold names from files.
  private func say(_ head: String, _ text: String) {
    TerminalLine.say("\(head) \(text.printable(keepsLines: false))\n")
  }

  private func say(_ text: String) {
    TerminalLine.say("\(text.printable(keepsLines: false))\n")
  }

  private func paint(_ word: String, _ colour: String) -> String {
    usesColour ? "\u{1B}[1;\(colour)m\(word)\u{1B}[0m" : word
  }
}

/// Stdout did not take the answer.
struct OutputError: Error, CustomStringConvertible {
  let reason: String

  var description: String { "cannot write the answer to stdout: \(reason)" }
}
