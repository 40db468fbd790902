import ArgumentParser
import Files
import Reports
import StrictJSON

/// Options that every command takes.
struct SharedOptions: ParsableArguments {
  @Flag(help: "Print one JSON object on stdout, and nothing else there.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say nothing but the answer, warnings and errors.")
  var quiet = false

  @Flag(
    help: ArgumentHelp(
      "Write how far long work is to stderr, one JSON object a line.",
      discussion: """
        At most ten a second, and one at the end of each step; with --quiet, too. A terminal shows one \
        line instead, which is removed at the end.
        """))
  var jsonProgress = false

  var console: Console { Console(isQuiet: quiet, writesProgress: jsonProgress) }

  /// Runs a command's work; turns what it throws into a message and an exit status.
  func run(_ work: (Console) throws -> Void) throws {
    let console = console
    do {
      try work(console)
    } catch {
      UnfinishedWork.letSignalsEndTheProcess()
      throw explain(ShortenedFiles.first ?? error, console)
    }
  }

  /// Says what failed, unless that was done, and gives the exit status.
  private func explain(_ error: any Error, _ console: Console) -> ExitCode {
    switch error {
    case let status as ExitCode: return status
    case let failure as Failure:
      console.fail(failure.message, details: failure.details, hint: failure.hint)
      return failure.status.code
    default:
      console.fail(words(of: error))
      return ExitStatus.failed.code
    }
  }

  /// Prints a result as text or, with `--json`, as one object with `schemaVersion`.
  func answer(_ console: Console, text: @autoclosure () -> String, json object: JSONValue) throws {
    guard json else { return try console.answer(text().printable(keepsLines: true)) }
    try console.answer(object: object)
  }

  /// Draws on stdout where that is a terminal and the answer is one for people.
  ///
  /// - Parameter drawing: a text whose names from files are safe to show.
  func draw(_ console: Console, _ drawing: (TerminalDrawing) -> String) throws {
    guard !json, let terminal = console.drawing else { return }
    try console.answer(drawing(terminal))
  }
}

/// How many threads to use.
struct JobOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Threads to use; all processors by default.", valueName: "n"))
  var jobs: Int?

  var count: Int { jobs ?? System.processorCount }

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is outside 1...1024")
    }
  }
}

/// A failure that a command explains itself.
struct Failure: Error {
  var message: String
  /// Each on a line of its own.
  var details: [String] = []
  var hint: String?
  var status = ExitStatus.failed
}
