import ArgumentParser
import Files

/// All words the program says: answers on stdout, everything else on stderr.
struct Console: Sendable {
  let isQuiet: Bool
  private let usesColour: Bool

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    let isPlain =
      !(System.environment("NO_COLOR") ?? "").isEmpty || System.environment("TERM") == "dumb"
    usesColour = System.isTerminal(2) && !isPlain
  }

  /// Prints an answer, which ends in a newline.
  func answer(_ text: String) throws {
    guard System.write(text, to: 1) else {
      throw OutputError(reason: System.lastError)
    }
  }

  /// Says something on stderr unless quiet.
  func note(_ text: String) {
    if !isQuiet { System.write(text + "\n", to: 2) }
  }

  /// Says what is doubtful, quiet or not.
  func warn(_ text: String) { System.write(paint("warning:", "33") + " \(text)\n", to: 2) }

  /// Says what failed: one line, an indented line for each detail, and the way out where there is
  /// one.
  func fail(_ text: String, details: [String] = [], hint: String? = nil) {
    System.write(paint("error:", "31") + " \(text)\n", to: 2)
    for detail in details { System.write("  \(detail)\n", to: 2) }
    if let hint { System.write(paint("hint:", "36") + " \(hint)\n", to: 2) }
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
