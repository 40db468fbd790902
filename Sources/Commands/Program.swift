import ArgumentParser
import Files

/// The program as a whole.
public enum Program {
  /// Runs the command and ends the process.
  public static func main() {
    // A full pipe or disk must come back as an error with a message, not end the process.
    System.reserveStandardDescriptors()
    System.ignoreWriteSignals()
    UnfinishedWork.removeOnSignals()
    Memory.giveBackLargeArrays()
    ShortenedFiles.watch { Console(isQuiet: false).fail($0) }
    var command = parsed()
    do {
      try command.run()
    } catch {
      IngotCommand.exit(withError: error)
    }
  }

  /// Parses the command line; an unknown word ends the process with the likeliest known one.
  private static func parsed() -> any ParsableCommand {
    do {
      return try IngotCommand.parseAsRoot()
    } catch {
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard IngotCommand.exitCode(for: error) == .validationFailure,
        let misspelling = Misspelling(in: arguments, of: IngotCommand.self)
      else { IngotCommand.exit(withError: error) }
      misspelling.say(besides: IngotCommand.fullMessage(for: error))
      IngotCommand.exit(withError: ExitCode.validationFailure)
    }
  }
}

extension Misspelling {
  /// Says it in place of what the parser has to say, above the same usage.
  fileprivate func say(besides message: String) {
    let usage = message.split(separator: "\n").drop { !$0.hasPrefix("Usage:") }
    let lines = ["Error: \(text)"] + usage.map(String.init)
    System.write(lines.joined(separator: "\n").printable(keepsLines: true) + "\n", to: 2)
  }
}
